// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis.Lattice, trellis.GaugeField.
#include <pybind11/complex.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/app/version.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/finite_links.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/openqcd_functional.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/measure/loops/glueballs.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"
#include "trellis/measure/observable.hpp"

namespace trellis::python {

void require_shape(const py::array& array, const std::vector<py::ssize_t>& shape, const char* argument) {
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  if (found != shape)
    fail_input("{}: found an array of shape {}, expected {}", argument, shape_text(found), shape_text(shape));
}

Lattice make_lattice(const Coordinate& extents, int lanes) {
  for (const int extent : extents)
    if (extent < 2 || extent % 2 != 0)
      fail_input("extents: found {}, expected even numbers of at least 2", to_string(extents));
  if (lanes != 0) require_lanes(lanes);
  return Lattice(extents, lanes == 0 ? Lattice::best_lanes(extents, sizeof(double)) : lanes);
}

namespace {

namespace fs = std::filesystem;
using Release = py::call_guard<py::gil_scoped_release>;

// ---- how fields are made ----

// As [start] kind = "cold".
PyGaugeField unit_links(const Lattice& lattice, const BoundaryArgument& argument) {
  const auto& boundary = argument.value;
  require_boundary(boundary, lattice);
  return make_gauge_field(lattice, boundary, [&]<int W>() {
    const auto u = GaugeField<double, W>::unit(lattice);
    gauge::impose_boundary(boundary, u);
    return u;
  });
}

// As [start] kind = "hot" with this seed.
PyGaugeField random_links(const Lattice& lattice, std::uint64_t seed, const BoundaryArgument& argument) {
  const auto& boundary = argument.value;
  require_boundary(boundary, lattice);
  return make_gauge_field(lattice, boundary, [&]<int W>() {
    GaugeField<double, W> u(lattice);
    gauge::hot_start(RandomStream{seed, 0, gauge::hot_start_purpose}, u);
    gauge::reunitarise(u);
    gauge::impose_boundary(boundary, u);
    return u;
  });
}

// f(x) for the sites whose link in t leaves the last slice.
template <class F>
void for_missing_links(const Lattice& lattice, const F& f) {
  const auto slice = lattice.volume() / lattice.size(3);
  for (auto n = lattice.volume() - slice; n < lattice.volume(); ++n) f(lattice.coordinate(n));
}

bool is_functional(const gauge::Boundary& boundary) {
  return boundary.kind == gauge::BoundaryKind::schroedinger_functional;
}

std::optional<PyBoundary> boundary_in(const std::optional<BoundaryArgument>& argument) {
  return argument ? std::optional(argument->value) : std::nullopt;
}

// Whether the links show an open boundary; it is an error if that is not what the caller said.
PyBoundary boundary_of(const std::string& what, bool open, const std::optional<PyBoundary>& said) {
  if (said && open != (said->kind == gauge::BoundaryKind::open))
    fail_input("{}: the boundary in t is {}, but boundary= says {}", what,
               open ? "open (the links across it are zero)" : "not open", gauge::name_of(*said));
  return said.value_or(gauge::Boundary{.kind = open ? gauge::BoundaryKind::open : gauge::BoundaryKind::periodic});
}

// The boundary that the file's record says, with weights of the action that are said. It is an error if they
// contradict.
PyBoundary with_record(const std::string& file, const PyBoundary& recorded, const std::optional<PyBoundary>& said) {
  if (!said) return recorded;
  auto boundary = *said;
  const auto require = [&](bool agree, const char* what) {
    if (!agree)
      fail_input("{}: its record says that the boundary in t is {}, but boundary= says {}{}", file,
                 gauge::name_of(recorded), gauge::name_of(*said), what);
  };
  require(said->kind == recorded.kind && said->extent == recorded.extent, "");
  for (const auto& [known, angles, what] : {std::tuple{&recorded.phi, &boundary.phi, ", with another phi"},
                                            {&recorded.phi_prime, &boundary.phi_prime, ", with another phi_prime"}}) {
    constexpr std::array<double, 3> none{};
    if (*angles == none) *angles = *known;
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-12; };
    require(*known == none || std::ranges::equal(*known, *angles, same), what);
  }
  if (boundary.has_weights || !recorded.has_weights) return boundary;
  auto with_weights = recorded;
  with_weights.phi = boundary.phi;
  with_weights.phi_prime = boundary.phi_prime;
  return with_weights;
}

// Files of openQCD do not have all slices of a Schroedinger functional.
std::optional<io::SchroedingerFunctional> functional_of(const std::optional<PyBoundary>& said) {
  if (!said || !is_functional(*said)) return std::nullopt;
  return io::SchroedingerFunctional{said->extent, said->phi_prime};
}

PyGaugeField read_links(const fs::path& file, const std::optional<Coordinate>& size, bool accept_damage,
                        const std::optional<BoundaryArgument>& argument) {
  const auto said = boundary_in(argument);
  const auto functional = functional_of(said);
  const auto boundary = [&] {
    const io::GaugeReader any(file, {.size = size, .open_in_time = true, .functional = functional});
    io::require_no_open_boundary(file, any);
    const bool open = any.seems_open()[3];
    const auto shown = boundary_of(file.string(), open, said);
    const auto recorded = app::recorded_boundary(file);
    return recorded && open == (recorded->kind == gauge::BoundaryKind::open)
               ? with_record(file.string(), {*recorded, !is_functional(*recorded) || app::has_recorded_weights(file)},
                             said)
               : shown;
  }();
  const io::GaugeReader reader(
      file, {.size = size, .open_in_time = boundary.kind == gauge::BoundaryKind::open, .functional = functional});
  const auto lattice = make_lattice(reader.info().size);
  require_boundary(boundary, lattice);
  return make_gauge_field(lattice, boundary, [&]<int W>() {
    GaugeField<double, W> u(lattice);
    app::read_sound_links<W>(reader, file, {accept_damage, "the call of GaugeField.read"}, u, boundary);
    return u;
  });
}

// The largest deviation from SU(3) of links that exist.
template <int W>
double unitarity_violation(const GaugeField<double, W>& u, const gauge::Boundary& boundary) {
  if (boundary.kind != gauge::BoundaryKind::open) return gauge::unitarity_violation(u);
  const auto all = u.clone();
  std::array<double, 18> one{};
  one[0] = one[8] = one[16] = 1;
  for_missing_links(u.lattice(), [&](const Coordinate& x) { all.set_link(x, 3, one); });
  return gauge::unitarity_violation(all);
}

template <int W>
void require_unitary(const GaugeField<double, W>& u, std::optional<double> tolerance, const gauge::Boundary& boundary) {
  if (!tolerance) return;
  const double violation = unitarity_violation(u, boundary);
  if (!(violation <= *tolerance))
    fail_input("links: a matrix differs from SU(3) by {:.2g}, more than the tolerance of {:g}", violation, *tolerance);
}

Coordinate extents_of(const py::array& links) {
  if (links.ndim() != 7) fail_input("links: found {} dimensions, expected 7: [t][z][y][x][mu][3][3]", links.ndim());
  return {int(links.shape(3)), int(links.shape(2)), int(links.shape(1)), int(links.shape(0))};
}

// Whether all links in t that leave the last slice are zero.
bool is_open(const ComplexArray& links) {
  const auto sites = links.size() / 36, slice = sites / links.shape(0);
  for (py::ssize_t n = sites - slice; n < sites; ++n)
    for (int k = 27; k < 36; ++k)
      if (links.data()[36 * n + k] != 0.0) return false;
  return true;
}

PyGaugeField links_from_numpy(const ComplexArray& links, std::optional<double> tolerance,
                              const std::optional<BoundaryArgument>& said) {
  const auto extents = extents_of(links);
  require_shape(links, site_shape(extents, {4, 3, 3}), "links");
  const auto lattice = make_lattice(extents);
  const auto boundary = boundary_of("links", is_open(links), boundary_in(said));
  require_boundary(boundary, lattice);
  const auto* const numbers = reinterpret_cast<const double*>(links.data());
  const py::gil_scoped_release release;
  return make_gauge_field(lattice, boundary, [&]<int W>() {
    GaugeField<double, W> u(lattice);
    set_links(numbers, u);
    require_unitary(u, tolerance, boundary);
    return u;
  });
}

// Checked before anything is changed.
void assign(const PyGaugeField& to, const ComplexArray& links, std::optional<double> tolerance) {
  require_shape(links, site_shape(to.lattice().size(), {4, 3, 3}), "links");
  boundary_of("links", is_open(links), to.boundary);
  const auto* const numbers = reinterpret_cast<const double*>(links.data());
  const py::gil_scoped_release release;
  to.links.visit([&](const auto& u) {
    const auto checked = u.clone();
    set_links(numbers, checked);
    require_unitary(checked, tolerance, to.boundary);
    u.copy_from(checked);
  });
}

ComplexArray links_to_numpy(const PyGaugeField& field) {
  ComplexArray array(site_shape(field.lattice().size(), {4, 3, 3}));
  auto* const numbers = reinterpret_cast<double*>(array.mutable_data());
  const py::gil_scoped_release release;
  field.links.visit([&](const auto& u) { copy_links(u, numbers); });
  return array;
}

// ---- files ----

const io::FileFormat& format_for(const fs::path& file, const std::optional<std::string>& name) {
  std::string known;
  auto extension = file.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  for (const auto& format : io::file_formats()) {
    if (format.write == nullptr) continue;
    known += (known.empty() ? "" : ", ") + format.name;
    if (name ? format.name == *name : format.name == extension || std::ranges::count(format.extensions, extension) > 0)
      return format;
  }
  if (name) fail_input("format: found '{}', expected one of {}", *name, known);
  fail_input("{}: its extension names no format; say format=, one of {}", file.string(), known);
}

void write_links(const PyGaugeField& field, const fs::path& file, const std::optional<std::string>& format,
                 const std::optional<std::string>& precision) {
  const auto& chosen = format_for(file, format);
  if (precision && *precision != "double" && *precision != "single")
    fail_input("precision: found '{}', expected double or single", *precision);
  const auto usual = chosen.only.value_or(Precision::double_);
  const auto asked = precision ? precision_named(*precision) : usual;
  if (chosen.only && asked != usual)
    fail_input("precision: files of the format {} are in {} precision; found '{}'", chosen.title, name_of(usual),
               *precision);
  app::require_output_file("file", file.string());
  const auto functional = app::functional_text(field.boundary, field.boundary.has_weights);
  field.links.visit([&](const auto& u) {
    const auto links = io::link_source(u).source;
    io::WriteParameters parameters{.size = u.lattice().size(),
                                   .precision = asked,
                                   .provenance = app::version_text() + ", Python\n" + functional,
                                   .functional = functional,
                                   .check = {}};
    if (chosen.name == "openqcd" && !functional.empty()) {
      const auto slices = io::openqcd_slices(file, field.boundary.extent, parameters.size, 1e-12, links);
      parameters.size = slices.size;
      parameters.plaquette = slices.plaquette;
    }
    chosen.write(file, parameters, links);
  });
}

// ---- Wilson loops and glueballs ----

// A member of each of the results, as an array.
template <class T, class Result>
py::array_t<T> column_of(const std::vector<Result>& results, T Result::* member) {
  py::array_t<T> values(static_cast<py::ssize_t>(results.size()));
  for (std::size_t i = 0; i < results.size(); ++i) values.mutable_data()[i] = results[i].*member;
  return values;
}

py::dict wilson_loops(const PyGaugeField& field, const std::vector<std::string>& directions, int distance, int time,
                      double ape_alpha, const std::vector<int>& ape_levels,
                      const std::optional<std::vector<double>>& hyp_alpha, int boundary_distance) {
  const measure::WilsonLoopSelection selection{.directions = directions,
                                               .distance = distance,
                                               .time = time,
                                               .ape_alpha = ape_alpha,
                                               .levels = ape_levels,
                                               .hyp_alpha = hyp_alpha.value_or(std::vector<double>{}),
                                               .boundary_distance = boundary_distance};
  const auto loops = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) { return measure::wilson_loops(selection, u, field.boundary); });
  }();
  py::list names;
  for (const auto& loop : loops) names.append(loop.direction);
  using measure::WilsonLoop;
  py::dict results;
  results["direction"] = py::module_::import("numpy").attr("array")(names, py::arg("dtype") = py::str("str"));
  results["distance"] = column_of(loops, &WilsonLoop::distance);
  results["time"] = column_of(loops, &WilsonLoop::time);
  results["level"] = column_of(loops, &WilsonLoop::level);
  results["other_level"] = column_of(loops, &WilsonLoop::other_level);
  results["value"] = column_of(loops, &WilsonLoop::value);
  return results;
}

