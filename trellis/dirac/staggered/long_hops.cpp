// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/long_hops.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/neighbour_vector.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

namespace {

template <int W>
struct AddLongHops {
  using S = lanes_t<double, W>;
  static constexpr int hop_count = naik_neighbours.count, first_long = 8;

  GaugeAccess<double, W> links;
  PatternNeighbours<hop_count> hops;
  const std::int32_t* numbers;
  const double* values;
  ParityAccess<double, 6, W> in, out;
  int in_origin, out_origin;  // the first tile of the parity

  TRELLIS_INLINE void operator()(int tile) const {
    for (int step = 0; step < 8; ++step) {
      const int mu = step % 4, hop = first_long + step;
      const Hop to = hops(tile, hop);
      Matrix<S> v;
      if (step < 4) {
        v = links.link(tile, mu);
      } else {
        Hop from = links.neighbours(tile, step);
        for (int n = 1; n < 3; ++n) from = links.neighbours(from, step);
        v = adjoint(links.link(from, mu));
      }
      const double* const c = values + std::int64_t(numbers[hop_count * std::int64_t(tile) + hop]) * (2 * W);
      const complex<S> factor = load_complex<S>(c, 0);
      for (int n = 0; n < out.count; ++n) {
        const auto psi = neighbour_vector(in, {to.tile - in_origin, to.shift}, n, hops);
        ColourVector<S> sum = out.vector(tile - out_origin, n);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) sum.e[i] = fma(factor * v.e[i][j], psi.e[j], sum.e[i]);
        out.set_vector(tile - out_origin, n, sum);
      }
    }
  }
};

}  // namespace

template <int W>
void add_long_hops(const GaugeField<double, W>& three_steps, const HopTable<double, W>& coefficients,
                   const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out) {
  if (!(in.lattice() == three_steps.lattice()) || !(out.lattice() == three_steps.lattice()))
    fail("long hops: vectors and links are on different lattices");
  if (in.parity() == out.parity() || in.count() != out.count())
    fail("long hops: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  if (!(coefficients.list().pattern() == naik_neighbours))
    fail("long hops: coefficients of {} hops; there must be {}", coefficients.list().pattern().count,
         naik_neighbours.count);
  three_steps.exchange(Reach::three_steps, Faces::backward);
  exchange_vectors(in, Faces::all, Reach::three_steps);
  const Kernel kernel{"long hops", bytes_of(three_steps) + bytes_of(in, out, out)};
  for_each_tile(kernel, three_steps.lattice(), out.parity(),
                AddLongHops<W>{three_steps.access(), coefficients.list().template hops<naik_neighbours.count>(),
                               coefficients.numbers(), coefficients.values(), in.access(), out.access(),
                               in.first_tile(), out.first_tile()});
}

#define TRELLIS_INSTANTIATE(W)                                                             \
  template void add_long_hops<W>(const GaugeField<double, W>&, const HopTable<double, W>&, \
                                 const ColourVectorField<double, W>&, const ColourVectorField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
