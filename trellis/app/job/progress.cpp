// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "trellis/comm/communicator.hpp"

namespace trellis::app {
namespace {

constexpr double kTerminalSeconds = 0.1, kPlainSeconds = 30, kPlainShare = 0.02;

}  // namespace

Console standard_console() {
  const char* term = std::getenv("TERM");
  Console console;
  console.write = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  // Open MPI gives ranks a terminal no matter where it prints to itself, one rank too, and nothing tells it.
  const bool launched = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  console.is_terminal = comm::Communicator::world().size() == 1 && !launched && ::isatty(STDOUT_FILENO) == 1 &&
                        term != nullptr && std::string_view(term) != "dumb";
  console.columns = [] {
    struct winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? static_cast<int>(size.ws_col) : 80;
  };
  console.clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  return console;
}

Progress::Progress(Console console, std::int64_t total, std::string step)
    : console_(std::move(console)), total_(total), step_(std::move(step)), start_(console_.clock()) {}

Progress::~Progress() { end(); }

bool Progress::due(std::int64_t done) const {
  if (done == last_done_) return false;
  if (last_done_ < 0 || done >= total_) return true;
  const double now = console_.clock();
  const double pause = console_.is_terminal ? kTerminalSeconds : std::max(kPlainSeconds, kPlainShare * (now - start_));
  return now - last_ >= pause;
}

void Progress::show(std::int64_t done, double seconds_each, std::string_view details, double seconds_left) {
  const double remaining = std::min(seconds_each * static_cast<double>(total_ - done), seconds_left);
  auto text = fmt::format("{}/{}", done, total_);
  if (done < total_) text += fmt::format("  ETA {}", duration_text(remaining));
  if (!details.empty()) text += fmt::format("  {}", details);
  text += fmt::format("  {:.3g} s/{}", seconds_each, step_);
  if (console_.is_terminal) {
    line_ = text.substr(0, static_cast<std::size_t>(std::max(1, console_.columns() - 1)));
    console_.write("\r\033[K" + line_);
  } else {
    console_.write(text + "\n");
  }
  last_ = console_.clock();
  last_done_ = done;
}

void Progress::message(std::string_view text) {
  if (console_.is_terminal && !line_.empty()) {
    console_.write(fmt::format("\r\033[K{}\n{}", text, line_));
  } else {
    console_.write(fmt::format("{}\n", text));
  }
}

void Progress::end() {
  if (console_.is_terminal && !line_.empty()) console_.write("\n");
  line_.clear();
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "unknown";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds > 8.64e9) return "over 100000 days";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
  return fmt::format("{}d{:02}h", whole / 86400, whole % 86400 / 3600);
}

}  // namespace trellis::app
