// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/mpi/ranks.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

const bool has_mpi = true;

std::shared_ptr<Ranks> begin(int& argc, char**& argv, const Launch& launch, double seconds) {
  int before = 0;
  check("MPI_Initialized", MPI_Initialized(&before));
  if (before == 0) {
    // Only one thread calls MPI at a time.
    int provided = MPI_THREAD_SINGLE;
    check("MPI_Init_thread", MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided));
    if (provided < MPI_THREAD_FUNNELED) fail("this MPI does not allow threads, which Trellis' loops use");
  }
  check("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  auto ranks = std::make_shared<MpiRanks>(seconds, before == 0);
  if (launch.size > 0 && launch.size != ranks->size)
    fail_input(
        "the launcher started {} processes, but each finds itself among {}: the launcher is not that of the MPI "
        "that this program was built with",
        launch.size, ranks->size);
  return ranks;
}

}  // namespace trellis::comm::detail
