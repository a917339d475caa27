// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/clover_term.hpp"

#include <cmath>
#include <optional>

#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

namespace {

constexpr double smallest_pivot = 1e-8;  // in units of the block's norm

// Links in double precision, however they are stored.
template <class T, int W>
struct DoubleLinks {
  GaugeAccess<T, W> stored;
  Neighbours neighbours;

  TRELLIS_INLINE Matrix<lanes_t<double, W>> link(Hop hop, int mu) const {
    const auto u = stored.link(hop, mu);
    Matrix<lanes_t<double, W>> v;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.e[i][j] = {convert<double>(u.e[i][j].re), convert<double>(u.e[i][j].im)};
    return v;
  }
};

// Computes both blocks of a tile; tiles are numbered over the lattice.
template <class T, int W>
struct BlockMaker {
  using D = lanes_t<double, W>;
  DoubleLinks<T, W> links;
  double spatial, temporal;
  bool is_periodic;
  gauge::TimeSlice all, first, last;  // with quarks
  double at_boundaries;

  BlockMaker(const GaugeField<T, W>& u, const CloverCoefficients& c)
      : links{u.access(), u.lattice().neighbours()},
        spatial(c.kappa * c.clover),
        temporal(c.kappa * c.clover_temporal),
        is_periodic(c.slices.is_periodic()),
        all(u.lattice(), c.slices.first, c.slices.last),
        first(u.lattice(), c.slices.first),
        last(u.lattice(), c.slices.last),
        at_boundaries(c.at_boundaries) {}
  TRELLIS_INLINE void operator()(int tile, CloverBlock<D> (&blocks)[2]) const {
    clover_blocks(links, tile, D(spatial), D(temporal), blocks);
    if (is_periodic) return;
    const mask_t<D> here = all.lanes_of<D>(tile), begin = first.lanes_of<D>(tile), end = last.lanes_of<D>(tile);
    const D zero = D(0.0), more = D(at_boundaries);
    for (CloverBlock<D>& a : blocks) {
      for (D& d : a.d) d = select(here, d + (select(begin, more, zero) + select(end, more, zero)), D(1.0));
      for (complex<D>& o : a.o) o = select(here, o, complex<D>{zero, zero});
    }
  }
};

// Whether all pivots of a factorised block are large enough; false if any is not finite.
template <class D>
TRELLIS_INLINE mask_t<D> are_sound(const CloverBlock<D>& factors, const D& norm) {
  const D limit = D(smallest_pivot * smallest_pivot) * norm;
  mask_t<D> sound = limit < factors.d[0] * factors.d[0];
  for (int k = 1; k < 6; ++k) sound = sound & (limit < factors.d[k] * factors.d[k]);
  return sound;
}

template <class D>
TRELLIS_INLINE D ones_where(const mask_t<D>& m) {
  return select(m, D(1.0), D(0.0));
}

// The first site, in lexicographic order, with an unsound block.
struct UnsoundBlock {
  std::int64_t site;
  double pivot, norm;  // the smallest pivot of the site's first such block
};
template <class T, int W>
std::optional<UnsoundBlock> first_unsound_block(const Lattice& lattice, int parity, const BlockMaker<T, W>& make) {
  using D = lanes_t<double, W>;
  const int origin = lattice.first_tile(parity);
  // For each site the smallest pivot of the first unsound block, or a negative number if all are sound, and the block's
  // norm.
  const FieldView<double* [2], FieldLayout<W>> pivots("pivots", lattice.local_parity_volume());
  double* const to = pivots.data();
  for_each_half_tile(
      "clover pivots", lattice, TRELLIS_KERNEL(int tile) {
        CloverBlock<D> blocks[2];
        make(origin + tile, blocks);
        D smallest = D(-1.0), size = D(0.0);
        for (int k = 1; k >= 0; --k) {
          CloverBlock<D>& block = blocks[k];
          const D squared_norm = norm(block);
          factorise(block);
          const auto sound = are_sound(block, squared_norm);
          D pivot = abs(block.d[0]);
          for (int d = 1; d < 6; ++d) pivot = select(abs(block.d[d]) < pivot, abs(block.d[d]), pivot);
          smallest = select(sound, smallest, pivot);
          size = select(sound, size, sqrt(squared_norm));
        }
        store_part(to + std::int64_t(tile) * 2 * W, 0, smallest);
        store_part(to + std::int64_t(tile) * 2 * W, 1, size);
      });
  if (in_dry_run()) return std::nullopt;
  const auto found = create_mirror_view_and_copy(HostSpace{}, pivots);
  const TileSites sites = lattice.host_sites();
  std::optional<UnsoundBlock> first;
  for (Index n = 0; n < lattice.local_parity_volume(); ++n) {
    const std::int64_t site = sites(origin + int(n / W))[int(n % W)];
    if (found(n, 0) < 0 || (first && first->site <= site)) continue;
    first = UnsoundBlock{site, found(n, 0), found(n, 1)};
  }
  return first;
}

template <class T, int W>
void multiply(const Kernel& cost, const Lattice& lattice, const ParityAccess<T, clover_reals, W>& blocks,
              const ParityAccess<T, 24, W>& from, const ParityAccess<T, 24, W>& to) {
  for_each_vector(
      cost, lattice, to.count, TRELLIS_KERNEL(int tile, int n) {
        store_vector(to, tile, n, clover_times(blocks, tile, load_spinor(from, tile, n)));
      });
}

template <class T, int W>
[[noreturn]] void fail_for_first(const Lattice& lattice, const std::array<bool, 2>& inverted,
                                 const BlockMaker<T, W>& make) {
  std::optional<UnsoundBlock> first;
  for (int parity = 0; parity < 2; ++parity) {
    if (!inverted[parity]) continue;
    const auto found = first_unsound_block(lattice, parity, make);
    if (found && !(first && first->site < found->site)) first = found;
  }
  if (!first) fail("clover term: a block is singular");
  const Coordinate x = lattice.coordinate(first->site);
  if (!std::isfinite(first->norm))
    fail("clover term: block of site ({}, {}, {}, {}) is not finite", x[0], x[1], x[2], x[3]);
  fail("clover term: block of site ({}, {}, {}, {}) is singular (smallest pivot {:.3g}; the block's norm is {:.3g})",
       x[0], x[1], x[2], x[3], first->pivot, first->norm);
}

}  // namespace

