// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Scalar observables: a few real numbers per gauge configuration. `trellis run` and `trellis measure` measure those
// that [measure] observables names, and put their columns in the table of results. All ranks call `measure`, and each
// gets the same numbers; these should have the same bits for any lanes, threads and ranks, as sums over tiles have
// (lattice/dispatch.hpp). The links must not be changed.
//
// One of ours is a function beside what it measures, and a line in observables.cpp. Your program can add its own,
// before trellis::app::run_program() reads the input (examples/own_observable):
//
//   add_observable(observable({.name = "link_trace", .what = "average of Re tr U / 3", .columns = {{"link_trace"}}},
//                             [](const auto& u) { return std::vector{gauge::link_trace(u.links())}; }));

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/clover.hpp"

namespace trellis::measure {

// A configuration whose lane count is not part of its type.
class AnyConfiguration {
 public:
  int lanes() const { return lanes_; }

 protected:
  explicit AnyConfiguration(int lanes) : lanes_(lanes) {}
  ~AnyConfiguration() = default;

 private:
  int lanes_;
};

// One gauge configuration. What several observables need of it is computed once.
template <int W>
class Configuration : public AnyConfiguration {
 public:
  // The links must outlive this.
  explicit Configuration(const GaugeField<double, W>& links, const gauge::Boundary& boundary = {})
      : AnyConfiguration(W), links_(links), boundary_(boundary) {}

  const GaugeField<double, W>& links() const { return links_; }
  const gauge::Boundary& boundary() const { return boundary_; }
  const gauge::CloverObservables& clover() const {
    if (!clover_) clover_ = gauge::clover_observables(boundary_, links_);
    return *clover_;
  }

 private:
  const GaugeField<double, W>& links_;
  gauge::Boundary boundary_;
  mutable std::optional<gauge::CloverObservables> clover_;
};

struct ObservableColumn {
  std::string name;        // in tables: the observable's name, perhaps followed by _ and more
  std::string title = {};  // of its average in a run's report; if empty, it is left out
  std::string unit = {};   // "a^-4"; empty: a pure number
};

struct Observable {
  std::string name;  // in the input: lower-case letters, digits and _
  std::string what;  // for help: what it measures
  std::vector<ObservableColumn> columns;
  // A run measures it after every trajectory, even if not selected: for what costs next to nothing beside a trajectory.
  bool every_trajectory = false;
  // It takes Configuration::boundary() into account; others are refused where that is not periodic.
  bool knows_boundaries = false;
  // Returns as many numbers as there are columns.
  std::function<std::vector<double>(const AnyConfiguration&)> measure = {};
};

// The same, for a function that takes a Configuration<W> for any compiled W and returns a std::vector<double>.
template <class F>
Observable observable(Observable what, F&& measure) {
  what.measure = [measure = std::forward<F>(measure)](const AnyConfiguration& any) {
    return with_lanes(any.lanes(), [&]<int W>() -> std::vector<double> {
      return measure(static_cast<const Configuration<W>&>(any));
    });
  };
  return what;
}

// All observables: ours, then those that were added.
std::span<const Observable> observables();

// The observables with these names, in the order of observables(). InputError for an unknown name.
std::vector<Observable> observables_named(const std::vector<std::string>& names);

// Applies to the rest of the program, so call it at the beginning of main(). Error if the observable is incomplete, its
// names break the rules above, or its name or columns already exist.
void add_observable(Observable added);

// Its numbers; Error naming it if there are not as many as columns.
std::vector<double> measure_observable(const Observable& observable, const AnyConfiguration& configuration);

}  // namespace trellis::measure
