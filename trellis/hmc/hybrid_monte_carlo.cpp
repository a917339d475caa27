// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/hybrid_monte_carlo.hpp"

#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/dynamics/force_links.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/replay.hpp"

namespace trellis::hmc {

namespace {

bool metropolis(const TrajectoryRequest& request, double dH) {
  const RandomStream stream{request.seed, request.trajectory, metropolis_purpose};
  return request.accept_always || dH <= 0 || log(stream.uniform(0, 0)[0]) < -dH;
}

}  // namespace

template <class T, int W>
HybridMonteCarlo<T, W>::HybridMonteCarlo(const HmcParameters& parameters, Terms<T, W> terms, const Lattice& lattice,
                                         std::shared_ptr<const SinglePrecisionDynamics<W>> single)
    : dynamics_(single ? MolecularDynamics<T, W>(parameters, std::move(terms))
                       : MolecularDynamics<T, W>(parameters, std::move(terms), lattice)),
      single_(std::move(single)),
      fields_(std::make_shared<const Fields>(Fields{AlgebraField<T, W>(lattice),
                                                    AlgebraField<T, W>(lattice, "momenta before"),
                                                    GaugeField<T, W>(lattice, "links before")})) {}

template <class T, int W>
void HybridMonteCarlo<T, W>::certify(std::shared_ptr<Certificate<T, W>> certificate) {
  if (certificate && single_ && !single_->has_replay())
    fail_input("molecular dynamics in single precision was made without a replay, and cannot be certified");
  certificate_ = std::move(certificate);
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
      for (const auto& term : terms()) term->forget();
      certificate_->replay_of_draw().forget();
      if (single_) single_->forget();
    }
    try {
      const TrajectoryRecord record = attempt(request, u, between_steps);
      const std::string repeated = fmt::format("trajectory {} was repeated", request.trajectory + 1);
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
  for (const auto& term : terms()) record.terms.push_back({.name = term->name()});
  return record;
}

template <class T, int W>
std::string HybridMonteCarlo<T, W>::describe(int number) const {
  if (number == numbers().drawing()) return "drawing momenta and pseudofermions";
  if (number == numbers().energies()) return "the energies at the end";
  if (number == numbers().ending()) return "the projection of the links to SU(3) at the end";
  if (number == numbers().rounding()) return "the rounding of links, momenta and pseudofermions to single precision";
  if (number == numbers().widening()) return "the return of links and momenta to double precision";
  const Operation& operation = plan()[std::size_t(number)];
  std::vector<std::string> names;
  if (operation.kind != Step::Kind::drift)
    for (const int term : dynamics_.levels()[std::size_t(operation.level)])
      names.push_back(terms()[std::size_t(term)]->name());
  return fmt::format(
      "operation {} of {}, a {} by {:.6g}", number + 1, plan().size(),
      names.empty() ? "drift of the links"
                    : fmt::format("{} by the force of {}",
                                  operation.kind == Step::Kind::kick ? "kick" : "gradient kick", joined(names, ", ")),
      operation.time);
}

template <class T, int W>
void HybridMonteCarlo<T, W>::draw_momenta(const RandomStream& stream) const {
  gauge::draw_momenta(stream, fields_->momenta);
  for (const auto& term : terms()) term->clear_inactive(fields_->momenta);
}

template <class T, int W>
void HybridMonteCarlo<T, W>::draw(const RandomStream& stream, const GaugeField<T, W>& u) const {
  draw_momenta(stream);
  for (const auto& term : terms()) term->refresh(stream, u);
}

template <class T, int W>
void HybridMonteCarlo<T, W>::perform(const Operation& operation, bool first, const GaugeField<T, W>& u,
                                     const AlgebraField<T, W>& p) const {
  TrajectoryRecord record = empty_record();
  dynamics_.perform(operation, first, u, p, record);
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
    return fmt::format("trajectory {}: {}", request.trajectory + 1, what);
  };
  bool at_start = true;

