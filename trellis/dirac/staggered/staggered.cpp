// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/dirac/staggered/staggered_definition.hpp"
#include "trellis/dirac/stencil/link_storage.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/su3/compression.hpp"

namespace trellis::dirac {

namespace {

// Stores the links of the hops of a tile, forwards and then backwards as adjoints, from number `begin` of its `reals`
// on. Of a link all three rows (Reals = 18) or two (12), and what the third is multiplied by (14).
template <class T, int W, int Reals, int Distance>
struct PackLinks {
  using S = lanes_t<arithmetic_t<T>, W>;

  GaugeAccess<arithmetic_t<T>, W> links;
  stored_t<T>* to;
  int reals, begin;
  float per_unit, size;  // in 16 bits; size: what makes a factor of a third row a phase

  TRELLIS_INLINE void operator()(int tile) const {
    for (int step = 0; step < 8; ++step) {
      const int mu = step % 4;
      const Matrix<S> v = step < 4 ? links.link(tile, mu) : adjoint(links.link(begin_of_hop_to(tile, mu), mu));
      stored_t<T>* const numbers = to + (std::int64_t(tile) * reals + begin + step * Reals) * W;
      for (int k = 0; k < (Reals == 18 ? 9 : 6); ++k)
        store_link_number<T, Reals>(numbers, k, v.e[k / 3][k % 3], per_unit);
      if constexpr (Reals == 14 && is_fixed_point<T>)
        store_link_number<T, Reals>(numbers, 6, S(size) * third_row_factor(v));
      else if constexpr (Reals == 14)
        store_link_number<T, Reals>(numbers, 6, third_row_factor(v));
    }
  }

 private:
  TRELLIS_INLINE Hop begin_of_hop_to(int tile, int mu) const {
    Hop from = links.neighbours(tile, backward(mu));
    for (int n = 1; n < Distance; ++n) from = links.neighbours(from, backward(mu));
    return from;
  }
};

template <class T, int W, int Reals, int Distance>
void pack_links(const GaugeField<arithmetic_t<T>, W>& u, stored_t<T>* to, int reals, int begin, float unit,
                float size = 1) {
  const PackLinks<T, W, Reals, Distance> kernel{u.access(), to, reals, begin, 1 / unit, size};
  const double written = double(u.lattice().local_volume()) * 8 * Reals * sizeof(stored_t<T>);
  for_each_tile(Kernel{"pack links", bytes_of(u) + written}, u.lattice(), kernel);
}

// a + c b, link by link.
template <class A, int W>
GaugeField<A, W> sum_of(const GaugeField<A, W>& a, const GaugeField<A, W>& b, double c) {
  using S = lanes_t<A, W>;
  const GaugeField<A, W> sum(a.lattice(), "fat links");
  const auto from = a.access(), other = b.access();
  const auto to = sum.access();
  for_each_tile(
      Kernel{"links with epsilon", bytes_of(a, b, sum)}, a.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          Matrix<S> u = from.link(tile, mu);
          const Matrix<S> w = other.link(tile, mu);
          for (int k = 0; k < 9; ++k) u.e[k / 3][k % 3] = u.e[k / 3][k % 3] + S(A(c)) * w.e[k / 3][k % 3];
          to.set_link(tile, mu, u);
        }
      });
  return sum;
}

// The largest of the real and imaginary parts of a matrix.
struct LargestElement {
  template <class S>
  TRELLIS_INLINE static S of(const Matrix<S>& v) {
    S most = S(0);
    for (int k = 0; k < 9; ++k) {
      const S re = abs(v.e[k / 3][k % 3].re), im = abs(v.e[k / 3][k % 3].im);
      most = select(re <= most, most, re);
      most = select(im <= most, most, im);
    }
    return most;
  }
};
// c of a matrix in U(3) times c, and 1 / c (0 for no matrix at all).
struct Size {
  template <class S>
  TRELLIS_INLINE static S of(const Matrix<S>& v) {
    S sum = norm(v.e[0][0]);
    for (int k = 1; k < 9; ++k) sum = sum + norm(v.e[k / 3][k % 3]);
    return sqrt(sum / S(scalar_t<S>(3)));
  }
};
struct InverseSize {
  template <class S>
  TRELLIS_INLINE static S of(const Matrix<S>& v) {
    const S zero = S(scalar_t<S>(0)), one = S(scalar_t<S>(1)), c = Size::of(v);
    return select(c > zero, one / select(c > zero, c, one), zero);
  }
};
// How far the third row is from what the other two give, by the size of the matrix.
struct DistanceOfThirdRow {
  template <class S>
  TRELLIS_INLINE static S of(const Matrix<S>& v) {
    Matrix<S> w = v;
    complete_third_row(w);
    const complex<S> factor = third_row_factor(v);
    Matrix<S> rest = Matrix<S>::zero();
    for (int j = 0; j < 3; ++j) rest.e[2][j] = v.e[2][j] - factor * w.e[2][j];
    return InverseSize::of(v) * LargestElement::of(rest);
  }
};

