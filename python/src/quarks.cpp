// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis.StaggeredOperator, trellis.WilsonOperator, and hadron correlators of Wilson quarks.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "trellis/app/input/input_sections.hpp"
#include "trellis/app/input/toml_reader.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/measure/staggered_inverse.hpp"
#include "trellis/measure/wilson_inverse.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace trellis::python {
namespace {

using solver::SolverReport;
using PySolution = std::pair<ComplexArray, SolverReport>;
// Links in the operator's own precision. An alias, because clang takes no default for a parameter of AnyLanes.
template <class T, int W>
using StaggeredOperator = dirac::StaggeredOperator<T, W>;

// The number of vectors of an array: 1 if its first index is missing.
int count_of(const ComplexArray& array, const Coordinate& size, const std::vector<py::ssize_t>& numbers) {
  auto shape = site_shape(size, numbers);
  if (array.ndim() == py::ssize_t(shape.size()) + 1)
    shape.insert(shape.begin(), std::max<py::ssize_t>(1, array.shape(0)));
  require_shape(array, shape, "vector");
  constexpr py::ssize_t most = 64;
  const auto count = array.ndim() == py::ssize_t(4 + numbers.size()) ? 1 : array.shape(0);
  if (count > most) fail_input("vector: found {} vectors, expected at most {} at a time", count, most);
  return int(count);
}

void require_finite(const ComplexArray& vector) {
  const auto* const numbers = reinterpret_cast<const double*>(vector.data());
  if (!std::all_of(numbers, numbers + 2 * vector.size(), [](double x) { return std::isfinite(x); }))
    fail_input("vector: a number is not finite");
}

// The array of f(in, out), of the shape of `in`. f runs without the interpreter's lock.
template <int Reals, int W, class F>
ComplexArray applied(const Lattice& lattice, const ComplexArray& in, const std::vector<py::ssize_t>& numbers,
                     const F& f) {
  const int count = count_of(in, lattice.size(), numbers);
  ComplexArray out(std::vector<py::ssize_t>(in.shape(), in.shape() + in.ndim()));
  const auto* const from = reinterpret_cast<const double*>(in.data());
  auto* const to = reinterpret_cast<double*>(out.mutable_data());
  const py::gil_scoped_release release;
  const measure::FullFields<double, Reals, W> x(lattice, count), y(lattice, count);
  copy_vectors<Reals, W, false>(x, from);
  f(x, y);
  copy_vectors<Reals, W, true>(y, to);
  return out;
}

// ---- staggered ----

// With boundaries in time quarks do not go around the lattice.
void require_known_boundary(const gauge::Boundary& boundary, double imaginary_mu,
                            const std::array<std::int64_t, 6>& flux_quanta) {
  if (boundary.is_periodic()) return;
  if (imaginary_mu != 0)
    fail_input("imaginary_mu: nothing depends on it, because no quark goes around the lattice; its boundary is {}",
               gauge::name_of(boundary));
  for (std::size_t k = 0; k < 3; ++k)
    if (flux_quanta[k] != 0)
      fail_input("flux_quanta: a flux through a plane with t needs a periodic lattice; the boundary is {}",
                 gauge::name_of(boundary));
}

void require_angles(const std::array<double, 3>& angles, double imaginary_mu) {
  for (const double angle : angles)
    if (!(std::abs(angle) <= 2)) fail_input("space_angles_over_pi: found {}, expected numbers from -2 to 2", angle);
  if (!(std::abs(imaginary_mu) <= 1000))
    fail_input("imaginary_mu: found {}, expected a number from -1000 to 1000", imaginary_mu);
}

class PyStaggered {
 public:
  PyStaggered(const PyGaugeField& field, double mass, const dirac::LinkPhases& phases)
      : operator_(field.links.visit([&]<int W>(const GaugeField<double, W>& u) {
          return AnyLanes<StaggeredOperator>(
              dirac::StaggeredOperator<double, W>(dirac::StaggeredLinks<double, W>(u), phases, mass));
        })) {
    if (!(mass >= 0)) fail_input("mass: found {}, expected at least 0", mass);
  }

  double mass() const {
    return operator_.visit([](const auto& d) { return d.mass(); });
  }

  // M x = m x + D x, or M^dagger x = m x - D x.
  ComplexArray apply(const ComplexArray& in, bool adjoint) const {
    return operator_.visit([&]<int W>(const dirac::StaggeredOperator<double, W>& d) {
      return applied<6, W>(d.lattice(), in, {3}, [&](const auto& x, const auto& y) {
        const auto each = [&](double a) { return std::vector<double>(std::size_t(x.count()), a); };
        for (const std::size_t parity : {0, 1}) {
          d.hop(x.part[1 - parity], y.part[parity]);
          solver::scale_and_add(each(adjoint ? -1 : 1), each(d.mass()), x.part[parity], y.part[parity]);
        }
      });
    });
  }

