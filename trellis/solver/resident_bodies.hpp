// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Iterations of conjugate gradients, of multi-shift conjugate gradients and of Lanczos as the bodies of one launch
// (core/device/resident.hpp). All threads know the scalars.

#include <array>
#include <cmath>

#include "trellis/solver/algebra/vector_algebra_kernel.hpp"
#include "trellis/solver/resident_steps.hpp"
#include "trellis/solver/update_kernel.hpp"

namespace trellis::solver {

// An operator A that takes two hops: first(tile) computes a vector of the other parity from p, and second(tile)
// computes A p from that and returns its product with p.
template <class First, class Second>
struct TwoHops {
  First first;
  Second second;

  // Returns <p, A p>.
  TRELLIS_EITHER_SIDE
  template <class Sum, class Team>
  TRELLIS_FUNCTION double apply(Team& team, int tiles) const {
    team.each(tiles, [&](int tile) { first(tile); });
    team.meet();
    return team.template sum<Sum>(tiles, [&](int tile) { return second(tile); });
  }
};

template <class Hops, class T, int Reals, int W>
struct CgBody {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  using Access = ParityAccess<T, Reals, W>;

  Hops hops;
  Access r, p, ap, x;
  StepScalars* scalars;
  int tiles, turns;

  CgBody(const Hops& its_hops, const CgSteps<ParityField<T, Reals, W>>& steps)
      : hops(its_hops),
        r(steps.r.access()),
        p(steps.p.access()),
        ap(steps.ap.access()),
        x(steps.x.access()),
        scalars(steps.state.current()),
        tiles(steps.p.tiles()),
        turns(steps.turns) {}

  TRELLIS_EITHER_SIDE
  template <class Team>
  TRELLIS_FUNCTION void operator()(Team& team) const {
    StepScalars now = *scalars;
    for (int turn = 0; turn < turns && !now.at_rest(); ++turn) {
      const double product = hops.template apply<Term<W>>(team, tiles);
      const T alpha(now.step_length(product));
      const double norm2 = team.template sum<Term<W>>(tiles, [&](int tile) {
        return alpha == 0 ? Term<W>(0.0) : next_residual_of_site(S(alpha), Site::load(ap, tile, 0), r, r, tile);
      });
      const S beta{T(norm2 / now.rr)};
      team.each(tiles, [&](int tile) {
        if (alpha != 0) next_solution_of_site<S, Reals>(S(alpha), beta, r, x, p, tile, 0);
      });
      now = now.after(product, norm2);
      team.meet();
    }
    team.once([&] { *scalars = now; });
  }
};

template <class Hops, class T, int Reals, int W>
struct MultiShiftBody {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  using Access = ParityAccess<T, Reals, W>;

  Hops hops;
  MultiShiftState::Access state;
  Access p, ap, x, directions;
  std::array<Access, maximum_deferred> r{};
  int tiles, deferred, turns;

  MultiShiftBody(const Hops& its_hops, const MultiShiftSteps<ParityField<T, Reals, W>>& steps)
      : hops(its_hops),
        state(steps.state.access()),
        p(steps.p.access()),
        ap(steps.ap.access()),
        x(steps.x.access()),
        directions(steps.directions.access()),
        tiles(steps.p.tiles()),
        deferred(static_cast<int>(steps.r.size())),
        turns(steps.turns) {
    for (std::size_t j = 0; j < steps.r.size(); ++j) r.at(j) = steps.r[j].access();
  }

  TRELLIS_EITHER_SIDE
  template <class Team>
  TRELLIS_FUNCTION void operator()(Team& team) const {
    BaseScalars base = *state.now;
    const Access* const residuals = r.data();
    for (int turn = 0; turn < turns; ++turn) {
      const int slot = turn % deferred;
      const Access from = residuals[(slot + deferred - 1) % deferred], to = residuals[slot];
      const double product = hops.template apply<Term<W>>(team, tiles);
      const S alpha{T(base.step_length(product))};
      const double norm2 = team.template sum<Term<W>>(
          tiles, [&](int tile) { return next_residual_of_site(alpha, Site::load(ap, tile, 0), from, to, tile); });
      const S beta{T(base.direction_factor(norm2))};
      team.each(tiles, [&](int tile) { next_direction_of_site<S, Reals>(beta, to, p, tile); });
      team.each_number(state.count, [&](int i) { state.make_step(base, product, norm2, i, slot); });
      base = base.after(product, norm2);
      team.meet();
      if (slot < deferred - 1) continue;
      team.each(tiles, state.count, [&](int tile, int i) {
        take_steps_of_site<S, Reals>(state.steps + i * maximum_deferred, deferred, residuals, x, directions, tile, i);
      });
      if (!state.any_live()) break;
    }
    team.once([&] { *state.now = base; });
  }
};

template <class Hops, class T, int Reals, int W>
struct LanczosBody {
  using S = lanes_t<T, W>;
  using Site = SiteVector<S, Reals>;
  using Access = ParityAccess<T, Reals, W>;

  Hops hops;
  Access v, w, previous;
  double *products, *norms2;
  int tiles, begin, turns;

  LanczosBody(const Hops& its_hops, const LanczosSteps<ParityField<T, Reals, W>>& steps)
      : hops(its_hops),
        v(steps.p.access()),
        w(steps.ap.access()),
        previous(steps.previous.access()),
        products(steps.products),
        norms2(steps.norms2),
        tiles(steps.p.tiles()),
        begin(steps.first),
        turns(steps.turns) {}

  TRELLIS_EITHER_SIDE
  template <class Team>
  TRELLIS_FUNCTION void operator()(Team& team) const {
    double beta = begin == 0 ? 0 : std::sqrt(norms2[begin - 1]);
    for (int turn = begin; turn < begin + turns; ++turn) {
      const double product = hops.template apply<Term<W>>(team, tiles);
      const S alpha{T(product)}, last{T(beta)};
      const double norm2 = team.template sum<Term<W>>(
          tiles, [&](int tile) { return lanczos_residual_of_site<S, Reals>(alpha, v, last, previous, w, tile); });
      beta = std::sqrt(norm2);
      const S scale{T(1 / beta)};
      team.each(tiles, [&](int tile) {
        Site::load(v, tile, 0).store(previous, tile, 0);
        (scale * Site::load(w, tile, 0)).store(v, tile, 0);
      });
      team.once([&] {
        products[turn] = product;
        norms2[turn] = norm2;
      });
      team.meet();
    }
  }
};

// The body of some steps.
template <class Hops, class T, int Reals, int W>
auto resident_body(const Hops& hops, const CgSteps<ParityField<T, Reals, W>>& steps) {
  return CgBody<Hops, T, Reals, W>(hops, steps);
}
template <class Hops, class T, int Reals, int W>
auto resident_body(const Hops& hops, const MultiShiftSteps<ParityField<T, Reals, W>>& steps) {
  return MultiShiftBody<Hops, T, Reals, W>(hops, steps);
}
template <class Hops, class T, int Reals, int W>
auto resident_body(const Hops& hops, const LanczosSteps<ParityField<T, Reals, W>>& steps) {
  return LanczosBody<Hops, T, Reals, W>(hops, steps);
}

}  // namespace trellis::solver
