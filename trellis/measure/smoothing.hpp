// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ways of smoothing the links step by step. If the input has a table [measure.name], the topological charge and the
// plaquette are measured along it. A new one is a function that returns a Smoothing, and its name in smoothings.cpp.

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "trellis/measure/observable.hpp"

namespace trellis::measure {

struct Smoothing {
  struct Weight {
    std::string key;  // in [measure.name]
    double value;     // the default
    double maximum;
  };

  std::string name;                   // [measure.name], the column charge_name, the file <name of the run>-name.csv
  std::string title;                  // of the last charge's average in a run's report: "charge, cooled"
  std::string what;                   // content of that file: "charge along cooling"
  std::optional<Weight> weight = {};  // of the staples; empty if it is not a parameter
  // Takes this many steps, in place. InputError for an invalid parameter.
  std::function<void(double weight, int steps, const AnyConfiguration& links)> smoothen = {};
};

// The same, for a function of (weight, steps, GaugeField<double, W>) for any compiled W.
template <class F>
Smoothing smoothing(Smoothing what, F&& smoothen) {
  what.smoothen = [smoothen = std::forward<F>(smoothen)](double weight, int steps, const AnyConfiguration& any) {
    with_lanes(any.lanes(),
               [&]<int W>() { smoothen(weight, steps, static_cast<const Configuration<W>&>(any).links()); });
  };
  return what;
}

std::span<const Smoothing> smoothings();

}  // namespace trellis::measure
