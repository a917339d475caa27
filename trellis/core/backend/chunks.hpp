// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How host spaces reduce and scan, whatever runs the chunks. The work is cut into chunks that depend on its length
// alone; each has a partial result, and partials are joined in the order of chunks: the result has the same bits for
// any number of threads, and in Serial. over_chunks(count, g) must call g(first, last) so that every chunk is covered
// once.

#include <memory>

#include "trellis/core/spaces.hpp"

namespace trellis::backend {

struct Chunks {
  // Enough for hundreds of threads to share evenly; few enough that joining them costs a microsecond.
  static constexpr Index most = 1024;

  explicit Chunks(Index length) : work(length), count(length < most ? length : most) {}
  Index begin(Index chunk) const { return work / count * chunk + (chunk < work % count ? chunk : work % count); }

  Index work;
  Index count;
};

template <class Over, class Policy, class F, class R>
typename R::value_type reduce_chunks(const Over& over_chunks, const Policy& policy, const F& f, const R& reducer) {
  using T = typename R::value_type;
  const Chunks chunks(policy.work());
  const auto partial = std::make_unique<T[]>(static_cast<std::size_t>(chunks.count));
  over_chunks(chunks.count, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      T sum = reducer.identity();
      policy.run(chunks.begin(c), chunks.begin(c + 1), [&](auto... i) { f(i..., sum); });
      partial[c] = sum;
    }
  });
  T total = reducer.identity();
  for (Index c = 0; c < chunks.count; ++c) reducer.join(total, partial[c]);
  return total;
}

template <class Over, class Policy, class F, class R>
typename R::value_type scan_chunks(const Over& over_chunks, const Policy& policy, const F& f, const R& reducer) {
  using T = typename R::value_type;
  const Chunks chunks(policy.work());
  const auto partial = std::make_unique<T[]>(static_cast<std::size_t>(chunks.count));
  const auto pass = [&](bool final) {
    over_chunks(chunks.count, [&](Index first, Index last) {
      for (Index c = first; c < last; ++c) {
        T sum = final ? partial[c] : reducer.identity();
        policy.run(chunks.begin(c), chunks.begin(c + 1), [&](Index i) { f(i, sum, final); });
        if (!final) partial[c] = sum;
      }
    });
  };
  pass(false);
  T total = reducer.identity();
  for (Index c = 0; c < chunks.count; ++c) {
    const T before = total;
    reducer.join(total, partial[c]);
    partial[c] = before;
  }
  pass(true);
  return total;
}

}  // namespace trellis::backend
