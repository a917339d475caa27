// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Statistics of series and fits (trellis/analysis), and HDF5 files.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>

#include "python/src/bindings.hpp"
#include "trellis/analysis/correlator_fit.hpp"
#include "trellis/analysis/effective_mass.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::python {
namespace {

using analysis::Chains;
using analysis::CorrelatorFit;
using analysis::Fit;
using analysis::MeanEstimate;
using analysis::RangeFit;
using analysis::Series;
using Reals = py::array_t<double, py::array::c_style | py::array::forcecast>;

void require_finite(const Reals& array, const char* argument) {
  if (!std::all_of(array.data(), array.data() + array.size(), [](double x) { return std::isfinite(x); }))
    fail_input("{}: a number is not finite", argument);
}
Series series_of(const Reals& array, const char* argument) {
  if (array.ndim() != 1) fail_input("{}: found {} dimensions, expected 1", argument, array.ndim());
  return {array.data(), array.data() + array.size()};
}
std::vector<Series> rows_of(const Reals& array, const char* argument) {
  if (array.ndim() != 2) fail_input("{}: found {} dimensions, expected 2", argument, array.ndim());
  if (array.size() == 0) fail_input("{}: found no number", argument);
  require_finite(array, argument);
  std::vector<Series> rows;
  for (py::ssize_t i = 0; i < array.shape(0); ++i)
    rows.emplace_back(array.data(i, 0), array.data(i, 0) + array.shape(1));
  return rows;
}

// Copying and pickling, by these members, for processes side by side.
template <class T, class... M>
auto pickled(M T::*... members) {
  return py::pickle([=](const T& of) { return py::make_tuple(of.*members...); },
                    [=](const py::tuple& from) {
                      T of;
                      std::size_t n = 0;
                      ((of.*members = from[n++].template cast<M>()), ...);
                      return of;
                    });
}

Reals array_of(const Series& series) { return Reals(py::ssize_t(series.size()), series.data()); }

// A Python function of an array of means.
analysis::FunctionOfMeans function_of(const py::function& f) {
  return
      [f](std::span<const double> means) { return f(Reals(py::ssize_t(means.size()), means.data())).cast<double>(); };
}

Chains chains_of(const std::vector<Reals>& arrays) {
  Chains chains;
  for (const auto& array : arrays) chains.push_back(series_of(array, "chains"));
  return chains;
}

py::dict autocorrelation(const std::vector<Reals>& chains, std::int64_t last, std::int64_t window) {
  if (last < 0) fail_input("last: found {}, expected 0 or more", last);
  const auto a = analysis::autocorrelation(chains_of(chains), last, window);
  py::dict d;
  d["rho"] = array_of(a.rho);
  d["rho_error"] = array_of(a.rho_error);
  d["tau_int"] = array_of(a.tau_int);
  d["tau_int_error"] = array_of(a.tau_int_error);
  return d;
}

Fit fit(const py::function& model, const Reals& x, const Reals& y, const Reals& covariance, const Reals& start) {
  const auto n = y.size();
  if (n == 0 || x.size() != n) fail_input("fit: found {} x and {} y, expected as many of both", x.size(), n);
  if (start.size() == 0 || start.size() > n)
    fail_input("start: found {} parameters, expected from 1 to the number of points, {}", start.size(), n);
  require_finite(covariance, "covariance");
  require_finite(x, "x");
  require_finite(y, "y");
  require_finite(start, "start");
  Series elements;
  if (covariance.ndim() == 1) {  // errors
    elements.resize(std::size_t(n * n));
    if (covariance.size() != n) fail_input("covariance: found {} errors for {} numbers", covariance.size(), n);
    for (py::ssize_t i = 0; i < n; ++i)
      if (!(covariance.at(i) > 0))
        fail_input("covariance: found the error {}, expected numbers above 0", covariance.at(i));
    for (py::ssize_t i = 0; i < n; ++i) elements[std::size_t(i * n + i)] = covariance.at(i) * covariance.at(i);
  } else {
    if (covariance.ndim() != 2 || covariance.shape(0) != n || covariance.shape(1) != n)
      fail_input("covariance: expected {0} errors, or a matrix of {0} x {0}", n);
    for (py::ssize_t i = 0; i < n; ++i)
      for (py::ssize_t j = 0; j < i; ++j) {
        const double a = covariance.at(i, j), b = covariance.at(j, i);
        const double scale = std::sqrt(std::abs(covariance.at(i, i))) * std::sqrt(std::abs(covariance.at(j, j)));
        if (std::abs(a - b) > 1e-10 * scale)
          fail_input("covariance: is not symmetric: found {} in row {}, column {}, and {} in row {}, column {}", a, i,
                     j, b, j, i);
      }
    elements.assign(covariance.data(), covariance.data() + covariance.size());
  }
  const analysis::Model f = [&](double at, std::span<const double> p) {
    return model(at, Reals(py::ssize_t(p.size()), p.data())).cast<double>();
  };
  const Series points = series_of(x, "x"), first = series_of(start, "start");
  // Elsewhere the search turns back.
  for (const double at : points)
    if (const double value = f(at, first); !std::isfinite(value))
      fail_input("start: the model is {} there at x = {}; the fit must begin where it has values", value, at);
  return analysis::fit(f, points, series_of(y, "y"), analysis::Covariance(int(n), elements), first);
}

CorrelatorFit fit_correlator(const Reals& correlators, int extent, const std::string& model, int first, int last,
                             std::int64_t bins, std::optional<double> shrinkage) {
  const auto rows = rows_of(correlators, "correlators");
  const auto configurations = std::int64_t(rows.size()), times = std::int64_t(rows[0].size());
  const auto fewest = analysis::fewest_for_error;
  if (configurations < fewest)
    fail_input("correlators: found {}, expected at least {}", plural(std::int64_t(configurations), "configuration"),
               fewest);
  if (extent < 2 || times > extent)
    fail_input("extent: found {}, expected at least 2 and the {} times of the correlators", extent, times);
  if (first < 0 || first >= times) fail_input("first: found {}, expected from 0 to {}", first, times - 1);
  if (last != 0 && last <= first) fail_input("last: found {}, expected more than first = {}, or 0", last, first);
  if (bins != 0 && bins < fewest) fail_input("bins: found {}, expected at least {}, or 0", bins, fewest);
  if (shrinkage && !(*shrinkage >= 0 && *shrinkage <= 1))
    fail_input("shrinkage: found {}, expected from 0 to 1", *shrinkage);
  const analysis::CorrelatorFitParameters p{.model = named("model", analysis::correlator_models, model).value,
                                            .extent = extent,
                                            .first = first,
                                            .last = last,
                                            .bins = bins,
                                            .shrinkage = shrinkage};
  const py::gil_scoped_release release;
  return analysis::fit_correlator(rows, p);
}

// ---- HDF5 ----

template <class T>
py::array array_in(const io::Hdf5File& file, const std::string& name) {
  const auto values = file.read<T>(name);
  const auto extents = file.shape(name);
  return py::array_t<T>(std::vector<py::ssize_t>(extents.begin(), extents.end()), values.data());
}

// Of doubles or of integers.
py::array any_array_in(const io::Hdf5File& file, const std::string& name) {
  try {
    return array_in<double>(file, name);
  } catch (const Error&) {
    try {
      return array_in<std::int64_t>(file, name);
    } catch (const Error&) {  // the first error says what is wrong
    }
    throw;
  }
}

void read_group(const io::Hdf5File& file, const std::string& group, py::dict& arrays) {
  for (const auto& child : file.children(group)) {
    const auto name = group == "/" ? child : fmt::format("{}/{}", group, child);
    if (file.is_group(name))
      read_group(file, name, arrays);
    else
      arrays[py::str(name)] = any_array_in(file, name);
  }
}

// Every array by its full name, "flow/time"; and the attributes of the groups that `known` names.
py::tuple read_hdf5(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& known) {
  const auto file = io::Hdf5File::open(path);
  py::dict arrays, attributes;
  read_group(file, "/", arrays);
  for (const auto& [object, name] : known)
    if (file.has(object) && file.has_attribute(object, name))
      attributes[py::str(fmt::format("{}.{}", object, name))] =
          std::visit([](const auto& v) -> py::object { return py::cast(v); }, file.attribute(object, name));
  return py::make_tuple(arrays, attributes);
}

void bind_estimates(py::module_& m) {
  py::class_<MeanEstimate>(m, "MeanEstimate", "A mean with its error (U. Wolff, hep-lat/0306017).")
      .def_readonly("count", &MeanEstimate::count)
      .def_readonly("mean", &MeanEstimate::mean)
      .def_readonly("variance", &MeanEstimate::variance, "Of a single number.")
      .def_readonly("error", &MeanEstimate::error, "Of the mean.")
      .def_readonly("error_error", &MeanEstimate::error_error)
      .def_readonly(
          "tau_int", &MeanEstimate::tau_int,
          "Integrated autocorrelation time, in units of the distance of two numbers; 1/2 without correlation.")
      .def_readonly("tau_int_error", &MeanEstimate::tau_int_error)
      .def_readonly("window", &MeanEstimate::window)
      .def_readonly("consistency", &MeanEstimate::consistency,
                    "Of several chains: the probability of a larger chi^2 of their means.")
      .def(pickled(&MeanEstimate::count, &MeanEstimate::mean, &MeanEstimate::variance, &MeanEstimate::error,
                   &MeanEstimate::error_error, &MeanEstimate::tau_int, &MeanEstimate::tau_int_error,
                   &MeanEstimate::window, &MeanEstimate::consistency))
      .def("__str__", [](const MeanEstimate& e) { return analysis::with_error(e.mean, e.error); })
      .def("__repr__", [](const MeanEstimate& e) {
        return fmt::format("<trellis.MeanEstimate {}, tau_int {}, of {}>", analysis::with_error(e.mean, e.error),
                           analysis::with_error(e.tau_int, e.tau_int_error), e.count);
      });

  m.def(
      "gamma_method_of_series",
      [](const Reals& series, double s) { return analysis::gamma_method(series_of(series, "series"), s); },
      py::arg("series"), py::arg("s") = 1.5);
  m.def(
      "gamma_method_of_chains",
      [](const std::vector<Reals>& chains, double s) { return analysis::gamma_method(chains_of(chains), s); },
      py::arg("chains"), py::arg("s") = 1.5);
  m.def(
      "gamma_method_of_function",
      [](const py::function& f, const Reals& series, double s) {
        return analysis::gamma_method(function_of(f), std::span<const Series>(rows_of(series, "series")), s);
      },
      py::arg("function"), py::arg("series"), py::arg("s") = 1.5);
  m.def("autocorrelation_of_chains", &autocorrelation, py::arg("chains"), py::arg("last"), py::arg("window"));
  m.def(
      "jackknife",
      [](const py::function& f, const Reals& series, std::int64_t bins) {
        const auto rows = rows_of(series, "series");
        if (const auto count = std::int64_t(rows[0].size()); bins < 2 || bins > count)
          fail_input("bins: found {}, expected from 2 to {}, the number of measurements", bins, count);
        const auto e = analysis::jackknife(function_of(f), rows, bins);
        return std::pair(e.value, e.error);
      },
      py::arg("function"), py::arg("series"), py::arg("bins"),
      "(value, error) of f(means of the rows of series), by the jackknife with so many bins, which must be much longer "
      "than the autocorrelation time; the value includes the bias correction.");
  m.def("with_error", &analysis::with_error, py::arg("value"), py::arg("error"), "\"0.59371(12)\"");
}

void bind_fits(py::module_& m) {
  py::class_<Fit>(m, "Fit", "The minimum of chi^2.")
      .def_property_readonly("parameters", [](const Fit& f) { return array_of(f.parameters); })
      .def_property_readonly(
          "errors", [](const Fit& f) { return array_of(f.errors); }, "From the curvature at the minimum.")
      .def_readonly("chi2", &Fit::chi2)
      .def_readonly("degrees", &Fit::degrees, "Degrees of freedom.")
      .def_readonly("probability", &Fit::probability, "Of a larger chi^2.")
      .def(pickled(&Fit::parameters, &Fit::errors, &Fit::chi2, &Fit::degrees, &Fit::probability, &Fit::iterations));
  m.def("fit", &fit, py::arg("model"), py::arg("x"), py::arg("y"), py::arg("covariance"), py::arg("start"),
        "Least squares: minimises sum_ij (y_i - f(x_i, p)) (C^-1)_ij (y_j - f(x_j, p)) for model f(x, p), by the "
        "Levenberg-Marquardt method from `start`. covariance: a matrix, or a vector of errors.");

  py::class_<RangeFit>(m, "RangeFit", "A fit to the times first to last.")
      .def_readonly("first", &RangeFit::first)
      .def_readonly("last", &RangeFit::last)
      .def_readonly("mass", &RangeFit::mass)
      .def_readonly("error", &RangeFit::error)
      .def_readonly("partner", &RangeFit::partner)
      .def_readonly("partner_error", &RangeFit::partner_error)
      .def_readonly("amplitude", &RangeFit::amplitude)
      .def_readonly("chi2", &RangeFit::chi2)
      .def_readonly("degrees", &RangeFit::degrees)
      .def_readonly("probability", &RangeFit::probability)
      .def_readonly("weight", &RangeFit::weight)
      .def(pickled(&RangeFit::first, &RangeFit::last, &RangeFit::mass, &RangeFit::error, &RangeFit::partner,
                   &RangeFit::partner_error, &RangeFit::amplitude, &RangeFit::chi2, &RangeFit::probability,
                   &RangeFit::degrees, &RangeFit::weight));
  py::class_<CorrelatorFit>(m, "CorrelatorFit", "A mass in lattice units, averaged over ranges of times.")
      .def_readonly("mass", &CorrelatorFit::mass)
      .def_readonly("error", &CorrelatorFit::error, "Statistical and systematic together.")
      .def_readonly("statistical", &CorrelatorFit::statistical)
      .def_readonly("systematic", &CorrelatorFit::systematic)
      .def_readonly("partner", &CorrelatorFit::partner,
                    "The mass of the partner of other parity; NaN for models without one.")
      .def_readonly("partner_error", &CorrelatorFit::partner_error)
      .def_readonly("ranges", &CorrelatorFit::ranges)
      .def_readonly("bins", &CorrelatorFit::bins)
      .def_readonly("shrinkage", &CorrelatorFit::shrinkage)
      .def(pickled(&CorrelatorFit::mass, &CorrelatorFit::error, &CorrelatorFit::statistical, &CorrelatorFit::systematic,
                   &CorrelatorFit::partner, &CorrelatorFit::partner_error, &CorrelatorFit::ranges, &CorrelatorFit::bins,
                   &CorrelatorFit::shrinkage, &CorrelatorFit::not_converged))
      .def("__repr__", [](const CorrelatorFit& f) {
        return fmt::format("<trellis.CorrelatorFit: mass {}>", analysis::with_error(f.mass, f.error));
      });
  m.def(
      "fit_correlator", &fit_correlator, py::arg("correlators"), py::arg("extent"), py::arg("model") = "cosh",
      py::arg("first") = 1, py::arg("last") = 0, py::arg("bins") = 0, py::arg("shrinkage") = std::nullopt,
      "The mass of correlators[configuration][t] on a lattice of extent L in time, in lattice units, by correlated "
      "fits to every range of times within [first, last] (last = 0: L / 2), averaged with the weights of Jay and Neil "
      "(Phys. Rev. D 103 (2021) 114502). model: exponential, cosh, two_states, constant, staggered_meson, "
      "staggered_baryon, staggered_exponential. Correlators must be folded beforehand: for cosh, two_states and "
      "staggered_meson by folded(), "
      "for "
      "staggered_baryon to (C(t) - (-1)^t C(L - t)) / 2, of quarks that are antiperiodic in time.");
  m.def(
      "folded",
      [](const Reals& c) {
        if (c.size() == 0) fail_input("correlator: found no number");
        require_finite(c, "correlator");
        return array_of(analysis::folded(series_of(c, "correlator")));
      },
      py::arg("correlator"), "(C(t) + C(L - t)) / 2 for 0 <= t <= L / 2.");
  m.def("cosh_mass", &analysis::cosh_mass, py::arg("here"), py::arg("next"), py::arg("t"), py::arg("extent"),
        "m with C(t) / C(t + 1) = cosh(m (L/2 - t)) / cosh(m (L/2 - t - 1)); NaN if there is none.");
  m.def("log_mass", &analysis::log_mass, py::arg("here"), py::arg("next"),
        "log(C(t) / C(t + 1)); NaN if there is none.");
}

}  // namespace

void bind_analysis(py::module_& m) {
  bind_estimates(m);
  bind_fits(m);
  m.def("read_hdf5", &read_hdf5, py::arg("file"),
        py::arg("attributes") = std::vector<std::pair<std::string, std::string>>{});
}

}  // namespace trellis::python
