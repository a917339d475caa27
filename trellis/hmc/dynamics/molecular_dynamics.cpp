// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/dynamics/molecular_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/dynamics/dynamics_certificate.hpp"
#include "trellis/hmc/field_kernels.hpp"

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

}  // namespace

// Links and momenta as the integrator sees them. certificate: null for none.
template <class T, int W>
class MolecularDynamics<T, W>::PhaseSpace {
 public:
  using Kept = typename DynamicsCertificate<T, W>::Kept;

  PhaseSpace(const MolecularDynamics& dynamics, const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
             TrajectoryRecord& record, std::function<void()> before_step, DynamicsCertificate<T, W>* certificate)
      : own_(dynamics),
        u_(u),
        p_(p),
        record_(record),
        before_step_(std::move(before_step)),
        certificate_(certificate) {}
  // An error may have ended the work while links were on their way.
  ~PhaseSpace() {
    try {
      ghosts_.finish();
    } catch (const std::exception&) {
    }
  }

  void kick(int level, double time) {
    if (level == 0 && before_step_) before_step_();
    certified({Step::Kind::kick, level, time, 0}, [&] { kick_on(u_, level, time); });
  }

  void gradient_kick(int level, double time, double displacement) {
    certified({Step::Kind::gradient_kick, level, time, displacement}, [&] {
      timed(record_.profile.copies, [&] { set_zero(own_.force_); });
      add_forces(level, u_, displacement, own_.force_);
      timed(record_.profile.links, [&] { displace_links(1.0, own_.force_, u_, own_.displaced_); });
      kick_on(own_.displaced_, level, time);
    });
  }

  void drift(double time) {
    certified({Step::Kind::drift, 0, time, 0}, [&] { timed(record_.profile.links, [&] { move_links(time); }); });
  }

  // What was done last is complete.
  void wait_for_ghosts() {
    timed(record_.profile.links, [&] { ghosts_.finish(); });
  }

  // The next kick of this level is not its first.
  void has_kicked(int level) { measured_[std::size_t(level)] = true; }

 private:
  void move_links(double time) {
    ghosts_.finish();
    const auto following = followed(u_);
    if constexpr (is_single<T>)
      ghosts_ = gauge::begin_updating_unitary_links(time, p_, u_);
    else
      ghosts_ = gauge::begin_updating_links(time, p_, u_);
    if (certificate_ != nullptr) ghosts_.finish();
  }

  // f performs the operation. What writes links or momenta compares their fingerprints first. If these are followed
  // while the fields are written, an error of any time remains visible, and once a step of level 0 is enough to tell
  // when it occurred.
  template <class F>
  void certified(const Operation& operation, const F& f) {
    if (certificate_ == nullptr) return f();
    const bool drifts = operation.kind == Step::Kind::drift;
    const bool first = !drifts && !measured_[std::size_t(operation.level)];
    const bool replays = certificate_->replays(operations_);
    certify([&](DynamicsCertificate<T, W>& c) {
      c.at(operations_);
      const bool now = c.follows ? replays || (!drifts && operation.level == 0) : drifts;
      if (now) c.compare(Kept::links, u_);
      if (now && c.follows) c.compare(Kept::momenta, p_);
      if (!replays) return;
      const auto often = c.counted_on_average();
      c.replay(own_.terms_).take(u_, p_);
    });
    f();
    certify([&](DynamicsCertificate<T, W>& c) {
      if (drifts) c.keep_written(u_);
      if (!drifts && !first) c.keep_written(p_);  // a first kick has kept them, before it measured
      if (!replays) return;
      const auto often = c.counted_on_average();
      c.replay(own_.terms_).perform(operation, first);
      drifts ? c.compare_links() : c.compare_momenta();
    });
    ++operations_;
  }

  // To be held while a field is written.
  template <class Field>
  std::optional<WatchingTiles> followed(const Field& field) {
    return certificate_ == nullptr ? std::nullopt : certificate_->follow(field);
  }
  void compare_unless_followed() {
    certify([&](DynamicsCertificate<T, W>& c) {
      if (!c.follows) c.compare(Kept::momenta, p_);
    });
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
    wait_for_ghosts();
    for (const int term : own_.levels_[level]) kick_and_measure(*own_.terms_[term], u, time, record_.terms[term]);
  }

