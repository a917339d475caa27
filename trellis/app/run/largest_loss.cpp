// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/largest_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numeric>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

constexpr double much_accepted = 0.95, saved_by_fewer_steps = 0.25;
constexpr std::int64_t least_counted = 20;

struct Loss {
  double fraction = 0;  // by which losses are compared
  std::string text;
};

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

Loss spent(double fraction, const std::string& on, const std::string& help) {
  return {fraction, fmt::format("{} of the time went into {}: {}", percent(fraction), on, help)};
}

std::string raise(const std::string& key, std::int64_t now) { return fmt::format("raise {} (now {})", key, now); }

// How often a table of [measure] is measured.
std::int64_t every_of(const MeasureSection& section, const std::string& name) {
  if (name == "flow" && section.flow) return section.flow->every;
  if (name == "quarks" && section.quarks) return section.quarks->every;
  if (name == "wilson_loops" && section.wilson_loops) return section.wilson_loops->every;
  if (name == "glueballs" && section.glueballs) return section.glueballs->every;
  if (name == "hadrons" && section.hadrons) return section.hadrons->every;
  if (name == "staggered_hadrons" && section.staggered_hadrons) return section.staggered_hadrons->every;
  const auto smoothing = section.smoothings.find(name);
  return smoothing == section.smoothings.end() ? 0 : smoothing->second.every;
}

constexpr const char* chosen_again = "`trellis run --choose-again INPUT` chooses them for the links reached";

// "algorithm.steps (now 10)" for a level.
std::string steps_of(const RunInput& input, std::vector<LevelInput>::const_iterator level) {
  const auto& levels = input.algorithm.levels;
  const auto keys = flatten(input.resolved);
  const bool has_levels =
      std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.first.starts_with("algorithm.levels["); });
  const auto key = has_levels                ? fmt::format("algorithm.levels[{}].steps", level - levels.begin())
                   : level == levels.begin() ? std::string("algorithm.steps")
                                             : std::string("algorithm.gauge_steps");
  return fmt::format("{} (now {})", key, level->steps);
}

// "fewer algorithm.steps (now 10)" for the level of a term; empty if there is only one step, or if they were chosen.
std::string fewer_steps(const RunInput& input, const std::string& term, bool chosen) {
  const auto& levels = input.algorithm.levels;
  const auto level = std::find_if(levels.begin(), levels.end(), [&](const LevelInput& one) {
    return std::find(one.terms.begin(), one.terms.end(), term) != one.terms.end();
  });
  if (chosen || level == levels.end() || level->steps < 2) return "";
  return "fewer " + steps_of(input, level);
}

// Which fraction of the time of accepted trajectories shorter steps would save: dH is of the order of h^2, its variance
// of h^4, and acceptance is erfc(sqrt(variance / 8)).
double saved_by_shorter_steps(double acceptance) {
  if (!(acceptance > 0)) return 1;
  const double x = boost::math::erfc_inv(std::min(acceptance, 1.0));
  double best = acceptance;
  for (int n = 0; n < 140; ++n) {
    const double more = 1 + 0.05 * n;  // steps
    best = std::max(best, std::erfc(x / (more * more)) / more);
  }
  return 1 - acceptance / best;
}

void add_files(const RunInput& input, const RunTimes& times, std::vector<Loss>& losses) {
  const auto share = [&](double seconds) { return seconds / times.seconds; };
  if (times.saving > 0)
    losses.push_back(
        spent(share(times.saving), "saving configurations", raise("chain.save_every", input.chain.save_every)));
  // The last checkpoint is written in any case.
  if (times.checkpoint_count > 1)
    losses.push_back(
        spent(share(times.checkpoints), "checkpoints", raise("chain.checkpoint_every", input.chain.checkpoint_every)));
  losses.push_back(spent(share(times.writing - times.saving - times.checkpoints),
                         "rows of tables, each of which is on disk before the next trajectory",
                         "a faster disk for output.directory helps"));
}

void add_measurements(const RunInput& input, const RunTimes& times, std::vector<Loss>& losses) {
  for (const auto& [name, seconds] : times.sections) {
    const bool of_section = name == "observables";
    const auto every = of_section ? input.measure.every : every_of(input.measure, name);
    if (every < 1) continue;
    losses.push_back(spent(seconds / times.seconds,
                           of_section ? "the observables of [measure]" : fmt::format("[measure.{}]", name),
                           raise(of_section ? "measure.every" : fmt::format("measure.{}.every", name), every)));
  }
  if (input.algorithm.reversibility_every > 0)
    losses.push_back(spent(times.profile.reversibility / times.seconds, "checks of reversibility",
                           raise("algorithm.reversibility_every", input.algorithm.reversibility_every)));
  if (input.algorithm.certify > 0)
    losses.push_back(spent(times.profile.certificate / times.seconds, "the certificate",
                           fmt::format("lower algorithm.certify (now {})", input.algorithm.certify)));
}

