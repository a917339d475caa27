// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Iterations of conjugate gradients, of multi-shift conjugate gradients and of Lanczos as the bodies of one launch
// (core/device/resident.hpp). All threads know the scalars. What a thread alone uses stays in its registers; what
// neighbours read goes to memory.

#include <array>
#include <cmath>

#include "trellis/solver/algebra/vector_algebra_kernel.hpp"
#include "trellis/solver/resident_steps.hpp"
#include "trellis/solver/update_kernel.hpp"

namespace trellis::solver {

// A vector of which each thread of a team reads and writes its own tile only: in registers if the team's threads have
// one tile each, otherwise in memory.
template <class Team, class S, int Reals, class Access>
class OwnVector {
 public:
  using Site = SiteVector<S, Reals>;

  TRELLIS_FUNCTION explicit OwnVector(const Access& memory) : memory_(memory) {}

  // Once, before the first get().
  TRELLIS_INLINE void begin(int tile) {
    if constexpr (Team::one_tile_each) own_ = Site::load(memory_, tile, 0);
  }
  TRELLIS_INLINE Site get(int tile) const {
    if constexpr (Team::one_tile_each)
      return own_;
    else
      return Site::load(memory_, tile, 0);
  }
  TRELLIS_INLINE void set(int tile, const Site& v) {
    if constexpr (Team::one_tile_each)
      own_ = v;
    else
      v.store(memory_, tile, 0);
  }
  // Others may read it once the team has met.
  TRELLIS_INLINE void show(int tile) const {
    if constexpr (Team::one_tile_each) own_.store(memory_, tile, 0);
  }

 private:
  Access memory_;
  Site own_;
};

// An operator A that takes two hops: first(tile) computes a vector of the other parity from p, and
// second(tile, p, image) computes A p from that and returns its product with p. Both may have keep(memory, tile), to
// keep in a thread's memory what they read in each turn.
template <class First, class Second>
struct TwoHops {
  First first;
  Second second;

  // Before the first turn.
  TRELLIS_EITHER_SIDE
  template <class Team>
  TRELLIS_FUNCTION void begin(Team& team, int tiles) {
    ThreadMemory memory = team.memory();
    team.each(tiles, [&](int tile) {
      if constexpr (requires { first.keep(memory, tile); }) {
        first.keep(memory, tile);
        second.keep(memory, tile);
      }
    });
  }
  // ap <- A p for a p that all threads can see; returns <p, A p>.
  TRELLIS_EITHER_SIDE
  template <class Sum, class Team, class Own>
  TRELLIS_FUNCTION double apply(Team& team, int tiles, const Own& p, Own& ap) const {
    team.each(tiles, [&](int tile) { first(tile); });
    team.meet();
    return team.template sum<Sum>(tiles, [&](int tile) {
      typename Own::Site image;
      const Sum product = second(tile, p.get(tile), image);
      ap.set(tile, image);
      return product;
    });
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
    if (now.at_rest()) return;
    Hops own_hops = hops;
    own_hops.begin(team, tiles);
    using Own = OwnVector<Team, S, Reals, Access>;
    Own own_r(r), own_p(p), own_ap(ap), own_x(x);
    team.each(tiles, [&](int tile) {
      own_r.begin(tile);
      own_p.begin(tile);
      own_x.begin(tile);
    });
    for (int turn = 0; turn < turns && !now.at_rest(); ++turn) {
      const double product = own_hops.template apply<Term<W>>(team, tiles, own_p, own_ap);
      const T alpha(now.step_length(product));
      const double norm2 = team.template sum<Term<W>>(tiles, [&](int tile) {
        if (alpha == 0) return Term<W>(0.0);
        const Site residual = negated_fma(S(alpha), own_ap.get(tile), own_r.get(tile));
        own_r.set(tile, residual);
        return norm(residual);
      });
      const S beta{T(norm2 / now.rr)};
      if (alpha != 0)
        team.each(tiles, [&](int tile) {
          const Site step = own_p.get(tile);
          own_p.set(tile, fma(beta, step, own_r.get(tile)));
          own_p.show(tile);
          own_x.set(tile, fma(S(alpha), step, own_x.get(tile)));  // while the direction is on its way
        });
      now = now.after(product, norm2);
      team.meet();
    }
    team.each(tiles, [&](int tile) {
      own_r.show(tile);
      own_x.show(tile);
    });
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
    if (!state.any_live()) return;
    BaseScalars base = *state.now;
    const Access* const residuals = r.data();
    Hops own_hops = hops;
    own_hops.begin(team, tiles);
    using Own = OwnVector<Team, S, Reals, Access>;
    Own own_p(p), own_ap(ap), own_r(residuals[deferred - 1]);
    team.each(tiles, [&](int tile) {
      own_p.begin(tile);
      own_r.begin(tile);
    });
    for (int turn = 0; turn < turns; ++turn) {
      const int slot = turn % deferred;
      const Access to = residuals[slot];
      const double product = own_hops.template apply<Term<W>>(team, tiles, own_p, own_ap);
      const S alpha{T(base.step_length(product))};
      const double norm2 = team.template sum<Term<W>>(tiles, [&](int tile) {
        const Site residual = negated_fma(alpha, own_ap.get(tile), own_r.get(tile));
        own_r.set(tile, residual);
        return norm(residual);
      });
      const S beta{T(base.direction_factor(norm2))};
      team.each(tiles, [&](int tile) {
        const Site residual = own_r.get(tile);
        residual.store(to, tile, 0);  // all steps of the shifts read it
        own_p.set(tile, fma(beta, own_p.get(tile), residual));
        own_p.show(tile);
      });
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
    Hops own_hops = hops;
    own_hops.begin(team, tiles);
    using Own = OwnVector<Team, S, Reals, Access>;
    Own own_v(v), own_w(w), own_previous(previous);
    team.each(tiles, [&](int tile) {
      own_v.begin(tile);
      own_previous.begin(tile);
    });
    for (int turn = begin; turn < begin + turns; ++turn) {
      const double product = own_hops.template apply<Term<W>>(team, tiles, own_v, own_w);
      const S alpha{T(product)}, last{T(beta)};
      const double norm2 = team.template sum<Term<W>>(tiles, [&](int tile) {
        const Site residual =
            lanczos_residual_of(alpha, own_v.get(tile), last, own_previous.get(tile), own_w.get(tile));
        own_w.set(tile, residual);
        return norm(residual);
      });
      beta = std::sqrt(norm2);
      const S scale{T(1 / beta)};
      team.each(tiles, [&](int tile) {
        own_previous.set(tile, own_v.get(tile));
        own_v.set(tile, scale * own_w.get(tile));
        own_v.show(tile);
      });
      team.once([&] {
        products[turn] = product;
        norms2[turn] = norm2;
      });
      team.meet();
    }
    team.each(tiles, [&](int tile) { own_previous.show(tile); });
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
