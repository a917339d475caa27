// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A term of the action: its energy and its force (a "monomial" in other programs). The plaquettes and the rectangles of
// a gauge action may be one term or two, on different levels of the integrator. A term with pseudofermions draws them
// in refresh(), and solves there, in difference() and for the force.
//
// Terms whose forces share work form a ForceGroup: forces of loops of thin links are computed as one, with the sum of
// their weights; quarks on smeared links add up their derivatives with respect to the smeared links, from which the
// force on the thin links is computed once.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/random.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/hmc/trajectory.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::hmc {

// A term's solves are for a spectrum that the links do not have. Where trajectories begin so, no other steps help.
class OutsideSpectrum final : public Error {
 public:
  using Error::Error;
};

template <class T, int W>
class ForceGroup {
 public:
  virtual ~ForceGroup() = default;
  // Begins a sum of contributions (Term::contribute).
  virtual void clear() = 0;
  // p += step F, with F the force of that sum; u must be the links of the contributions.
  virtual void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) = 0;
  // Whether contributions read no links, and so may be made while ghosts of links are on their way. If so, the force
  // may do a part of its work before these arrive.
  virtual bool begins_without_ghosts() const { return false; }
  virtual void add_force_with(ExchangeUnderWay ghosts, const GaugeField<T, W>& u, double step,
                              const AlgebraField<T, W>& p) {
    ghosts.finish();
    add_force(u, step, p);
  }
};

template <class T, int W>
class Term {
 public:
  explicit Term(std::string name) : name_(std::move(name)) {}
  virtual ~Term() = default;
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;

  const std::string& name() const { return name_; }
  virtual std::string description() const { return {}; }  // a line for the log
  virtual bool has_pseudofermions() const { return false; }

  // Draws the pseudofermions of a trajectory. The seed and the trajectory are those of the stream, the purpose is the
  // term's own.
  virtual void refresh(const RandomStream&, const GaugeField<T, W>&) {}
  // What is kept for links that were seen before may be damaged, and must not be used again.
  virtual void forget() {}
  // The fields that refresh() fills, sharing their memory, always in the same order.
  virtual std::vector<ColourVectorField<T, W>> pseudofermions() const { return {}; }
  // Those of them on which the force depends.
  virtual std::vector<ColourVectorField<T, W>> sources() const { return {}; }
  // Instead of refresh(), if pseudofermions() were copied from another term, which had this stream.
  virtual void take_stream(const RandomStream&) {}

  // p = 0 for links that are not variables of this term's boundary (gauge/boundary): momenta that have been drawn.
  virtual void clear_inactive(const AlgebraField<T, W>&) const {}

  // S(after) - S(before), as a sum of differences site by site. For a term with pseudofermions `before` must be the
  // links of the last refresh().
  virtual double difference(const GaugeField<T, W>& after, const GaugeField<T, W>& before) = 0;

  // p += step F(u), F_a = -dS/dw_a (gauge/action.hpp). A term without a group overrides this, a term of a group the two
  // functions below.
  virtual void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& p) {
    group()->clear();
    contribute(u);
    group()->add_force(u, step, p);
  }
  virtual ForceGroup<T, W>* group() { return nullptr; }
  virtual void contribute(const GaugeField<T, W>&) {}

  // What has been counted since the last call; nothing if the term does not solve anything.
  virtual std::optional<SolverCounts> take_counts() { return std::nullopt; }

 private:
  std::string name_;
};

template <class T, int W>
using Terms = std::vector<std::shared_ptr<Term<T, W>>>;

struct GaugeTerm {
  std::string name;
  gauge::LoopWeights weights;  // an Action converts to its total weights
  gauge::Boundary boundary{};  // the same for all terms; the links must have it
};

// What is added to the action of terms of loops with these weights, and to their force (gauge/defect): may be empty.
template <class T, int W>
struct AddedToLoops {
  std::function<double(const gauge::LoopWeights& weights, const GaugeField<T, W>& u)> energy;
  std::function<void(const gauge::LoopWeights& weights, const GaugeField<T, W>& u, double step,
                     const AlgebraField<T, W>& p)>
      add_force;  // p += step F
};

// Terms of loops of thin links, all of one group.
template <class T, int W>
Terms<T, W> make_gauge_terms(const std::vector<GaugeTerm>& terms, const AddedToLoops<T, W>& added = {});

}  // namespace trellis::hmc