py::dict glueball_operators(const PyGaugeField& field, double ape_alpha, const std::vector<int>& ape_levels) {
  const measure::GlueballSelection selection{.ape_alpha = ape_alpha, .levels = ape_levels};
  const auto found = [&] {
    const py::gil_scoped_release release;
    return field.links.visit([&](const auto& u) { return measure::glueball_operators(selection, u, field.boundary); });
  }();
  using measure::GlueballOperators;
  py::dict results;
  results["level"] = column_of(found, &GlueballOperators::level);
  results["time"] = column_of(found, &GlueballOperators::time);
  results["scalar"] = column_of(found, &GlueballOperators::scalar);
  results["tensor_1"] = column_of(found, &GlueballOperators::tensor_1);
  results["tensor_2"] = column_of(found, &GlueballOperators::tensor_2);
  results["pseudoscalar"] = column_of(found, &GlueballOperators::pseudoscalar);
  return results;
}

// Numbers of one configuration: f(links, boundary).
template <class F>
auto measured(F f) {
  return
      [f](const PyGaugeField& field) { return field.links.visit([&](const auto& u) { return f(u, field.boundary); }); };
}

template <int W>
gauge::CloverObservables clover(const GaugeField<double, W>& u, const gauge::Boundary& boundary) {
  return measure::Configuration<W>(u, boundary).clover();
}

