// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ways to make links smoother step by step. Along each, if the input has a table [measure.name], the topological charge
// and the plaquette are measured. A new one is a function that returns a Smoothing, and its name in smoothings.cpp.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "trellis/measure/observable.hpp"

namespace trellis::measure {

struct Smoothing {
  std::string name;                // [measure.name], the column charge_name, the file <name of the run>-name.csv
  std::string title;               // of the last charge's average in a run's report: "charge, cooled"
  std::string what;                // that file holds: "charge along cooling"
  std::optional<double> rho = {};  // a parameter, and what it is where the input does not say; nothing: there is none
  // So many steps, in place. InputError for a parameter that makes no sense.
  std::function<void(double rho, int steps, const AnyConfiguration& links)> smoothen = {};
};

// The same, with a function of (rho, steps, GaugeField<double, W>) for any W that is compiled.
template <class F>
Smoothing smoothing(Smoothing what, F&& smoothen) {
  what.smoothen = [smoothen = std::forward<F>(smoothen)](double rho, int steps, const AnyConfiguration& any) {
    with_lanes(any.lanes(), [&]<int W>() { smoothen(rho, steps, static_cast<const Configuration<W>&>(any).links()); });
  };
  return what;
}

std::span<const Smoothing> smoothings();

}  // namespace trellis::measure
