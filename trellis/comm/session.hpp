// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program's time with MPI.
//
//   int main(int argc, char** argv) {
//     try {
//       comm::Session session(argc, argv);
//       ...                                       Communicator::world() is the job
//     } catch (const Error& error) {
//       comm::Session::abort(error.exit_code(), error.what());
//     }
//   }
//
// MPI starts only in a program that was built with it and that a launcher (mpirun, srun) started as several processes:
// else a Session costs nothing, and world() is one rank. Throws InputError where a launcher started several processes
// of a program without MPI, which would all do the same work, and where TRELLIS_WATCHDOG is no time.
//
// The watchdog: a rank that waits for others longer than TRELLIS_WATCHDOG seconds (300; 0: for ever) ends the job, with
// one message that says which rank is missing and where the others wait. So does a single call that takes longer, of
// MPI or on a file; the message names the call and the file.

#include <string>

namespace trellis::comm {

class Session {
 public:
  Session(int& argc, char**& argv);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Waits for all ranks. Where an exception is on its way it leaves them to abort(), which must follow.
  ~Session();

  // Ends the program, on all ranks, with this exit code and one "trellis: error: <message>" on stderr. An error that
  // all ranks have is printed by the first; one that others do not know by the rank that has it, which names itself,
  // two seconds later.
  [[noreturn]] static void abort(int code, const std::string& message);

  static bool has_mpi();
};

}  // namespace trellis::comm
