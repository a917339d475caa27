// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of the module trellis._core: each adds its classes and functions. Python's interpreter lock is released by
// everything that takes long, except where Python functions are called (fits, functions of means).

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "python/src/any_lanes.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::python {

namespace py = pybind11;

// A lattice with the widest lanes that divide it, in even/odd order, as `trellis run` makes it. InputError if an extent
// is odd or below 2.
Lattice make_lattice(const Coordinate& extents, int lanes = 0);

// A boundary in time. The links of a Schroedinger functional may be known where its weights of loops are not: from
// files that do not tell them.
struct PyBoundary : gauge::Boundary {
  bool has_weights = true;

  PyBoundary(const gauge::Boundary& boundary = {}, bool knows_weights = true)
      : gauge::Boundary(boundary), has_weights(knows_weights) {}
  bool operator==(const PyBoundary&) const = default;
};

// Links of a Python object: they share memory with it.
struct PyGaugeField {
  AnyLanes<GaugeField> links;
  PyBoundary boundary;  // in time

  template <int W>
  PyGaugeField(GaugeField<double, W> u, const PyBoundary& in_time) : links(std::move(u)), boundary(in_time) {}

  Lattice lattice() const {
    return links.visit([](const auto& u) { return u.lattice(); });
  }
};

// A cell of a table as a Python value; None if it is empty.
py::object value_of(const io::CsvCell& cell);

// f.operator()<W>() must return a GaugeField<double, W> on this lattice.
template <class F>
PyGaugeField make_gauge_field(const Lattice& lattice, const PyBoundary& boundary, F&& f) {
  return with_lanes(lattice.lanes(), [&]<int W>() { return PyGaugeField(f.template operator()<W>(), boundary); });
}

// The boundary that a function takes: one, or the name of one that a name is enough for.
struct BoundaryArgument {
  PyBoundary value;
};
// InputError for other names.
PyBoundary boundary_named(const std::string& name);

// InputError unless the boundary fits the lattice.
void require_boundary(const gauge::Boundary& boundary, const Lattice& lattice);
// InputError for what has no meaning, or is not known, with other boundaries.
void require_periodic(const PyGaugeField& field, const char* what);

// A tuple x, y, z, t.
inline py::tuple to_tuple(const Coordinate& x) { return py::make_tuple(x[0], x[1], x[2], x[3]); }

void bind_boundary(py::module_& m);  // Boundary, which GaugeField takes
void bind_lattice(py::module_& m);   // Lattice, GaugeField
void bind_flow(py::class_<PyGaugeField>& gauge_field);
void bind_dlpack(py::class_<PyGaugeField>& gauge_field);
void bind_quarks(py::module_& m);  // StaggeredOperator, WilsonOperator, hadrons
void bind_staggered_measurements(py::module_& m);
void bind_chain(py::module_& m);     // Chain
void bind_analysis(py::module_& m);  // gamma_method, jackknife, fits, HDF5 files

}  // namespace trellis::python

namespace pybind11::detail {

// An implicit conversion from str would hide what is wrong with a name behind a TypeError.
template <>
struct type_caster<trellis::python::BoundaryArgument> {
  PYBIND11_TYPE_CASTER(trellis::python::BoundaryArgument, const_name("trellis.Boundary | str"));

  bool load(handle from, bool) {
    if (isinstance<str>(from))
      value.value = trellis::python::boundary_named(from.cast<std::string>());
    else if (isinstance<trellis::python::PyBoundary>(from))
      value.value = from.cast<trellis::python::PyBoundary>();
    else
      return false;
    return true;
  }
};

}  // namespace pybind11::detail
