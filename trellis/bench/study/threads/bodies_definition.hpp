// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bodies for machines where each lane of a tile is a thread, for the lists of bodies in this folder; those of one lane
// run anywhere. The sum over hops is that of registers/bodies_definition.hpp; vectors and links are read in any layout.
// The adjoint is gamma_5 D gamma_5, as for operators there, so that one kernel serves both.

#include "trellis/bench/study/threads/apart_complex.hpp"
#include "trellis/bench/study/variant_bodies.hpp"
#include "trellis/bench/study/variant_choices.hpp"
#include "trellis/dirac/stencil/hop_sum.hpp"
#include "trellis/dirac/wilson/wilson_hops.hpp"

namespace trellis::bench::study {

// Without prefetches: many threads hide the time that memory takes.
struct NoDistances {
  template <int K, class Sum>
  TRELLIS_INLINE void ask(const Sum&, int, int) const {}
};

// What a thread loads of vectors and links, where lanes are threads. sign: of the lower spins, 1 or -1.
template <class C, class Layout>
struct ThreadVectors : stencil::PlainVectors<C, 4, 1, Layout> {
  using Base = stencil::PlainVectors<C, 4, 1, Layout>;
  using Real = typename ComplexTraits<C>::real;
  using Scalar = typename ComplexTraits<C>::scalar;

  Scalar sign;

  ThreadVectors(Scalar* numbers, Index tiles, Scalar of_lower) : Base(numbers, tiles), sign(of_lower) {}

  TRELLIS_INLINE Real lower_sign() const { return Real(sign); }
  struct SignedSite : Base::Site {
    Scalar sign;
    TRELLIS_INLINE Real lower_sign() const { return Real(sign); }
  };
  TRELLIS_INLINE SignedSite site(int tile, int n) const { return {Base::site(tile, n), sign}; }
  TRELLIS_INLINE void fetch(int tile, int n, int displacement, C (&numbers)[1][12], stencil::NoScale (&)[1]) const {
    using Traits = ComplexTraits<C>;
    constexpr int lane_stride = Traits::place(Traits::width > 1 ? 1 : 0, 0);
    const auto site = Base::site(tile, n);
    for (int k = 0; k < 12; ++k) numbers[0][k] = Traits::load(site.at(k / 3, k % 3) + lane_stride * displacement);
  }
};
template <class C, int Reals, class Layout, bool Broadcast>
struct ThreadLinks : stencil::PlainLinks<C, Reals, stencil::FusedThirdRow, Layout, Broadcast> {
  using Base = stencil::PlainLinks<C, Reals, stencil::FusedThirdRow, Layout, Broadcast>;
  using Base::Base;

  TRELLIS_INLINE void fetch(int first, int k, C (&e)[Reals / 2]) const {
    using Traits = ComplexTraits<C>;
    const auto* const p = this->data + this->map(first + k, 0) * Base::reals;
    const Index stride = this->map.stride(1) * Base::reals;
    for (int i = 0; i < Reals / 2; ++i)
      if constexpr (Broadcast)
        e[i] = Traits::broadcast(p + i * stride);
      else
        e[i] = Traits::load_once(p + i * stride);
  }
};

template <class T, BodyChoice Choice>
struct ThreadBody {
  static_assert(Choice.neighbours == NeighbourSource::table);
  static constexpr bool broadcast = Choice.filling == Filling::right_hand_sides;
  static constexpr bool permutes = Choice.filling == Filling::virtual_nodes;
  using Lanes = lanes_t<T, Choice.lanes>;
  // With one lane there is one form.
  using C = std::conditional_t<Choice.lanes == 1 || Choice.complex == ComplexForm::interleaved, complex<Lanes>,
                               apart_complex<Lanes>>;
  using Layout = LayoutOf<Choice.layout>;
  using Spinors = ThreadVectors<C, Layout>;
  using Links = ThreadLinks<C, int(Choice.links), Layout, broadcast>;
  using Hops = stencil::TableHops<C, 8, stencil::Factors::marked, permutes, broadcast>;
  using Sum = stencil::HopSum<WilsonHops<false>, Spinors, Links, Hops, NoDistances, stencil::Takes::batches>;

  Sum sum;
  Spinors out;
  bool streaming;

  explicit ThreadBody(const BodyArguments<T>& a)
      : sum{Spinors(a.in, a.tiles, a.adjoint ? T(-1) : T(1)),
            Links(a.links, 8 * Index(a.tiles)),
            {a.hops, a.exits, a.marks, a.numbers, a.factors, a.lanes, a.in_origin, 8 * a.tiles - 1, a.high_bits},
            {}},
        out(a.out, a.tiles, T(1)),
        streaming(a.streaming) {}

  TRELLIS_INLINE void operator()(int tile) const {
    Spinor<C> total[1];
    sum(tile, 0, total);
    for (int spin = 2; spin < 4; ++spin)
      for (auto& number : total[0].e[spin]) number = sum.in.lower_sign() * number;
    out.store(tile, 0, total[0], streaming);
  }

  template <bool AllTraversals>
  static void launched(const Kernel& cost, const Walk& walk, const BodyArguments<T>& arguments) {
    const ThreadBody body(arguments);
    if constexpr (AllTraversals)
      launch<Choice.lanes>(cost, walk, body);
    else
      launch_flat<Choice.lanes, Choice.least_blocks>(cost, walk, body);
  }
};

template <class T, BodyChoice Choice, bool AllTraversals>
CompiledBody<T> thread_body() {
  using Traits = ComplexTraits<typename ThreadBody<T, Choice>::C>;
  CompiledBody<T> body;
  body.choice = Choice;
  body.place = Traits::place;
  body.launch = ThreadBody<T, Choice>::template launched<AllTraversals>;
  body.all_traversals = AllTraversals;
  return body;
}

template <class T, BodyChoice... Choices>
void add_in_all_orders(CompiledBodies<T>& to) {
  (to.push_back(thread_body<T, Choices, true>()), ...);
}
template <class T, BodyChoice... Choices>
void add_in_order_of_memory(CompiledBodies<T>& to) {
  (to.push_back(thread_body<T, Choices, false>()), ...);
}

}  // namespace trellis::bench::study
