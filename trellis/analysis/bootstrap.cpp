// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/analysis/bootstrap.hpp"

#include <cmath>
#include <limits>

#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"

namespace trellis::analysis {
namespace {

// [bin][series]: sums, and how many numbers are in each bin.
struct Binned {
  std::vector<Series> sums;
  Series counts;
};

Binned binned(std::span<const Series> series, std::int64_t bins) {
  const auto count = series.empty() ? 0 : static_cast<std::int64_t>(series[0].size());
  for (const Series& one : series)
    if (static_cast<std::int64_t>(one.size()) != count)
      fail("bootstrap: series of {} and {} numbers; expected equal lengths", count, one.size());
  if (bins < 2 || bins > count)
    fail("bootstrap: {} of {}; expected from 2 to {}", plural(std::int64_t(bins), "bin"),
         plural(std::int64_t(count), "number"), count);
  Binned out;
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    const auto begin = bin * count / bins, end = (bin + 1) * count / bins;
    auto& sums = out.sums.emplace_back(series.size(), 0.0);
    for (std::size_t a = 0; a < series.size(); ++a)
      for (auto i = begin; i < end; ++i) sums[a] += series[a][static_cast<std::size_t>(i)];
    out.counts.push_back(static_cast<double>(end - begin));
  }
  return out;
}

}  // namespace

std::vector<Series> resampled(std::span<const Series> series, std::int64_t bins, std::int64_t samples,
                              std::uint64_t seed) {
  if (samples < 2) fail("bootstrap: {}; expected at least 2", plural(std::int64_t(samples), "sample"));
  const auto data = binned(series, bins);
  const RandomStream stream{seed, 0, bootstrap_purpose};
  std::vector<Series> out;
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    Series sums(series.size(), 0.0);
    double count = 0;
    for (std::int64_t k = 0; k < bins; ++k) {
      const auto uniform = stream.uniform(static_cast<std::uint64_t>(sample), static_cast<std::uint32_t>(k))[0];
      const auto bin = static_cast<std::size_t>(uniform * static_cast<double>(bins));
      for (std::size_t a = 0; a < sums.size(); ++a) sums[a] += data.sums[bin][a];
      count += data.counts[bin];
    }
    for (double& sum : sums) sum /= count;
    out.push_back(std::move(sums));
  }
  return out;
}

double bootstrap_error(std::span<const double> samples, std::int64_t bins) {
  if (bins < fewest_for_error) return std::numeric_limits<double>::quiet_NaN();
  const double s = static_cast<double>(samples.size()), b = static_cast<double>(bins);
  double mean = 0, squares = 0;
  for (const double x : samples) mean += x / s;
  for (const double x : samples) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / s * b / (b - 1));
}

BootstrapEstimate bootstrap(const FunctionOfMeans& f, std::span<const Series> series, std::int64_t bins,
                            std::int64_t samples, std::uint64_t seed) {
  Series values;
  for (const Series& means : resampled(series, bins, samples, seed)) values.push_back(f(means));
  Series means;
  for (const Series& one : series) means.push_back(gamma_method(one).mean);
  return {f(means), bootstrap_error(values, bins)};
}

}  // namespace trellis::analysis
