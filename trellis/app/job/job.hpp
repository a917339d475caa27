// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes of a job (comm/session.hpp) as subcommands see them: all of them run the same command and compute
// together; the first alone prints, and writes tables, logs and pictures. One process is a job of one rank, in which
// nothing of this does anything.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"

namespace trellis::app {

inline comm::Communicator job() { return comm::Communicator::world(); }

// First of all in main(): what other ranks than the first print on stdout is lost from here, and profiles and traces
// (core/profile/profile_environment.hpp) are the first rank's, unless the trace's name has %p. Errors are for
// Session::abort().
void let_first_rank_speak();

// Before work: threads for this rank, its share of the processors that it may use, unless OMP_NUM_THREADS says.
void share_processors();

// Before kernels run: chooses a GPU for this rank and requires it (core/device/devices.hpp). Ranks of a machine get one
// each; where there are fewer, Error, but with TRELLIS_SHARE_GPUS=1 they share them.
void require_devices();

// A text that all ranks must have: the file's, on each. Throws InputError where they differ, or one cannot read it.
std::string read_shared_text(const std::filesystem::path& file);
RunInput read_shared_run_input(const std::filesystem::path& file);
MeasureInput read_shared_measure_input(const std::filesystem::path& file);

// How the ranks share a lattice: as [machine] ranks and rank_order say, else by comm::best_grid. Throws InputError, for
// all, where the lattice does not divide so, or the job has another number of ranks.
comm::ProcessGrid job_grid(const Coordinate& size, const MachineInput& machine);
// By the option --ranks, "1x1x2x4"; empty: chosen.
comm::ProcessGrid job_grid(const Coordinate& size, const std::string& option);
// "1x1x2x4" or "1,1,2,4"
Coordinate parse_ranks(const std::string& text);

// The lanes of [machine], which must divide a rank's part of the lattice, or the widest that do.
int lanes_for(const comm::ProcessGrid& grid, const Coordinate& size, const MachineInput& machine);

// Throws InputError on a job of several ranks: `command` times one process.
void require_one_rank(const char* command);

// "2 threads", or "4 ranks 1x1x2x2, 2 threads each".
std::string describe(const comm::ProcessGrid& grid);

// f, an exit code, on the first rank alone, while the others wait, however long it takes. For what one process does:
// f must not look at job().
int by_first_rank(const std::function<int()>& f);

// What share_processors() and require_devices() decide, for their tests. Of each rank: the machine's name, and which of
// its processors or GPUs the rank may use.
struct RankMachine {
  std::string machine;
  std::vector<std::string> parts;
};
// The rank's processors over the ranks that share some of them; at least 1.
int threads_of(const std::vector<RankMachine>& ranks, std::size_t rank);
// Of the rank's GPUs, the one that fewest ranks before it chose, and how many did.
struct DeviceChoice {
  int number = 0;
  int others = 0;
};
DeviceChoice device_of(const std::vector<RankMachine>& ranks, std::size_t rank);

}  // namespace trellis::app
