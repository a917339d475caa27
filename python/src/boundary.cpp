// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis.Boundary: the boundary in time of a gauge field.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>

#include "python/src/bindings.hpp"
#include "trellis/core/error.hpp"

namespace trellis::python {
namespace {

using gauge::Boundary;
using gauge::BoundaryKind;
using gauge::BoundaryRectangles;
using Angles = std::array<double, 2>;

constexpr double largest_angle = 20, largest_c_g = 100, largest_c1 = 10;  // as in inputs

const char* kind_name(const Boundary& boundary) {
  switch (boundary.kind) {
    case BoundaryKind::open:
      return "open";
    case BoundaryKind::schroedinger_functional:
      return "schroedinger_functional";
    default:
      return "periodic";
  }
}

const char* rectangles_name(BoundaryRectangles rectangles) {
  return rectangles == BoundaryRectangles::orbifold ? "orbifold" : "weighted";
}

std::array<double, 3> angles_of(const char* name, const std::optional<Angles>& given) {
  const auto [a, b] = given.value_or(Angles{0, 0});
  for (const double angle : {a, b})
    if (!(std::abs(angle) <= largest_angle))
      fail_input("{}: found {}, expected angles from {} to {}", name, angle, -largest_angle, largest_angle);
  return {a, b, -a - b};
}

// Without c_G no weight is known.
PyBoundary make_boundary(const std::string& kind, const std::optional<int>& time_extent,
                         const std::optional<Angles>& phi, const std::optional<Angles>& phi_prime,
                         const std::optional<double>& given_c_g, double c1, const std::string& rectangles,
                         double c_g_rectangles) {
  PyBoundary boundary;
  const double c_g = given_c_g.value_or(1);
  for (const auto known : {BoundaryKind::periodic, BoundaryKind::open, BoundaryKind::schroedinger_functional})
    if (kind == kind_name({.kind = known})) boundary.kind = known;
  if (kind != kind_name(boundary))
    fail_input("boundary: found '{}', expected periodic, open or schroedinger_functional", kind);
  if (!(c_g > 0 && c_g <= largest_c_g)) fail_input("c_G: found {}, expected above 0, to {}", c_g, largest_c_g);
  if (boundary.is_periodic() && c_g != 1) fail_input("c_G: found {}, but the boundary is periodic", c_g);
  boundary.c_g = c_g;
  const bool fixed = boundary.kind == BoundaryKind::schroedinger_functional;
  if (rectangles != rectangles_name(BoundaryRectangles::orbifold) &&
      rectangles != rectangles_name(BoundaryRectangles::weighted))
    fail_input("rectangles: found '{}', expected orbifold or weighted", rectangles);
  if (!(c_g_rectangles > 0 && c_g_rectangles <= largest_c_g))
    fail_input("c_G_rectangles: found {}, expected above 0, to {}", c_g_rectangles, largest_c_g);
  if (!(std::abs(c1) <= largest_c1)) fail_input("c1: found {}, expected {} to {}", c1, -largest_c1, largest_c1);
  if (!fixed && c1 != 0) fail_input("c1: found {}, but a boundary knows it only in a Schroedinger functional", c1);
  if (!fixed && (time_extent || phi || phi_prime))
    fail_input("boundary: time_extent, phi and phi_prime are those of a Schroedinger functional, and this is {}", kind);
  if (!fixed && !given_c_g) fail_input("c_G: found None, for weights that are not known, but the boundary is {}", kind);
  if (!fixed) return boundary;
  boundary.has_weights = given_c_g.has_value();
  if (!boundary.has_weights && (c1 != 0 || rectangles != rectangles_name(BoundaryRectangles::orbifold)))
    fail_input("c_G: found None, for weights that are not known, but c1 or rectangles say some");
  if (!time_extent || *time_extent < 2) fail_input("time_extent: expected at least 2 for a Schroedinger functional");
  boundary.extent = *time_extent;
  boundary.c1 = c1;
  boundary.c_g_rectangles = c_g_rectangles;
  boundary.rectangles = rectangles == rectangles_name(BoundaryRectangles::weighted) ? BoundaryRectangles::weighted
                                                                                    : BoundaryRectangles::orbifold;
  boundary.phi = angles_of("phi", phi);
  boundary.phi_prime = angles_of("phi_prime", phi_prime);
  return boundary;
}

py::object only_if(bool has, const py::object& value) { return has ? value : py::none(); }

}  // namespace

PyBoundary boundary_named(const std::string& name) {
  if (name == kind_name({.kind = BoundaryKind::schroedinger_functional}))
    fail_input(
        "boundary: found '{}', whose name is not enough: time_extent is missing, and phi and phi_prime for fields that "
        "are made here, as in trellis.Boundary(\"{}\", time_extent=7, phi=(-1.0472, 0), phi_prime=(-3.1416, 1.0472))",
        name, name);
  return make_boundary(name, {}, {}, {}, 1, 0, rectangles_name(BoundaryRectangles::orbifold), 1.5);
}

void require_boundary(const Boundary& boundary, const Lattice& lattice) {
  gauge::require_valid(boundary, lattice.size());
}

void require_periodic(const PyGaugeField& field, const char* what) {
  if (!field.boundary.is_periodic())
    fail_input("{} knows only periodic lattices; the boundary of these links is {}", what,
               gauge::name_of(field.boundary));
}

void bind_boundary(py::module_& m) {
  const auto is_fixed = [](const PyBoundary& b) { return b.kind == BoundaryKind::schroedinger_functional; };
  py::class_<PyBoundary>(
      m, "Boundary",
      "The boundary in time of a gauge field, as `boundary` of [lattice] in docs/manual.md: \"periodic\", "
      "\"open\" or \"schroedinger_functional\". Where one is expected, the name of the first two will do.")
      .def(
          py::init(&make_boundary), py::arg("kind") = "periodic", py::arg("time_extent") = std::nullopt,
          py::arg("phi") = std::nullopt, py::arg("phi_prime") = std::nullopt, py::arg("c_G") = 1.0, py::arg("c1") = 0.0,
          py::arg("rectangles") = "orbifold", py::arg("c_G_rectangles") = 1.5,
          "time_extent: T of a Schroedinger functional, whose slices 0 to T are on a lattice of T + 1 or T + 2, "
          "whichever "
          "is even; phi, phi_prime: the two angles of the links on slices 0 and T, for fields that are made here. c_G: "
          "the weight of loops at the boundaries; None: this and other weights are not known. c1, rectangles, "
          "c_G_rectangles: of the action of a Schroedinger functional whose eta_derivative is asked for, as c1, "
          "boundary_rectangles and c_G_rectangles of [action].")
      .def_property_readonly("kind", [](const PyBoundary& b) { return kind_name(b); })
      .def_property_readonly(
          "c_G", [](const PyBoundary& b) { return only_if(b.has_weights, py::cast(b.c_g)); },
          "None if the weights of loops at the boundary are not known, c1 and the next two too.")
      .def_property_readonly("c1", [](const PyBoundary& b) { return only_if(b.has_weights, py::cast(b.c1)); })
      .def_property_readonly(
          "rectangles",
          [](const PyBoundary& b) { return only_if(b.has_weights, py::cast(rectangles_name(b.rectangles))); })
      .def_property_readonly("c_G_rectangles",
                             [](const PyBoundary& b) { return only_if(b.has_weights, py::cast(b.c_g_rectangles)); })
      .def_property_readonly(
          "time_extent", [=](const PyBoundary& b) { return only_if(is_fixed(b), py::cast(b.extent)); },
          "T of a Schroedinger functional, otherwise None.")
      .def_property_readonly(
          "phi", [=](const PyBoundary& b) { return only_if(is_fixed(b), py::make_tuple(b.phi[0], b.phi[1])); })
      .def_property_readonly(
          "phi_prime",
          [=](const PyBoundary& b) { return only_if(is_fixed(b), py::make_tuple(b.phi_prime[0], b.phi_prime[1])); })
      .def(
          "__eq__", [](const PyBoundary& a, const PyBoundary& b) { return a == b; }, py::is_operator())
      .def("__repr__", [=](const PyBoundary& b) {
        std::string more;
        if (is_fixed(b))
          more = fmt::format(", time_extent={}, phi=({}, {}), phi_prime=({}, {})", b.extent, b.phi[0], b.phi[1],
                             b.phi_prime[0], b.phi_prime[1]);
        if (!b.has_weights)
          more += ", c_G=None";
        else if (b.c_g != 1)
          more += fmt::format(", c_G={}", b.c_g);
        if (b.c1 != 0) more += fmt::format(", c1={}, rectangles='{}'", b.c1, rectangles_name(b.rectangles));
        if (b.rectangles == BoundaryRectangles::weighted) more += fmt::format(", c_G_rectangles={}", b.c_g_rectangles);
        return fmt::format("trellis.Boundary('{}'{})", kind_name(b), more);
      });
}

}  // namespace trellis::python
