// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/hadron_jobs.hpp"

namespace trellis::app {

HadronJobs jobs_of(const ChainResults& chain) {
  const auto jobs = [](const auto& input) {
    return HadronJobs{hadron_job(input.measure), staggered_hadron_job(input.measure, input.quarks)};
  };
  return chain.number == "row" ? jobs(read_measure_input(chain.folder.input()))
                               : jobs(read_run_input(chain.folder.input()));
}

}  // namespace trellis::app
