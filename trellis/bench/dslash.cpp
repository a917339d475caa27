// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dslash.hpp"

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::bench {

DslashFigure measure_dslash(const tuning::TuningCase& what, const tuning::KernelTuning& how,
                            const tuning::TimingParameters& timing) {
  const int threads = concurrency();
  DslashFigure figure;
  tuning::with_precision(what.precision, [&]<class T>() {
    with_lanes<arithmetic_t<T>>(what.lanes, [&]<int W>() {
      const tuning::WilsonSetup<T, W> setup(what.size, how.shape, what.links, what.vectors);
      const auto [kernel, mix] = tuning::times_in_turn(
          timing,
          [&] {
            set_thread_count(how.threads > 0 ? how.threads : what.threads);
            setup.hops(how.settings);
          },
          [&] {
            set_thread_count(what.threads);
            setup.mix();
          });
      figure = {.flops = setup.flops(),
                .bytes = setup.bytes(),
                .seconds = median(kernel),
                .mix_seconds = median(mix),
                .of_mix = tuning::median_ratio(mix, kernel),
                .streaming = !is_fixed_point<T> && dirac::passes_caches(how.settings.stores, setup.bytes())};
    });
  });
  set_thread_count(threads);
  return figure;
}

DslashModel dslash_model(Precision precision, dirac::LinkFormat links, int vectors, bool streaming) {
  return tuning::with_precision(precision, [&]<class T>() {
    return DslashModel{int(links) * double(sizeof(stored_t<T>)), site_bytes<T>(24), vectors, streaming};
  });
}

}  // namespace trellis::bench