  // p += time F of all terms of the level; work that the terms of a group share is done once. Groups are in the order
  // of the action. The momenta rest while contributions, which may need solves, are computed.
  void add_forces(int level, const GaugeField<T, W>& u, double time, const AlgebraField<T, W>& p) {
    const auto& on_level = own_.levels_[level];
    auto in_order = on_level;
    std::sort(in_order.begin(), in_order.end());
    std::vector<ForceGroup<T, W>*> groups;  // by term; null: none, or that of an earlier term
    const bool begins_without_ghosts = std::all_of(on_level.begin(), on_level.end(), [&](int term) {
      const auto group = own_.terms_[term]->group();
      return group && group->begins_without_ghosts();
    });
    if (!begins_without_ghosts) wait_for_ghosts();
    timed(record_.profile.force, [&] {
      for (const int first : in_order) {
        const auto group = own_.terms_[first]->group();
        const bool done = group && std::find(groups.begin(), groups.end(), group) != groups.end();
        groups.push_back(done ? nullptr : group);
        if (!group || done) continue;
        group->clear();
        for (const int term : on_level)
          if (own_.terms_[term]->group() == group) own_.terms_[term]->contribute(u);
      }
    });
    const bool is_kick = p.view().data() == p_.view().data();
    if (is_kick) compare_unless_followed();
    timed(record_.profile.force, [&] {
      const auto following = is_kick ? followed(p_) : std::nullopt;
      for (std::size_t i = 0; i < in_order.size(); ++i) {
        if (groups[i]) groups[i]->add_force_with(std::move(ghosts_), u, time, p);
        if (!own_.terms_[in_order[i]]->group()) own_.terms_[in_order[i]]->add_force(u, time, p);
      }
    });
  }

  void kick_and_measure(Term<T, W>& term, const GaugeField<T, W>& u, double time, TermRecord& record) {
    // The norms are taken from the momenta before and after, so that measuring changes no bits.
    const AlgebraField<T, W>& before = own_.force_;
    timed(record_.profile.copies, [&] { before.copy_from(p_); });
    timed(record_.profile.force, [&] {
      if (!term.group()) return;
      term.group()->clear();
      term.contribute(u);
    });
    compare_unless_followed();
    timed(record_.profile.force, [&] {
      const auto following = followed(p_);
      term.group() ? term.group()->add_force(u, time, p_) : term.add_force(u, time, p_);
    });
    certify([&](DynamicsCertificate<T, W>& c) { c.keep_written(p_); });
    const MomentumNorm norm = timed(record_.profile.copies, [&] { return distance(p_, before); });
    record.force_average = norm.root_mean_square / std::abs(time);
    record.force_maximum = norm.maximum / std::abs(time);
  }

  const MolecularDynamics& own_;
  const GaugeField<T, W>& u_;
  const AlgebraField<T, W>& p_;
  TrajectoryRecord& record_;
  std::function<void()> before_step_;
  DynamicsCertificate<T, W>* certificate_;
  ExchangeUnderWay ghosts_;  // of u_, since the last drift
  int operations_ = 0;       // so far
  std::vector<bool> measured_ = std::vector<bool>(own_.levels_.size(), false);
};

template <class T, int W>
MolecularDynamics<T, W>::MolecularDynamics(const HmcParameters& parameters, Terms<T, W> terms)
    : plan_(make_plan(parameters.levels, parameters.length)),
      terms_(std::move(terms)),
      levels_(terms_by_level(parameters.levels, terms_)) {}

template <class T, int W>
MolecularDynamics<T, W>::MolecularDynamics(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice)
    : MolecularDynamics(parameters, std::move(terms)) {
  force_ = AlgebraField<T, W>(lattice, "force");
  const bool gradient =
      std::any_of(plan_.begin(), plan_.end(), [](const Operation& o) { return o.kind == Step::Kind::gradient_kick; });
  if (gradient) displaced_ = GaugeField<T, W>(lattice, "displaced links");
}

template <class T, int W>
void MolecularDynamics<T, W>::run(const GaugeField<T, W>& u, const AlgebraField<T, W>& p, TrajectoryRecord& record,
                                  const std::function<void()>& before_step,
                                  DynamicsCertificate<T, W>* certificate) const {
  PhaseSpace space(*this, u, p, record, before_step, certificate);
  integrate(plan_, space);
  space.wait_for_ghosts();
}

template <class T, int W>
void MolecularDynamics<T, W>::perform(const Operation& operation, bool first, const GaugeField<T, W>& u,
                                      const AlgebraField<T, W>& p, TrajectoryRecord& record) const {
  PhaseSpace space(*this, u, p, record, {}, nullptr);
  if (!first) space.has_kicked(operation.level);
  integrate({operation}, space);
  space.wait_for_ghosts();
}

#define TRELLIS_INSTANTIATE(T, W) template class MolecularDynamics<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
