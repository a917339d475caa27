// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Nested integrators (Sexton and Weingarten, Nucl. Phys. B 380 (1992) 665). A Level kicks with some terms of the
// action; each of its drifts is `steps` steps of the next level, and the drift of the last level moves the links.
// make_plan() writes a complete trajectory as a list of operations, with commuting ones merged: kicks of one level
// between two drifts become one, so that a step's last kick is the next step's first.
//
// The plan runs on any phase space, whether a field or an oscillator:
//   void kick(int level, double time)                                 p += time F_level(U)
//   void gradient_kick(int level, double time, double displacement)   like kick, on links moved by displacement F_level
//   void drift(double time)                                           U <- exp(i time p) U

#include <concepts>
#include <string>
#include <vector>

#include "trellis/hmc/scheme.hpp"

namespace trellis::hmc {

struct Level {
  Scheme scheme;
  int steps = 10;                  // in the trajectory (outermost level), or in one drift of the level above
  std::vector<std::string> terms;  // names of the terms of the action that kick here
};

struct Operation {
  Step::Kind kind;
  int level;            // 0 is the outermost; for a drift, the innermost
  double time;          // molecular dynamics time
  double displacement;  // for a gradient_kick, in units of time squared
};
using Plan = std::vector<Operation>;

// Outermost level first. Throws InputError for no level, fewer than one step, a length that is not positive, or an
// invalid scheme.
Plan make_plan(const std::vector<Level>& levels, double length);

// The number of force evaluations of a level in the plan; a gradient kick counts as two.
int force_evaluations(const Plan& plan, int level);
// The number of drifts.
int link_updates(const Plan& plan);

template <class P>
concept PhaseSpace = requires(P& space, int level, double time, double displacement) {
  space.kick(level, time);
  space.gradient_kick(level, time, displacement);
  space.drift(time);
};

template <PhaseSpace P>
void integrate(const Plan& plan, P& space) {
  for (const Operation& operation : plan) switch (operation.kind) {
      case Step::Kind::kick:
        space.kick(operation.level, operation.time);
        break;
      case Step::Kind::gradient_kick:
        space.gradient_kick(operation.level, operation.time, operation.displacement);
        break;
      case Step::Kind::drift:
        space.drift(operation.time);
        break;
    }
}

}  // namespace trellis::hmc
