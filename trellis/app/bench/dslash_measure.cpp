// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/dslash_measure.hpp"

#include "trellis/app/job/job.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

tuning::KernelTuning tune_and_save(const DslashOptions& options, const tuning::TuningCase& what) {
  const auto how =
      tuning::tune(what, {.seconds = options.seconds / 2, .budget = std::min(60.0, 300 * options.seconds)});
  try {
    io::on_first_rank(job(), "save a tuning", [&] { tuning::TuningCache().store(what, how); });
  } catch (const Error& e) {
    log_warning("the tuning could not be saved: {}", e.what());
  }
  return how;
}

}  // namespace

DslashSettings settings_of(const DslashOptions& options, const DslashRun& run) {
  DslashSettings settings{run, {}};
  if (!run.why_not.empty()) return settings;
  if (!run.production) {
    if (options.tune && run.variant.traversal != bench::study::Traversal::flat) {
      settings.run.variant =
          bench::tune_order(run.size, run.precision, run.variant,
                            {.seconds = options.seconds / 4, .budget = std::min(60.0, 100 * options.seconds)});
      settings.tuned = true;
    }
    return settings;
  }
  tuning::KernelTuning& how = settings.how;
  if (options.compare) {  // variants are compared as they are
    how.settings.stores = run.variant.stores;
    return settings;
  }
  const auto what = run.tuning_case(concurrency());
  if (options.tune)
    how = tune_and_save(options, what);
  else if (!options.no_tune)
    how = tuning::tuned_or_default(what);
  settings.tuned = how.seconds > 0;
  if (options.has("--stores")) how.settings.stores = run.variant.stores;
  return settings;
}

bench::DslashFigure measure(const DslashOptions& options, const DslashSettings& settings) {
  const tuning::TimingParameters timing{7, options.seconds};
  const DslashRun& run = settings.run;
  if (!run.production) return bench::measure_variant(run.size, run.precision, run.variant, timing);
  return bench::measure_dslash(run.tuning_case(concurrency()), settings.how, timing);
}

}  // namespace trellis::app
