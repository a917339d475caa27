// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/hybrid_monte_carlo.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/replay.hpp"

namespace trellis::hmc {

namespace {

// The numbers of each level's terms.
template <class T, int W>
std::vector<std::vector<int>> terms_by_level(const std::vector<Level>& levels, const Terms<T, W>& terms) {
  std::vector<std::string> names;
  for (const auto& term : terms) names.push_back(term->name());
  std::vector<int> uses(terms.size(), 0);
  std::vector<std::vector<int>> result(levels.size());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].terms.empty()) fail_input("integrator level {} names no term of the action", k);
    for (const std::string& name : levels[k].terms) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        fail_input("integrator level {}: the action has no term '{}'; it has {}", k, name, joined(names, ", "));
      const int term = int(found - names.begin());
      result[k].push_back(term);
      ++uses[term];
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (uses[i] != 1)
      fail_input("term '{}' of the action is on {} levels of the integrator; it must be on one", names[i], uses[i]);
  return result;
}

bool metropolis(const TrajectoryRequest& request, double dH) {
  const RandomStream stream{request.seed, request.trajectory, metropolis_purpose};
  return request.accept_always || dH <= 0 || log(stream.uniform(0, 0)[0]) < -dH;
}

}  // namespace

// Links and momenta as the integrator sees them. certificate: null for none.
template <class T, int W>
class HybridMonteCarlo<T, W>::PhaseSpace {
 public:
  using Kept = typename Certificate<T, W>::Kept;

  PhaseSpace(const HybridMonteCarlo& hmc, const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
             TrajectoryRecord& record, BetweenSteps<T, W> between_steps = {}, Certificate<T, W>* certificate = nullptr)
      : hmc_(hmc), u_(u), p_(p), record_(record), between_steps_(std::move(between_steps)), certificate_(certificate) {}

  void kick(int level, double time) {
    if (level == 0 && between_steps_) between_steps_(hmc_.fields_->links_before);
    certified({Step::Kind::kick, level, time, 0}, [&] { kick_on(u_, level, time); });
  }

  void gradient_kick(int level, double time, double displacement) {
    certified({Step::Kind::gradient_kick, level, time, displacement}, [&] {
      const Fields& fields = *hmc_.fields_;
      timed(record_.profile.copies, [&] { set_zero(fields.force); });
      add_forces(level, u_, displacement, fields.force);
      timed(record_.profile.links, [&] { displace_links(1.0, fields.force, u_, fields.displaced); });
      kick_on(fields.displaced, level, time);
    });
  }

  void drift(double time) {
    certified({Step::Kind::drift, 0, time, 0},
              [&] { timed(record_.profile.links, [&] { gauge::update_links(time, p_, u_); }); });
  }

  // The next kick of this level is not its first.
  void has_kicked(int level) { measured_[std::size_t(level)] = true; }

 private:
  // f performs the operation.
  template <class F>
  void certified(const Operation& operation, const F& f) {
    if (certificate_ == nullptr) return f();
    const bool drifts = operation.kind == Step::Kind::drift;
    const bool first = !drifts && !measured_[std::size_t(operation.level)];
    const bool replays = certificate_->replays(operations_);
    certify([&](Certificate<T, W>& c) {
      c.at(operations_);
      if (drifts) c.compare(Kept::links, u_);
      if (!replays) return;
      const auto often = c.counted_on_average();
      c.replay(hmc_.terms_).take(u_, p_);
    });
    f();
    certify([&](Certificate<T, W>& c) {
      if (drifts) c.keep(Kept::links, u_);
      if (!drifts && !first) c.keep(Kept::momenta, p_);  // a first kick has kept them, before it measured
      if (!replays) return;
      const auto often = c.counted_on_average();
      c.replay(hmc_.terms_).perform(operation, first);
      drifts ? c.compare_links() : c.compare_momenta();
    });
    ++operations_;
  }

  template <class F>
  void certify(const F& f) {
    if (certificate_ != nullptr) timed(record_.profile.certificate, [&] { f(*certificate_); });
  }

  void kick_on(const GaugeField<T, W>& u, int level, double time) {
    if (measured_[std::size_t(level)]) {
      add_forces(level, u, time, p_);
      return;
    }
    measured_[std::size_t(level)] = true;
    for (const int term : hmc_.levels_[level]) kick_and_measure(*hmc_.terms_[term], u, time, record_.terms[term]);
  }

