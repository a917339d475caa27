// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What [measure.quarks] and [measure.staggered_hadrons] measure, on the links of a gauge field.
#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "python/src/bindings.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/results/staggered_hadron_measurement.hpp"
#include "trellis/core/error.hpp"

namespace trellis::python {
namespace {

// `input`: of `trellis measure`, whose files are not read; with the boundary of the links, angles included.
app::MeasureInput input_for(const PyGaugeField& field, const std::string& text, const char* name) {
  auto input = app::parse_measure_input(text, name);
  app::set_boundary(field.boundary, input.quarks, input.measure);
  return input;
}

// The columns of the program's table by name.
py::dict quark_observables(const PyGaugeField& field, const std::string& text, std::uint64_t seed,
                           std::uint32_t trajectory) {
  const auto input = input_for(field, text, "quark_observables");
  const auto job = app::quark_job(input.measure, input.quarks).value();
  const auto cells = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) {
      return job.cells(measure::measure_quarks(job.selection, job.flavours, job.smearing, seed, trajectory, u));
    });
  }();
  const auto names = job.columns();
  py::dict row;
  for (std::size_t i = 0; i < names.size(); ++i) row[py::str(names[i])] = value_of(cells[i]);
  return row;
}

py::dict staggered_hadrons(const PyGaugeField& field, const std::string& text, std::uint64_t seed,
                           std::uint32_t trajectory) {
  const auto input = input_for(field, text, "staggered_hadron_correlators");
  const auto job = app::staggered_hadron_job(input.measure, input.quarks).value();
  const auto& size = field.lattice().size();
  measure::require_valid(job.selection, job.flavours, size);
  const auto m = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) {
      return measure::measure_staggered_hadrons(job.selection, job.flavours, job.smearing, seed, trajectory, u);
    });
  }();
  py::dict correlators;
  const auto hadrons = job.hadrons();
  for (std::size_t h = 0; h < hadrons.size(); ++h) {
    py::array_t<std::complex<double>> array(std::vector<py::ssize_t>{m.sources, m.momenta, m.times});
    std::ranges::copy(m.at(h), array.mutable_data());
    correlators[py::make_tuple(hadrons[h].flavours, hadrons[h].channel)] = array;
  }
  py::dict results;
  results["correlators"] = correlators;
  results["sources"] = job.selection.sources(size);
  results["momenta"] = job.selection.momenta;
  results["residual"] = m.residual;
  results["ward_identity"] = m.ward_identity;
  results["iterations"] = m.iterations;
  results["seconds"] = m.seconds;
  return results;
}

}  // namespace

void bind_staggered_measurements(py::module_& m) {
  m.def("quark_observables_from_input", &quark_observables, py::arg("links"), py::arg("input"), py::arg("seed"),
        py::arg("trajectory"));
  m.def("staggered_hadrons_from_input", &staggered_hadrons, py::arg("links"), py::arg("input"), py::arg("seed"),
        py::arg("trajectory"));
}

}  // namespace trellis::python