void bind_loops(py::class_<PyGaugeField>& c) {
  c.def("plaquette", measured([](const auto& u, const auto& b) { return gauge::plaquette(b, u).average; }), Release(),
        "The average of Re tr P / 3 over all sites and planes; of the plaquettes that exist, with a boundary in time.");
  c.def("plaquette_spatial", measured([](const auto& u, const auto& b) { return gauge::plaquette(b, u).spatial; }),
        Release(), "The average of Re tr P / 3 over the planes xy, xz, yz.");
  c.def("plaquette_temporal", measured([](const auto& u, const auto& b) { return gauge::plaquette(b, u).temporal; }),
        Release(), "The average of Re tr P / 3 over the planes xt, yt, zt.");
  c.def("rectangle", measured([](const auto& u, const auto& b) { return gauge::rectangle(b, u); }), Release(),
        "The average of Re tr R / 3 over all sites and both orientations of the 2x1 rectangle.");
  c.def("parallelogram", measured([](const auto& u, const auto& b) { return gauge::parallelogram(b, u); }), Release(),
        "The average of Re tr / 3 over all sites and the 16 loops a b c -a -b -c of three different directions.");
  c.def(
      "polyakov_loop",
      [](const PyGaugeField& field, int direction) {
        if (direction < 0 || direction > 3) fail_input("direction: found {}, expected 0 to 3", direction);
        if (direction == 3) require_periodic(field, "polyakov_loop in t");
        return field.links.visit([&](const auto& u) { return gauge::polyakov_loop(u, direction); });
      },
      py::arg("direction") = 3, Release(),
      "The average of tr (product of the links around the lattice in this direction; 3 is t) / 3.");
  c.def("wilson_loops", &wilson_loops, py::arg("directions") = std::vector<std::string>{"100"}, py::arg("distance") = 4,
        py::arg("time") = 4, py::arg("ape_alpha") = 0.5, py::arg("ape_levels") = std::vector<int>{0},
        py::arg("hyp_alpha") = std::nullopt, py::arg("boundary_distance") = 0,
        "Wilson loops as [measure.wilson_loops] has them: direction, distance, time, level, other_level and value "
        "(averages of Re tr / 3), an entry for each loop. hyp_alpha: three numbers, for HYP links in time. "
        "boundary_distance: of their times from boundaries, with boundaries in time.");
  c.def("glueball_operators", &glueball_operators, py::arg("ape_alpha") = 0.5,
        py::arg("ape_levels") = std::vector<int>{0, 4, 8, 16},
        "Operators of glueballs at rest as [measure.glueballs] has them: level, time, scalar, tensor_1, tensor_2 and "
        "pseudoscalar, an entry for each level and time slice.");
  c.def("link_trace", measured([](const auto& u, const auto&) { return gauge::link_trace(u); }), Release(),
        "The average of Re tr U / 3 over all links; not gauge invariant.");
  c.def("unitarity_violation", measured([](const auto& u, const auto& b) { return unitarity_violation(u, b); }),
        Release(), "The largest deviation of a link from SU(3); not of those that do not exist at an open boundary.");
  c.def("topological_charge", measured([](const auto& u, const auto& b) { return clover(u, b).topological_charge; }),
        Release(),
        "Q = 1/(32 pi^2) sum_x eps_{mu nu rho sigma} tr F_{mu nu} F_{rho sigma}, F by the clover definition.");
  c.def("energy_density", measured([](const auto& u, const auto& b) { return clover(u, b).energy_density; }), Release(),
        "a^4 E = 1/V sum_x 1/4 F^a_{mu nu} F^a_{mu nu}, F by the clover definition; over the slices between boundaries "
        "in "
        "time.");
}

