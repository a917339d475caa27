// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include "trellis/app/job/job.hpp"
#include "trellis/core/base/median.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/profile/profile_environment.hpp"
#include "trellis/core/profile/profile_trace.hpp"
#include "trellis/core/runtime/runtime.hpp"
#include "trellis/core/runtime/runtime_state.hpp"

namespace trellis::app {
namespace {

constexpr int barriers = 25;

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::time_point time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

// Seconds to add to this rank's clock to get the first rank's.
double measured_difference(const comm::Communicator& ranks) {
  const auto machines = ranks.gather("machines", machine_name());
  std::string text;
  for (int n = 0; n < barriers; ++n) {
    ranks.barrier("clocks");
    text += fmt::format("{:.17g} ", seconds_of(Clock::now()));
  }
  const auto all = ranks.gather("clocks", text);
  const auto own = std::size_t(ranks.rank());
  if (machines[own] == machines[0]) return 0;
  const auto numbers = [&](std::size_t rank) {
    std::vector<double> times;
    std::istringstream words(all[rank]);
    for (double time; words >> time;) times.push_back(time);
    return times;
  };
  return clock_difference(numbers(0), numbers(own));
}

// Appends to the file, or begins it. What went wrong, or empty.
template <class F>
std::string written(const std::string& file, const char* mode, const F& print) {
  std::FILE* const out = std::fopen(file.c_str(), mode);
  bool good = out != nullptr;
  if (good) {
    print([&](std::string_view piece) {
      good = std::fwrite(piece.data(), 1, piece.size(), out) == piece.size() && good;
    });
    good = std::fclose(out) == 0 && good;
  }
  return good ? std::string() : fmt::format("{}: cannot be written: {}", file, std::strerror(errno));
}

}  // namespace

double clock_difference(const std::vector<double>& first, const std::vector<double>& own) {
  std::vector<double> differences;
  for (std::size_t n = 0; n < std::min(first.size(), own.size()); ++n) differences.push_back(first[n] - own[n]);
  return median(std::move(differences));
}

JobTimeline::JobTimeline(const comm::Communicator& ranks) : ranks_(ranks) {
  if (ranks.size() == 1) return;
  const char* const name = std::getenv("TRELLIS_TRACE");
  const bool wanted = name != nullptr && *name != '\0';
  const bool for_each = wanted && std::string_view(name).find("%p") != std::string_view::npos;
  std::uint64_t count = wanted && !for_each ? 1 : 0;
  ranks.sum("timeline", {&count, 1});
  is_shared_ = count == std::uint64_t(ranks.size());
  if (!is_shared_) {
    if (!ranks.is_first() && !for_each) ::unsetenv("TRELLIS_TRACE");
    return;
  }
  if (!ranks.is_first()) profile_detail::leave_trace_to_others();
  runtime_detail::ask_environment();
  const double begin = seconds_of(Clock::now());
  const double difference = measured_difference(ranks);
  std::array<double, 1> origin{ranks.is_first() ? begin : -1e300};
  ranks.maximum("timeline", origin);
  if (auto* const trace = profile_detail::trace_of_environment())
    trace->belongs_to({ranks.rank(), fmt::format("rank {}", ranks.rank()),
                       Clock::time_point(std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(origin[0] - difference)))});
}

void JobTimeline::write() const {
  if (!is_shared_) return;
  const auto* const trace = profile_detail::trace_of_environment();
  std::uint64_t numbers[3] = {trace != nullptr ? 1U : 0U, trace != nullptr ? trace->kept() : 0,
                              trace != nullptr ? trace->dropped() : 0};
  ranks_.sum("timeline", numbers);
  if (numbers[0] < std::uint64_t(ranks_.size())) return;  // it could not be begun, which was said
  const auto file = ranks_.broadcast("timeline", profile_detail::trace_file_of_environment());
  // A pipe or a device is written to directly; a renamed file would replace it.
  std::error_code ignored;
  const bool in_place = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  const auto aside = in_place ? file : file + ".part";
  std::string problem;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank())
      problem = written(aside, rank == 0 ? "w" : "a", [&](const ProfileTrace::Piece& piece) {
        if (rank == 0) ProfileTrace::opening(piece);
        trace->events(piece, rank == 0);
        if (rank == ranks_.size() - 1) ProfileTrace::closing(piece, numbers[1], numbers[2]);
      });
    ranks_.barrier("timeline");
  }
  const auto problems = ranks_.gather("timeline", problem);
  profile_detail::leave_trace_to_others();
  if (!ranks_.is_first()) return;
  const auto warn = [](const std::string& text) { print_to_stderr(fmt::format("trellis: warning: {}\n", text)); };
  for (std::size_t rank = 0; rank < problems.size(); ++rank)
    if (!problems[rank].empty()) {
      warn(fmt::format("rank {}: {}", rank, problems[rank]));
      if (!in_place) static_cast<void>(std::remove(aside.c_str()));
      return;
    }
  if (!in_place && std::rename(aside.c_str(), file.c_str()) != 0)
    return warn(fmt::format("{}: cannot be written: {}", file, std::strerror(errno)));
  if (numbers[2] > 0)
    warn(fmt::format("{}: holds the first {} events; {} later ones were dropped", file, numbers[1], numbers[2]));
}

}  // namespace trellis::app