// The largest of these numbers of all links.
template <class Number, class A, int W>
double largest_of(const GaugeField<A, W>& u) {
  using S = lanes_t<A, W>;
  const gauge::LargestNumber<W> numbers(u.lattice());
  const auto links = u.access();
  const auto out = numbers.access();
  for_each_tile(
      Kernel{"largest number of links", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        S most = S(0);
        for (int mu = 0; mu < 4; ++mu) {
          const S x = Number::of(links.link(tile, mu));
          most = select(x <= most, most, x);
        }
        out.keep(tile, convert<double>(most));
      });
  return numbers.largest();
}

// In 16 bits, of numbers that are at most this.
float unit_of(double largest) { return float(largest > 0 ? largest : 1) / 32767; }

constexpr double most_different = 0x1p-16;  // long links, from U(3) times a number

}  // namespace

template <class T, int W>
StaggeredLinks<T, W>::StaggeredLinks(const Lattice& lattice, LinkKind kind, const HopSettings& settings)
    : lattice_(std::make_shared<const Lattice>(lattice)),
      kind_(kind),
      settings_(settings),
      units_(std::make_shared<Units>()) {
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
  if (kind == LinkKind::fat_and_long && lattice.has_ghosts() && lattice.vector_reach() < naik_neighbours.reach())
    fail_input("packed links: hops of {} steps, and a lattice on several ranks whose vectors reach {} beyond a rank",
               naik_neighbours.reach(), lattice.vector_reach());
  packed_ = FieldView<stored_t<T>*>("packed links", lattice.places() * reals());
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  if (kind_ == LinkKind::fat_and_long) fail("packed links: there are no long links to pack");
  if (kind_ == LinkKind::su3) return pack_links<T, W, 12, 1>(u, packed_.data(), reals(), 0, fixed_link_unit);
  if constexpr (is_fixed_point<T>) units_->fat = unit_of(largest_of<LargestElement>(u));
  pack_links<T, W, 18, 1>(u, packed_.data(), reals(), 0, units_->fat);
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& fat,
                                const GaugeField<arithmetic_t<T>, W>& three_steps,
                                const GaugeField<arithmetic_t<T>, W>& one_step, double epsilon) const {
  if (kind_ != LinkKind::fat_and_long) fail("packed links: no room for long links");
  for (const auto* u : {&fat, &three_steps, &one_step})
    if (!(u->lattice() == *lattice_)) fail("packed links: a gauge field is on another lattice");
  if (epsilon != 0) {
    const auto X = sum_of(fat, one_step, epsilon / 8), L = sum_of(three_steps, three_steps, epsilon);
    X.exchange(Reach::near, Faces::backward);
    return pack(X, L);
  }
  three_steps.exchange(Reach::three_steps, Faces::backward);
  const double distance = largest_of<DistanceOfThirdRow>(three_steps);
  if (!(distance < most_different))
    fail_input("packed links: long links are not in U(3) times a number (a third row is wrong by {:.1e} of the link)",
               distance);
  double size = 1;
  if (is_fixed_point<T> && !in_dry_run()) {  // which knows no numbers
    size = largest_of<Size>(three_steps);
    const double different = size * largest_of<InverseSize>(three_steps) - 1;
    if (!(different < most_different))
      fail_input(
          "packed links: long links in 16 bits must all be matrices in U(3) times the same number (the largest and the "
          "smallest differ by {:.1e})",
          different);
    const float unit = unit_of(largest_of<LargestElement>(three_steps));
    *units_ = {unit_of(largest_of<LargestElement>(fat)), unit, unit * fixed_link_unit / float(size > 0 ? size : 1)};
  }
  pack_links<T, W, 18, 1>(fat, packed_.data(), reals(), 0, units_->fat);
  pack_links<T, W, 14, 3>(three_steps, packed_.data(), reals(), 8 * 18, units_->three_steps, float(size));
}

#define TRELLIS_INSTANTIATE(T, W) template class StaggeredLinks<T, W>;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) TRELLIS_INSTANTIATE_OPERATOR(double, W, double)
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) TRELLIS_INSTANTIATE_OPERATOR(Fixed16, W, Fixed16)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
