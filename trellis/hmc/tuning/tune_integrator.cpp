// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/tuning/tune_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::hmc {

namespace {

constexpr int least_trajectories = 12, in_a_trial = 2;

// A plan that did as predicted: the variance of dH from so few trajectories is no more certain than this.
constexpr double as_predicted = 2;
constexpr int enough_to_tell = 4, enough_in_any_case = 8;

std::vector<std::string> term_names(const auto& terms) {
  std::vector<std::string> names;
  for (const auto& term : terms) names.push_back(term->name());
  return names;
}

// One candidate's terms with the fields in which their brackets are measured.
template <class T, int W>
struct Instruments {
  Terms<T, W> terms;
  BracketMeter<T, W> meter;

  Instruments(Terms<T, W> made, const Lattice& lattice) : terms(made), meter(std::move(made), lattice) {}
};

// What is known about the candidates. Only one of them has its fields in memory at a time: on large lattices those of
// all are more than a GPU holds.
template <class T, int W>
class Studies {
 public:
  Studies(const std::vector<TuningCandidate<T, W>>& candidates, const Lattice& lattice)
      : candidates_(candidates), lattice_(lattice), models_(candidates.size()) {}

  Instruments<T, W>& instruments(std::size_t candidate) {
    if (!instruments_ || candidate != current_) {
      instruments_.reset();
      instruments_ = std::make_unique<Instruments<T, W>>(candidates_[candidate].make_terms(), lattice_);
      current_ = candidate;
      models_[candidate].terms = term_names(instruments_->terms);
    }
    return *instruments_;
  }
  IntegratorModel& model(std::size_t candidate) { return models_[candidate]; }

 private:
  const std::vector<TuningCandidate<T, W>>& candidates_;
  const Lattice& lattice_;
  std::vector<IntegratorModel> models_;
  std::unique_ptr<Instruments<T, W>> instruments_;
  std::size_t current_ = 0;
};

struct Batch {
  std::vector<ObservedTrajectory> observed;
  double fixed_seconds = 0, drift_seconds = 0;  // of a trajectory, of a drift
  double mean_square_dH = 0;
  double kinetic_difference = 0;  // of the last trajectory
};

template <class T, int W>
class Tuner {
 public:
  Tuner(const TuningBudget& budget, std::uint64_t seed, const GaugeField<T, W>& u)
      : budget_(budget), seed_(seed), u_(u) {}

  int trajectories() const { return done_; }
  // Since the tuner was made, the same on all ranks.
  double seconds() const {
    double spent = budget_.seconds_spent ? budget_.seconds_spent() : watch_.seconds();
    u_.lattice().ranks().maximum("the budget of tuning", {&spent, 1});
    return spent;
  }
  bool may_go_on(int more) const { return !is_late(seconds(), 1) && done_ + more <= budget_.trajectories; }
  bool is_late(double spent, double part) const { return budget_.seconds > 0 && spent > part * budget_.seconds; }

  // Trajectories with brackets if there is a meter, else without; fewer than `count` where the time ends. fastest: of
  // the terms, measured if not known yet.
  Batch run(const HmcParameters& parameters, const Terms<T, W>& terms, int count, BracketMeter<T, W>* meter,
            std::vector<double>* fastest = nullptr) {
    const Lattice& lattice = u_.lattice();
    HybridMonteCarlo<T, W> hmc(parameters, terms, lattice);
    if (meter != nullptr) meter->call_between_forces([this] { require_not_stopped(); });
    ObservedTrajectory one;
    one.length = parameters.length;
    bool at_start = true;
    if (meter != nullptr)
      hmc.observe([&](const GaugeField<T, W>& u, const AlgebraField<T, W>& p) {
        if (fastest != nullptr && fastest->empty()) *fastest = meter->fastest(u, p);
        (at_start ? one.start : one.end) = meter->measure(u, p);
        at_start = !at_start;
      });
    const double drifts = link_updates(hmc.plan());
    Batch batch;
    for (int n = 0; n < count && (n == 0 || may_go_on(1)); ++n) {
      at_start = true;
      const TrajectoryRecord record = next(hmc);
      one.dH = record.dH;
      batch.observed.push_back(one);
      batch.mean_square_dH += record.dH * record.dH;
      batch.kinetic_difference = record.kinetic_difference;
      double seconds[2] = {record.profile.momenta + record.profile.energy + record.profile.copies,
                           record.profile.links / drifts};
      lattice.ranks().maximum("times of a trajectory", seconds);
      batch.fixed_seconds += seconds[0];
      batch.drift_seconds += seconds[1];
    }
    for (double* const sum : {&batch.mean_square_dH, &batch.fixed_seconds, &batch.drift_seconds})
      *sum /= double(batch.observed.size());
    return batch;
  }