void bind_gauge_field(py::module_& m) {
  py::class_<PyGaugeField> c(m, "GaugeField",
                             "The links U_mu(x) of a lattice, SU(3) matrices in double precision; U_mu(x) leads from x "
                             "to x + mu, mu = 0, 1, 2, 3 is x, y, z, t.");
  c.def_static("unit", &unit_links, py::arg("lattice"), py::arg("boundary") = PyBoundary{}, Release(),
               "All links are 1, except those that a boundary in time takes away or fixes.");
  c.def_static("random", &random_links, py::arg("lattice"), py::arg("seed") = 1, py::arg("boundary") = PyBoundary{},
               Release(), "Links from the Haar measure: the start of a run with [start] kind = \"hot\" and this seed.");
  c.def_static(
      "read", &read_links, py::arg("file"), py::arg("size") = std::nullopt, py::arg("accept_damage") = false,
      py::arg("boundary") = std::nullopt, Release(),
      "The links of a file of any format that `trellis inspect` knows. size: x, y, z, t, for files that do not "
      "state it. Checksums, unitarity and the plaquette of the header are verified. boundary: in time; None: as the "
      "links and the file's record show. It says c_G and other weights of files that do not. Files of openQCD need it "
      "for a Schroedinger functional, with phi_prime.");
  c.def_static(
      "from_numpy", &links_from_numpy, py::arg("links"), py::arg("tolerance") = 1e-6,
      py::arg("boundary") = std::nullopt,
      "A copy of complex numbers [t][z][y][x][mu][3][3]. ValueError unless every matrix is in SU(3) within the "
      "tolerance; None: not checked. boundary: in time; None: open if all links in t that leave the last slice are "
      "zero, "
      "otherwise periodic.");
  c.def("assign", &assign, py::arg("links"), py::arg("tolerance") = 1e-6, "Replaces the links, as from_numpy does.");
  c.def("as_numpy", &links_to_numpy, "A copy of the links as complex numbers [t][z][y][x][mu][3][3].");
  c.def("write", &write_links, py::arg("file"), py::arg("format") = std::nullopt, py::arg("precision") = std::nullopt,
        Release(),
        "Writes a file whose format is named or follows from the extension: ildg, nersc, ... precision: double or "
        "single; by default that of the format, or double.");
  c.def_property_readonly("lattice", &PyGaugeField::lattice);
  c.def_property_readonly("boundary", [](const PyGaugeField& field) { return field.boundary; }, "In time.");
  c.def(
      "reunitarise",
      [](const PyGaugeField& field) {
        field.links.visit([](const auto& u) {
          gauge::require_finite("reunitarise", u);
          gauge::reunitarise(u);
        });
      },
      Release(), "Removes, in place, rounding errors that take links out of SU(3).");
  c.def(
      "exchange", [](const PyGaugeField& field) { field.links.visit([](const auto& u) { u.exchange(); }); }, Release(),
      "To be called after another library has changed the links through DLPack.");
  bind_loops(c);
  bind_flow(c);
  c.def("__repr__", [](const PyGaugeField& field) {
    return fmt::format("<trellis.GaugeField on {}{}>", to_string(field.lattice().size()),
                       field.boundary.is_periodic() ? "" : ", " + gauge::name_of(field.boundary) + " in t");
  });
  bind_dlpack(c);
}

