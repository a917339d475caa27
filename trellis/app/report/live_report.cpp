// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/live_report.hpp"

#include <algorithm>
#include <chrono>

namespace trellis::app {
namespace {

constexpr double kShortest = 1;  // seconds between pages
constexpr double kShare = 0.05;  // of the time, for making pages

// Not a Stopwatch, which waits for kernels.
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

LiveReport::LiveReport(std::uint16_t port, RunFolder folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program)), responder_(port, [this] { return page(); }) {}

void LiveReport::tell(const LiveProgress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

std::string LiveReport::page() {
  const double start = now();
  if (!page_.empty() && start - made_ < std::max(kShortest, cost_ / kShare)) return page_;
  const auto progress = [&] {
    const std::lock_guard lock(mutex_);
    return progress_;
  };
  std::error_code ignored;
  if (!std::filesystem::exists(folder_.input(), ignored) || !std::filesystem::exists(folder_.table(), ignored))
    page_ = waiting_page("The run is starting; there are no results yet.", progress());
  else
    page_ = report_page({folder_.table()}, {.program = program_, .live = progress});
  made_ = now();
  cost_ = made_ - start;
  return page_;
}

}  // namespace trellis::app
