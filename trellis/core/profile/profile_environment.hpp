// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the environment can request of any program linked with trellis::core:
//   TRELLIS_PROFILE=1          a table of regions, kernels, copies and memory on stderr (profile_table.hpp)
//   TRELLIS_TRACE=file.json    a timeline for chrome://tracing (profile_trace.hpp); %p in it becomes the process id
// Both are written once: by finalize(), or when the program exits, by returning from main or by std::exit(), or when it
// terminates because of an uncaught exception. A killed program leaves neither. Static Views that are destroyed later
// cost nothing and are not counted. Invalid values and files that cannot be written only cause warnings on stderr: a
// program must not fail because it is being profiled.

// The processes of a job can have one timeline (ProfileTrace): then somebody else writes it.

#include <string>

namespace trellis {
class ProfileTrace;
}

namespace trellis::profile_detail {

// Reads the environment and starts listening.
void follow_environment();

// Writes the results and stops listening; does nothing the second time.
void report_environment();

// From here on this process does not write the timeline itself, or it has been written. Before the environment is read:
// nor is it tried whether the file can be written.
void leave_trace_to_others();
// Null if the environment wants none, or it could not be begun.
ProfileTrace* trace_of_environment();
// Its file, an absolute path.
std::string trace_file_of_environment();

}  // namespace trellis::profile_detail
