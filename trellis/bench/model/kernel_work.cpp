// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/kernel_work.hpp"

#include <algorithm>

namespace trellis::bench {

void WorkList::add(const KernelWork& work) {
  if (work.calls == 0) return;
  const auto same = [&](const KernelWork& other) {
    return other.name == work.name && other.single == work.single && other.bytes == work.bytes &&
           other.flops == work.flops && other.halos == work.halos && other.sums == work.sums &&
           other.launches == work.launches && other.working_set == work.working_set;
  };
  const auto found = std::find_if(kernels_.begin(), kernels_.end(), same);
  if (found == kernels_.end())
    kernels_.push_back(work);
  else
    found->calls += work.calls;
}

}  // namespace trellis::bench
