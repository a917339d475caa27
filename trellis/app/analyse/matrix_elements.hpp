// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix elements of local currents from three-point functions through fixed sinks, and the two-point functions of the
// same results (analysis/matrix_element.hpp). The hadron at the sink has the momentum p of the table
// [[measure.hadrons.fixed_sinks]], that from the source p - q, where q is the current's. Two-point functions are those
// of the channel with the quarks' names, at |p|^2 and |p - q|^2, which have to be among `combinations`, `channels`,
// `sinks` and momenta; those of a root have a sink like the source. Sinks that differ in nothing but their time also
// give the slope of the sums of ratios. Times on a periodic lattice: hadrons that go around it are not separated.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trellis/analysis/matrix_element.hpp"
#include "trellis/app/analyse/result_set.hpp"

namespace trellis::app {

struct CurrentInHadron {
  std::string hadron;                  // "pion (l.l)", or "pion (l.s) to pion (l.l)"
  std::string current;                 // one of the sixteen
  std::array<int, 3> momentum{};       // q in units of 2 pi / L
  std::array<int, 3> sink_momentum{};  // p
  bool imaginary = false;              // part of the three-point function
};

struct CurrentRatio {
  CurrentInHadron what;
  std::string fixed_sink;
  int sink_time = 0;
  std::int64_t configurations = 0;
  std::optional<analysis::MatrixElement> found;
  std::string problem;  // why, if there is none
};

struct CurrentSum {
  CurrentInHadron what;
  std::vector<std::string> fixed_sinks;
  std::optional<analysis::SummedRatios> found;
  std::string problem;
};

struct MatrixElements {
  std::vector<CurrentRatio> ratios;
  std::vector<CurrentSum> sums;
};

// Empty if the chains have no three-point functions through fixed sinks.
MatrixElements matrix_elements(const Ensemble& ensemble, const analysis::PlateauParameters& parameters);

}  // namespace trellis::app
