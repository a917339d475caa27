// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Serial: the caller's thread, in order.

#include "trellis/core/backend/chunks.hpp"

namespace trellis::backend {

inline constexpr auto in_order = [](Index work, const auto& f) { f(Index{0}, work); };

template <class Policy, class F>
void run_for(const Serial&, const char*, const Policy& policy, const F& f) {
  policy.run(0, policy.work(), f);
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const Serial&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return reduce_chunks(in_order, policy, f, reducer);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const Serial&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return scan_chunks(in_order, policy, f, reducer);
}

}  // namespace trellis::backend