  // Adds to a candidate's model what a batch has found.
  void take(IntegratorModel& model, const BracketMeter<T, W>& meter, const HmcParameters& parameters,
            const Batch& batch) {
    ForceCosts costs = meter.costs();
    u_.lattice().ranks().maximum("times of forces", costs.own);
    u_.lattice().ranks().maximum("times of forces", costs.group);
    // Other work on the machine makes times longer, never shorter.
    const bool first = model.observed.empty();
    const auto shorter = [&](double& before, double now) { before = first ? now : std::min(before, now); };
    shorter(model.fixed_seconds, batch.fixed_seconds);
    shorter(model.drift_seconds, batch.drift_seconds);
    if (first) model.costs = costs;
    for (std::size_t k = 0; k < costs.own.size(); ++k) {
      shorter(model.costs.own[k], costs.own[k]);
      shorter(model.costs.group[k], costs.group[k]);
    }
    model.observed.insert(model.observed.end(), batch.observed.begin(), batch.observed.end());
    learn(model, parameters, batch.observed);
    constexpr double conserved = 2;
    if (model.longest_drifts.empty() || batch.mean_square_dH < conserved)
      trust(model, parameters, batch.mean_square_dH);
  }

 private:
  // No Error, which a trajectory would turn into one of its own.
  struct AskedToStop {
    std::string by;
  };

  void require_not_stopped() const {
    if (!budget_.stopped_by) return;
    const auto by = budget_.stopped_by();
    double stopped = by.empty() ? 0 : 1;
    const auto& ranks = u_.lattice().ranks();
    ranks.maximum("whether tuning is to stop", {&stopped, 1});
    if (stopped == 0) return;
    for (const auto& reason : ranks.gather("why tuning is to stop", by))
      if (!reason.empty()) throw AskedToStop{reason};
  }

  TrajectoryRecord next(const HybridMonteCarlo<T, W>& hmc) {
    try {
      require_not_stopped();
      return hmc({.seed = seed_, .trajectory = std::uint32_t(done_++)}, u_,
                 [this](const GaugeField<T, W>&) { require_not_stopped(); });
    } catch (const AskedToStop& asked) {
      throw TuningStopped(asked.by);
    }
  }

  const TuningBudget& budget_;
  std::uint64_t seed_;
  const GaugeField<T, W>& u_;
  int done_ = 0;
  Stopwatch watch_;
};

// Momenta are drawn from the distribution that they have in equilibrium. Where links are far from it, trajectories heat
// or cool them all in the same direction.
bool is_balanced(double kinetic_difference, const Lattice& lattice) {
  // The kinetic energies of both ends vary by sqrt(n / 2) for n = 8 x 4 x volume momenta, their difference by at most
  // sqrt(n).
  const double momenta = 32 * double(lattice.volume());
  return std::abs(kinetic_difference) < 2 * std::sqrt(momenta);
}

// Runs at most so many trajectories, fewer if the last five were balanced. Returns by which factor the outermost steps
// were made shorter.
template <class T, int W>
double approach_equilibrium(Tuner<T, W>& tuner, const TuningCandidate<T, W>& candidate, int count,
                            const GaugeField<T, W>& u, const std::function<void(const std::string&)>& tell) {
  constexpr double too_much = 2, very_little = 0.2, most = 64;  // |dH|, and the factor
  constexpr int enough_balanced = 5;
  int balanced = 0;
  const auto terms = candidate.make_terms();
  HmcParameters now = candidate.parameters;
  const int given = now.levels[0].steps;
  tell(fmt::format("up to {} trajectories towards equilibrium, to begin with by {}", count, describe(now)));
  const Stopwatch watch;
  double told = 0;
  constexpr double for_approach = 1.0 / 3;  // of the time
  while (tuner.trajectories() < count && balanced < enough_balanced && tuner.may_go_on(1) &&
         !tuner.is_late(tuner.seconds(), for_approach)) {
    std::string why;
    double dH = std::numeric_limits<double>::infinity();
    try {
      const Batch one = tuner.run(now, terms, 1, nullptr);
      dH = std::abs(one.observed[0].dH);
      balanced = dH < too_much && is_balanced(one.kinetic_difference, u.lattice()) ? balanced + 1 : 0;
    } catch (const TuningStopped&) {
      throw;
    } catch (const OutsideSpectrum&) {
      throw;  // steps do not change the spectrum
    } catch (const Error& error) {
      if (error.exit_code() == 2 || now.levels[0].steps > most * given) throw;
      why = error.what();
    }
    if (dH > too_much && now.levels[0].steps <= most * given) {
      now.levels[0].steps *= 2;
      tell(fmt::format("{} instead of {}, because {}", plural(now.levels[0].steps, "step"), now.levels[0].steps / 2,
                       why.empty() ? fmt::format("dH was {:.2g}", dH) : why));
    } else if (dH < very_little) {
      now.levels[0].steps = std::max(1, now.levels[0].steps * 3 / 4);
    }
    // Where this takes long, that it goes on is worth a line.
    double seconds = watch.seconds();
    u.lattice().ranks().maximum("time of tuning", {&seconds, 1});
    if (seconds > told + 30) {
      told = seconds;
      tell(fmt::format("{} of them are done, {:.3g} s each", tuner.trajectories(), seconds / tuner.trajectories()));
    }
  }
  return double(now.levels[0].steps) / given;
}

bool same_plan(const HmcParameters& a, const HmcParameters& b) {
  return a.length == b.length && describe(a) == describe(b);
}

std::string text_of(const TriedIntegrator& tried) {
  return fmt::format(
      "{}: <dH^2> {:.2g} +- {:.1g} predicted, {:.2g} found, hence acceptance {:.0f} %, {:.3g} s a trajectory, {:.3g} s "
      "a unit of accepted time",
      describe(tried.parameters), tried.prediction.variance, tried.prediction.standard_error, tried.mean_square_dH,
      100 * tried.acceptance(), tried.prediction.seconds, tried.cost());
}

}  // namespace

