// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How threads of OpenMP wait for each other. On their own they spin for milliseconds, which costs nothing where each
// has a core; where other work takes a core, the thread that is waited for cannot run while another spins in its place,
// and a kernel of microseconds takes milliseconds. Here they spin for some ten microseconds, the length of a wait
// between kernels, and then give the core away (docs/performance.md, "Busy machines").
//
// OpenMP reads the environment once: libgomp before main(), libomp at the first parallel region. So main() begins with
//   int main(int argc, char** argv) {
//     trellis::let_waiting_threads_yield(argv);
// which sets the environment and has the system load the program again, with the same words, process, open files and
// terminal; a debugger, mpirun, a shell and a batch system see one process. Costs a few milliseconds, once. Programs
// that do not call it may set GOMP_SPINCOUNT themselves.
//
// What the user said stays: nothing is changed where OMP_WAIT_POLICY is set, GOMP_SPINCOUNT or KMP_BLOCKTIME only where
// they are not. Nothing here needs more than the C library: a launcher that chooses between programs may compile
// waiting_threads.cpp alone and call set_environment_of_waiting() before it starts one of them.

namespace trellis {

// GOMP_SPINCOUNT (libgomp) and KMP_BLOCKTIME (libomp) in the environment of this process and of those it starts. True
// when libgomp must begin anew to see it.
bool set_environment_of_waiting();

// First of all in main(): no other threads, nothing begun. Does not return where the program is loaded again; returns
// where nothing is to do or the system cannot (no /proc, a program file that was removed).
void let_waiting_threads_yield(char** argv);

}  // namespace trellis
