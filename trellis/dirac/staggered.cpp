// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered.hpp"

#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/hop_kernel.hpp"
#include "trellis/dirac/link_storage.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::dirac {

namespace {

constexpr int most_vectors = maximum_sums;
template <class T, int W>
void require_matching(const StaggeredLinks<T, W>& links, const ColourVectorField<T, W>& in,
                      const ColourVectorField<T, W>& out, bool same_parity) {
  if (!(in.lattice() == links.lattice()) || !(out.lattice() == links.lattice()))
    fail("staggered operator: vectors and links are on different lattices");
  if ((in.parity() == out.parity()) != same_parity || in.count() != out.count())
    fail("staggered operator: parities {} and {}, counts {} and {} do not fit", in.parity(), out.parity(), in.count(),
         out.count());
  if (in.count() > most_vectors) fail("staggered operator: {} vectors at once; at most {}", in.count(), most_vectors);
}

// What hops say of themselves: the links of one parity, `batches` sets of vectors like x, flops a site and vector.
template <class T, int W>
Kernel hop_cost(const char* name, const ColourVectorField<T, W>& x, int batches, double flops) {
  const double sites = double(x.lattice().local_parity_volume());
  const double bytes = sites * (96.0 * sizeof(stored_t<T>) + batches * x.count() * site_bytes<T>(6));
  return {name, bytes, sites * x.count() * flops, is_single<arithmetic_t<T>>};
}

// f(kernel) with the kernel that fits the coefficients.
template <class T, int W, class F>
auto with_kernel(const StaggeredLinks<T, W>& links, const HopTable<arithmetic_t<T>, W>& table,
                 const ColourVectorField<T, W>& in, F&& f) {
  if (table.real()) return f(HopKernel<T, W, true>(links, table, in));
  return f(HopKernel<T, W, false>(links, table, in));
}

template <class T, int W>
TRELLIS_INLINE void store(const ParityAccess<T, 6, W>& to, int tile, int n,
                          const ColourVector<lanes_t<arithmetic_t<T>, W>>& v, bool streaming) {
  if (streaming)
    to.stream_vector(tile, n, v);
  else
    to.set_vector(tile, n, v);
}

// Writes m^2 psi - d and returns its product with psi.
template <class T, int W>
struct Finish {
  using A = arithmetic_t<T>;
  using S = lanes_t<A, W>;
  A mass2;
  ParityAccess<T, 6, W> from, to;

  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n, const ColourVector<S>& d) const {
    return (*this)(tile, n, from.vector(tile, n), d);
  }
  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n, const ColourVector<S>& psi,
                                               const ColourVector<S>& d) const {
    const ColourVector<S> result = fma(S(mass2), psi, S(A(-1)) * d);
    to.set_vector(tile, n, result);
    return real_dot(convert<double>(psi), convert<double>(result));
  }
  // The same after the hops of one vector. A thread of a GPU waits less if psi is on its way before them.
  template <class Hops>
  TRELLIS_INLINE lanes_t<double, W> after(const Hops& hops, int tile) const {
    if constexpr (!fields_on_host) {
      const ColourVector<S> psi = from.vector(tile, 0);
      return (*this)(tile, 0, psi, hops.sum(tile));
    } else {
      return (*this)(tile, 0, hops.sum(tile));
    }
  }
};

}  // namespace

template <class T, int W>
StaggeredLinks<T, W>::StaggeredLinks(const Lattice& lattice)
    : lattice_(std::make_shared<const Lattice>(lattice)), packed_("packed links", lattice.places()) {
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  using S = lanes_t<arithmetic_t<T>, W>;
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  const auto links = u.access();
  const Access<stored_t<T>, 96, W> to{packed_.data()};
  const Kernel cost{"pack links", bytes_of(u) + double(packed_.size()) * sizeof(stored_t<T>)};
  for_each_tile(
      cost, *lattice_, TRELLIS_KERNEL(int tile) {
        for (int step = 0; step < 8; ++step) {
          const int mu = step % 4;
          const Matrix<S> v =
              step < 4 ? links.link(tile, mu) : adjoint(links.link(links.neighbours(tile, backward(mu)), mu));
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j) store_link_number<T, 12>(to.at(tile) + 12 * W * step, 3 * i + j, v.e[i][j]);
        }
      });
}

