// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ways of smoothing the links step by step. If the input has a table [measure.name], the topological charge and the
// plaquette are measured along it. A new one is a function that returns a Smoothing, and its name in smoothings.cpp.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "trellis/measure/observable.hpp"

namespace trellis::measure {

// What a smoothing is told: the weight of the staples, and a value for each of its options.
struct SmoothingValues {
  double weight = 0;
  std::map<std::string, double> options = {};
};

struct Smoothing {
  struct Weight {
    std::string key;  // in [measure.name]
    double value;     // the default
    double maximum;
  };
  struct Option {
    std::string key;  // in [measure.name]; not in a resolved input where it is not given
    double value;     // the default
    double minimum, maximum;
    bool integer = false;
  };

  std::string name;                   // [measure.name], the column charge_name, the file <name of the run>-name.csv
  std::string title;                  // of the last charge's average in a run's report: "charge, cooled"
  std::string what;                   // content of that file: "charge along cooling"
  std::optional<Weight> weight = {};  // of the staples; empty if it is not a parameter
  std::vector<Option> options = {};   // further parameters
  bool knows_boundaries = false;      // in time; smoothing() below says so of functions that take one
  // Takes this many steps, in place. InputError for an invalid parameter.
  std::function<void(const SmoothingValues& values, int steps, const AnyConfiguration& links)> smoothen = {};

  // The defaults of the options, except for those that are given. InputError for others and for values out of range.
  std::map<std::string, double> complete(const std::map<std::string, double>& given) const;
};

// The same, for a function of (weight, steps, GaugeField<double, W>) for any compiled W, or of these and the links'
// gauge::Boundary, or of these with SmoothingValues instead of the weight. Links that are not variables must then keep
// their bits.
template <class F>
Smoothing smoothing(Smoothing what, F&& smoothen) {
  using Links = const GaugeField<double, 1>&;
  constexpr bool of_values = std::is_invocable_v<F, const SmoothingValues&, int, Links, const gauge::Boundary&>;
  constexpr bool of_boundary = std::is_invocable_v<F, double, int, Links, const gauge::Boundary&>;
  what.knows_boundaries = of_values || of_boundary;
  what.smoothen = [smoothen = std::forward<F>(smoothen)](const SmoothingValues& values, int steps,
                                                         const AnyConfiguration& any) {
    with_lanes(any.lanes(), [&]<int W>() {
      const auto& u = static_cast<const Configuration<W>&>(any);
      if constexpr (of_values)
        smoothen(values, steps, u.links(), u.boundary());
      else if constexpr (of_boundary)
        smoothen(values.weight, steps, u.links(), u.boundary());
      else
        smoothen(values.weight, steps, u.links());
    });
  };
  return what;
}

std::span<const Smoothing> smoothings();

}  // namespace trellis::measure
