// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/files_under_way.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "trellis/comm/own_file.hpp"
#include "trellis/core/base/signals_blocked.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/runtime/binding.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::io {
namespace {

constexpr std::uint64_t piece_bytes = 1U << 23;
// How many pieces are on their way to the disk, and back, before the first of them is looked at.
constexpr std::size_t pieces_ahead = 4, pieces_coming_back = 2;
// A rank whose part is written asks the others again after this time, so that none waits long in a collective.
constexpr auto patience = std::chrono::milliseconds(200);

// Thrown in the thread when nobody wants the file any more.
struct GivenUp {};

void require_as_written(const comm::OwnFile& file, const std::filesystem::path& path, const FileBytes::Part& part,
                        std::vector<std::byte>& buffer) {
  buffer.resize(part.bytes.size());
  file.read_at(part.offset, buffer);
  if (std::memcmp(part.bytes.data(), buffer.data(), buffer.size()) == 0) return;
  const auto written = std::ranges::mismatch(part.bytes, buffer).in1;
  fail("{}: reads back differently from byte {} on", path.string(),
       part.offset + static_cast<std::uint64_t>(written - part.bytes.begin()));
}

void write_parts(comm::OwnFile& file, const std::filesystem::path& path, const FileBytes& bytes,
                 const std::stop_token& stop) {
  std::deque<FileBytes::Part> on_their_way, coming_back;
  std::vector<std::byte> buffer;
  // All but so many of them.
  const auto read_back = [&](std::size_t to_disk, std::size_t from_disk) {
    while (on_their_way.size() > to_disk) {
      const auto& part = coming_back.emplace_back(on_their_way.front());
      on_their_way.pop_front();
      file.start_reading_back(part.offset, part.bytes.size());
    }
    for (; coming_back.size() > from_disk; coming_back.pop_front())
      require_as_written(file, path, coming_back.front(), buffer);
  };
  for (auto part : bytes.parts)
    while (!part.bytes.empty()) {
      if (stop.stop_requested()) throw GivenUp{};
      // Pieces end at multiples of their size, so that no page of the system's memory belongs to two of them.
      const auto room = piece_bytes - part.offset % piece_bytes;
      const auto piece = part.bytes.first(std::min<std::size_t>(room, part.bytes.size()));
      file.write_at(part.offset, piece);
      file.start_writing(part.offset, piece.size());
      on_their_way.push_back({part.offset, piece});
      part.offset += piece.size();
      part.bytes = part.bytes.subspan(piece.size());
      read_back(pieces_ahead, pieces_coming_back);
    }
  file.sync();
  read_back(0, 0);
  file.close();
}

struct File {
  std::filesystem::path path;
  FileBytes bytes;
  std::function<void(const std::filesystem::path&)> check;
  std::function<void()> when_there;
  std::unique_ptr<AtomicFile> atomic;  // on the first rank
  std::optional<comm::OwnFile> own;    // for the thread
  Stopwatch since_start;
  // Set by the thread, under the lock.
  bool written = false;
  double seconds = 0;
  std::string problem;
};

}  // namespace

struct FilesUnderWay::State {
  explicit State(const comm::Communicator& of) : ranks(of) {}

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    for (;;) {
      const auto next = [&] { return std::ranges::find(files, false, &File::written); };
      if (!changed.wait(lock, stop, [&] { return next() != files.end(); })) return;
      File& file = *next();  // the other thread removes only files that are written, and a deque moves none
      lock.unlock();
      std::string problem;
      try {
        write_parts(*file.own, file.path, file.bytes, stop);
      } catch (const GivenUp&) {
        return;
      } catch (const std::exception& error) {
        problem = error.what();
      }
      lock.lock();
      file.problem = std::move(problem);
      file.seconds = file.since_start.seconds();
      file.written = true;
      changed.notify_all();
    }
  }

  // Whether the thread has done its part of the first file; waits for it a little.
  bool first_is_written(bool wait) {
    std::unique_lock lock(mutex);
    const auto is_written = [&] { return files.front().written; };
    if (!wait) return is_written();
    const bool alone = ranks.size() == 1;
    if (alone) changed.wait(lock, is_written);
    return alone || changed.wait_for(lock, patience, is_written);
  }

  bool first_is_written_by_all(bool wait) {
    double missing = first_is_written(wait) ? 0 : 1;
    ranks.maximum("files under way", {&missing, 1});
    return missing == 0;
  }

  void put_first_in_place() {
    auto& file = files.front();
    longest = std::max(longest, file.seconds);
    ranks.agree("write a file", file.problem, 1);
    on_first_rank(ranks, "finish a file", [&] { file.atomic->commit(file.check); });
    const auto when_there = std::move(file.when_there);
    {
      const std::lock_guard lock(mutex);
      files.pop_front();
    }
    if (when_there) when_there();
  }

  void go_on(bool wait) {
    try {
      while (!files.empty()) {
        bool there = false;
        if (wait) {
          const Stopwatch watch;
          while (!there) there = first_is_written_by_all(true);
          waited += watch.seconds();
        } else {
          there = first_is_written_by_all(false);
        }
        if (!there) return;
        put_first_in_place();
      }
    } catch (...) {
      give_up();
      throw;
    }
  }

  void give_up() {
    thread = {};  // requests it to stop, and waits until it has
    files.clear();
  }

  comm::Communicator ranks;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<File> files;
  double waited = 0, longest = 0;
  std::jthread thread;  // must be last: it uses all others
};

FilesUnderWay::FilesUnderWay(const comm::Communicator& ranks) : state_(std::make_unique<State>(ranks)) {}
FilesUnderWay::~FilesUnderWay() { state_->give_up(); }

void FilesUnderWay::start(const std::filesystem::path& path, FileBytes bytes,
                          const std::function<void(const std::filesystem::path&)>& check,
                          const std::function<void()>& when_there) {
  const auto& ranks = state_->ranks;
  std::unique_ptr<AtomicFile> atomic;
  std::string part;
  on_first_rank(ranks, "create a file", [&] {
    atomic = std::make_unique<AtomicFile>(path);
    part = atomic->temporary().string();
    if (ranks.size() > 1) atomic->share();
    atomic->reserve(bytes.size);
  });
  if (ranks.size() > 1) part = ranks.broadcast("create a file", part);
  std::optional<comm::OwnFile> own;
  comm::together(ranks, "create a file", [&] { own.emplace(ranks, part); });
  {
    const std::lock_guard lock(state_->mutex);
    auto& file = state_->files.emplace_back();
    file.path = path;
    file.bytes = std::move(bytes);
    file.check = check;
    file.when_there = when_there;
    file.atomic = std::move(atomic);
    file.own.emplace(std::move(*own));
  }
  state_->changed.notify_all();
  if (state_->thread.joinable()) return;
  const SignalsBlocked blocked;
  state_->thread = std::jthread([state = state_.get()](const std::stop_token& stop) {
    run_anywhere();  // not on the core of the thread that computes
    state->work(stop);
  });
}

void FilesUnderWay::look() { state_->go_on(false); }
void FilesUnderWay::finish() { state_->go_on(true); }
bool FilesUnderWay::empty() const { return state_->files.empty(); }
double FilesUnderWay::waited_seconds() const { return state_->waited; }
double FilesUnderWay::longest_seconds() const { return state_->longest; }

}  // namespace trellis::io
