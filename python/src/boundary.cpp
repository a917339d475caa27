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
using Angles = std::array<double, 2>;

constexpr double largest_angle = 20, largest_c_g = 100;  // as in inputs

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

std::array<double, 3> angles_of(const char* name, const std::optional<Angles>& given) {
  const auto [a, b] = given.value_or(Angles{0, 0});
  for (const double angle : {a, b})
    if (!(std::abs(angle) <= largest_angle))
      fail_input("{}: found {}, expected angles from {} to {}", name, angle, -largest_angle, largest_angle);
  return {a, b, -a - b};
}

Boundary make_boundary(const std::string& kind, const std::optional<int>& time_extent, const std::optional<Angles>& phi,
                       const std::optional<Angles>& phi_prime, double c_g) {
  Boundary boundary;
  for (const auto known : {BoundaryKind::periodic, BoundaryKind::open, BoundaryKind::schroedinger_functional})
    if (kind == kind_name({.kind = known})) boundary.kind = known;
  if (kind != kind_name(boundary))
    fail_input("boundary: found '{}', expected periodic, open or schroedinger_functional", kind);
  if (!(c_g > 0 && c_g <= largest_c_g)) fail_input("c_G: found {}, expected above 0, to {}", c_g, largest_c_g);
  if (boundary.is_periodic() && c_g != 1) fail_input("c_G: found {}, but the boundary is periodic", c_g);
  boundary.c_g = c_g;
  const bool fixed = boundary.kind == BoundaryKind::schroedinger_functional;
  if (!fixed && (time_extent || phi || phi_prime))
    fail_input("boundary: time_extent, phi and phi_prime are those of a Schroedinger functional, and this is {}", kind);
  if (!fixed) return boundary;
  if (!time_extent || *time_extent < 2) fail_input("time_extent: expected at least 2 for a Schroedinger functional");
  boundary.extent = *time_extent;
  boundary.phi = angles_of("phi", phi);
  boundary.phi_prime = angles_of("phi_prime", phi_prime);
  return boundary;
}

py::object only_if(bool has, const py::object& value) { return has ? value : py::none(); }

}  // namespace

void require_boundary(const Boundary& boundary, const Lattice& lattice) {
  gauge::require_valid(boundary, {1, 0, 0}, lattice.size());
}

void require_periodic(const PyGaugeField& field, const char* what) {
  if (!field.boundary.is_periodic())
    fail_input("{} knows only periodic lattices; the boundary of these links is {}", what,
               gauge::name_of(field.boundary));
}

void bind_boundary(py::module_& m) {
  const auto is_fixed = [](const Boundary& b) { return b.kind == BoundaryKind::schroedinger_functional; };
  py::class_<Boundary>(
      m, "Boundary",
      "The boundary in time of a gauge field, as `boundary` of [lattice] in docs/manual.md: \"periodic\", "
      "\"open\" or \"schroedinger_functional\". Where one is expected, its name alone will do.")
      .def(
          py::init(&make_boundary), py::arg("kind") = "periodic", py::arg("time_extent") = std::nullopt,
          py::arg("phi") = std::nullopt, py::arg("phi_prime") = std::nullopt, py::arg("c_G") = 1.0,
          "time_extent: T of a Schroedinger functional, whose slices 0 to T are on a lattice of T + 1 or T + 2, "
          "whichever "
          "is even; phi, phi_prime: the two angles of the links on slices 0 and T, for fields that are made here. c_G: "
          "the weight of loops at the boundaries.")
      .def_property_readonly("kind", &kind_name)
      .def_property_readonly("c_G", [](const Boundary& b) { return b.c_g; })
      .def_property_readonly(
          "time_extent", [=](const Boundary& b) { return only_if(is_fixed(b), py::cast(b.extent)); },
          "T of a Schroedinger functional, otherwise None.")
      .def_property_readonly(
          "phi", [=](const Boundary& b) { return only_if(is_fixed(b), py::make_tuple(b.phi[0], b.phi[1])); })
      .def_property_readonly(
          "phi_prime",
          [=](const Boundary& b) { return only_if(is_fixed(b), py::make_tuple(b.phi_prime[0], b.phi_prime[1])); })
      .def(
          "__eq__", [](const Boundary& a, const Boundary& b) { return a == b; }, py::is_operator())
      .def("__repr__", [=](const Boundary& b) {
        std::string more;
        if (is_fixed(b))
          more = fmt::format(", time_extent={}, phi=({}, {}), phi_prime=({}, {})", b.extent, b.phi[0], b.phi[1],
                             b.phi_prime[0], b.phi_prime[1]);
        if (b.c_g != 1) more += fmt::format(", c_G={}", b.c_g);
        return fmt::format("trellis.Boundary('{}'{})", kind_name(b), more);
      });
  py::implicitly_convertible<py::str, Boundary>();
}

}  // namespace trellis::python
