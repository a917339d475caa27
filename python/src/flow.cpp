// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Methods of trellis.GaugeField: the gradient flow, numbers of time slices, and smoothed copies.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/src/bindings.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/gauge/boundary/eta_derivative.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/smearing/finite_links.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::python {
namespace {

using Release = py::call_guard<py::gil_scoped_release>;

// ---- gradient flow ----

double c1_of(const std::string& action, const std::optional<double>& c1) {
  const double named_c1 = named("gauge action", gauge::named_actions(), action).c1;
  if (!c1) return named_c1;
  if (named_c1 != 0) fail_input("action: '{}' names a c1, so give either it or c1", action);
  if (!(*c1 >= -10 && *c1 <= 0.124)) fail_input("c1: found {}, expected a number from -10 to 0.124", *c1);
  return *c1;
}

// The arrays of a flow file, without `flow/`, and the scales; None where the curve does not reach them.
py::dict flow_results(const std::vector<gauge::FlowPoint>& points) {
  const auto column = [&](double gauge::FlowPoint::* member) {
    py::array_t<double> values(static_cast<py::ssize_t>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) values.mutable_data()[i] = points[i].*member;
    return values;
  };
  py::dict results;
  results["time"] = column(&gauge::FlowPoint::time);
  results["energy"] = column(&gauge::FlowPoint::energy_clover);
  results["energy_spatial"] = column(&gauge::FlowPoint::energy_spatial);
  results["energy_temporal"] = column(&gauge::FlowPoint::energy_temporal);
  results["energy_plaquette"] = column(&gauge::FlowPoint::energy_plaquette);
  results["plaquette"] = column(&gauge::FlowPoint::plaquette);
  results["topological_charge"] = column(&gauge::FlowPoint::topological_charge);
  results["t0"] = gauge::flow_scale_t0(points);
  results["w0"] = gauge::flow_scale_w0(points);
  return results;
}

using gauge::SliceObservables;

// Arrays [time][time_slice] with the names of the columns of a table -slices.csv.
py::dict slice_results(const std::vector<std::vector<SliceObservables>>& points) {
  const auto array_of = [&](auto&& number) {
    py::array_t<double> array(std::vector<py::ssize_t>{py::ssize_t(points.size()), py::ssize_t(points.front().size())});
    auto* to = array.mutable_data();
    for (const auto& slices : points)
      for (const auto& slice : slices) *to++ = number(slice);
    return array;
  };
  py::dict results;
  results["energy"] = array_of([](const auto& s) { return s.energy_spatial + s.energy_temporal; });
  results["energy_spatial"] = array_of([](const auto& s) { return s.energy_spatial; });
  results["energy_temporal"] = array_of([](const auto& s) { return s.energy_temporal; });
  results["energy_plaquette"] = array_of([](const auto& s) { return s.energy_plaquette; });
  results["topological_charge"] = array_of([](const auto& s) { return s.topological_charge; });
  return results;
}

py::dict flow(const PyGaugeField& field, double time_max, double interval, double step, double tolerance,
              const std::string& action, const std::optional<double>& c1, bool in_place, const std::string& integrator,
              bool slices) {
  using enum gauge::FlowIntegrator;
  if (integrator != "third_order" && integrator != "euler")
    fail_input("integrator: found '{}', expected third_order or euler", integrator);
  const gauge::FlowParameters parameters{.c1 = c1_of(action, c1),
                                         .step = step,
                                         .time_max = time_max,
                                         .tolerance = tolerance,
                                         .measure_every = interval,
                                         .integrator = integrator == "euler" ? euler : third_order,
                                         .slices = slices,
                                         .boundary = field.boundary};
  const auto points = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) { return gauge::flow(parameters, in_place ? u : u.clone()); });
  }();
  auto results = flow_results(points);
  if (slices) {
    std::vector<std::vector<SliceObservables>> of_points;
    for (const auto& point : points) of_points.push_back(point.slices);
    results["slices"] = slice_results(of_points);
  }
  return results;
}

