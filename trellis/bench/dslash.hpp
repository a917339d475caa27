// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Timings of the Wilson hopping term D_eo, alternating with MIX (wilson_setup.hpp), which streams the same bytes in the
// same arrays without computing. And the model by which the performance-portability study (B. Joo et al., P3HPC 2019)
// judges them: R of a site's eight neighbours come from a cache, so that it moves
//   7 L / n + S (8 - R) + S w + S  bytes per vector,
// L and S being the bytes of a link and of a spinor, n the number of vectors at a time, w = 1 if a store reads its line
// first and 0 if it bypasses the caches. 1320 flops per vector divided by that, times the bandwidth, is the prediction;
// R = 7 is the best possible for a kernel that reads each neighbour from memory once, on first use.

#include <vector>

#include "trellis/bench/study/variants.hpp"
#include "trellis/tuning/timing.hpp"
#include "trellis/tuning/tuning.hpp"

namespace trellis::bench {

struct DslashFigure {
  double flops = 0, bytes = 0;  // per application: the usual count, and each number read or written once
  double seconds = 0;           // median
  double mix_seconds = 0;       // median, the same bytes
  double of_mix = 0;            // median of the ratio of MIX's time to the adjacent one
  bool streaming = false;       // results bypass the caches
};

// `how`: the settings that operators use. Throws InputError if the case cannot be run.
DslashFigure measure_dslash(const tuning::TuningCase& what, const tuning::KernelTuning& how,
                            const tuning::TimingParameters& timing);

// One of the study's variants, in double or single precision; vectors and lanes are the variant's. Throws InputError if
// it is not compiled.
DslashFigure measure_variant(const Coordinate& size, Precision precision, const study::WilsonVariant& variant,
                             const tuning::TimingParameters& timing);

// The variant with the fastest tile of blocked traversal, or size of teams: of those around the best so far
// (orders_around) one that is faster by one percent, twice, by the median of ratios of alternating calls, until none
// is, or `budget` seconds are over. The variant itself is the first. Throws InputError as measure_variant does.
study::WilsonVariant tune_order(const Coordinate& size, Precision precision, const study::WilsonVariant& variant,
                                const tuning::TuningParameters& parameters);

struct DslashModel {
  double link_bytes = 0, spinor_bytes = 0;
  int vectors = 1;
  bool streaming = false;

  double bytes(double reuse) const {
    return 8 * link_bytes / vectors + spinor_bytes * (8 - reuse + (streaming ? 0 : 1) + 1);
  }
  // Flops per byte.
  double intensity(double reuse) const { return dirac::wilson_flops / bytes(reuse); }
  // The R at which a bandwidth would give this speed. Above 8, caches deliver more than the bandwidth; far below 0, the
  // bandwidth is not the limit.
  double reuse(double flops_a_second, double bandwidth) const {
    const double moved = dirac::wilson_flops * bandwidth / flops_a_second;
    return 8 - (moved - bytes(8)) / spinor_bytes;
  }
};

DslashModel dslash_model(Precision precision, dirac::LinkFormat links, int vectors, bool streaming);

}  // namespace trellis::bench
