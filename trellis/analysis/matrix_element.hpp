// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix elements of currents between hadrons, from ratios of three- and two-point functions. With a hadron i from the
// source, f at the sink at time T, and a current at tau between them,
//   R(tau) = C_3(T, tau) / C_f'(T)
//            * sqrt(C_i(T - tau) C_f(tau) C_f(T) / (C_f(T - tau) C_i(tau) C_i(T)))   (C. Alexandrou et al.,
//            hep-lat/0607030)
// where C_f' has the sink of C_3, C_f and C_i have sinks like the source. Normalisations of sources and sinks, and the
// exponentials of both hadrons, cancel; far from source and sink R is <f|J|i> / sqrt(4 E_f E_i) of mesons. The square
// root is 1 if i and f are the same hadron with the same momentum.
// The plateau is fitted by a constant over ranges of tau (correlator_fit.hpp). Sums over tau have smaller contributions
// of excited states (L. Maiani et al., Nucl. Phys. B 293 (1987) 420),
//   S(T) = sum over tau of R(tau) = c + T <f|J|i> / sqrt(4 E_f E_i),
// a line through two or more sink times. Errors are those of the jackknife: R is linear in its pseudovalues
// n R - (n - 1) R_k, where R_k leaves out configuration k.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/analysis/correlator_fit.hpp"

namespace trellis::analysis {

// Of the same configurations, in the same order: [configuration][t].
struct ThreePointData {
  int sink_time = 0;                               // T
  std::vector<Series> three_point;                 // C_3, real or imaginary part, by tau
  std::vector<Series> at_sink;                     // C_f', by t
  std::vector<Series> final_state, initial_state;  // C_f and C_i; both empty if the square root is 1
};

struct RatioAtTime {
  int tau = 0;
  double value = 0, error = 0;  // NaN where correlators have no signal: the argument of the root is not positive
};

struct MatrixElement {
  std::vector<RatioAtTime> ratios;       // 0 < tau < T
  std::optional<CorrelatorFit> plateau;  // its `mass` is the constant
  std::string problem;                   // why there is none
};

struct PlateauParameters {
  int distance = 1;       // of tau from source and sink, at least
  std::int64_t bins = 0;  // as in CorrelatorFitParameters
  std::optional<double> shrinkage = {};
};

// Throws Error if the correlators do not fit each other, or do not reach the sink.
MatrixElement matrix_element(const ThreePointData& data, const PlateauParameters& parameters);

struct SummedRatios {
  double slope = 0, error = 0, constant = 0, constant_error = 0;
  double chi2 = 0, probability = 1;
  int degrees = 0;
};
// From at least two different sink times, of the same configurations. Throws Error if there are fewer, or where some
// ratio has no signal.
SummedRatios summed_ratios(std::span<const ThreePointData> data, const PlateauParameters& parameters);

}  // namespace trellis::analysis