// ---- time slices ----

py::dict slices_of(const PyGaugeField& field) {
  const auto slices = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) { return gauge::slice_observables(field.boundary, u); });
  }();
  py::dict results = slice_results({slices});
  for (const auto& [name, array] : results) results[name] = array[py::int_(0)];
  return results;
}

double eta_derivative(const PyGaugeField& field) {
  if (field.boundary.kind != gauge::BoundaryKind::schroedinger_functional)
    fail_input("eta_derivative is that of a Schroedinger functional; the boundary of these links is {}",
               gauge::name_of(field.boundary));
  if (!field.boundary.has_weights)
    fail_input(
        "\"eta_derivative\" needs the weights of loops at the boundary, which the file of these links does not tell: "
        "read it with boundary=trellis.Boundary(\"schroedinger_functional\", time_extent={}, c_G=...), c_G = 1 at tree "
        "level, and c1 if the action has rectangles",
        field.boundary.extent);
  return field.links.visit([&](const auto& u) { return gauge::eta_derivative(field.boundary, u); });
}

// ---- smoothed copies ----

PyGaugeField clone(const PyGaugeField& field) {
  return field.links.visit([&](const auto& u) { return PyGaugeField(u.clone(), field.boundary); });
}

PyGaugeField stout(const PyGaugeField& field, double rho, int steps) {
  const auto smeared = clone(field);
  smeared.links.visit([&](const auto& u) {
    gauge::require_finite("stout", u);
    gauge::stout_steps(rho, steps, u, field.boundary);
  });
  return smeared;
}

PyGaugeField cooled(const PyGaugeField& field, int steps) {
  if (steps < 0) fail_input("steps: found {}, expected at least 0", steps);
  const auto smooth = clone(field);
  smooth.links.visit([&](const auto& u) {
    gauge::require_finite("cooled", u);
    for (int n = 0; n < steps; ++n) gauge::cooling_step(u, field.boundary);
  });
  return smooth;
}

}  // namespace

void bind_flow(py::class_<PyGaugeField>& gauge_field) {
  gauge_field.def(
      "flow", &flow, py::arg("time_max") = 4.0, py::arg("interval") = 0.1, py::arg("step") = 0.01,
      py::arg("tolerance") = 0.0, py::arg("action") = "wilson", py::arg("c1") = std::nullopt,
      py::arg("in_place") = false, py::arg("integrator") = "third_order", py::arg("slices") = false,
      "The gradient flow dV/dt = Z(V) V up to t = time_max (in units of a^2), with E and Q every `interval`, as numpy "
      "arrays: time, energy (clover), energy_spatial, energy_temporal, energy_plaquette, plaquette, "
      "topological_charge; and t0 / a^2 and w0 / a where t^2 E and t d(t^2 E)/dt reach 0.3, or None. tolerance > 0 "
      "adapts the step. The links are flowed themselves if in_place. integrator: third_order or euler. slices: also "
      "`slices`, as slices(), with arrays [time][time_slice].");
  gauge_field.def(
      "slices", &slices_of,
      "Numbers of each time slice as arrays [time_slice]: energy (clover), energy_spatial, energy_temporal, "
      "energy_plaquette, topological_charge, as in the table that `slices` of [measure.flow] makes.");
  gauge_field.def("eta_derivative", &eta_derivative, Release(),
                  "dS/d eta / beta of a Schroedinger functional, with the c_G of its boundary; an error where a file "
                  "did not tell that.");
  gauge_field.def("copy", &clone, Release());
  gauge_field.def("stout", &stout, py::arg("rho") = 0.1, py::arg("steps") = 1, Release(),
                  "Stout-smeared links (hep-lat/0311018), rho_{mu nu} = rho.");
  gauge_field.def("cooled", &cooled, py::arg("steps") = 1, Release(),
                  "Links after so many steps of cooling: each step minimises the plaquette action link by link.");
}

}  // namespace trellis::python
