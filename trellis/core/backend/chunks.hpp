// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How host spaces reduce and scan, whatever runs the chunks. The work is cut into chunks that depend only on its
// length; each has a partial result, and partial results are joined in the order of chunks, so that the result has the
// same bits for any number of threads, and in Serial. over_chunks(count, g) must call g(first, last) so that every
// chunk is covered once.

#include <algorithm>
#include <memory>
#include <vector>

#include "trellis/core/backend/lanes.hpp"
#include "trellis/core/base/function_ref.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::backend {

// What threads of host spaces run: f(first, last) for a part of the work. run_parts(space, name, work, f) calls it so
// that every unit is covered once.
using PartOfWork = FunctionRef<void(Index first, Index last)>;

struct Chunks {
  // Enough for hundreds of threads to get equal shares; few enough that joining them takes a microsecond.
  static constexpr Index most = 1024;

  explicit Chunks(Index length) : Chunks(length, 1, std::min(length, most)) {}

  // For indices whose results are numbers, added in lanes (lanes.hpp): hundreds of terms each time lanes are joined,
  // and chunks that begin at cache lines, as long as there are a few hundred chunks.
  static Chunks in_lanes(Index length) {
    constexpr Index granule = 64, terms = 1024, enough = 256;
    if (length < granule * enough) return Chunks(length, 1, std::min(length, enough));
    return Chunks(length, granule, std::clamp(length / terms, enough, most));
  }

  // Chunks differ by at most one granule; the last one ends with the work.
  Index begin(Index chunk) const {
    const Index granules = (work + granule - 1) / granule;
    return std::min(work, granule * (granules / count * chunk + std::min(chunk, granules % count)));
  }

  Index work;
  Index granule;
  Index count;

 private:
  Chunks(Index length, Index of, Index chunks) : work(length), granule(of), count(chunks) {}
};

template <class Policy, class R>
Chunks chunks_of(const Policy& policy, const R&) {
  return Chunks(policy.work());
}
template <class Exec, class... P, class R>
Chunks chunks_of(const RangePolicy<Exec, P...>& policy, const R&) {
  return has_lanes<R> ? Chunks::in_lanes(policy.work()) : Chunks(policy.work());
}

// The partial result of the units first <= u < last.
template <class Policy, class F, class R>
typename R::value_type reduce_units(const Policy& policy, Index first, Index last, const F& f, const R& reducer) {
  auto sum = reducer.identity();
  policy.run(first, last, [&](auto... i) { f(i..., sum); });
  return sum;
}
template <class Exec, class... P, class F, class R>
typename R::value_type reduce_units(const RangePolicy<Exec, P...>& policy, Index first, Index last, const F& f,
                                    const R& reducer) {
  return reduce_in_lanes(policy.begin() + first, policy.begin() + last, f, reducer);
}

template <class T, class R>
T join_all(const T* partial, Index count, const R& reducer) {
  T total = reducer.identity();
  for (Index c = 0; c < count; ++c) reducer.join(total, partial[c]);
  return total;
}

template <class Over, class Policy, class F, class R>
typename R::value_type reduce_chunks(const Over& over_chunks, const Policy& policy, const F& f, const R& reducer) {
  using T = typename R::value_type;
  const Chunks chunks = chunks_of(policy, reducer);
  const auto partial = std::make_unique<T[]>(static_cast<std::size_t>(chunks.count));
  over_chunks(chunks.count, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      partial[c] = reduce_units(policy, chunks.begin(c), chunks.begin(c + 1), f, reducer);
    }
  });
  return join_all(partial.get(), chunks.count, reducer);
}

// The same for `length` results at once: f(i..., partial) adds to the numbers partial[0], ..., partial[length - 1].
template <class Over, class Policy, class F, class T, class R>
void reduce_array_chunks(const Over& over_chunks, const Policy& policy, const F& f, T* result, Index length,
                         const R& reducer) {
  const Chunks chunks(policy.work());
  std::vector<T> partial(static_cast<std::size_t>(chunks.count * length), reducer.identity());
  over_chunks(chunks.count, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      T* const mine = partial.data() + c * length;
      policy.run(chunks.begin(c), chunks.begin(c + 1), [&](auto... i) { f(i..., mine); });
    }
  });
  std::fill(result, result + length, reducer.identity());
  for (Index c = 0; c < chunks.count; ++c)
    for (Index k = 0; k < length; ++k) reducer.join(result[k], partial[static_cast<std::size_t>(c * length + k)]);
}

// Teams. over_teams(count, team_size, scratch_bytes, g) must call g(first, last, rank, shared) in every thread of every
// team, so that each unit is covered by one team.
template <class Over, class Exec, class... P, class F>
void for_teams(const Over& over_teams, const TeamPolicy<Exec, P...>& policy, const F& f) {
  using Member = typename TeamPolicy<Exec, P...>::Member;
  over_teams(policy.work(), policy.team_size(), policy.scratch_size(),
             [&](Index first, Index last, int rank, auto& shared) {
               for (Index t = first; t < last; ++t) {
                 f(Member(t, policy.league_size(), rank, policy.team_size(), shared));
                 shared.barrier();  // from here on the next team may use the scratch memory
               }
             });
}

template <class Over, class Exec, class... P, class F, class R>
typename R::value_type reduce_teams(const Over& over_teams, const TeamPolicy<Exec, P...>& policy, const F& f,
                                    const R& reducer) {
  using Member = typename TeamPolicy<Exec, P...>::Member;
  using T = typename R::value_type;
  const Chunks chunks(policy.work());
  const int size = policy.team_size();
  const auto partial = std::make_unique<T[]>(static_cast<std::size_t>(chunks.count * size));
  over_teams(chunks.count, size, policy.scratch_size(), [&](Index first, Index last, int rank, auto& shared) {
    for (Index c = first; c < last; ++c) {
      T sum = reducer.identity();
      for (Index t = chunks.begin(c); t < chunks.begin(c + 1); ++t) {
        f(Member(t, policy.league_size(), rank, size, shared), sum);
        shared.barrier();
      }
      partial[c * size + rank] = sum;
    }
  });
  return join_all(partial.get(), chunks.count * size, reducer);
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