template <class T, int W>
template <class From>
CloverTerm<T, W>::CloverTerm(const GaugeField<From, W>& u, const CloverCoefficients& coefficients,
                             CloverInverse inverse)
    : lattice_(std::make_shared<const Lattice>(u.lattice())),
      coefficients_(coefficients),
      determinants_(std::make_shared<Determinants>()) {
  for (const double c : {coefficients.kappa, coefficients.clover, coefficients.clover_temporal})
    if (!std::isfinite(c)) fail_input("clover term: a coefficient is {}; it must be finite", c);
  for (int parity = 0; parity < 2; ++parity) {
    term_[parity] = ParityField<T, clover_reals, W>(lattice(), parity, 1, "clover term");
    if (inverse == CloverInverse::both || (inverse == CloverInverse::odd && parity == 1))
      inverse_[parity] = ParityField<T, clover_reals, W>(lattice(), parity, 1, "inverse clover term");
  }
  build(u);
}

template <class T, int W>
template <class From>
void CloverTerm<T, W>::build(const GaugeField<From, W>& u) const {
  using D = lanes_t<double, W>;
  if (!(u.lattice() == lattice())) fail("clover term: the gauge field is on another lattice");
  const BlockMaker<From, W> make(u, coefficients_);
  double unsound = 0;
  for (int parity = 0; parity < 2; ++parity) {
    const int origin = lattice().first_tile(parity);
    const bool inverted = has_inverse(parity);
    const ParityAccess<T, clover_reals, W> term = term_[parity].access(), inverse = inverse_[parity].access();
    const double sites = double(lattice().local_parity_volume());
    const Kernel cost{"clover term", bytes_of(u) + sites * site_bytes<T>(clover_reals) * (inverted ? 2 : 1),
                      sites * 60 * product_flops};
    const auto sums = sum_over_half_tiles<D, 3>(
        cost, lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sum) {
          CloverBlock<D> blocks[2];
          lanes_t<arithmetic_t<T>, W> numbers[clover_reals];
          make(origin + tile, blocks);
          pack(blocks, numbers);
          term.store(tile, 0, numbers);
          if (!inverted) return;
          for (CloverBlock<D>& block : blocks) {
            const D squared_norm = norm(block);
            factorise(block);
            const auto sound = are_sound(block, squared_norm);
            D determinant = D(1.0), negative = D(0.0);
            for (int k = 0; k < 6; ++k) {
              determinant = determinant * block.d[k];
              negative = negative + ones_where<D>(block.d[k] < D(0.0));
            }
            sum[0].add(log(select(sound, abs(determinant), D(1.0))));
            sum[1].add(negative);
            sum[2].add(ones_where<D>(!sound));
            block = inverse_from_factors(block);
          }
          pack(blocks, numbers);
          inverse.store(tile, 0, numbers);
        });
    determinants_->logarithm[parity] = sums[0];
    determinants_->negative[parity] = std::int64_t(sums[1]);
    unsound += sums[2];
  }
  if (unsound > 0) fail_for_first(lattice(), {has_inverse(0), has_inverse(1)}, make);
}

