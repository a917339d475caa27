// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/job/job.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>

#include "trellis/app/input/size_option.hpp"
#include "trellis/app/input/toml_reader.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/lattice/lattice.hpp"

namespace trellis::app {
namespace {

// The first rank's choice: ranks may have different numbers of neighbours on their machines.
Coordinate chosen(const comm::Communicator& ranks, const Coordinate& size, int longest_hop) {
  return io::from_first_rank(ranks, "process grid", [&] {
    return comm::best_grid(size, ranks.size(), {.ranks_on_machine = ranks.ranks_on_machine()}, 96, longest_hop);
  });
}

comm::ProcessGrid grid_of(const Coordinate& size, const std::optional<Coordinate>& extents, const Coordinate& order,
                          const std::string& what, int longest_hop = 1) {
  const auto ranks = job();
  if (extents) {
    std::int64_t wanted = 1;
    for (const int n : *extents) wanted *= n;
    if (wanted != ranks.size())
      fail_input("{}: {} is a grid of {} ranks, but this job has {}{}", what, to_string(*extents), wanted, ranks.size(),
                 ranks.size() == 1 ? fmt::format("; start it with mpirun -n {}", wanted) : "");
  }
  if (ranks.size() == 1) return {};
  const comm::ProcessGrid grid(ranks, extents ? *extents : chosen(ranks, size, longest_hop), order);
  const Coordinate local = grid.local(size);  // throws
  for (int mu = 0; mu < 4; ++mu)
    if (grid.extents()[mu] > 1 && local[mu] < longest_hop)
      fail_input(
          "{}: on a grid of {} ranks each has {} of the {} lattice; these quarks hop {} sites, so it needs at least {} "
          "in "
          "{}: use fewer ranks there",
          what, to_string(grid.extents()), to_string(local), to_string(size), longest_hop,
          longest_hop + longest_hop % 2, "xyzt"[mu]);
  return grid;
}

}  // namespace

void let_first_rank_speak() {
  if (job().is_first()) return;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) fail("cannot open /dev/null");
  ::unsetenv("TRELLIS_PROFILE");
}

std::string read_shared_text(const std::filesystem::path& file) {
  const auto ranks = job();
  const auto text = comm::together(ranks, "the input", [&] { return read_toml_text(file); });
  ranks.require_same(file.c_str(), text);
  return text;
}

RunInput read_shared_run_input(const std::filesystem::path& file) {
  return parse_run_input(read_shared_text(file), file.string());
}

MeasureInput read_shared_measure_input(const std::filesystem::path& file) {
  return parse_measure_input(read_shared_text(file), file.string());
}

comm::ProcessGrid job_grid(const Coordinate& size, const MachineInput& machine, int longest_hop) {
  return grid_of(size, machine.ranks, machine.rank_order, machine.ranks_from, longest_hop);
}

comm::ProcessGrid job_grid(const Coordinate& size, const std::string& option) {
  const auto extents = option.empty() ? std::nullopt : std::optional(parse_ranks(option));
  return grid_of(size, extents, {0, 1, 2, 3}, "--ranks");
}

Coordinate parse_ranks(const std::string& text) { return parse_four(text, "--ranks", "1x1x2x4"); }

void set_ranks(MachineInput& machine, const std::string& option) {
  machine.ranks = parse_ranks(option);
  machine.ranks_from = "--ranks";
}

int lanes_for(const comm::ProcessGrid& grid, const Coordinate& size, const MachineInput& machine) {
  const auto local = grid.local(size);
  const int wanted = static_cast<int>(machine.lanes);
  if (wanted == 0) return Lattice::best_lanes(local, 8);
  if (!Lattice::divides(local, wanted))
    fail_input("machine.lanes: a lattice of {} does not divide into {} blocks of even size on {} ranks {}",
               to_string(size), wanted, grid.size(), to_string(grid.extents()));
  return wanted;
}

void require_thread_count(const std::string& command, int threads) {
  constexpr int most = 4096;
  if (threads < 0 || threads > most)
    fail_input("{}: --threads: found {}; it must be from 0 to {}", command, threads, most);
}

void require_one_rank(const char* command) {
  if (job().size() > 1)
    fail_input("{} is for one process, but this job has {}; `trellis bench scaling` times several", command,
               job().size());
}

std::string describe(const comm::ProcessGrid& grid) {
  const auto each = kernels_on_host ? plural(concurrency(), "thread") : "a GPU (" + current_device().name + ")";
  if (grid.size() == 1) return each;
  return fmt::format("{} ranks {}, {} each", grid.size(), to_string(grid.extents()), each);
}

int by_first_rank(const std::function<int()>& f) {
  const auto ranks = job();
  if (ranks.size() == 1) return f();
  // To keep the watchdog of the waiting ranks quiet, the first rank signals now and then that it is still working.
  // Ranks must communicate from the thread that started to.
  constexpr std::chrono::seconds pause(5);
  std::future<int> work;
  if (ranks.is_first()) work = std::async(std::launch::async, f);
  bool done = false;
  while (!done) {
    if (ranks.is_first()) done = work.wait_for(pause) == std::future_status::ready;
    ranks.broadcast("what the first rank does", std::as_writable_bytes(std::span(&done, 1)));
  }
  return io::from_first_rank(ranks, "what the first rank does", [&] { return work.get(); });
}

}  // namespace trellis::app
