// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes of a job (comm/session.hpp) as subcommands see them: all run the same command and compute together;
// only the first prints, and writes tables, logs and pictures. A single process is a job of one rank, for which nothing
// here has any effect.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/core/runtime/binding.hpp"

namespace trellis::app {

inline comm::Communicator job() { return comm::Communicator::world(); }

// Call this first in main(): from here on, what ranks other than the first print on stdout is discarded, and only the
// first rank writes profiles (core/profile/profile_environment.hpp; for timelines see timeline.hpp).
// Errors go through Session::abort().
void let_first_rank_speak();

// Before work starts: gives this rank its share of the processors it may use as threads, unless OMP_NUM_THREADS is set.
void share_processors();

// What share_processors() found: how many processors this rank could use before any thread was bound, and how many
// ranks of the job could use some of them.
struct SharedCores {
  int ranks = 1, cores = 0;  // 0: unknown
};
SharedCores shared_cores();

// What --bind says, for `trellis run` and `measure`: "none", "core" or "socket" (core/runtime/binding.hpp), on
// processors that other ranks leave to this one. The same for all ranks. Throws InputError for any other word, or if
// threads cannot be bound.
inline constexpr const char* bind_help =
    "keep each thread on a core or in a socket of its own: none, core or socket (no bit of the results depends on it)";
void bind_threads_of_rank(const std::string& where);

// Of this process: its name, and which boot of it.
std::string machine_name();

// Before kernels run: chooses a GPU for this rank and requires it (core/device/devices.hpp). Each rank of a machine
// gets its own; if there are too few, Error, unless TRELLIS_SHARE_GPUS=1 lets ranks share them.
void require_devices();

// A text that all ranks must share: each reads the file. Throws InputError if they differ or one cannot read it.
std::string read_shared_text(const std::filesystem::path& file);
RunInput read_shared_run_input(const std::filesystem::path& file);
MeasureInput read_shared_measure_input(const std::filesystem::path& file);

// How the ranks share a lattice: as [machine] ranks and rank_order say, otherwise comm::best_grid. longest_hop: of the
// quarks, in steps. Throws InputError on all ranks if the lattice does not divide that way, or the job has a different
// number of ranks.
comm::ProcessGrid job_grid(const Coordinate& size, const MachineInput& machine, int longest_hop = 1);
// From the option --ranks, "1x1x2x4"; if empty, chosen automatically.
comm::ProcessGrid job_grid(const Coordinate& size, const std::string& option);
// "1x1x2x4" or "1,1,2,4"
Coordinate parse_ranks(const std::string& text);
// What this option says instead of the input.
void set_ranks(MachineInput& machine, const std::string& option);

// The lanes of [machine], which must divide a rank's part of the lattice, or the largest number that does.
int lanes_for(const comm::ProcessGrid& grid, const Coordinate& size, const MachineInput& machine);

// Throws InputError in a job of several ranks: `command` is for one process.
void require_one_rank(const char* command);

// InputError unless it is from 0 to 4096; 0 stands for as many as there are.
void require_thread_count(const std::string& command, int threads);

// "2 threads", or "4 ranks 1x1x2x2, 2 threads each"; in a program for GPUs "a GPU (NVIDIA H200)" instead of the
// threads.
std::string describe(const comm::ProcessGrid& grid);

// Runs f, which returns an exit code, on the first rank only, while the others wait, however long it takes. For work
// that one process does: f must not use job().
int by_first_rank(const std::function<int()>& f);

// The decisions of share_processors(), bind_threads_of_rank() and require_devices(), exposed for tests. For each rank:
// the machine's name, and the processors or GPUs that the rank may use.
struct RankMachine {
  std::string machine;
  std::vector<std::string> parts;
};
// The rank's processors divided by the number of ranks that share some of them; at least 1.
int threads_of(const std::vector<RankMachine>& ranks, std::size_t rank);
// Which of the ranks that share some of the rank's processors it is.
SharedProcessors sharing_of(const std::vector<RankMachine>& ranks, std::size_t rank);
// Which of the rank's GPUs the fewest earlier ranks chose, and how many chose it.
struct DeviceChoice {
  int number = 0;
  int others = 0;
};
DeviceChoice device_of(const std::vector<RankMachine>& ranks, std::size_t rank);

}  // namespace trellis::app