  // p += time F of all terms of the level; work that the terms of a group share is done once. Groups are in the order
  // of the action. The momenta rest while contributions, which may need solves, are computed.
  void add_forces(int level, const GaugeField<T, W>& u, double time, const AlgebraField<T, W>& p) {
    const auto& on_level = hmc_.levels_[level];
    auto in_order = on_level;
    std::sort(in_order.begin(), in_order.end());
    std::vector<ForceGroup<T, W>*> groups;  // by term; null: none, or that of an earlier term
    timed(record_.profile.force, [&] {
      for (const int first : in_order) {
        const auto group = hmc_.terms_[first]->group();
        const bool done = group && std::find(groups.begin(), groups.end(), group) != groups.end();
        groups.push_back(done ? nullptr : group);
        if (!group || done) continue;
        group->clear();
        for (const int term : on_level)
          if (hmc_.terms_[term]->group() == group) hmc_.terms_[term]->contribute(u);
      }
    });
    if (p.view().data() == p_.view().data()) certify([&](Certificate<T, W>& c) { c.compare(Kept::momenta, p); });
    timed(record_.profile.force, [&] {
      for (std::size_t i = 0; i < in_order.size(); ++i) {
        if (groups[i]) groups[i]->add_force(u, time, p);
        if (!hmc_.terms_[in_order[i]]->group()) hmc_.terms_[in_order[i]]->add_force(u, time, p);
      }
    });
  }

  void kick_and_measure(Term<T, W>& term, const GaugeField<T, W>& u, double time, TermRecord& record) {
    // The norms are taken from the momenta before and after, so that measuring changes no bits.
    const AlgebraField<T, W>& before = hmc_.fields_->force;
    timed(record_.profile.copies, [&] { before.copy_from(p_); });
    timed(record_.profile.force, [&] {
      if (!term.group()) return;
      term.group()->clear();
      term.contribute(u);
    });
    certify([&](Certificate<T, W>& c) { c.compare(Kept::momenta, p_); });
    timed(record_.profile.force,
          [&] { term.group() ? term.group()->add_force(u, time, p_) : term.add_force(u, time, p_); });
    certify([&](Certificate<T, W>& c) { c.keep(Kept::momenta, p_); });
    const MomentumNorm norm = timed(record_.profile.copies, [&] { return distance(p_, before); });
    record.force_average = norm.root_mean_square / std::abs(time);
    record.force_maximum = norm.maximum / std::abs(time);
  }

  const HybridMonteCarlo& hmc_;
  const GaugeField<T, W>& u_;
  const AlgebraField<T, W>& p_;
  TrajectoryRecord& record_;
  BetweenSteps<T, W> between_steps_;
  Certificate<T, W>* certificate_;
  int operations_ = 0;  // so far
  std::vector<bool> measured_ = std::vector<bool>(hmc_.levels_.size(), false);
};

template <class T, int W>
HybridMonteCarlo<T, W>::HybridMonteCarlo(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice)
    : plan_(make_plan(parameters.levels, parameters.length)),
      terms_(std::move(terms)),
      levels_(terms_by_level(parameters.levels, terms_)) {
  Fields fields{AlgebraField<T, W>(lattice),
                AlgebraField<T, W>(lattice, "momenta before"),
                GaugeField<T, W>(lattice, "links before"),
                AlgebraField<T, W>(lattice, "force"),
                {}};
  const bool gradient =
      std::any_of(plan_.begin(), plan_.end(), [](const Operation& o) { return o.kind == Step::Kind::gradient_kick; });
  if (gradient) fields.displaced = GaugeField<T, W>(lattice, "displaced links");
  fields_ = std::make_shared<const Fields>(std::move(fields));
}

template <class T, int W>
TrajectoryRecord HybridMonteCarlo<T, W>::operator()(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                                                    const BetweenSteps<T, W>& between_steps) const {
  const Stopwatch watch;
  TrajectoryRecord record = certificate_ ? certified(request, u, between_steps) : attempt(request, u, between_steps);
  record.profile.total = watch.seconds();
  return record;
}