void add_steps(const RunInput& input, const RunTimes& times, const RunCircumstances& found, std::vector<Loss>& losses) {
  if (input.algorithm.kind != AlgorithmKind::hmc || found.counted < least_counted) return;
  if (!input.algorithm.levels.empty())
    losses.push_back({saved_by_shorter_steps(found.acceptance),
                      fmt::format("{} of the trajectories were rejected: {}", percent(1 - found.acceptance),
                                  found.chosen ? std::string("the steps that were chosen are too long; ") + chosen_again
                                               : "shorter steps, for example more " +
                                                     steps_of(input, input.algorithm.levels.begin()))});
  if (found.acceptance < much_accepted) return;
  const auto add = [&](double seconds, const std::string& on, const std::string& help) {
    if (help.empty()) return;
    const double fraction = seconds / times.seconds;
    losses.push_back({saved_by_fewer_steps * fraction,
                      fmt::format("{} of the time went into {}, and {} of the trajectories were accepted: {}",
                                  percent(fraction), on, percent(found.acceptance), help)});
  };
  if (input.quarks.flavours.empty() && !input.algorithm.levels.empty())
    add(times.profile.force + times.profile.links, "forces and links",
        fewer_steps(input, input.algorithm.levels.front().terms.front(), found.chosen));
  for (const auto& [term, seconds] : times.force_solves)
    add(seconds, fmt::format("solves for the force of term '{}'", term), fewer_steps(input, term, found.chosen));
}

// Threads that waited for a core, which not only other work occupies.
std::string waited_text(const RunInput& input, const RunTimes& times, const MachineLimits& limits,
                        const RunCircumstances& found) {
  const double lost = times.lost;
  if (found.ranks == 1 && found.cores > 0 && limits.threads > found.cores)
    return fmt::format("threads waited {} of the time for a core, because {} share {}: lower {}", percent(lost),
                       plural(limits.threads, "thread"), plural(found.cores, "core"),
                       input.machine.threads > 0 ? fmt::format("machine.threads (now {})", input.machine.threads)
                                                 : std::string("OMP_NUM_THREADS"));
  if (!times.crowd.empty())
    return fmt::format("threads waited {} of the time for a core, because {}: use fewer ranks{}", percent(lost),
                       times.crowd, limits.threads > 1 ? ", or fewer threads" : "");
  return fmt::format(
      "other work on this machine{} took {} of the time that threads needed for this run: no key helps, "
      "free cores do",
      found.ranks > 1 ? ", or other ranks on the same cores," : "", percent(lost));
}

void add_machine(const RunInput& input, const RunTimes& times, const std::vector<KernelTotals>& kernels,
                 const MachineLimits& limits, const RunCircumstances& found, std::vector<Loss>& losses) {
  losses.push_back({times.lost, waited_text(input, times, limits, found)});
  if (kernels.empty()) return;
  double inside = 0, rated = 0, at_limit = 0;  // seconds; `rated`: of kernels that declare what they do
  for (const auto& k : kernels) {
    inside += k.seconds;
    const double least = std::max(limits.triad > 0 ? k.bytes / limits.triad : 0,
                                  limits.peak(k.single) > 0 ? k.flops / limits.peak(k.single) : 0);
    if (!(least > 0)) continue;
    rated += k.seconds;
    at_limit += std::min(least, k.seconds);
  }
  // Threads that wait for a core make everything slower: that is counted once, above.
  const double outside = (times.seconds - inside - times.writing - times.waiting) / times.seconds;
  losses.push_back(
      {outside - times.lost,
       fmt::format("{} of the time passed outside kernels, in what the host does between them{}: no key helps; it is "
                   "less on a larger lattice{}{}",
                   percent(outside),
                   found.ranks > 1 ? fmt::format(" and in messages between {} ranks", found.ranks) : std::string(),
                   found.ranks > 1 ? " or with fewer ranks" : "",
                   kernels_on_host ? "" : ", and on a GPU that no other process uses")});
  if (!found.threads_set_by.empty() && rated > 0)
    losses.push_back(
        {(rated - at_limit) / times.seconds - times.lost,
         fmt::format(
             "kernels reach {} of the machine's limits: {} are few for each of {}; without {} the program tries "
             "whether fewer threads are as fast",
             percent(at_limit / rated), plural(found.local_sites / std::max(1, limits.threads), "site"),
             plural(limits.threads, "thread"), found.threads_set_by)});
}

}  // namespace

std::string largest_loss(const RunInput& input, const RunTimes& times, const std::vector<KernelTotals>& kernels,
                         const MachineLimits& limits, const RunCircumstances& found) {
  if (times.trajectories == 0 || !(times.seconds > 0)) return "";
  std::vector<Loss> losses;
  add_files(input, times, losses);
  add_measurements(input, times, losses);
  add_steps(input, times, found, losses);
  add_machine(input, times, kernels, limits, found, losses);
  const auto largest = std::max_element(losses.begin(), losses.end(),
                                        [](const Loss& a, const Loss& b) { return a.fraction < b.fraction; });
  return largest->fraction < least_loss ? "" : largest->text;
}

}  // namespace trellis::app
