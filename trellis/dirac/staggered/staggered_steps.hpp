// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Iterations of solvers and the hops of their operator in one launch: the only file of this room that knows a solver.
// CMake writes the files that instantiate it (CMakeLists.txt).
#include "trellis/core/device/resident.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_passes.hpp"
#include "trellis/dirac/stencil/kept.hpp"
#include "trellis/solver/resident_bodies.hpp"

namespace trellis::dirac {

namespace staggered_steps {

using namespace staggered_passes;

template <class V>
Kernel cost_of(const solver::CgSteps<V>& steps) {
  return solver::vector_kernel("CG steps", steps.p, 8 * steps.turns, 8 * steps.turns);
}
template <class V>
Kernel cost_of(const solver::MultiShiftSteps<V>& steps) {
  const double live = steps.state.live(), deferred = double(steps.r.size());
  return solver::vector_kernel("multi-shift steps", steps.p, steps.turns * (6 + (4 * live + deferred) / deferred),
                               steps.turns * (6 + 5 * live));
}

template <class V>
Kernel cost_of(const solver::LanczosSteps<V>& steps) {
  return solver::vector_kernel("Lanczos steps", steps.p, 8 * steps.turns, 7 * steps.turns);
}

// D psi
template <class Sum, class To>
struct FirstHop {
  Sum sum;
  To to;
  TRELLIS_FUNCTION void keep(ThreadMemory& memory, int tile) { sum.keep(memory, tile); }
  TRELLIS_INLINE void operator()(int tile) const { to.store(tile, 0, sum(tile), false); }
};

// image <- m^2 psi - D D psi; returns its product with psi.
template <class Sum, class T>
struct SecondHop {
  Sum sum;
  T mass2;
  TRELLIS_FUNCTION void keep(ThreadMemory& memory, int tile) { sum.keep(memory, tile); }
  template <class S>
  TRELLIS_INLINE auto operator()(int tile, const solver::SiteVector<S, 6>& psi, solver::SiteVector<S, 6>& image) const {
    ColourVector<S> own;
    for (int i = 0; i < 3; ++i) own.e[i] = {psi.e[2 * i], psi.e[2 * i + 1]};
    const auto [result, product] = with_mass_term(mass2, own, sum(tile));
    for (int i = 0; i < 3; ++i) {
      image.e[2 * i] = result.e[i].re;
      image.e[2 * i + 1] = result.e[i].im;
    }
    return product;
  }
};

// How the operator's sums over hops are computed: Sum is MayBeKept or KeptWithMatrices.
template <class Sum, class To, class From, class T, int W, class Steps>
void run_keeping(const Resident<FieldSpace>& resident, const Kernel& cost, const To& to_middle, const From& from_middle,
                 const ColourVectorField<T, W>& middle, double mass, const Steps& steps) {
  const auto to = vectors_of<1>(middle);
  const FirstHop<Sum, std::remove_cv_t<decltype(to)>> first{Sum(to_middle), to};
  const SecondHop<Sum, T> second{Sum(from_middle), T(mass * mass)};
  resident.run(cost, Index(steps.p.tiles()) * W, W, solver::resident_body(solver::TwoHops{first, second}, steps),
               2 * Sum::bytes);
}

template <class Kind, Factors Are, class T, int W, class Steps>
void run_with(const Resident<FieldSpace>& resident, const StaggeredLinks<T, W>& links, const HopTable<T, W>& table,
              double mass, const ColourVectorField<T, W>& middle, const Steps& steps) {
  const ColourVectorField<T, W>& p = steps.p;
  Kernel cost = cost_of(steps);
  for (const Kernel& hop : {first_hop_cost<Kind, T>(p), second_hop_cost<Kind, T>(p)}) {
    cost.bytes += steps.turns * hop.bytes;
    cost.flops += steps.turns * hop.flops;
  }
  constexpr Takes one = Takes::one_vector;
  constexpr int ahead = 7;  // there are few threads, each of which may use many registers
  const auto to_middle = hop_sum<Kind, Are, one, ahead>(links, table, p, vectors_of<1>(p));
  const auto from_middle = hop_sum<Kind, Are, one, ahead>(links, table, middle, vectors_of<1>(middle));
  using Sum = std::remove_cv_t<decltype(to_middle)>;
  if constexpr (std::is_same_v<Kind, Su3Links>) {  // which lack a row
    using Complete = KeptWithMatrices<Sum>;
    if (2 * Complete::bytes <= resident.memory_each(Index(p.tiles()) * W))
      return run_keeping<Complete>(resident, cost, to_middle, from_middle, middle, mass, steps);
  }
  run_keeping<MayBeKept<Sum>>(resident, cost, to_middle, from_middle, middle, mass, steps);
}

// A function of its own for with_kind(): nvcc compiles no lambda with types of its own in a member.
template <class T, int W, class Steps>
void run(const Resident<FieldSpace>& resident, const StaggeredLinks<T, W>& links, const HopTable<T, W>& table,
         double mass, const ColourVectorField<T, W>& middle, const Steps& steps) {
  with_kind(links, table, [&]<class Kind>() {
    if (table.real())
      run_with<Kind, Factors::real>(resident, links, table, mass, middle, steps);
    else
      run_with<Kind, Factors::complex>(resident, links, table, mass, middle, steps);
  });
}

}  // namespace staggered_steps

template <class T, int W, class L>
template <class Steps>
bool StaggeredOperator<T, W, L>::run_steps(const Steps& steps) const {
  if constexpr (fields_on_host) {
    return false;
  } else {
    if (steps.p.count() != 1 || lattice().has_ghosts() || !resident_.takes(Index(steps.p.tiles()) * W)) return false;
    const auto& middle = work_(lattice(), 1 - steps.p.parity(), 1);
    staggered_steps::run(resident_, links_, table_, mass_, middle, steps);
    return true;
  }
}

#define TRELLIS_STEPS_OF(Steps, T, W) \
  template bool StaggeredOperator<T, W>::run_steps(const solver::Steps<ColourVectorField<T, W>>&) const;

}  // namespace trellis::dirac
