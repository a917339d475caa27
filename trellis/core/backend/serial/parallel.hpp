// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Serial: the caller's thread, in order.

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

template <class Policy, class F>
void run_for(const Serial&, const char*, const Policy& policy, const F& f) {
  policy.run(0, policy.work(), f);
}

}  // namespace trellis::backend
