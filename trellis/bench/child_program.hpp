// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs that a benchmark starts, and what belongs to this program but is built on request: programs and modules that
// are searched for beside it, then in ../lib/trellis.

#include <filesystem>
#include <string>
#include <vector>

namespace trellis::bench {

// Empty if it is in neither place.
std::filesystem::path path_of_part(const std::string& file_name);

// Starts a program, found as a shell would find it, with standard input from /dev/null. `output`: the file descriptor
// for both of its output streams; -1: this program's own. The environment is the one in which this process began,
// without what let_waiting_threads_yield() and MPI added. It gets a SIGTERM when the thread that started it ends.
// Returns its process id; throws InputError if it cannot be started.
int start_program(const std::vector<std::string>& command, int output = -1);

// How a program ended, as waitpid() says.
int wait_for_program(int process);

}  // namespace trellis::bench
