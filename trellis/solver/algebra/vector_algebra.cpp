// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/vector_algebra.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/solver/algebra/vector_algebra_kernel.hpp"

namespace trellis::solver {

namespace {
template <class T, int W>
using Lanes = lanes_t<arithmetic_t<T>, W>;
template <class T, int Reals, int W>
using Site = SiteVector<Lanes<T, W>, Reals>;
}  // namespace

template <class T, int Reals, int W>
std::vector<double> norms2(const ParityField<T, Reals, W>& x) {
  const auto in = x.access();
  const Kernel kernel = vector_kernel("norms", x, 1, 2);
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, x.lattice(), x.count(),
      TRELLIS_KERNEL(int tile, int n)->Term<W> { return norm(Site<T, Reals, W>::load(in, tile, n)); });
}

template <class T, int Reals, int W>
std::vector<double> subtract_from(const ParityField<T, Reals, W>& b, const ParityField<T, Reals, W>& r) {
  const auto from = b.access(), to = r.access();
  const Kernel kernel = vector_kernel("subtract", r, 3, 3);
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, r.lattice(), r.count(), TRELLIS_KERNEL(int tile, int n)->Term<W> {
        const auto difference = Site<T, Reals, W>::load(from, tile, n) - Site<T, Reals, W>::load(to, tile, n);
        difference.store(to, tile, n);
        return norm(difference);
      });
}

template <class T, int Reals, int W>
void add_scaled(std::span<const double> alpha, const ParityField<T, Reals, W>& x, const ParityField<T, Reals, W>& y) {
  const PerVector<T> a(alpha);
  const auto from = x.access(), to = y.access();
  for_each_vector(
      vector_kernel("add scaled", y, 3, 2, a.moving()), y.lattice(), y.count(), TRELLIS_KERNEL(int tile, int n) {
        if (a[n] == 0) return;
        const auto step = Site<T, Reals, W>::load(from, tile, n);
        fma(Lanes<T, W>(a[n]), step, Site<T, Reals, W>::load(to, tile, n)).store(to, tile, n);
      });
}

template <class T, int Reals, int W>
void add_shift(std::span<const double> s, const ParityField<T, Reals, W>& in, const ParityField<T, Reals, W>& out,
               const FieldSums& products) {
  const PerVector<T> shift(s);
  const PerVector<double> exact_shift(s);
  const auto from = in.access(), to = out.access();
  const Kernel kernel = vector_kernel("add shift", in, 3, 4, shift.moving());
  const FieldSums norms(in.count());
  sum_over_vectors<lanes_t<double, W>>(
      kernel, in.lattice(), in.count(),
      TRELLIS_KERNEL(int tile, int n)->Term<W> {
        if (shift[n] == 0) return Term<W>(0.0);
        const auto v = Site<T, Reals, W>::load(from, tile, n);
        fma(Lanes<T, W>(shift[n]), v, Site<T, Reals, W>::load(to, tile, n)).store(to, tile, n);
        return norm(v);
      },
      norms);
  const double* const norm2 = norms.data();
  double* const product = products.data();
  parallel_for(
      "products of shifts", RangePolicy<FieldSpace>(0, in.count()),
      TRELLIS_KERNEL(Index n) { product[n] += exact_shift[int(n)] * norm2[n]; });
}

template <class T, int Reals, int W>
std::vector<double> subtract_and_project(const ParityField<T, Reals, W>& fresh, const ParityField<T, Reals, W>& r,
                                         const ParityField<T, Reals, W>& p) {
  const auto onto = fresh.access(), from = r.access(), to = p.access();
  const Kernel kernel = vector_kernel("subtract and project", p, 4, 3);
  return sum_over_vectors<lanes_t<double, W>>(
      kernel, p.lattice(), p.count(), TRELLIS_KERNEL(int tile, int n)->Term<W> {
        const auto v = Site<T, Reals, W>::load(to, tile, n) - Site<T, Reals, W>::load(from, tile, n);
        v.store(to, tile, n);
        return dot(Site<T, Reals, W>::load(onto, tile, n), v);
      });
}

