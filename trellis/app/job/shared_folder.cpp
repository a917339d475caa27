// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/shared_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "trellis/app/job/job.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy =
    "the folder must be the same on all machines, and relative paths begin in the folder where each rank was started";

// How often several machines look, a second apart, before it is an error: NFS clients may go on for a minute with what
// they knew of a folder (acdirmax, acregmax).
constexpr int looks_from_afar = 90;

FolderView view_of(const fs::path& directory) {
  std::error_code code;
  auto place = fs::absolute(directory, code).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();
  fs::path missing;
  struct stat found{};
  while (::stat(place.c_str(), &found) != 0 && place.has_relative_path()) {
    missing = missing.empty() ? place.filename() : place.filename() / missing;
    place = place.parent_path();
  }
  return {machine_name(), missing.string(), fmt::format("{}:{}", found.st_dev, found.st_ino)};
}

std::string host_of(const std::string& machine) { return machine.substr(0, machine.find(' ')); }

std::string text_of(std::ifstream stream) { return {std::istreambuf_iterator<char>(stream), {}}; }

// problem(): the same text on all ranks.
template <class F>
void require_soon(const comm::Communicator& ranks, const F& problem) {
  const int looks = ranks.ranks_on_machine() == ranks.size() ? 1 : looks_from_afar;
  for (int look = 1;; ++look) {
    const std::string found = problem();
    if (found.empty()) return;
    if (look == looks) fail_input("{}", found);
    if (look == 3 && ranks.is_first())
      log_warning("{}. Waiting up to {} s, in case that a network file system shows it later", found, looks - look);
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace

std::string folder_problem(const std::vector<FolderView>& ranks, const fs::path& directory) {
  const auto& first = ranks.front();
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    const auto& own = ranks[r];
    const bool same_machine = own.machine == first.machine;
    if (own.missing == first.missing && (!same_machine || own.identity == first.identity)) continue;
    const auto seen = [](const FolderView& view) {
      return view.missing.empty() ? std::string("it exists") : fmt::format("{} does not exist", view.missing);
    };
    return fmt::format("output.directory: {}: rank {} on {} sees another folder than rank 0 on {}{}: {}",
                       directory.string(), r, host_of(own.machine), host_of(first.machine),
                       own.missing == first.missing ? "" : fmt::format(" ({} there, {} here)", seen(own), seen(first)),
                       remedy);
  }
  return "";
}

void require_shared_folder(const comm::Communicator& ranks, const fs::path& directory) {
  if (ranks.size() == 1) return;
  require_soon(ranks, [&] {
    const auto now = view_of(directory);
    std::vector<FolderView> views;
    for (const auto& text :
         ranks.gather("who sees the folder", fmt::format("{}\n{}\n{}", now.machine, now.missing, now.identity))) {
      std::istringstream lines(text);
      auto& view = views.emplace_back();
      for (auto* const part : {&view.machine, &view.missing, &view.identity}) std::getline(lines, *part);
    }
    return folder_problem(views, directory);
  });
}

void require_lock_is_seen(const comm::Communicator& ranks, const fs::path& lock) {
  if (ranks.size() == 1) return;
  require_soon(ranks, [&] {
    auto stream = input_stream(lock);
    const bool exists = stream.is_open();
    const auto texts = ranks.gather("who sees the lock",
                                    fmt::format("{}\n{}", host_of(machine_name()),
                                                exists ? text_of(std::move(stream)) : std::string("does not exist")));
    const auto said = [&](std::size_t r) { return texts[r].substr(texts[r].find('\n') + 1); };
    for (std::size_t r = 1; r < texts.size(); ++r) {
      // A file that cannot be written, where it locks nevertheless, is empty.
      if (said(r) == said(0) || said(r).empty()) continue;
      const auto end = texts[r].find('\n');
      return fmt::format("output.directory: rank {} on {} does not see {}, which rank 0 on {} has just written: {}", r,
                         texts[r].substr(0, end), lock.string(), texts[0].substr(0, texts[0].find('\n')), remedy);
    }
    return std::string();
  });
}

}  // namespace trellis::app
