// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A term of the action, as a value: its energy and its force. A gauge action is one term, or its plaquettes and its
// rectangles are two, on different levels of the integrator. A term with pseudofermions holds them (shared by its
// functions), draws them in refresh() and solves in the other two.
//
// Terms of loops of thin links that are on one level are kicked as one, with the sum of their weights.
// Terms of smeared links share their SmearedForce: each adds the derivative of its energy with respect to the smeared
// links, and the way back to the thin ones is gone once for all of them.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "trellis/core/random.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/hmc/trajectory.hpp"

namespace trellis::hmc {

template <class T, int W>
struct SmearedForce {
  GaugeField<T, W> derivative;  // the matrices D of gauge/smearing/stout.hpp: dS = sum Re tr(D dU'); work space
  // p += step F of that derivative at these thin links; overwrites it.
  std::function<void(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p)> way_back;
};

template <class T, int W>
struct Monomial {
  std::string name;
  std::string description = {};  // a line for the log

  // Draws the term's own fields for a trajectory; empty if it has none. Of the stream it takes seed and trajectory,
  // and sets a purpose of its own.
  std::function<void(const RandomStream& stream, const GaugeField<T, W>& u)> refresh = {};

  // S(after) - S(before), the sum of differences site by site. For a term with pseudofermions `before` are the links of
  // the last refresh().
  std::function<double(const GaugeField<T, W>& after, const GaugeField<T, W>& before)> difference = {};

  // p += step F(u), F_a = -dS/dw_a (gauge/action.hpp).
  std::function<void(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p)> add_force = {};

  // For terms of loops of thin links: their weights, and add_force() with other weights in their place, which is called
  // instead of it where a level has several of them.
  std::optional<gauge::LoopWeights> loops = {};
  std::function<void(const gauge::LoopWeights&, const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p)>
      add_loops = {};

  // Adds dS/dU' to smeared->derivative; both empty for terms of thin links.
  std::function<void(const GaugeField<T, W>& u)> add_derivative = {};
  std::shared_ptr<const SmearedForce<T, W>> smeared = {};

  // What was counted since the last call; empty if the term solves nothing.
  std::function<SolverCounts()> take_counts = {};
};

// The gauge action with these weights; an Action converts to the weights of its whole.
template <class T, int W>
Monomial<T, W> gauge_monomial(const std::string& name, const gauge::LoopWeights& weights);

}  // namespace trellis::hmc
