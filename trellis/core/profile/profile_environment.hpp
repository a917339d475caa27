// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the environment asks of any program that is linked with trellis::core:
//   TRELLIS_PROFILE=1          a table of regions, kernels, copies and memory on stderr (profile_table.hpp)
//   TRELLIS_TRACE=file.json    a timeline for chrome://tracing (profile_trace.hpp); %p in it becomes the process'
//   number
// Both are written once: by finalize(), else when the program exits, by return of main or by std::exit(); and when it
// terminates because of an exception that nobody caught. A program that is killed leaves neither. Static Views that
// are destroyed later cost nothing and are not counted. Values that mean nothing and files that cannot be written are
// warnings on stderr: a program does not fail because it was to be watched.

namespace trellis::profile_detail {

// Reads the environment and begins to listen.
void follow_environment();

// Writes what there is and stops listening; the second time it does nothing.
void report_environment();

}  // namespace trellis::profile_detail
