// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a program during which MPI is available.
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
// MPI is started only in a program that was built with it and that a launcher (mpirun, srun) started as several
// processes; otherwise a Session costs nothing, and world() is one rank. Throws InputError if a launcher started
// several processes of a program without MPI, which would all do the same work, and if TRELLIS_WATCHDOG is not a time.
//
// The watchdog: a rank that waits for others longer than TRELLIS_WATCHDOG seconds (300; 0: for ever) ends the job, with
// one message that says which rank is missing and where the others wait. The same happens if a single call, in MPI or
// on a file, takes longer; then the message names the call and the file.

#include <functional>
#include <string>

namespace trellis::comm {

class Session {
 public:
  Session(int& argc, char**& argv);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Waits for all ranks. During stack unwinding it does not wait: abort(), which must follow, needs the ranks.
  ~Session();

  // Ends the program, on all ranks, with this exit code and one "trellis: error: <message>" on stderr. An error that
  // all ranks have is printed by the first; one that others do not have, two seconds later by its rank, which names
  // itself.
  [[noreturn]] static void abort(int code, const std::string& message);

  static bool has_mpi();
};

// What a program does, while one of these lives, when the watchdog is about to end the job: f gets the watchdog's
// message, after it was printed, and what f returns is printed below it. f is called on the rank that prints, and
// perhaps in another thread; it must not wait for other ranks, nor be without an end: it has 20 seconds. The innermost
// of several is called.
class AtWatchdogEnd {
 public:
  explicit AtWatchdogEnd(std::function<std::string(const std::string& message)> f);
  AtWatchdogEnd(const AtWatchdogEnd&) = delete;
  AtWatchdogEnd& operator=(const AtWatchdogEnd&) = delete;
  ~AtWatchdogEnd();

 private:
  std::function<std::string(const std::string&)> before_;
};

}  // namespace trellis::comm