// [tile][lane]: the number ((t Lz + z) Ly + y) Lx + x of each site.
py::array_t<std::int64_t> native_sites(const Lattice& lattice) {
  py::array_t<std::int64_t> sites(std::vector<py::ssize_t>{lattice.tiles(), lattice.lanes()});
  for (int n = 0; n < lattice.tiles(); ++n)
    lattice.sites(lattice.own_tile(n), sites.mutable_data() + std::ptrdiff_t(n) * lattice.lanes());
  return sites;
}

}  // namespace

void bind_lattice(py::module_& m) {
  py::class_<Lattice>(
      m, "Lattice", "A lattice, periodic in space. Directions 0, 1, 2, 3 are x, y, z, t; extents are even, at least 2.")
      .def(py::init(&make_lattice), py::arg("extents"), py::arg("lanes") = 0,
           "extents: x, y, z, t. lanes: sites side by side in a register; 0: as many as the machine has.")
      .def_property_readonly("extents", [](const Lattice& lattice) { return to_tuple(lattice.size()); })
      .def_property_readonly("volume", &Lattice::volume)
      .def_property_readonly("lanes", &Lattice::lanes)
      .def("native_sites", &native_sites,
           "[tile][lane]: the number ((t Lz + z) Ly + y) Lx + x of each site of the native order (GaugeField.native).")
      .def(
          "__eq__", [](const Lattice& a, const Lattice& b) { return a == b; }, py::is_operator())
      .def("__repr__",
           [](const Lattice& lattice) { return fmt::format("trellis.Lattice(({}))", joined(lattice.size(), ", ")); });
  bind_gauge_field(m);
}

}  // namespace trellis::python