template <class T, int Reals, int W>
void scale_and_add(std::span<const double> b, std::span<const double> a, const ParityField<T, Reals, W>& x,
                   const ParityField<T, Reals, W>& y) {
  using S = Lanes<T, W>;
  const PerVector<T> scale(b), factor(a);
  const auto from = x.access(), to = y.access();
  for_each_vector(
      vector_kernel("scale and add", y, 3, 3), y.lattice(), y.count(), TRELLIS_KERNEL(int tile, int n) {
        const auto scaled = S(scale[n]) * Site<T, Reals, W>::load(to, tile, n);
        fma(S(factor[n]), Site<T, Reals, W>::load(from, tile, n), scaled).store(to, tile, n);
      });
}

template <class T, int Reals, int W>
void gather(const ParityField<T, Reals, W>& from, std::span<const int> places, const ParityField<T, Reals, W>& to) {
  const VectorPlaces place(places);
  const auto in = from.access(), out = to.access();
  for_each_vector(
      vector_kernel("gather vectors", to, 2, 0), to.lattice(), to.count(),
      TRELLIS_KERNEL(int tile, int n) { Site<T, Reals, W>::load(in, tile, place[n]).store(out, tile, n); });
}

template <class T, int Reals, int W>
void scatter(const ParityField<T, Reals, W>& from, std::span<const int> places, const ParityField<T, Reals, W>& to) {
  const VectorPlaces place(places);
  const auto in = from.access(), out = to.access();
  for_each_vector(
      vector_kernel("scatter vectors", from, 2, 0), from.lattice(), from.count(),
      TRELLIS_KERNEL(int tile, int n) { Site<T, Reals, W>::load(in, tile, n).store(out, tile, place[n]); });
}

template <class T, int Reals, int W>
void clear(const ParityField<T, Reals, W>& x, int n) {
  const auto out = x.access();
  for_each_half_tile(
      vector_kernel("clear vector", x, 1, 0, 1), x.lattice(),
      TRELLIS_KERNEL(int tile) { Site<T, Reals, W>::zero().store(out, tile, n); });
}

template <class T, int Reals, int W>
void require_like(const ParityField<T, Reals, W>& b, const ParityField<T, Reals, W>& x, int count, const char* who) {
  if (!(b.lattice() == x.lattice())) fail("{}: the vectors are on different lattices", who);
  if (b.parity() != x.parity()) fail("{}: the vectors have parities {} and {}", who, b.parity(), x.parity());
  if (x.count() != count) fail("{}: found {} vectors, expected {}", who, x.count(), count);
  if (count > maximum_sums) fail("{}: {} vectors at once; at most {}", who, count, maximum_sums);
}

#define TRELLIS_INSTANTIATE_REALS(T, R, W)                                                                     \
  template std::vector<double> norms2(const ParityField<T, R, W>&);                                            \
  template std::vector<double> subtract_from(const ParityField<T, R, W>&, const ParityField<T, R, W>&);        \
  template void add_scaled(std::span<const double>, const ParityField<T, R, W>&, const ParityField<T, R, W>&); \
  template std::vector<double> subtract_and_project(const ParityField<T, R, W>&, const ParityField<T, R, W>&,  \
                                                    const ParityField<T, R, W>&);                              \
  template void scale_and_add(std::span<const double>, std::span<const double>, const ParityField<T, R, W>&,   \
                              const ParityField<T, R, W>&);                                                    \
  template void gather(const ParityField<T, R, W>&, std::span<const int>, const ParityField<T, R, W>&);        \
  template void scatter(const ParityField<T, R, W>&, std::span<const int>, const ParityField<T, R, W>&);       \
  template void clear(const ParityField<T, R, W>&, int);                                                       \
  template void require_like(const ParityField<T, R, W>&, const ParityField<T, R, W>&, int, const char*);
#define TRELLIS_INSTANTIATE(T, W)    \
  TRELLIS_INSTANTIATE_REALS(T, 6, W) \
  TRELLIS_INSTANTIATE_REALS(T, 24, W)
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
// Only staggered quarks have poles with several shifts.
#define TRELLIS_INSTANTIATE_SHIFTS(T, W)                                                                     \
  template void add_shift(std::span<const double>, const ParityField<T, 6, W>&, const ParityField<T, 6, W>&, \
                          const FieldSums&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE_SHIFTS)
#undef TRELLIS_INSTANTIATE_SHIFTS
#undef TRELLIS_INSTANTIATE
#undef TRELLIS_INSTANTIATE_REALS

}  // namespace trellis::solver