template <class T, int W>
TrajectoryRecord HybridMonteCarlo<T, W>::certified(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                                                   const BetweenSteps<T, W>& between_steps) const {
  std::string before;
  bool mismatched = false;
  for (;;) {
    certificate_->begin(request, u, fields_->links_before, [this](int operation) { return describe(operation); });
    if (!before.empty()) {
      for (const auto& term : terms_) term->forget();
      certificate_->replay_of_draw().forget();
    }
    try {
      const TrajectoryRecord record = attempt(request, u, between_steps);
      const std::string repeated = fmt::format("trajectory {} was repeated", request.trajectory);
      if (mismatched)
        certificate_->tell(repeated);
      else if (!before.empty())
        certificate_->found(repeated + ", without that error: it was one of the machine");
      return record;
    } catch (const Mismatch& mismatch) {
      certificate_->found(mismatch.what());
      if (!before.empty())
        fail("{}; and before that, {}. This machine makes errors; the last checkpoint was made without one",
             mismatch.what(), before);
      before = mismatch.what();
      mismatched = true;
    } catch (const Error& error) {
      // An error of one rank alone would leave the others behind.
      if (!before.empty() || u.lattice().ranks().size() > 1) throw;
      before = error.what();
      certificate_->tell(fmt::format("{}. The trajectory is repeated, in case it was an error of the machine", before));
    }
  }
}

template <class T, int W>
void HybridMonteCarlo<T, W>::restore(const GaugeField<T, W>& u) const {
  certificate_ ? certificate_->restore(u) : u.copy_from(fields_->links_before);
}

template <class T, int W>
TrajectoryRecord HybridMonteCarlo<T, W>::empty_record() const {
  TrajectoryRecord record;
  for (const auto& term : terms_) record.terms.push_back({.name = term->name()});
  return record;
}

template <class T, int W>
std::string HybridMonteCarlo<T, W>::describe(int number) const {
  if (number == drawing()) return "drawing momenta and pseudofermions";
  if (number == energies()) return "the energies at the end";
  if (number == ending()) return "the projection of the links to SU(3) at the end";
  const Operation& operation = plan_[std::size_t(number)];
  std::vector<std::string> names;
  if (operation.kind != Step::Kind::drift)
    for (const int term : levels_[std::size_t(operation.level)]) names.push_back(terms_[std::size_t(term)]->name());
  return fmt::format(
      "operation {} of {}, a {} by {:.6g}", number + 1, plan_.size(),
      names.empty() ? "drift of the links"
                    : fmt::format("{} by the force of {}",
                                  operation.kind == Step::Kind::kick ? "kick" : "gradient kick", joined(names, ", ")),
      operation.time);
}

template <class T, int W>
void HybridMonteCarlo<T, W>::draw(const RandomStream& stream, const GaugeField<T, W>& u) const {
  gauge::draw_momenta(stream, fields_->momenta);
  for (const auto& term : terms_) term->refresh(stream, u);
}

template <class T, int W>
void HybridMonteCarlo<T, W>::perform(const Operation& operation, bool first, const GaugeField<T, W>& u,
                                     const AlgebraField<T, W>& p) const {
  TrajectoryRecord record = empty_record();
  PhaseSpace space(*this, u, p, record);
  if (!first) space.has_kicked(operation.level);
  integrate({operation}, space);
}