namespace {

// Vectors that a thread of a GPU takes at a time, where there are several. Side by side: those that are within 16
// bytes, so that the threads of a site read whole lines.
template <class T, int W>
constexpr int batch = fields_side_by_side<W> && !is_fixed_point<T> ? int(8 / sizeof(stored_t<T>)) : 4;

// Calls take(n, sum of the hops of vector n) for the vectors of a batch. Shared: by HopKernel::sum_with_shared_links.
template <bool Shared, bool Real, class T, int W, class Take>
TRELLIS_INLINE void sums_of_batch(const HopKernel<T, W, Real>& kernel, int tile, int first, int last,
                                  arithmetic_t<T>* room, const Take& take) {
  using S = lanes_t<arithmetic_t<T>, W>;
  if constexpr (HopKernel<T, W, Real>::in_batches) {
    constexpr int most = batch<T, W>;
    const auto some = [&](int start) {
      ColourVector<S> totals[most];
      if constexpr (Shared)
        kernel.sum_with_shared_links(tile, start, totals);
      else
        kernel.sum(tile, start, totals);
      TRELLIS_UNROLL
      for (int n = 0; n < most; ++n)
        if (Shared || start + n < last) take(start + n, totals[n]);
    };
    if constexpr (!fields_on_host && most > 1)
      some(first);
    else
      for (int start = first; start < last; start += most) some(start);
  } else {
    kernel.sum(tile, room);
    for (int n = 0; n < last; ++n) take(n, ParityAccess<arithmetic_t<T>, 6, W>::load_vector(room + n * 6 * W));
  }
}
// f<Shared>()
template <class T, int W, class F>
auto with_batches([[maybe_unused]] const ParityAccess<T, 6, W>& x, [[maybe_unused]] const Lattice& lattice,
                  [[maybe_unused]] int parity, [[maybe_unused]] bool in_sums, const F& f) {
  if constexpr (fields_side_by_side<W>)
    if (x.count % batch<T, W> == 0 && links_are_shared(lattice, parity, x.count / batch<T, W>, in_sums))
      return f.template operator()<true>();
  return f.template operator()<false>();
}
// Where a host keeps the sums of a tile.
template <class T, int W>
inline constexpr int room_for_sums = simd_detail::is_own_lane<lanes_t<arithmetic_t<T>, W>> ? 1 : most_vectors * 6 * W;

template <bool Shared, bool Real, class T, int W>
struct HopsOfBatch {
  static constexpr int least_blocks = Shared ? 6 : 0;
  HopKernel<T, W, Real> kernel;
  ParityAccess<T, 6, W> to;
  bool streaming;

  TRELLIS_INLINE void operator()(int tile, int first, int last) const {
    using S = lanes_t<arithmetic_t<T>, W>;
    if constexpr (Shared && !is_fixed_point<T>) {
      constexpr int most = batch<T, W>;
      for (int start = first; start < last; start += most) {
        ColourVector<S> totals[most];
        kernel.sum_with_shared_links(tile, start, totals);
        for (int i = 0; i < 3; ++i) {
          complex<S> numbers[most];
          for (int n = 0; n < most; ++n) numbers[n] = totals[n].e[i];
          store_neighbours<true>(to.at(tile, start), i, numbers, streaming);
        }
      }
    } else {
      if constexpr (!simd_detail::is_own_lane<S> && !is_fixed_point<T>)
        if (!streaming) return kernel.sum(tile, to.at(tile, 0));
      alignas(64) arithmetic_t<T> room[room_for_sums<T, W>];
      sums_of_batch<Shared>(kernel, tile, first, last, room,
                            [&](int n, const ColourVector<S>& sum) { store(to, tile, n, sum, streaming); });
    }
  }
};

template <bool Real, class T, int W>
void run_hops(const HopKernel<T, W, Real>& kernel, const Kernel& cost, const ColourVectorField<T, W>& from,
              const ColourVectorField<T, W>& to_field, bool streaming) {
  const Lattice& lattice = from.lattice();
  const ParityAccess<T, 6, W> to = to_field.access();
  const auto in = from.halo_parts();
  const int parity = to_field.parity();
  if (to.count > 1)
    return with_batches(to, lattice, parity, false, [&]<bool Shared>() {
      for_each_batch_of_stencil<batch<T, W>>(cost, in, lattice, parity, to.count,
                                             HopsOfBatch<Shared, Real, T, W>{kernel, to, streaming});
    });
  for_each_half_tile_of_stencil(
      cost, in, lattice, parity, TRELLIS_KERNEL(int tile) { store(to, tile, 0, kernel.sum(tile), streaming); });
}

template <bool Shared, bool Real, class T, int W>
struct SecondHopOfBatch {
  HopKernel<T, W, Real> kernel;
  Finish<T, W> finish;

