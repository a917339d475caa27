// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staggered quarks by dense matrices, for comparison in `trellis verify`, on lattices with few sites: cost (3 V)^3.

#include <complex>
#include <vector>

#include "trellis/app/verify/naive_links.hpp"
#include "trellis/measure/quark_observables.hpp"

namespace trellis::app {

// A square matrix. Row and column: 3 site + colour.
class Dense {
 public:
  explicit Dense(std::size_t size) : size_(size), elements_(size * size) {}
  std::size_t size() const { return size_; }
  std::complex<double>& operator()(std::size_t row, std::size_t column) { return elements_[row * size_ + column]; }
  const std::complex<double>& operator()(std::size_t row, std::size_t column) const {
    return elements_[row * size_ + column];
  }

 private:
  std::size_t size_;
  std::vector<std::complex<double>> elements_;
};

// G = (m + D)^-1
Dense dense_propagator(const NaiveHopLinks& links, const QuarkInput& quarks, const FlavourInput& flavour);

// Traces over all sites with quarks and colours (measure/quark_observables.hpp): each estimate as its mean over a
// complete basis of sources would be; and the root mean square of the singular values of M^-1.
struct ExactQuarkTraces {
  measure::QuarkEstimate traces;
  double inverse_size = 0;
};
ExactQuarkTraces exact_quark_traces(const NaiveHopLinks& smeared, const QuarkInput& quarks, const FlavourInput& flavour,
                                    double tastes, const std::vector<int>& planes);

}  // namespace trellis::app
