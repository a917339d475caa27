// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How OpenMP threads wait for each other. By default they spin for milliseconds, which is harmless if each has its own
// core. If other work occupies a core, the thread that is waited for cannot run while another spins in its place, and a
// kernel of microseconds takes milliseconds. With this, they spin for some ten microseconds, about the time between
// kernels, and then yield the core (docs/performance.md, "Busy machines").
//
// OpenMP reads the environment once: libgomp before main(), libomp at the first parallel region. So main() begins with
//   int main(int argc, char** argv) {
//     trellis::let_waiting_threads_yield(argv);
// which sets the environment and has the system load the program again, with the same arguments, process, open files
// and terminal; a debugger, mpirun, a shell and a batch system see one process. Costs a few milliseconds, once.
// Programs that do not call it may set GOMP_SPINCOUNT themselves.
//
// The user's settings are kept: nothing is changed if OMP_WAIT_POLICY is set, and GOMP_SPINCOUNT or KMP_BLOCKTIME only
// if they are not set. Nothing here needs more than the C library: a launcher that chooses between programs may compile
// waiting_threads.cpp alone and call set_environment_of_waiting() before it starts one of them.

namespace trellis {

// Sets GOMP_SPINCOUNT (libgomp) and KMP_BLOCKTIME (libomp) in the environment of this process and of those it starts.
// True if libgomp must be started again to see it.
bool set_environment_of_waiting();

// Whether NAME=value is what that sets; not meant for other programs, whose threads wait as their users want.
bool is_setting_of_waiting(const char* entry);

// To be called first in main(): no other threads, nothing started. Does not return if the program is loaded again;
// returns if there is nothing to do or the system cannot do it (no /proc, or the program file was removed).
void let_waiting_threads_yield(char** argv);

}  // namespace trellis
