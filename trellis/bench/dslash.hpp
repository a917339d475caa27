// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Timings of the Wilson hopping term D_eo, each in turn with MIX (wilson_setup.hpp): streaming the same bytes on the
// same arrays with nothing to do. And the model by which the performance-portability study (B. Joo et al., P3HPC 2019)
// judges them: of a site's eight neighbours R come from a cache, so that it moves
//   8 L / n + S (8 - R) + S w + S  bytes a vector,
// L bytes of a link and S of a spinor, n vectors at a time, w = 1 where a store first reads its line and 0 where it
// passes the caches. 1320 flops a vector over that, times the bandwidth, is the prediction; R = 7 is as good as a
// kernel can be that reads each neighbour once, when it comes first.

#include <vector>

#include "trellis/bench/study/variants.hpp"
#include "trellis/tuning/timing.hpp"
#include "trellis/tuning/tuning.hpp"

namespace trellis::bench {

struct DslashFigure {
  double flops = 0, bytes = 0;  // of one application: the usual count, and each number read or written once
  double seconds = 0;           // median
  double mix_seconds = 0;       // median, the same bytes
  double of_mix = 0;            // median of MIX's time over the time beside it
  bool streaming = false;       // results pass the caches
};

// How operators run it. Throws InputError where the case cannot be run.
DslashFigure measure_dslash(const tuning::TuningCase& what, const tuning::WilsonTuning& how,
                            const tuning::TimingParameters& timing);

// One of the study's variants, in double or single precision; vectors and lanes are the variant's. Throws InputError
// where it is not compiled.
DslashFigure measure_variant(const Coordinate& size, Precision precision, const study::WilsonVariant& variant,
                             const tuning::TimingParameters& timing);

struct DslashModel {
  double link_bytes = 0, spinor_bytes = 0;
  int vectors = 1;
  bool streaming = false;

  double bytes(double reuse) const {
    return 8 * link_bytes / vectors + spinor_bytes * (8 - reuse + (streaming ? 0 : 1) + 1);
  }
  // Flops a byte.
  double intensity(double reuse) const { return dirac::wilson_flops / bytes(reuse); }
  // The R at which a bandwidth would give this speed. Beyond 8 the cache gives more than the bandwidth; far below 0 it
  // is not the bandwidth that limits.
  double reuse(double flops_a_second, double bandwidth) const {
    const double moved = dirac::wilson_flops * bandwidth / flops_a_second;
    return 8 - (moved - bytes(8)) / spinor_bytes;
  }
};

DslashModel dslash_model(Precision precision, dirac::LinkFormat links, int vectors, bool streaming);

}  // namespace trellis::bench
