// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis {
namespace {

constexpr std::size_t most_names = std::size_t{1} << 16;
constexpr int row_of_streams = 1000;  // the row of a device's first stream, after those of threads

// Length in bytes of the UTF-8 character that begins here; 0 if none does.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong encodings, surrogates, beyond the last code point.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const auto length = character(text);
    const char c = text[0];
    if (length == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out + '"';
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

ProfileTrace::ProfileTrace(std::size_t most)
    : most_(most), process_{::getpid(), {}, std::chrono::steady_clock::now()} {}

void ProfileTrace::belongs_to(Process process) {
  const std::lock_guard lock(mutex_);
  process_ = std::move(process);
}

Listener ProfileTrace::listener() {
  Listener listener;
  listener.begin_region = [this](const RegionEvent& e) { begin(e, Category::region, e.name, 0, 0); };
  listener.begin_kernel = [this](const KernelEvent& e) {
    begin(e, Category::kernel, e.kernel.name, e.kernel.bytes, e.kernel.flops);
  };
  listener.begin_copy = [this](const CopyEvent& e) {
    const auto from = e.from_label.empty() ? "a value" : std::string(e.from_label);
    begin(e, Category::copy, "deep_copy of " + from + " to " + std::string(e.to_label), double(e.bytes), 0);
  };
  listener.end_region = [this](const RegionEvent& e) { end(e); };
  listener.end_kernel = [this](const KernelEvent& e) {
    if (e.stream == 0) return end(e);
    KernelEvent on_device = e;
    on_device.thread = row_of_streams + e.stream - 1;
    end(on_device);
  };
  listener.ends_late = true;
  listener.end_copy = [this](const CopyEvent& e) { end(e); };
  listener.allocate = [this](const MemoryEvent& e) {
    begin(e, Category::allocation, "allocation of " + std::string(e.label), double(e.bytes), 0);
    end(e);
  };
  listener.message = [this](const MessageEvent& e) {
    begin(e, Category::message, fmt::format("{} from rank {}", e.name, e.from), double(e.bytes), 0);
    end(e);
  };
  return listener;
}

std::uint32_t ProfileTrace::name_of(std::string_view name) {
  const auto [at, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.emplace_back(name);
  return at->second;
}

void ProfileTrace::begin(const ProfilingEvent& event, Category category, std::string_view name, double bytes,
                         double flops) {
  const std::lock_guard lock(mutex_);
  const auto number = names_.size() < most_names ? name_of(name) : name_of("(more names than are kept)");
  open_[event.id] = {event.begin, 0, bytes, flops, number, event.thread, category};
}

void ProfileTrace::end(const ProfilingEvent& event) {
  const std::lock_guard lock(mutex_);
  const auto at = open_.find(event.id);
  if (at == open_.end()) return;
  at->second.begin = event.begin;
  at->second.seconds = event.seconds;
  at->second.thread = event.thread;
  streams_ = std::max(streams_, event.thread - row_of_streams + 1);
  keep(at->second);
  open_.erase(at);
}

void ProfileTrace::keep(const Event& event) {
  const auto room = event.category == Category::region ? most_ : most_ - most_ / 8;
  if (events_.size() < room) {
    events_.push_back(event);
  } else if (dropped_++ == 0) {
    first_dropped_ = event.begin;
  }
}

std::size_t ProfileTrace::kept() const {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

std::size_t ProfileTrace::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

std::string ProfileTrace::line(const Event& event) const {
  static constexpr const char* category[] = {"region", "kernel", "copy", "allocation"};
  if (event.category == Category::message) return message_lines(event);
  auto text =
      fmt::format(R"({{"name":{},"cat":"{}","ph":"X",{})", json_string(names_[event.name]),
                  category[static_cast<int>(event.category)], numbers_of(event.begin, event.seconds, event.thread));
  const bool has_bytes = event.bytes > 0 && std::isfinite(event.bytes);
  const bool has_flops = event.flops > 0 && std::isfinite(event.flops);
  if (has_bytes && has_flops)
    text += fmt::format(R"(,"args":{{"bytes":{:.0f},"flops":{:.0f}}})", event.bytes, event.flops);
  else if (has_bytes)
    text += fmt::format(R"(,"args":{{"bytes":{:.0f}}})", event.bytes);
  else if (has_flops)
    text += fmt::format(R"(,"args":{{"flops":{:.0f}}})", event.flops);
  return text + "}";
}

std::string ProfileTrace::numbers_of(Time begin, double seconds, int thread) const {
  return fmt::format(R"("ts":{:.3f},"dur":{:.3f},"pid":{},"tid":{})", 1e6 * seconds_between(process_.origin, begin),
                     1e6 * seconds, process_.number, thread);
}

// Its beginning and its end, which are matched by process and number.
std::string ProfileTrace::message_lines(const Event& event) const {
  const auto half = [&](const char* phase, double after) {
    return fmt::format(R"({{"name":{},"cat":"message","ph":"{}","id2":{{"local":"{}"}},"ts":{:.3f},"pid":{},"tid":{},)"
                       R"("args":{{"bytes":{:.0f}}}}})",
                       json_string(names_[event.name]), phase, &event - events_.data(),
                       1e6 * (seconds_between(process_.origin, event.begin) + after), process_.number, event.thread,
                       event.bytes);
  };
  return half("b", 0) + ",\n" + half("e", event.seconds);
}

void ProfileTrace::opening(const Piece& piece) { piece("{\"traceEvents\":["); }

void ProfileTrace::events(const Piece& piece, bool first) const {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const char* separator = first ? "\n" : ",\n";
  const auto next = [&](const std::string& text) {
    piece(separator);
    piece(text);
    separator = ",\n";
  };
  if (!process_.name.empty())
    for (const auto& [what, value] :
         {std::pair{"process_name", fmt::format(R"("name":{})", json_string(process_.name))},
          std::pair{"process_sort_index", fmt::format(R"("sort_index":{})", process_.number)}})
      next(fmt::format(R"({{"name":"{}","ph":"M","pid":{},"args":{{{}}}}})", what, process_.number, value));
  for (int stream = 0; stream < streams_; ++stream)
    next(fmt::format(
        R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"stream {} of the device"}}}})",
        process_.number, row_of_streams + stream, stream + 1));
  for (const auto& event : events_) next(line(event));
  for (auto [id, event] : open_) {
    event.seconds = seconds_between(event.begin, now);
    next(line(event));
  }
  if (dropped_ > 0)
    next(fmt::format(R"({{"name":"{} events dropped from here on","cat":"dropped","ph":"X",{}}})", dropped_,
                     numbers_of(first_dropped_, seconds_between(first_dropped_, now), 0)));
}

