// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/wilson_setup.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::tuning {

namespace {

template <class T, int W>
dirac::WilsonLinks<T, W> random_links(const Lattice& lattice, dirac::LinkFormat format) {
  const GaugeField<arithmetic_t<T>, W> u(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  return {u, format};
}

// Numbers that depend on the site, not on its place in memory, so that results can be compared between shapes.
template <class T, int W>
void fill(const SpinorField<T, W>& x) {
  using A = arithmetic_t<T>;
  const auto to = x.access();
  const TileSites sites = x.lattice().tile_sites();
  const int first = x.first_tile();
  for_each_vector(
      "fill", x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n) {
        using S = lanes_t<A, W>;
        const LaneSites own = sites(first + tile);
        S values[24];
        for (int k = 0; k < 24; ++k)
          for (const int l : own_lanes<S>())
            set_lane(values[k], l, A(0.001) * A(((own[l] * to.count + n) * 24 + k) * 7919 % 2003 - 1001));
        to.store(tile, n, values);
      });
}

// Complex number k of a tile, as it is in memory.
template <class T, class S, class Place>
TRELLIS_INLINE complex<S> read(const Place& p, int k) {
  if constexpr (is_fixed_point<T>)
    return load_complex_int16<S>(p, k);
  else if constexpr (std::is_same_v<Place, PairsApart<T>>)
    return load_complex<S>(p, k);
  else
    return ComplexTraits<complex<S>>::load_once(p + 2 * k * lane_count<S>);
}
template <class T, class S, class Place>
TRELLIS_INLINE void write(const Place& p, int k, const complex<S>& v) {
  if constexpr (is_fixed_point<T>) {
    store_int16(p, 2 * k, v.re);
    store_int16(p, 2 * k + 1, v.im);
  } else {
    stream_complex(p, k, v);
  }
}

// The scales that accompany 16-bit integers.
template <class S, class Access>
TRELLIS_INLINE void copy_scale(const Access& from, const Access& to, int tile, int n) {
  if constexpr (requires { to.scale_at(tile, n); })
    store_lanes<S>(to.scale_at(tile, n), load_lanes<S>(from.scale_at(tile, n)));
}

template <class T, int W>
struct SetupMix {
  const stored_t<T>* links;
  ParityAccess<T, 24, W> from, to;
  int numbers;  // per site, of the links, in pairs

  TRELLIS_INLINE void operator()(int tile, int first, int last) const {
    using S = lanes_t<arithmetic_t<T>, W>;
    constexpr int chains = 4;
    const stored_t<T>* u = links + std::int64_t(tile) * 2 * numbers * W;
    complex<S> sums[chains];
    for (int k = 0; k < chains; ++k) sums[k] = read<T, S>(u, k);
    for (int i = chains; i < numbers; i += chains)
      for (int k = 0; k < chains; ++k) sums[k] += read<T, S>(u, i + k);
    for (int n = first; n < last; ++n) {
      copy_scale<S>(from, to, tile, n);
      for (int k = 0; k < 12; ++k) write<T, S>(to.at(tile, n), k, sums[k % chains] + read<T, S>(from.at(tile, n), k));
    }
  }
};

}  // namespace

template <class T, int W>
WilsonSetup<T, W>::WilsonSetup(const Coordinate& size, const LatticeShape& shape, dirac::LinkFormat format, int vectors)
    : links_(random_links<T, W>(Lattice(size, W, SiteOrder::even_odd, shape), format)),
      in_(links_.lattice(), 1, vectors),
      out_(links_.lattice(), 0, vectors) {
  fill(in_);
}

template <class T, int W>
void WilsonSetup<T, W>::mix() const {
  constexpr int together = fields_side_by_side<W> ? 1 : 64;  // vectors per GPU thread
  for_each_batch<together>("mix", lattice(), in_.count(),
                           SetupMix<T, W>{links_.data(), in_.access(), out_.access(), 4 * int(links_.format())});
}

template <class T, int W>
double WilsonSetup<T, W>::flops() const {
  return dirac::wilson_flops * double(lattice().local_volume()) / 2 * in_.count();
}

template <class T, int W>
double WilsonSetup<T, W>::bytes() const {
  return double(lattice().local_volume()) / 2 * (links_.bytes_per_site() + 2 * in_.count() * site_bytes<T>(24));
}

#define TRELLIS_INSTANTIATE(T, W) template class WilsonSetup<T, W>;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::tuning
