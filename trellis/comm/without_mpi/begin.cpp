// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/detail/ranks.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

const bool has_mpi = false;

std::shared_ptr<Ranks> begin(int&, char**&, const Launch& launch, double) {
  if (launch.size > 1 || launch.rank > 0)
    fail_input(
        "a launcher started {} of this program, which was built without MPI: start it once, or build it with MPI "
        "(cmake -DTRELLIS_MPI=ON)",
        launch.size > 1 ? fmt::format("{} processes", launch.size) : "several processes");
  return nullptr;
}

}  // namespace trellis::comm::detail