template <class T, int W>
TrajectoryRecord HybridMonteCarlo<T, W>::attempt(const TrajectoryRequest& request, const GaugeField<T, W>& u,
                                                 const BetweenSteps<T, W>& between_steps) const {
  using Kept = typename Certificate<T, W>::Kept;
  const Fields& fields = *fields_;
  const AlgebraField<T, W>& p = fields.momenta;
  const RandomStream stream{request.seed, request.trajectory, gauge::momenta_purpose};
  TrajectoryRecord record = empty_record();
  record.trajectory = request.trajectory;
  const auto certify = [&](const auto& f) {
    if (certificate_) timed(record.profile.certificate, [&] { f(*certificate_); });
  };
  const auto wrong = [&](const char* what) {
    restore(u);
    return fmt::format("trajectory {}: {}", request.trajectory, what);
  };

  try {
    if (!certificate_) timed(record.profile.copies, [&] { fields.links_before.copy_from(u); });
    timed(record.profile.momenta, [&] { gauge::draw_momenta(stream, p); });
    certify([&](Certificate<T, W>& c) {
      c.at(drawing());
      c.keep(Kept::momenta, p);
    });
    timed(record.profile.copies, [&] { fields.momenta_before.copy_from(p); });
    certify([&](Certificate<T, W>& c) { c.keep(Kept::momenta_before, fields.momenta_before); });
    timed(record.profile.momenta, [&] {
      for (const auto& term : terms_) term->refresh(stream, u);
    });
    certify([&](Certificate<T, W>& c) {
      c.keep_pseudofermions(terms_);
      if (!c.replays(drawing())) return;
      const auto often = c.counted_on_average();
      c.replay_of_draw().draw(stream, fields.links_before);
      c.compare_momenta();
      c.compare_drawn_pseudofermions();
    });
    if (observer_) observer_(u, p);
    PhaseSpace space(*this, u, p, record, between_steps, certificate_.get());
    integrate(plan_, space);
    if (observer_) observer_(u, p);
    const auto compare_all = [&](Certificate<T, W>& c) {
      c.at(energies());
      c.compare(Kept::links, u);
      c.compare(Kept::momenta, p);
      c.compare(Kept::links_before, fields.links_before);
      c.compare(Kept::momenta_before, fields.momenta_before);
      c.compare_pseudofermions(terms_);
    };
    certify(compare_all);
    record.dH = energy_difference(u, p, record);
    certify([&](Certificate<T, W>& c) {
      if (!c.replays(energies())) return;
      const auto often = c.counted_on_average();
      c.replay(terms_).take(u, p);
      c.compare_energies(record, fields.momenta_before);
    });
    if (!std::isfinite(record.dH))
      fail("the energy changed by {}; steps of the integrator are too long, or the start is no configuration",
           record.dH);
    if (request.check_reversibility)
      record.reversibility = timed(record.profile.reversibility, [&] { return way_back(u); });
    certify(compare_all);
    record.accepted = metropolis(request, record.dH);
    timed(record.profile.copies, [&] {
      if (!record.accepted) return restore(u);
      const bool replays = certificate_ && certificate_->replays(ending());
      if (replays) {
        const auto often = certificate_->counted_on_average();
        certificate_->replay(terms_).take(u, p);
      }
      gauge::reunitarise(u);
      certify([&](Certificate<T, W>& c) {
        c.at(ending());
        c.keep(Kept::links, u);
        if (!replays) return;
        const auto often = c.counted_on_average();
        c.replay(terms_).reunitarise();
        c.compare_links();
      });
    });
    certify([&](Certificate<T, W>& c) { record.certificate = c.end(u); });
  } catch (const Mismatch& mismatch) {
    throw Mismatch(wrong(mismatch.what()));
  } catch (const Error& error) {
    fail("{}", wrong(error.what()));
  } catch (...) {
    restore(u);
    throw;
  }
  record.exp_minus_dH = std::exp(-record.dH);
  for (std::size_t i = 0; i < terms_.size(); ++i) record.terms[i].solver = terms_[i]->take_counts();
  return record;
}

template <class T, int W>
double HybridMonteCarlo<T, W>::energy_difference(const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
                                                 TrajectoryRecord& record) const {
  const Fields& fields = *fields_;
  record.kinetic_difference =
      timed(record.profile.energy, [&] { return gauge::kinetic_energy_difference(p, fields.momenta_before); });
  double sum = record.kinetic_difference;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    record.terms[i].difference =
        timed(record.profile.energy, [&] { return terms_[i]->difference(u, fields.links_before); });
    sum += record.terms[i].difference;
  }
  return sum;
}

template <class T, int W>
Reversibility HybridMonteCarlo<T, W>::way_back(const GaugeField<T, W>& u) const {
  const GaugeField<T, W> links = u.clone();
  const AlgebraField<T, W> p = fields_->momenta.clone();
  TrajectoryRecord record = empty_record();
  negate(p);
  PhaseSpace space(*this, links, p, record);
  integrate(plan_, space);
  negate(p);
  const double energy = energy_difference(links, p, record);
  return {largest_difference(links, fields_->links_before), largest_difference(p, fields_->momenta_before),
          std::abs(energy)};
}

#define TRELLIS_INSTANTIATE(W) template class HybridMonteCarlo<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
