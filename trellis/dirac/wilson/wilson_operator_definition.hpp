// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The members of WilsonOperator, for the files that instantiate them: one per precision, because they take long to
// compile.

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/stencil/finish.hpp"
#include "trellis/dirac/wilson/wilson_halo.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/dirac/wilson/wilson_sum.hpp"

namespace trellis::dirac {

namespace operator_detail {

template <class S>
TRELLIS_INLINE lanes_t<double, lane_count<S>> norm(const Spinor<complex<S>>& psi) {
  using D = lanes_t<double, lane_count<S>>;
  D sum = D(0.0);
  for (const auto& spin : psi.e)
    for (const complex<S>& x : spin) {
      const D re = convert<double>(x.re), im = convert<double>(x.im);
      sum = fma(im, im, fma(re, re, sum));
    }
  return sum;
}

// What is done with the hops h = D in while they are in registers: h <- A add + factor h, then h <- A^-1 h, each if
// present; the result is stored and its norm returned. Without clover the kernel contains nothing of A.
template <class T, int W, bool Clover>
struct FinishHops {
  using S = lanes_t<arithmetic_t<T>, W>;
  using To = decltype(stencil::vectors_of<1>(std::declval<const SpinorField<T, W>&>()));
  To to;
  bool streaming;
  arithmetic_t<T> factor;
  bool adds = false, has_term = false, has_inverse = false;
  ParityAccess<T, 24, W> add{};
  ParityAccess<T, clover_reals, W> term{}, inverse{};

  // Prefetches before the hops, which take long enough for the data to arrive: saves a tenth of the time for fields
  // that do not fit in the caches.
  template <bool>
  TRELLIS_INLINE stencil::Nothing before(int tile, int n) const {
    if (adds) prefetch_tile(add, tile, n);
    if (has_term && n == 0) prefetch_tile(term, tile, 0);
    if (has_inverse && n == 0) prefetch_tile(inverse, tile, 0);
    return {};
  }
  TRELLIS_INLINE lanes_t<double, W> operator()(int tile, int n, stencil::Nothing, Spinor<complex<S>>& h) const {
    if constexpr (Clover) {
      if (has_term)
        add_to(h, clover_times(term, tile, load_spinor(add, tile, n)));
      else if (adds)
        add_to(h, load_spinor(add, tile, n));
      if (has_inverse) h = clover_times(inverse, tile, h);
    } else if (adds) {
      add_to(h, load_spinor(add, tile, n));
    }
    to.store(tile, n, h, streaming);
    return norm(h);
  }

 private:
  template <int Reals>
  TRELLIS_INLINE static void prefetch_tile(const ParityAccess<T, Reals, W>& x, int tile, int n) {
    if constexpr (!fields_side_by_side<W>) {
      const char* p = reinterpret_cast<const char*>(x.at(tile, n));
      for (int line = 0; line < Reals * W * int(sizeof(stored_t<T>)); line += 64) trellis::prefetch(p + line);
    }
  }
  TRELLIS_INLINE void add_to(Spinor<complex<S>>& h, const Spinor<complex<S>>& psi) const {
    for (int s = 0; s < 4; ++s)
      for (int c = 0; c < 3; ++c) h.e[s][c] = fma(S(factor), h.e[s][c], psi.e[s][c]);
  }
};

}  // namespace operator_detail

// FinishHops, set up from fields. Without clover, A = 1 is left out.
template <class T, int W>
struct WilsonOperator<T, W>::Finish {
  double factor = 1;
  const SpinorField<T, W>* add = nullptr;
  bool times_clover = false;  // A add instead of add
  bool times_inverse = false;
};

template <class T, int W>
WilsonOperator<T, W>::WilsonOperator(const GaugeField<arithmetic_t<T>, W>& u, const WilsonParameters& parameters,
                                     LinkFormat format, const HopSettings& settings)
    : parameters_((require_valid(parameters), parameters)),
      links_(u, format,
             {parameters.spatial_hopping, parameters.boundary_angle_over_pi,
              wilson_slices(parameters.boundary, u.lattice().size())}),
      settings_(settings) {
  if (parameters.clover != 0 || parameters.clover_temporal != 0 || parameters.c_f != 1)
    clover_.emplace(u, CloverCoefficients{parameters.kappa, parameters.clover, parameters.clover_temporal,
                                          links_.weights().slices, 2 * parameters.kappa * (parameters.c_f - 1)});
}

template <class T, int W>
void WilsonOperator<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  links_.pack(u);
  if (clover_) clover_->build(u);
}

template <class T, int W>
void WilsonOperator<T, W>::require(const SpinorField<T, W>& x, int parity, int count) const {
  if (!(x.lattice() == lattice())) fail("Wilson operator: vectors and links are on different lattices");
  if (x.parity() != parity || x.count() != count)
    fail("Wilson operator: {} vectors on sites of parity {}; {} on parity {} were expected", x.count(), x.parity(),
         count, parity);
}

