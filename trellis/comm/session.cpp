// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/detail/ranks.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

namespace {

// A program has one Session; abort() must find its ranks even while they are being destroyed.
std::shared_ptr<detail::Ranks>& begun() {
  static std::shared_ptr<detail::Ranks> ranks;
  return ranks;
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return -1;
  const std::string_view view(text);
  int number = -1;
  const auto end = std::from_chars(view.data(), view.data() + view.size(), number);
  return end.ec == std::errc() && end.ptr == view.data() + view.size() ? number : -1;
}

// Open MPI; MPICH, Intel and Cray; MVAPICH; plain PMIx; Slurm, which is last because it may have started the others.
detail::Launch launch_of_environment() {
  struct Names {
    const char *rank, *size;
  };
  for (const auto& variables :
       {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, Names{"PMI_RANK", "PMI_SIZE"},
        Names{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}, Names{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
        Names{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}) {
    const detail::Launch launch{number_in(variables.rank), number_in(variables.size)};
    // A batch script has a SLURM_PROCID although it is not a step.
    if (launch.size >= 0 || (launch.rank >= 0 && std::string_view(variables.rank) != "SLURM_PROCID")) return launch;
  }
  return {};
}

double watchdog_seconds() {
  const char* text = std::getenv("TRELLIS_WATCHDOG");
  if (text == nullptr) return 300;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(seconds >= 0 && seconds <= 1e9))
    fail_input("TRELLIS_WATCHDOG is '{}'; it must be a number of seconds, 0 for no watchdog", text);
  return seconds;
}

void print_error(const std::string& message) { print_to_stderr(fmt::format("trellis: error: {}\n", message)); }

std::mutex end_mutex;
std::function<std::string(const std::string&)> at_end;  // guarded by end_mutex

constexpr unsigned seconds_to_end = 20;

}  // namespace

AtWatchdogEnd::AtWatchdogEnd(std::function<std::string(const std::string&)> f) {
  const std::lock_guard lock(end_mutex);
  before_ = std::exchange(at_end, std::move(f));
}

AtWatchdogEnd::~AtWatchdogEnd() {
  const std::lock_guard lock(end_mutex);
  at_end = std::move(before_);
}

namespace detail {
std::shared_ptr<const Ranks>& world() {
  static std::shared_ptr<const Ranks> ranks;
  return ranks;
}

void speak_as_watchdog(const std::string& message) {
  std::fflush(stdout);
  print_error(message);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(seconds_to_end);
  // Whoever has this lock ends, since it leads to no other one.
  const std::lock_guard lock(end_mutex);
  if (!at_end) return;
  try {
    if (const auto more = at_end(message); !more.empty()) print_to_stderr(more + "\n");
  } catch (const std::exception&) {
    // The message above is the one that matters.
  }
}
}  // namespace detail

Session::Session(int& argc, char**& argv) {
  if (begun()) fail("a program has one Session at a time");
  const auto seconds = watchdog_seconds();
  const auto launch = launch_of_environment();
  if (!launch.found() || launch.size == 1) return;
  begun() = detail::begin(argc, argv, launch, seconds);
  if (begun() && begun()->size > 1) detail::world() = begun();
}

Session::~Session() {
  // The handler of the exception calls abort(), which needs the ranks.
  if (!begun() || std::uncaught_exceptions() > 0) return;
  try {
    begun()->end();
  } catch (const std::exception& error) {
    abort(1, error.what());
  }
  detail::world() = nullptr;
  begun() = nullptr;
}

void Session::abort(int code, const std::string& message) {
  const int rank = begun() ? begun()->rank : launch_of_environment().rank;
  if (rank <= 0) {
    print_error(message);
  } else {
    // If the first rank has an error too, this process ends here.
    std::this_thread::sleep_for(std::chrono::seconds(2));
    print_error(fmt::format("rank {}: {}", rank, message));
  }
  if (begun()) begun()->abort(code);
  std::exit(code);
}

bool Session::has_mpi() { return detail::has_mpi; }

}  // namespace trellis::comm