  try {
    if (!certificate_) timed(record.profile.copies, [&] { fields.links_before.copy_from(u); });
    certify([&](Certificate<T, W>& c) {
      c.at(numbers().drawing());
      if (c.follows) c.keep(Kept::momenta, p);  // they are followed from here on
    });
    timed(record.profile.momenta, [&] {
      const auto following = certificate_ ? certificate_->follow(p) : std::nullopt;
      draw_momenta(stream);
      if (single_) single_->begin(p);
    });
    certify([&](Certificate<T, W>& c) { c.keep_written(p); });
    timed(record.profile.copies, [&] { fields.momenta_before.copy_from(p); });
    certify([&](Certificate<T, W>& c) { c.keep(Kept::momenta_before, fields.momenta_before); });
    timed(record.profile.momenta, [&] {
      for (const auto& term : terms()) term->refresh(stream, u);
    });
    certify([&](Certificate<T, W>& c) {
      c.keep_pseudofermions(terms());
      if (!c.replays(numbers().drawing())) return;
      const auto often = c.counted_on_average();
      c.replay_of_draw().draw(stream, fields.links_before);
      c.compare_momenta();
      c.compare_drawn(c.replay_of_draw().pseudofermions());
    });
    if (observer_) observer_(u, p);
    std::function<void()> before_step;
    if (between_steps) before_step = [&] { between_steps(fields.links_before); };
    at_start = false;
    integrate(u, p, record, before_step, certificate_.get());
    if (observer_) observer_(u, p);
    const auto compare_all = [&](Certificate<T, W>& c) {
      c.at(numbers().energies());
      c.compare(Kept::links, u);
      c.compare(Kept::momenta, p);
      c.compare(Kept::links_before, fields.links_before);
      c.compare(Kept::momenta_before, fields.momenta_before);
      c.compare_pseudofermions(terms());
    };
    certify(compare_all);
    record.dH = energy_difference(u, p, record);
    certify([&](Certificate<T, W>& c) {
      if (!c.replays(numbers().energies())) return;
      const auto often = c.counted_on_average();
      c.replay(terms()).take(u, p);
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
      const bool replays = certificate_ && certificate_->replays(numbers().ending());
      if (replays) {
        const auto often = certificate_->counted_on_average();
        certificate_->replay(terms()).take(u, p);
      }
      if (!single_) {  // whose links are in SU(3) already
        const auto following = certificate_ ? certificate_->follow(u) : std::nullopt;
        gauge::reunitarise(u);
      }
      certify([&](Certificate<T, W>& c) {
        c.at(numbers().ending());
        c.keep_written(u);
        if (!replays) return;
        const auto often = c.counted_on_average();
        c.replay(terms()).reunitarise();
        c.compare_links();
      });
    });
    certify([&](Certificate<T, W>& c) { record.certificate = c.end(u); });
  } catch (const Mismatch& mismatch) {
    throw Mismatch(wrong(mismatch.what()));
  } catch (const OutsideSpectrum& error) {
    if (at_start) throw OutsideSpectrum(wrong(error.what()));
    fail("{}", wrong(error.what()));
  } catch (const Error& error) {
    fail("{}", wrong(error.what()));
  } catch (...) {
    restore(u);
    throw;
  }
  record.exp_minus_dH = std::exp(-record.dH);
  for (std::size_t i = 0; i < terms().size(); ++i) {
    auto& counts = record.terms[i].solver;
    counts = terms()[i]->take_counts();
    if (counts && single_) count_forces(single_->take_counts(int(i)).value(), *counts);
  }
  return record;
}

template <class T, int W>
void HybridMonteCarlo<T, W>::integrate(const GaugeField<T, W>& u, const AlgebraField<T, W>& p, TrajectoryRecord& record,
                                       const std::function<void()>& before_step, Certificate<T, W>* certificate) const {
  if (single_)
    single_->run(terms(), u, p, record, before_step, certificate);
  else
    dynamics_.run(u, p, record, before_step, certificate);
}

template <class T, int W>
double HybridMonteCarlo<T, W>::energy_difference(const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
                                                 TrajectoryRecord& record) const {
  const Fields& fields = *fields_;
  record.kinetic_difference =
      timed(record.profile.energy, [&] { return gauge::kinetic_energy_difference(p, fields.momenta_before); });
  double sum = record.kinetic_difference;
  for (std::size_t i = 0; i < terms().size(); ++i) {
    record.terms[i].difference =
        timed(record.profile.energy, [&] { return terms()[i]->difference(u, fields.links_before); });
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
  integrate(links, p, record);
  negate(p);
  const double energy = energy_difference(links, p, record);
  return {largest_difference(links, fields_->links_before), largest_difference(p, fields_->momenta_before),
          std::abs(energy)};
}

#define TRELLIS_INSTANTIATE(W) template class HybridMonteCarlo<double, W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
