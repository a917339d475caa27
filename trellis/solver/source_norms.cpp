// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/source_norms.hpp"

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace trellis::solver {

namespace {

constexpr double least_norm2 = 1e-270;  // what sums of squares (core/sums/exact_sum.hpp) are exact to

// |factor b|^2. Factors of 2^1000 and 2^-600 bring numbers whose squares underflow or overflow among those that have
// some.
template <class T, int Reals, int W>
std::vector<double> norms2_of_multiple(double factor, const ParityField<T, Reals, W>& b) {
  const auto multiple = b.like("multiple of the source");
  const std::vector<double> none(std::size_t(b.count())), all(none.size(), factor);
  scale_and_add(none, all, b, multiple);
  return norms2(multiple);
}

}  // namespace

template <class T, int Reals, int W>
std::vector<double> source_norms2(const ParityField<T, Reals, W>& b, const Tolerance& tolerance, const char* who) {
  const auto bb = norms2(b);
  tolerance.require_valid(b.count());
  if (in_dry_run()) return bb;
  for (int n = 0; n < b.count(); ++n) {
    const double norm2 = bb[std::size_t(n)];
    bool too_small = norm2 > 0 && tolerance[n] * tolerance[n] * norm2 < least_norm2;
    // Squares of the numbers of lower precisions neither underflow nor overflow.
    if constexpr (std::is_same_v<T, double>) {
      if (!std::isfinite(norm2) && std::isfinite(norms2_of_multiple(0x1p-600, b)[std::size_t(n)]))
        fail_input("{}: |b|^2 of right-hand side {} is too large for double precision; divide b by a power of 2", who,
                   n + 1);
      too_small = too_small || (norm2 == 0 && norms2_of_multiple(0x1p1000, b)[std::size_t(n)] > 0);
    }
    if (too_small)
      fail_input(
          "{}: |b|^2 of right-hand side {} is {:.3g}, too small for double precision; multiply b by a power of 2", who,
          n + 1, norm2);
  }
  return bb;
}

#define TRELLIS_INSTANTIATE(T, W)                                                                         \
  template std::vector<double> source_norms2(const ParityField<T, 6, W>&, const Tolerance&, const char*); \
  template std::vector<double> source_norms2(const ParityField<T, 24, W>&, const Tolerance&, const char*);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::solver
