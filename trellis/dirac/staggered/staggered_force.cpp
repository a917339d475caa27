// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered_force.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

namespace {

// Prefetches part of what the hops of a tile will be the first to read: the vectors one step ahead in t, and in other
// columns. The requests are spread over all products, because bursts of them stall arithmetic: spread out they save a
// third of the time at 16^4, all at once nothing.
template <class T, int W>
class VectorsAhead {
 public:
  TRELLIS_INLINE VectorsAhead(const ParityAccess<T, 6, W>& vectors, const Neighbours& next, int tile, int origin)
      : lines_(vectors.count * 6 * W * int(sizeof(T)) / 64) {
    for (const int step : {3, 1, 2})
      if (step == 3 || (next.exits[tile] >> step & 1u) != 0)
        from_[blocks_++] = reinterpret_cast<const char*>(vectors.of_tile(next(tile, step).tile - origin));
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

template <class T, int W>
struct AddDerivative {
  using S = lanes_t<T, W>;
  static constexpr int least_blocks = 4;  // a quarter faster on a GPU

  ParityAccess<T, 6, W> even, odd;
  GaugeAccess<T, W> to;
  const std::int32_t* numbers;
  const T* values;
  PerVector<T> weights;
  int half;  // the first odd tile

  TRELLIS_INLINE void operator()(int tile, int following) const {
    const int count = even.count;
    const bool is_even = tile < half;
    const auto& own = is_even ? even : odd;
    const auto& other = is_even ? odd : even;
    const int here = is_even ? tile : tile - half, origin = is_even ? half : 0;
    const VectorsAhead<T, W> ahead_of_following(following < half ? odd : even, to.neighbours, following,
                                                following < half ? half : 0);
    for (int mu = 0; mu < 4; ++mu) {
      const Hop ahead = to.neighbours(tile, mu);
      Matrix<S> sum = Matrix<S>::zero();
      for (int n = 0; n < count; ++n) {
        ahead_of_following.prefetch(mu * count + n, 4 * count);
        to.prefetch(following, mu * count + n, 4 * count);
        sum = add_outer_product(neighbour(other, {ahead.tile - origin, ahead.shift}, n),
                                S(weights.value[n]) * own.vector(here, n), sum);
      }
      // The table holds eta u / 2.
      const T* c = values + std::int64_t(numbers[8 * std::int64_t(tile) + mu]) * (2 * W);
      const complex<S> factor = S(T(is_even ? 2 : -2)) * load_complex<S>(c, 0);
      to.set_link(tile, mu, to.link(tile, mu) + factor * sum);
    }
  }

 private:
  // A thread reads from the lane it wants; a register is permuted.
  TRELLIS_INLINE ColourVector<S> neighbour(const ParityAccess<T, 6, W>& x, Hop from, int n) const {
    if constexpr (W > 1 && simd_detail::is_own_lane<S>) {
      return x.load_vector(x.at(from.tile, n) + lane_group * to.neighbours.template displacement<S>(from.shift));
    } else {
      ColourVector<S> v = x.vector(from.tile, n);
      if (from.shift != 0) [[unlikely]]
        for (auto& e : v.e) e = permute(e, to.neighbours.permutation(from.shift));
      return v;
    }
  }
};

}  // namespace

template <class T, int W>
void add_staggered_derivative(const HopTable<T, W>& coefficients, std::span<const double> weights,
                              const ColourVectorField<T, W>& x, const ColourVectorField<T, W>& y,
                              const GaugeField<T, W>& derivative) {
  const int count = int(weights.size());
  if (x.parity() != 0 || y.parity() != 1 || x.count() != count || y.count() != count)
    fail("staggered force: {} weights; {} vectors of parity {}, {} of parity {}", count, x.count(), x.parity(),
         y.count(), y.parity());
  if (!(x.lattice() == derivative.lattice()) || !(y.lattice() == derivative.lattice()))
    fail("staggered force: vectors and links are on different lattices");
  exchange_vectors(x, Faces::forward);
  exchange_vectors(y, Faces::forward);
  const double flops = double(x.lattice().local_volume()) * count * 4 * 72;
  const Kernel kernel{"staggered force", bytes_of(x, y, derivative, derivative), flops, is_single<T>};
  for_each_tile(kernel, derivative.lattice(),
                AddDerivative<T, W>{x.access(), y.access(), derivative.access(), coefficients.numbers(),
                                    coefficients.values(), PerVector<T>(weights), y.first_tile()});
}

#define TRELLIS_INSTANTIATE(T, W)                                                                              \
  template void add_staggered_derivative<T, W>(const HopTable<T, W>&, std::span<const double>,                 \
                                               const ColourVectorField<T, W>&, const ColourVectorField<T, W>&, \
                                               const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