double TriedIntegrator::variance() const {
  return std::max(prediction.variance + prediction.standard_error, mean_square_dH);
}
double TriedIntegrator::acceptance() const { return predicted_acceptance(variance()); }
double TriedIntegrator::cost() const { return prediction.seconds / (acceptance() * parameters.length); }

std::string describe(const HmcParameters& parameters) {
  std::vector<std::string> levels;
  for (const Level& level : parameters.levels) {
    const auto lambda =
        level.scheme.name == "2mn" ? fmt::format(" (lambda {:.4g})", level.scheme.steps[0].coefficient) : std::string();
    levels.push_back(fmt::format("{}: {}{}, {} step{}", joined(level.terms, ", "), level.scheme.name, lambda,
                                 level.steps, level.steps == 1 ? "" : "s"));
  }
  return fmt::format("{}; length {:.4g}", joined(levels, "; "), parameters.length);
}

template <class T, int W>
TuningResult tune_integrator(const std::vector<TuningCandidate<T, W>>& candidates, const TuningBudget& budget,
                             std::uint64_t seed, const GaugeField<T, W>& u,
                             const std::function<void(const std::string&)>& tell) {
  if (candidates.empty()) fail_input("there is no integrator to begin with");
  if (budget.trajectories < least_trajectories)
    fail_input("{} trajectories are too few to tune an integrator; at least {}", budget.trajectories,
               least_trajectories);
  IntegratorSearch search = budget.search;
  search.length = candidates[0].parameters.length;
  search.longest_length = std::max(search.longest_length, search.length);
  Tuner<T, W> tuner(budget, seed, u);
  TuningResult result;

  // A hot or cold start has forces of its own: what is measured there says little. Energy is conserved there as well,
  // if the steps are short enough: those of the candidate with most terms, whose forces are smoothest, are adapted.
  const double refined =
      std::max(1.0, approach_equilibrium(tuner, candidates.back(), budget.trajectories / 3, u, tell));

  result.towards_equilibrium = tuner.trajectories();
  Studies<T, W> studies(candidates, u.lattice());
  std::vector<std::size_t> order(candidates.size()), studied;
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (budget.last_candidate_first) std::reverse(order.begin(), order.end());
  double took = 0;  // the last study
  const int remaining = budget.trajectories - tuner.trajectories();
  const int each = std::clamp(remaining / (3 * int(candidates.size())), 2, 8);
  // The other half is for trials: only a plan that was tried can be chosen.
  constexpr double for_studies = 0.5;
  const auto may_study = [&] { return tuner.may_go_on(each) && !tuner.is_late(tuner.seconds() + took, for_studies); };
  for (const std::size_t c : order) {
    if (!studied.empty() && !may_study()) break;
    studied.push_back(c);
    const double began = tuner.seconds();
    HmcParameters own = candidates[c].parameters;
    own.levels[0].steps = std::max(1, int(std::lround(own.levels[0].steps * refined)));
    Instruments<T, W>& with = studies.instruments(c);
    IntegratorModel& model = studies.model(c);
    Batch batch = tuner.run(own, with.terms, each, &with.meter, &model.fastest);
    // Where energy is not conserved, trajectories go where no chain goes.
    constexpr double too_much = 4;
    for (int attempt = 0; attempt < 3 && !(batch.mean_square_dH < too_much) && tuner.may_go_on(each); ++attempt) {
      own.levels[0].steps *= 2;
      batch = tuner.run(own, with.terms, each, &with.meter, &model.fastest);
    }
    tuner.take(model, with.meter, own, batch);
    for (const Level& level : own.levels) search.most_steps = std::max(search.most_steps, level.steps);
    result.tried.push_back({c, own, predict(model, own), int(batch.observed.size()), batch.mean_square_dH});
    const auto name = fmt::format("{}{}", candidates[c].name,
                                  same_plan(own, candidates[c].parameters) ? "" : ", with steps that fit the start");
    tell(fmt::format("{}{}", candidates.size() > 1 ? name + ": " : "", text_of(result.tried.back())));
    took = tuner.seconds() - began;
  }
  if (studied.size() < candidates.size())
    tell(fmt::format("{} of {} splittings were measured; what is left of the budget is for trying plans",
                     studied.size(), candidates.size()));

  result.out_of_budget = studied.size() < candidates.size();
  for (;;) {
    TriedIntegrator next;
    for (const std::size_t c : studied) {
      const HmcParameters found = cheapest_integrator(studies.model(c), search);
      if (found.levels.empty()) continue;
      const Prediction prediction = predict(studies.model(c), found);
      if (next.parameters.levels.empty() || prediction.cautious_cost < next.prediction.cautious_cost)
        next = {c, found, prediction};
    }
    if (next.parameters.levels.empty()) {
      tell("No plan is predicted to do better than what was tried.");
      break;
    }
    const auto found = std::find_if(result.tried.begin(), result.tried.end(), [&](const TriedIntegrator& tried) {
      return tried.candidate == next.candidate && same_plan(tried.parameters, next.parameters);
    });
    const bool is_new = found == result.tried.end();
    if (!is_new &&
        (found->trajectories >= enough_in_any_case ||
         (found->trajectories >= enough_to_tell && found->mean_square_dH < as_predicted * found->prediction.variance)))
      break;
    if (!tuner.may_go_on(in_a_trial)) {
      result.out_of_budget = true;
      break;
    }
    IntegratorModel& model = studies.model(next.candidate);
    TriedIntegrator& here = is_new ? result.tried.emplace_back(next) : *found;
    try {
      Instruments<T, W>& with = studies.instruments(next.candidate);
      const Batch batch = tuner.run(next.parameters, with.terms, in_a_trial, &with.meter);
      tuner.take(model, with.meter, next.parameters, batch);
      const double more = double(batch.observed.size()), all = here.trajectories + more;
      here.mean_square_dH = (here.mean_square_dH * here.trajectories + batch.mean_square_dH * more) / all;
      here.trajectories = int(all);
    } catch (const TuningStopped&) {
      throw;
    } catch (const Error& error) {
      if (error.exit_code() == 2) throw;
      tell(fmt::format("{}: {}", describe(here.parameters), error.what()));
      // Its steps are so long that it is unstable: the model must not think of them again.
      for (const Level& level : here.parameters.levels) {
        IntegratorModel::Learnt& learnt = model.learnt[level.scheme.name];
        learnt.squares += in_a_trial * std::pow(10 * model.kappa_of(level.scheme.name), 2);
        learnt.trajectories += in_a_trial;
      }
      if (here.trajectories == 0) result.tried.pop_back();
      continue;
    }
    for (TriedIntegrator& tried : result.tried)
      tried.prediction = predict(studies.model(tried.candidate), tried.parameters);
    tell(fmt::format("{}{}", candidates.size() > 1 ? candidates[next.candidate].name + ": " : "", text_of(here)));
  }

  result.best = *std::min_element(result.tried.begin(), result.tried.end(),
                                  [](const auto& a, const auto& b) { return a.cost() < b.cost(); });
  result.trajectories = tuner.trajectories();
  return result;
}

#define TRELLIS_INSTANTIATE(W)                                                                                       \
  template TuningResult tune_integrator<double, W>(const std::vector<TuningCandidate<double, W>>&,                   \
                                                   const TuningBudget&, std::uint64_t, const GaugeField<double, W>&, \
                                                   const std::function<void(const std::string&)>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
