// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What hadrons a chain measured, from its resolved input.

#include "trellis/app/analyse/result_set.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"

namespace trellis::app {

struct HadronJobs {
  std::optional<HadronJob> wilson;
  std::optional<StaggeredHadronJob> staggered;
};
HadronJobs jobs_of(const ChainResults& chain);

}  // namespace trellis::app