// out <- `finish` of D in or D^dagger in; also the norms of its vectors, if asked for.
template <class T, int W>
void WilsonOperator<T, W>::pass(const SpinorField<T, W>& in, const SpinorField<T, W>& out, HopSign sign,
                                const Finish& finish, const FieldSums* norms) const {
  const int count = in.count(), parity = out.parity();
  const double sites = double(lattice().local_volume()) / 2;
  const bool has_term = clover_ && finish.times_clover, has_inverse = clover_ && finish.times_inverse;
  const double clover_blocks = (has_term ? 1 : 0) + (has_inverse ? 1 : 0), spinors = finish.add != nullptr ? 3 : 2;
  const double flops =
      wilson_flops + (finish.add != nullptr ? 48 : 0) + clover_blocks * clover_flops + (norms != nullptr ? 48 : 0);
  const double bytes = sites * (links_.bytes_per_site() + spinors * count * site_bytes<T>(24) +
                                clover_blocks * site_bytes<T>(clover_reals));
  Kernel cost{finish.add != nullptr ? "Wilson operator" : "Wilson hops", bytes, sites * count * flops,
              is_single<arithmetic_t<T>>};
  cost.block_threads = settings_.block_threads;
  const auto run = [&]<bool Clover>() {
    operator_detail::FinishHops<T, W, Clover> after{stencil::vectors_of<1>(out), passes_caches(settings_.stores, bytes),
                                                    arithmetic_t<T>(finish.factor)};
    if (finish.add != nullptr) {
      after.adds = true;
      after.add = finish.add->access();
    }
    if (has_term) {
      after.has_term = true;
      after.term = clover_->access(parity);
    }
    if (has_inverse) {
      after.has_inverse = true;
      after.inverse = clover_->inverse_access(parity);
    }
    with_hops(links_, in, sign, settings_.distances(count, bytes), norms != nullptr, [&](const auto& sum) {
      if (norms != nullptr)
        stencil::apply_and_sum(cost, wilson_halo(in, sign), lattice(), parity, count, sum, after, *norms);
      else
        stencil::apply(cost, wilson_halo(in, sign), lattice(), parity, count, sum, after);
    });
  };
  if (has_term || has_inverse)
    run.template operator()<true>();
  else
    run.template operator()<false>();
}

template <class T, int W>
void WilsonOperator<T, W>::mhat(const SpinorField<T, W>& in, const SpinorField<T, W>& out, HopSign sign,
                                const FieldSums* norms) const {
  require(in, 0, in.count());
  require(out, 0, in.count());
  const SpinorField<T, W>& middle = work(1, in.count());
  pass(in, middle, sign, {.times_inverse = true});
  pass(middle, out, sign, {.factor = -parameters_.kappa * parameters_.kappa, .add = &in, .times_clover = true}, norms);
}

template <class T, int W>
void WilsonOperator<T, W>::apply(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const {
  mhat(in, out, HopSign::plain, nullptr);
}

template <class T, int W>
void WilsonOperator<T, W>::apply_adjoint(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const {
  mhat(in, out, HopSign::adjoint, nullptr);
}

template <class T, int W>
std::vector<double> WilsonOperator<T, W>::operator()(const SpinorField<T, W>& in, const SpinorField<T, W>& out) const {
  const FieldSums norms(in.count());
  (*this)(in, out, norms);
  return norms.values();
}

template <class T, int W>
void WilsonOperator<T, W>::operator()(const SpinorField<T, W>& in, const SpinorField<T, W>& out,
                                      const FieldSums& norms) const {
  const SpinorField<T, W>& middle = work(0, in.count());
  mhat(in, middle, HopSign::plain, &norms);
  mhat(middle, out, HopSign::adjoint, nullptr);
}

template <class T, int W>
void WilsonOperator<T, W>::prepare(const SpinorField<T, W>& b_even, const SpinorField<T, W>& b_odd,
                                   const SpinorField<T, W>& out) const {
  require(b_even, 0, out.count());
  require(b_odd, 1, out.count());
  require(out, 0, out.count());
  if (clover_) clover_->apply_inverse(b_odd, work(1, out.count()));
  pass(clover_ ? work(1, out.count()) : b_odd, out, HopSign::plain, {.factor = parameters_.kappa, .add = &b_even});
}

template <class T, int W>
void WilsonOperator<T, W>::reconstruct(const SpinorField<T, W>& x_even, const SpinorField<T, W>& b_odd,
                                       const SpinorField<T, W>& x_odd) const {
  require(x_even, 0, x_odd.count());
  require(b_odd, 1, x_odd.count());
  require(x_odd, 1, x_odd.count());
  pass(x_even, x_odd, HopSign::plain, {.factor = parameters_.kappa, .add = &b_odd, .times_inverse = true});
}

template <class T, int W>
void WilsonOperator<T, W>::full(const SpinorField<T, W>& same, const SpinorField<T, W>& other,
                                const SpinorField<T, W>& out, HopSign sign) const {
  require(same, out.parity(), out.count());
  require(other, 1 - out.parity(), out.count());
  pass(other, out, sign, {.factor = -parameters_.kappa, .add = &same, .times_clover = true});
}

}  // namespace trellis::dirac
