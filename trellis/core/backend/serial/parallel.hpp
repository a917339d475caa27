// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Serial: the caller's thread, in order.

#include "trellis/core/backend/chunks.hpp"
#include "trellis/core/backend/host_team.hpp"

namespace trellis::backend {

inline constexpr auto in_order = [](Index work, const auto& f) {
  const InKernel inside;
  f(Index{0}, work);
};
inline constexpr auto one_team = [](Index work, int, std::size_t scratch_bytes, const auto& f) {
  const InKernel inside;
  TeamShared shared(1, scratch_bytes);
  f(Index{0}, work, 0, shared);
};

inline void run_parts(const Serial&, const char*, Index work, PartOfWork f) { in_order(work, f); }

template <class Policy, class F>
void run_for(const Serial&, const char*, const Policy& policy, const F& f) {
  const InKernel inside;
  policy.run(0, policy.work(), f);
}
template <class... P, class F>
void run_for(const Serial&, const char*, const TeamPolicy<Serial, P...>& policy, const F& f) {
  for_teams(one_team, policy, f);
}

template <class Policy, class F, class R>
typename R::value_type run_reduce(const Serial&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return reduce_chunks(in_order, policy, f, reducer);
}
template <class... P, class F, class R>
typename R::value_type run_reduce(const Serial&, const char*, const TeamPolicy<Serial, P...>& policy, const F& f,
                                  const R& reducer) {
  return reduce_teams(one_team, policy, f, reducer);
}

template <class Policy, class F, class T, class R>
void run_reduce_array(const Serial&, const char*, const Policy& policy, const F& f, T* result, Index length,
                      const R& reducer) {
  reduce_array_chunks(in_order, policy, f, result, length, reducer);
}

template <class Policy, class F, class R>
typename R::value_type run_scan(const Serial&, const char*, const Policy& policy, const F& f, const R& reducer) {
  return scan_chunks(in_order, policy, f, reducer);
}

}  // namespace trellis::backend