  TRELLIS_INLINE void operator()(int tile, int first, int last, ExactAccumulator<lanes_t<double, W>>* sums) const {
    alignas(64) arithmetic_t<T> room[room_for_sums<T, W>];
    using S = lanes_t<arithmetic_t<T>, W>;
    sums_of_batch<Shared>(kernel, tile, first, last, room,
                          [&](int n, const ColourVector<S>& sum) { sums[n - first].add(finish(tile, n, sum)); });
  }
};

template <bool Real, class T, int W>
struct SecondHop {
  // Left alone, the compiler takes 48 registers in single precision, too few for the loads that must be under way.
  enum : int { least_blocks = std::is_same_v<T, float> && W > 1 ? 8 : 0 };  // nvcc overlooks who reads a static member
  HopKernel<T, W, Real> kernel;
  Finish<T, W> finish;

  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int) const { return finish.after(kernel, tile); }
};

// out <- m^2 in - D middle, middle = D in, and <in, out>.
template <bool Real, class T, int W>
void run_second_hop(const HopKernel<T, W, Real>& kernel, const Kernel& cost, const ColourVectorField<T, W>& middle,
                    const Finish<T, W>& finish, const FieldSums& products) {
  using D = lanes_t<double, W>;
  const Lattice& lattice = middle.lattice();
  const auto in = middle.halo_parts();
  const int count = finish.to.count, parity = 1 - middle.parity();
  if (count > 1)
    return with_batches(finish.to, lattice, parity, true, [&]<bool Shared>() {
      using Second = SecondHopOfBatch<Shared, Real, T, W>;
      sum_over_batches_of_stencil<D, batch<T, W>>(cost, in, lattice, parity, count, Second{kernel, finish}, products);
    });
  sum_over_vectors_of_stencil<D>(cost, in, lattice, parity, 1, SecondHop<Real, T, W>{kernel, finish}, products);
}

}  // namespace

template <class T, int W>
void apply_hops(const StaggeredLinks<T, W>& links, const HopTable<arithmetic_t<T>, W>& coefficients,
                const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out, Stores stores) {
  require_matching(links, in, out, false);
  const bool streaming = passes_caches(stores, double(in.tiles()) * W * (96 + 12 * in.count()) * sizeof(stored_t<T>));
  const Kernel cost = hop_cost("staggered hops", in, 2, staggered_flops);
  with_kernel(links, coefficients, in, [&](const auto& kernel) { run_hops(kernel, cost, in, out, streaming); });
}

template <class T, int W>
StaggeredOperator<T, W>::StaggeredOperator(const StaggeredLinks<T, W>& links, const LinkPhases& phases, double mass)
    : links_(links),
      table_(links.lattice(), staggered_coefficient(phases, links.lattice().size())),
      mass_(mass),
      work_(std::make_shared<std::array<ColourVectorField<T, W>, 4>>()) {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
}

template <class T, int W>
StaggeredOperator<T, W> StaggeredOperator<T, W>::with_mass(double mass) const {
  if (!(mass >= 0)) fail_input("staggered operator: the mass is {}; it must not be negative", mass);
  StaggeredOperator other = *this;
  other.mass_ = mass;
  return other;
}

template <class T, int W>
void StaggeredOperator<T, W>::hop(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const {
  apply_hops(links_, table_, in, out);
}

template <class T, int W>
const ColourVectorField<T, W>& StaggeredOperator<T, W>::between(const ColourVectorField<T, W>& in) const {
  auto& field = (*work_)[std::size_t(1 - in.parity() + (in.count() > 1 ? 2 : 0))];
  if (!field.is_allocated() || field.count() != in.count())
    field = ColourVectorField<T, W>(lattice(), 1 - in.parity(), in.count(), "between two hops");
  return field;
}

template <class T, int W>
std::vector<double> StaggeredOperator<T, W>::operator()(const ColourVectorField<T, W>& in,
                                                        const ColourVectorField<T, W>& out) const {
  const FieldSums products(in.count());
  (*this)(in, out, products);
  return products.values();
}

template <class T, int W>
void StaggeredOperator<T, W>::operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out,
                                         const FieldSums& products) const {
  require_matching(links_, in, out, true);
  const ColourVectorField<T, W>& middle = between(in);
  hop(in, middle);
  const Kernel cost = hop_cost("staggered operator", in, 3, staggered_flops + 24);  // the second hop, m^2 and product
  with_kernel(links_, table_, middle, [&](const auto& kernel) {
    run_second_hop(kernel, cost, middle, Finish<T, W>{arithmetic_t<T>(mass_ * mass_), in.access(), out.access()},
                   products);
  });
}

#define TRELLIS_INSTANTIATE(T, W)                                                                  \
  template class StaggeredLinks<T, W>;                                                             \
  template class StaggeredOperator<T, W>;                                                          \
  template void apply_hops<T, W>(const StaggeredLinks<T, W>&, const HopTable<arithmetic_t<T>, W>&, \
                                 const ColourVectorField<T, W>&, const ColourVectorField<T, W>&, Stores);
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
