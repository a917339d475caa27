// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_definition.hpp"
#include "trellis/dirac/stencil/link_storage.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"

namespace trellis::dirac {

namespace {

// Stores the links of the hops of a tile, forwards and then backwards as adjoints, from number `begin` of its `reals`
// on.
template <class T, int W, int Rows, int Distance>
struct PackLinks {
  using S = lanes_t<arithmetic_t<T>, W>;
  static constexpr int numbers = 6 * Rows;

  GaugeAccess<arithmetic_t<T>, W> links;
  stored_t<T>* to;
  int reals, begin;
  float per_unit;

  TRELLIS_INLINE void operator()(int tile) const {
    for (int step = 0; step < 8; ++step) {
      const int mu = step % 4;
      const Matrix<S> v = step < 4 ? links.link(tile, mu) : adjoint(links.link(begin_of_hop_to(tile, mu), mu));
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < 3; ++j)
          store_link_number<T, numbers>(to + (std::int64_t(tile) * reals + begin + step * numbers) * W, 3 * i + j,
                                        v.e[i][j], per_unit);
    }
  }

 private:
  TRELLIS_INLINE Hop begin_of_hop_to(int tile, int mu) const {
    Hop from = links.neighbours(tile, backward(mu));
    for (int n = 1; n < Distance; ++n) from = links.neighbours(from, backward(mu));
    return from;
  }
};

template <class T, int W, int Rows, int Distance>
void pack_links(const GaugeField<arithmetic_t<T>, W>& u, stored_t<T>* to, int reals, int begin, float per_unit) {
  const PackLinks<T, W, Rows, Distance> kernel{u.access(), to, reals, begin, per_unit};
  const double written = double(u.lattice().local_volume()) * 8 * kernel.numbers * sizeof(stored_t<T>);
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

// The largest of the real and imaginary parts of all elements.
template <class A, int W>
double largest_of(const GaugeField<A, W>& u) {
  using S = lanes_t<A, W>;
  const gauge::LargestNumber<W> numbers(u.lattice());
  const auto links = u.access();
  const auto out = numbers.access();
  for_each_tile(
      Kernel{"largest number of links", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        S most = S(0);
        for (int mu = 0; mu < 4; ++mu) {
          const Matrix<S> v = links.link(tile, mu);
          for (int k = 0; k < 9; ++k)
            for (const S& x : {v.e[k / 3][k % 3].re, v.e[k / 3][k % 3].im}) most = select(abs(x) <= most, most, abs(x));
        }
        out.keep(tile, convert<double>(most));
      });
  return numbers.largest();
}

}  // namespace

template <class T, int W>
StaggeredLinks<T, W>::StaggeredLinks(const Lattice& lattice, LinkKind kind, const HopSettings& settings)
    : lattice_(std::make_shared<const Lattice>(lattice)),
      kind_(kind),
      settings_(settings),
      unit_(std::make_shared<float>(fixed_link_unit)) {
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
  if (kind == LinkKind::fat_and_long && lattice.has_ghosts() && lattice.vector_reach() < naik_neighbours.reach())
    fail_input("packed links: hops of {} steps, and a lattice on several ranks whose vectors reach {} beyond a rank",
               naik_neighbours.reach(), lattice.vector_reach());
  packed_ = FieldView<stored_t<T>*>("packed links", lattice.places() * reals());
}

template <class T, int W>
void StaggeredLinks<T, W>::set_unit(double largest) const {
  *unit_ = float(largest > 0 ? largest : 1) / 32767;
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  if (kind_ == LinkKind::fat_and_long) fail("packed links: there are no long links to pack");
  if (kind_ == LinkKind::su3) return pack_links<T, W, 2, 1>(u, packed_.data(), reals(), 0, 32767.0f);
  if constexpr (is_fixed_point<T>) set_unit(largest_of(u));
  pack_links<T, W, 3, 1>(u, packed_.data(), reals(), 0, 1 / *unit_);
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
  if constexpr (is_fixed_point<T>) set_unit(std::max(largest_of(fat), largest_of(three_steps)));
  pack_links<T, W, 3, 1>(fat, packed_.data(), reals(), 0, 1 / *unit_);
  pack_links<T, W, 3, 3>(three_steps, packed_.data(), reals(), reals() / 2, 1 / *unit_);
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