void ProfileTrace::closing(const Piece& piece, std::size_t events, std::size_t dropped) {
  piece("\n],\n\"displayTimeUnit\":\"ms\",\n");
  piece(fmt::format("\"otherData\":{{\"events\":{},\"dropped\":{}}}}}\n", events, dropped));
}

void ProfileTrace::print(const Piece& piece) const {
  opening(piece);
  events(piece);
  const auto [count, dropped] = [&] {
    const std::lock_guard lock(mutex_);
    return std::pair(events_.size() + open_.size(), dropped_);
  }();
  closing(piece, count, dropped);
}

std::string ProfileTrace::json() const {
  std::string text;
  print([&](std::string_view piece) { text += piece; });
  return text;
}

void ProfileTrace::write(const std::string& file) const {
  // A pipe or a device is written to directly; a renamed file would replace it.
  std::error_code ignored;
  const bool in_place = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  const auto aside = in_place ? file : fmt::format("{}.{}.part", file, ::getpid());
  std::FILE* const out = std::fopen(aside.c_str(), "w");
  if (out == nullptr) fail("{}: cannot be written: {}", aside, std::strerror(errno));
  print([&](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), out); });
  const bool written = std::fflush(out) == 0 && std::ferror(out) == 0;
  const bool whole = std::fclose(out) == 0 && written;
  if (whole && (in_place || std::rename(aside.c_str(), file.c_str()) == 0)) return;
  const int why = errno;
  if (!in_place) static_cast<void>(std::remove(aside.c_str()));
  fail("{}: cannot be written: {}", file, std::strerror(why));
}

}  // namespace trellis
