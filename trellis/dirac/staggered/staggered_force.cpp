// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_force.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/neighbour_vector.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

namespace {

// Prefetches part of what the hops of a tile will be the first to read: the vectors the longest hop ahead in t, and in
// other columns. The requests are spread over all products, because bursts of them stall arithmetic: spread out they
// save a third of the time at 16^4, all at once nothing.
template <class T, int W>
class VectorsAhead {
 public:
  // next(step): where the longest hop leads
  template <class Next>
  TRELLIS_INLINE VectorsAhead(const ParityAccess<T, 6, W>& vectors, unsigned exits, const Next& next, int origin)
      : lines_(vectors.count * 6 * W * int(sizeof(T)) / 64) {
    for (const int step : {3, 1, 2})
      if (step == 3 || (exits >> step & 1u) != 0)
        from_[blocks_++] = reinterpret_cast<const char*>(vectors.of_tile(next(step).tile - origin));
  }
  TRELLIS_INLINE void prefetch(int part, int parts) const {
    for (int line = part * lines_ / parts; line < (part + 1) * lines_ / parts; ++line)
      for (int k = 0; k < blocks_; ++k) trellis::prefetch(from_[k] + 64 * line);
  }

 private:
  int lines_, blocks_ = 0;
  const char* from_[3];
};

// A number for each vector, passed to kernels by value.
template <class T>
struct PerVector {
  T value[maximum_sums] = {};

  explicit PerVector(std::span<const double> numbers) {
    if (numbers.size() > maximum_sums) fail("staggered force: {} vectors; at most {}", numbers.size(), maximum_sums);
    for (std::size_t n = 0; n < numbers.size(); ++n) value[n] = T(numbers[n]);
  }
};

// Distances: 1 for hops of one step, 2 for those of three besides.
template <class T, int W, int Distances>
struct AddDerivative {
  using S = lanes_t<T, W>;
  static constexpr int least_blocks = 4;  // a quarter faster on a GPU
  static constexpr int hop_count = 8 * Distances, products = 4 * Distances;

  ParityAccess<T, 6, W> even, odd;
  GaugeAccess<T, W> to, to_long;  // the second if there are two distances
  PatternNeighbours<hop_count> hops;
  const std::int32_t* numbers;
  const T* values;
  PerVector<T> weights;
  int half;  // the first odd tile

  TRELLIS_INLINE void operator()(int tile, int following) const {
    const auto longest_hop = [&](int step) { return hops(following, hop_count - 8 + step); };
    const VectorsAhead<T, W> ahead(following < half ? odd : even, to.neighbours.exits[following], longest_hop,
                                   following < half ? half : 0);
    add<0>(tile, following, ahead, to);
    if constexpr (Distances > 1) add<1>(tile, following, ahead, to_long);
  }

 private:
  template <int Distance>
  TRELLIS_INLINE void add(int tile, int following, const VectorsAhead<T, W>& ahead_of_following,
                          const GaugeAccess<T, W>& sums) const {
    const int count = even.count;
    const bool is_even = tile < half;
    const auto& own = is_even ? even : odd;
    const auto& other = is_even ? odd : even;
    const int here = is_even ? tile : tile - half, origin = is_even ? half : 0;
    for (int mu = 0; mu < 4; ++mu) {
      const Hop ahead = hops(tile, 8 * Distance + mu);
      Matrix<S> sum = Matrix<S>::zero();
      for (int n = 0; n < count; ++n) {
        ahead_of_following.prefetch((4 * Distance + mu) * count + n, products * count);
        sums.prefetch(following, mu * count + n, 4 * count);
        sum = add_outer_product(neighbour_vector(other, {ahead.tile - origin, ahead.shift}, n, to.neighbours),
                                S(weights.value[n]) * own.vector(here, n), sum);
      }
      // The table holds eta u / 2.
      const T* c = values + std::int64_t(numbers[hop_count * std::int64_t(tile) + 8 * Distance + mu]) * (2 * W);
      const complex<S> factor = S(T(is_even ? 2 : -2)) * load_complex<S>(c, 0);
      sums.set_link(tile, mu, sums.link(tile, mu) + factor * sum);
    }
  }
};

// Checks the fields, fills ghosts, and adds to one field or two.
template <int Distances, class T, int W>
void add_derivatives(const HopTable<T, W>& coefficients, std::span<const double> weights,
                     const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                     const GaugeField<T, W>& derivative, const GaugeField<T, W>& by_long) {
  const int count = int(weights.size());
  if (x.parity() != 0 || y.parity() != 1 || x.count() != count || y.count() != count)
    fail("staggered force: {} weights; {} vectors of parity {}, {} of parity {}", count, x.count(), x.parity(),
         y.count(), y.parity());
  if (!(x.lattice() == derivative.lattice()) || !(y.lattice() == derivative.lattice()) ||
      !(by_long.lattice() == derivative.lattice()))
    fail("staggered force: vectors and links are on different lattices");
  const HopPattern& pattern = Distances == 1 ? nearest_neighbours : naik_neighbours;
  if (!(coefficients.list().pattern() == pattern))
    fail("staggered force: coefficients of {} hops; there must be {}", coefficients.list().pattern().count,
         pattern.count);
  exchange_vectors(x, Faces::forward, reach_of(pattern));
  exchange_vectors(y, Faces::forward, reach_of(pattern));
  const double flops = double(x.lattice().local_volume()) * count * Distances * 4 * 72;
  const double bytes = bytes_of(x, y) + 2 * Distances * bytes_of(derivative);
  const Kernel kernel{"staggered force", bytes, flops, is_single<T>};
  for_each_tile(
      kernel, derivative.lattice(),
      AddDerivative<T, W, Distances>{x.access(), y.access(), derivative.access(), by_long.access(),
                                     coefficients.list().template hops<8 * Distances>(), coefficients.numbers(),
                                     coefficients.values(), PerVector<T>(weights), y.first_tile()});
}

}  // namespace

template <class T, int W>
void add_staggered_derivative(const HopTable<T, W>& coefficients, std::span<const double> weights,
                              const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                              const GaugeField<T, W>& derivative) {
  add_derivatives<1>(coefficients, weights, x, y, derivative, derivative);
}

template <class T, int W>
void add_staggered_derivative(const HopTable<T, W>& coefficients, std::span<const double> weights,
                              const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                              const GaugeField<T, W>& derivative, const GaugeField<T, W>& long_derivative) {
  add_derivatives<2>(coefficients, weights, x, y, derivative, long_derivative);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                              \
  template void add_staggered_derivative<T, W>(const HopTable<T, W>&, std::span<const double>,                 \
                                               const ColourVectorField<T, W>&, const ColourVectorField<T, W>&, \
                                               const GaugeField<T, W>&);                                       \
  template void add_staggered_derivative<T, W>(const HopTable<T, W>&, std::span<const double>,                 \
                                               const ColourVectorField<T, W>&, const ColourVectorField<T, W>&, \
                                               const GaugeField<T, W>&, const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