  PySolution solve(const ComplexArray& b, double residual, int max_iterations) const {
    if (!(residual > 0 && residual < 1))
      fail_input("residual: found {}, expected a number above 0 and below 1", residual);
    require_finite(b);
    if (max_iterations < 1) fail_input("max_iterations: found {}, expected at least 1", max_iterations);
    SolverReport report;
    auto x = operator_.visit([&]<int W>(const dirac::StaggeredOperator<double, W>& d) {
      return applied<6, W>(d.lattice(), b, {3}, [&](const auto& from, const auto& to) {
        report = measure::staggered_inverse(d, from, to, {residual, max_iterations}, "staggered quarks");
      });
    });
    return {std::move(x), report};
  }

 private:
  AnyLanes<StaggeredOperator> operator_;
};

// ---- Wilson ----

template <class T, int W>
using WilsonOperatorOf = std::shared_ptr<const dirac::WilsonOperator<T, W>>;
template <class T, int W>
using WilsonInverseOf = std::shared_ptr<const measure::WilsonInverse<W>>;

class PyWilson {
 public:
  PyWilson(const PyGaugeField& field, const dirac::WilsonParameters& parameters)
      : links_(field.links.visit([](const auto& u) { return AnyLanes<GaugeField>(u.clone()); })),
        parameters_(parameters),
        operator_(links_.visit([&]<int W>(const GaugeField<double, W>& u) {
          return AnyLanes<WilsonOperatorOf>(std::make_shared<const dirac::WilsonOperator<double, W>>(u, parameters));
        })) {}

  ComplexArray apply(const ComplexArray& in, bool adjoint) const {
    const auto sign = adjoint ? dirac::HopSign::adjoint : dirac::HopSign::plain;
    return operator_.visit([&]<int W>(const WilsonOperatorOf<double, W>& m) {
      return applied<24, W>(m->lattice(), in, {4, 3}, [&](const auto& x, const auto& y) {
        for (const std::size_t parity : {0, 1}) m->full(x.part[parity], x.part[1 - parity], y.part[parity], sign);
      });
    });
  }

  PySolution solve(const ComplexArray& b, const std::string& solver, const std::string& precision, double residual,
                   int max_iterations) {
    require_finite(b);
    prepare({solver, precision, residual, max_iterations});
    SolverReport report;
    auto x = links_.visit([&]<int W>(const GaugeField<double, W>& u) {
      return applied<24, W>(u.lattice(), b, {4, 3}, [&](const auto& from, const auto& to) {
        report = (*inverse_->template get<W>())(from, to, "Wilson quarks");
      });
    });
    return {std::move(x), report};
  }

  const dirac::WilsonParameters& parameters() const { return parameters_; }

 private:
  using Choice = std::tuple<std::string, std::string, double, int>;

  // Packs the links for the solver, unless it is the one of the last call.
  void prepare(const Choice& choice) {
    if (inverse_ && choice == choice_) return;
    const py::gil_scoped_release release;
    const auto& [solver, precision, residual, max_iterations] = choice;
    const measure::WilsonInverseParameters p{
        .solver = named("solver", measure::wilson_solvers, solver).value,
        .precision = named("precision", measure::solver_precisions, precision).value,
        .residual = residual,
        .max_iterations = max_iterations};
    inverse_.reset();
    inverse_ = links_.visit([&]<int W>(const GaugeField<double, W>& u) {
      return AnyLanes<WilsonInverseOf>(std::make_shared<const measure::WilsonInverse<W>>(u, parameters_, p));
    });
    choice_ = choice;
  }

