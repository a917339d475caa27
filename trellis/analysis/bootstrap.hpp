// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bootstrap (B. Efron, Ann. Stat. 7 (1979) 1): errors of any function of means from bins drawn at random with
// repetition. Bins must be much longer than the autocorrelation time (jackknife_bins in statistics.hpp, whose factor is
// not in the error).

#include "trellis/analysis/statistics.hpp"
#include "trellis/core/random.hpp"

namespace trellis::analysis {

inline constexpr RandomPurpose bootstrap_purpose{20};

// [sample][series]: the means of all series, which must have equal lengths, over as many bins as there are, drawn with
// repetition; the same bins for all series. The draws depend on the seed only. Throws as leave_one_out does, and for
// fewer than 2 samples.
std::vector<Series> resampled(std::span<const Series> series, std::int64_t bins, std::int64_t samples,
                              std::uint64_t seed = 1);

// Of quantities computed from such samples: their standard deviation times sqrt(B / (B - 1)), since the variance of
// what was drawn is (B - 1) / B of the variance of the bins. NaN for fewer than fewest_for_error bins.
double bootstrap_error(std::span<const double> samples, std::int64_t bins);

struct BootstrapEstimate {
  double value = 0;  // f of the means
  double error = 0;
};
BootstrapEstimate bootstrap(const FunctionOfMeans& f, std::span<const Series> series, std::int64_t bins,
                            std::int64_t samples = 1000, std::uint64_t seed = 1);

}  // namespace trellis::analysis