template <class T, int W>
void CloverTerm<T, W>::require_inverse(int parity) const {
  if (!has_inverse(parity))
    fail("clover term: the inverse on {} sites was not requested", parity == 0 ? "even" : "odd");
}

template <class T, int W>
ParityAccess<T, clover_reals, W> CloverTerm<T, W>::inverse_access(int parity) const {
  require_inverse(parity);
  return inverse_[parity].access();
}

template <class T, int W>
double CloverTerm<T, W>::log_determinant(int parity) const {
  require_inverse(parity);
  return determinants_->logarithm[parity];
}

template <class T, int W>
std::int64_t CloverTerm<T, W>::negative_eigenvalues(int parity) const {
  require_inverse(parity);
  return determinants_->negative[parity];
}

template <class T, int W>
void CloverTerm<T, W>::times(const char* name, bool inverse, const SpinorField<T, W>& in,
                             const SpinorField<T, W>& out) const {
  if (!(in.lattice() == lattice()) || !(out.lattice() == lattice()))
    fail("clover term: vectors and links are on different lattices");
  if (in.parity() != out.parity() || in.count() != out.count())
    fail("clover term: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  const auto from = in.access(), to = out.access();
  const int count = in.count();
  const ParityAccess<T, clover_reals, W> blocks = inverse ? inverse_access(in.parity()) : access(in.parity());
  const double sites = double(lattice().local_parity_volume());
  const Kernel cost{name, sites * (site_bytes<T>(clover_reals) + 2 * count * site_bytes<T>(24)),
                    sites * count * clover_flops, is_single<arithmetic_t<T>>};
  multiply(cost, lattice(), blocks, from, to);
}

template <class T, int W>
void CloverTerm<T, W>::apply(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const {
  times("clover", false, in, out);
}

template <class T, int W>
void CloverTerm<T, W>::apply_inverse(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const {
  times("inverse clover", true, in, out);
}

template <class T, int W>
std::array<double, clover_reals> CloverTerm<T, W>::at(const Coordinate& x, bool inverse) const {
  const int parity = (x[0] + x[1] + x[2] + x[3]) % 2;
  if (inverse) require_inverse(parity);
  return (inverse ? inverse_ : term_)[parity].at(x);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                         \
  template class CloverTerm<T, W>;                                                                        \
  template CloverTerm<T, W>::CloverTerm(const GaugeField<arithmetic_t<T>, W>&, const CloverCoefficients&, \
                                        CloverInverse);                                                   \
  template void CloverTerm<T, W>::build<arithmetic_t<T>>(const GaugeField<arithmetic_t<T>, W>&) const;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