  AnyLanes<GaugeField> links_;  // as they were
  dirac::WilsonParameters parameters_;
  AnyLanes<WilsonOperatorOf> operator_;
  Choice choice_;
  std::optional<AnyLanes<WilsonInverseOf>> inverse_;
};

// ---- hadrons ----

// `keys`: TOML, the keys of [measure.hadrons]; seed, trajectory: of noise.
py::dict hadrons(const PyGaugeField& field, const std::string& keys, std::uint64_t seed, std::uint32_t trajectory) {
  const auto table = app::Table::parse(keys, "hadrons");
  app::MeasureSection section;
  section.hadrons = app::read_hadrons(table);
  table.finish();
  if (field.boundary.is_periodic() && section.hadrons->c_f != 1)
    table.wrong("c_F", "found {}; only links with a boundary in time have another than 1", section.hadrons->c_f);
  app::QuarkInput none;
  app::set_boundary(field.boundary, none, section);
  auto selection = app::hadron_job(section).value().selection;
  selection.noise.seed = seed;
  selection.noise.trajectory = trajectory;
  measure::HadronMeasurement m;
  {
    const py::gil_scoped_release release;
    m = field.links.visit([&](const auto& u) {
      // Names of files of propagators: links have none here.
      if (selection.inverse.kept.wanted())
        selection.inverse.kept.configuration = fmt::format("links-{:016x}", fingerprint(u));
      return measure::measure_hadrons(selection, u);
    });
  }
  // [kappa][sink][source][momentum][t] for each channel; of named quarks [sink][source][momentum][t] for each hadron
  const auto kappas = selection.kappas.size(), sinks = selection.sinks.size(), channels = selection.channels.size();
  py::dict correlators;
  const auto hadrons = selection.hadrons();
  for (std::size_t hadron = 0; hadron < hadrons.size(); ++hadron) {
    ComplexArray array(std::vector<py::ssize_t>{py::ssize_t(sinks), m.sources, m.momenta, m.times});
    auto* to = array.mutable_data();
    for (std::size_t sink = 0; sink < sinks; ++sink)
      to = std::ranges::copy(m.at(sink * hadrons.size() + hadron), to).out;
    correlators[py::make_tuple(hadrons[hadron].quarks, hadrons[hadron].channel)] = array;
  }
  for (std::size_t channel = 0; channel < channels && hadrons.empty(); ++channel) {
    ComplexArray array(
        std::vector<py::ssize_t>{py::ssize_t(kappas), py::ssize_t(sinks), m.sources, m.momenta, m.times});
    auto* to = array.mutable_data();
    for (std::size_t place = 0; place < kappas * sinks; ++place)
      to = std::ranges::copy(m.at(place * channels + channel), to).out;
    correlators[py::str(selection.channels[channel])] = array;
  }
  // [source][momentum][t] for each fixed sink and current
  py::dict three_point;
  for (std::size_t n = 0; n < m.fixed_sinks.size(); ++n) {
    const auto& sink = selection.fixed_sinks[n];
    const auto currents = sink.currents.size(), length = sink.momenta.size() * std::size_t(m.times);
    for (std::size_t current = 0; current < currents; ++current) {
      ComplexArray array(std::vector<py::ssize_t>{m.sources, py::ssize_t(sink.momenta.size()), m.times});
      auto* to = array.mutable_data();
      for (std::size_t source = 0; source < std::size_t(m.sources); ++source)
        to = std::copy_n(m.fixed_sinks[n].data() + (source * currents + current) * length, length, to);
      three_point[py::make_tuple(sink.name, sink.currents[current])] = array;
    }
  }
  std::vector<std::string> sink_names;
  for (const auto sink : selection.sinks) sink_names.push_back(app::sink_name(sink));
  py::dict results;
  results["correlators"] = correlators;
  results["three_point"] = three_point;
  results["kappas"] = selection.kappas;
  results["sinks"] = sink_names;
  results["sources"] = selection.sources(field.lattice().size());
  results["momenta"] = selection.momenta;
  results["residual"] = m.residual;
  results["iterations"] = m.iterations;
  results["seconds"] = m.seconds;
  return results;
}

}  // namespace

