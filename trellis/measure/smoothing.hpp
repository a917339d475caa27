// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ways of smoothing the links step by step. If the input has a table [measure.name], the topological charge and the
// plaquette are measured along it. A new one is a function that returns a Smoothing, and its name in smoothings.cpp.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

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
  bool knows_boundaries = false;      // in time; smoothing() below says so of functions that take one
  // Takes this many steps, in place. InputError for an invalid parameter.
  std::function<void(double weight, int steps, const AnyConfiguration& links)> smoothen = {};
};

// The same, for a function of (weight, steps, GaugeField<double, W>) for any compiled W, or of these and the links'
// gauge::Boundary. Links that are not variables must then keep their bits.
template <class F>
Smoothing smoothing(Smoothing what, F&& smoothen) {
  what.knows_boundaries = std::is_invocable_v<F, double, int, const GaugeField<double, 1>&, const gauge::Boundary&>;
  what.smoothen = [smoothen = std::forward<F>(smoothen)](double weight, int steps, const AnyConfiguration& any) {
    with_lanes(any.lanes(), [&]<int W>() {
      const auto& u = static_cast<const Configuration<W>&>(any);
      if constexpr (std::is_invocable_v<F, double, int, const GaugeField<double, W>&, const gauge::Boundary&>)
        smoothen(weight, steps, u.links(), u.boundary());
      else
        smoothen(weight, steps, u.links());
    });
  };
  return what;
}

std::span<const Smoothing> smoothings();

}  // namespace trellis::measure