void bind_quarks(py::module_& m) {
  py::class_<SolverReport>(m, "SolverReport", "How a solver ended; residuals are the true ones, |b - M x| / |b|.")
      .def_readonly("iterations", &SolverReport::iterations, "The largest number over the vectors.")
      .def_readonly("residuals", &SolverReport::residuals)
      .def_readonly("converged", &SolverReport::converged)
      .def_readonly("operator_applications", &SolverReport::operator_applications)
      .def_readonly("seconds", &SolverReport::seconds)
      .def_property_readonly("method", [](const SolverReport& r) { return std::string(r.method); })
      .def("__repr__", [](const SolverReport& r) {
        return fmt::format("<trellis.SolverReport: {}, {} iterations, largest residual {:.2e}, {:.3g} s>", r.method,
                           r.iterations, r.residuals.empty() ? 0.0 : *std::ranges::max_element(r.residuals), r.seconds);
      });

  py::class_<PyStaggered>(m, "StaggeredOperator",
                          "M = m + D of one-link staggered quarks,\n"
                          "D psi(x) = 1/2 sum_mu eta_mu(x) [u_mu(x) U_mu(x) psi(x+mu) - h.c. at x-mu].\n"
                          "Vectors are complex arrays [t][z][y][x][colour], or several, [n][t][z][y][x][colour].")
      .def(py::init([](const PyGaugeField& links, double mass, bool antiperiodic_time, double imaginary_mu,
                       const std::array<std::int64_t, 6>& flux_quanta, const std::array<double, 3>& angles) {
             require_known_boundary(links.boundary, imaginary_mu, flux_quanta);
             require_angles(angles, imaginary_mu);
             return PyStaggered(links, mass, {antiperiodic_time, imaginary_mu, flux_quanta, links.boundary, angles});
           }),
           py::arg("links"), py::arg("mass"), py::arg("antiperiodic_time") = true, py::arg("imaginary_mu") = 0.0,
           py::arg("flux_quanta") = std::array<std::int64_t, 6>{},
           py::arg("space_angles_over_pi") = std::array<double, 3>{},
           "mass: a m. imaginary_mu: mu_I / (pi T). flux_quanta: charge times flux in ex, ey, ez, bx, by, bz. "
           "space_angles_over_pi: a quark gets exp(i pi angle) on its way around the lattice in x, y, z. Later changes "
           "of the links are not seen.",
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("mass", &PyStaggered::mass)
      .def(
          "apply", [](const PyStaggered& d, const ComplexArray& x) { return d.apply(x, false); }, py::arg("vector"),
          "M x")
      .def(
          "apply_adjoint", [](const PyStaggered& d, const ComplexArray& x) { return d.apply(x, true); },
          py::arg("vector"), "M^dagger x")
      .def("solve", &PyStaggered::solve, py::arg("vector"), py::arg("residual") = 1e-10,
           py::arg("max_iterations") = 50000,
           "(x, SolverReport) with M x = vector, |b - M x| <= residual |b|, by conjugate gradients on the even sites: "
           "(m^2 - D_eo D_oe) x_e = m b_e - D_eo b_o. Several vectors are solved for together.");

  py::class_<PyWilson>(
      m, "WilsonOperator",
      "M = A - kappa D of Wilson quarks, A = 1 or the clover term,\n"
      "D psi(x) = sum_mu (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu^dagger(x-mu) psi(x-mu), "
      "gamma matrices in the DeGrand-Rossi basis.\n"
      "Vectors are complex arrays [t][z][y][x][spin][colour], or several, [n][t][z][y][x][spin][colour].")
      .def(py::init([](const PyGaugeField& links, double kappa, double clover, std::optional<double> clover_temporal,
                       double spatial_hopping, const std::array<double, 4>& angles, double c_f) {
             const dirac::WilsonParameters p{.kappa = kappa,
                                             .clover = clover,
                                             .clover_temporal = clover_temporal.value_or(clover),
                                             .spatial_hopping = spatial_hopping,
                                             .boundary_angle_over_pi = angles,
                                             .boundary = links.boundary,
                                             .c_f = c_f};
             dirac::require_valid(p);
             return PyWilson(links, p);
           }),
           py::arg("links"), py::arg("kappa"), py::arg("clover") = 0.0, py::arg("clover_temporal") = std::nullopt,
           py::arg("spatial_hopping") = 1.0, py::arg("boundary_angle_over_pi") = std::array<double, 4>{0, 0, 0, 1},
           py::arg("c_F") = 1.0,
           "kappa = 1 / (2 m_0 + 8); clover: c_sw. The default boundary is antiperiodic in time. c_F: with boundaries "
           "of the links in time. Later changes of the links are not seen.",
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("kappa", [](const PyWilson& w) { return w.parameters().kappa; })
      .def(
          "apply", [](const PyWilson& w, const ComplexArray& x) { return w.apply(x, false); }, py::arg("vector"), "M x")
      .def(
          "apply_adjoint", [](const PyWilson& w, const ComplexArray& x) { return w.apply(x, true); }, py::arg("vector"),
          "M^dagger x")
      .def(
          "solve", &PyWilson::solve, py::arg("vector"), py::arg("solver") = "bicgstab", py::arg("precision") = "double",
          py::arg("residual") = 1e-10, py::arg("max_iterations") = 10000,
          "(x, SolverReport) with M x = vector, |b - M x| <= residual |b|, through the even/odd preconditioned system. "
          "solver: cg (normal equations), bicgstab, gcr; precision of the iterations: double, mixed, 16-bit. Several "
          "vectors are solved for together.");

  m.def("hadrons_from_keys", &hadrons, py::arg("links"), py::arg("keys"), py::arg("seed"), py::arg("trajectory"));
}

}  // namespace trellis::python
