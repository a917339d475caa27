// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fields to and from numpy arrays of complex128, in the order of files: sites t, z, y, x with x fastest, then the
// numbers of a site.
//   links    [t][z][y][x][mu][row][column]
//   vectors  [n][t][z][y][x][colour], [n][t][z][y][x][spin][colour]; n may be missing for a single one
// Both directions copy, with all threads, one read and one write of the numbers.

#include <pybind11/numpy.h>

#include <complex>
#include <numeric>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::python {

namespace py = pybind11;

// Other number types are converted.
using ComplexArray = py::array_t<std::complex<double>, py::array::c_style | py::array::forcecast>;

// "(4, 4, 4, 8, 3)"
inline std::string shape_text(const std::vector<py::ssize_t>& shape) {
  return "(" + joined(shape, ", ") + (shape.size() == 1 ? ",)" : ")");
}

// InputError naming the argument unless the array has this shape.
void require_shape(const py::array& array, const std::vector<py::ssize_t>& shape, const char* argument);

// [t][z][y][x] and what follows.
inline std::vector<py::ssize_t> site_shape(const Coordinate& size, const std::vector<py::ssize_t>& numbers) {
  std::vector<py::ssize_t> shape{size[3], size[2], size[1], size[0]};
  shape.insert(shape.end(), numbers.begin(), numbers.end());
  return shape;
}

namespace arrays_detail {
// f(number of a site in lexicographic order, its place in memory)
template <class F>
void for_each_site(const char* name, const Lattice& lattice, double bytes, const F& f) {
  parallel_for({name, bytes}, RangePolicy<DefaultHostExecutionSpace>(0, Index(lattice.volume())),
               [=, &lattice](Index n) { f(n, lattice.index(lattice.coordinate(n))); });
}
}  // namespace arrays_detail

template <int W>
void copy_links(const GaugeField<double, W>& u, double* to) {
  const auto host = create_mirror_view_and_copy(HostSpace{}, u.view());
  arrays_detail::for_each_site("links to numpy", u.lattice(), 2 * bytes_of(u), [=](Index n, Index place) {
    for (int k = 0; k < 72; ++k) to[72 * n + k] = host(place, k / 18, k % 18 / 6, k % 6 / 2, k % 2);
  });
}

template <int W>
void set_links(const double* from, const GaugeField<double, W>& u) {
  const auto host = create_mirror_view(HostSpace{}, u.view());
  arrays_detail::for_each_site("links from numpy", u.lattice(), 2 * bytes_of(u), [=](Index n, Index place) {
    for (int k = 0; k < 72; ++k) host(place, k / 18, k % 18 / 6, k % 6 / 2, k % 2) = from[72 * n + k];
  });
  if constexpr (!fields_on_host) deep_copy(u.view(), host);
  u.exchange();
}

// f(place of a site within a part of a FullFields, that part as the host sees it, number of the site)
template <int Reals, int W, bool Write>
void copy_vectors(const measure::FullFields<double, Reals, W>& field,
                  std::conditional_t<Write, double*, const double*> array) {
  const Lattice& lattice = field.lattice();
  const auto mirror = [](const auto& view) {
    if constexpr (Write)
      return create_mirror_view_and_copy(HostSpace{}, view);
    else
      return create_mirror_view(HostSpace{}, view);
  };
  const auto even = mirror(field.part[0].view()), odd = mirror(field.part[1].view());
  const Index first_odd = Index(lattice.first_tile(1)) * W, volume = lattice.volume();
  const int count = field.count();
  arrays_detail::for_each_site("vectors and numpy", lattice, 4.0 * count * Reals * 8 * double(volume),
                               [=](Index site, Index place) {
                                 const bool is_odd = place >= first_odd;
                                 const auto& part = is_odd ? odd : even;
                                 const Index here = is_odd ? place - first_odd : place;
                                 for (int n = 0; n < count; ++n)
                                   for (int k = 0; k < Reals; ++k) {
                                     if constexpr (Write)
                                       array[(n * volume + site) * Reals + k] = part(here, n, k);
                                     else
                                       part(here, n, k) = array[(n * volume + site) * Reals + k];
                                   }
                               });
  if constexpr (!Write && !fields_on_host) {
    deep_copy(field.part[0].view(), even);
    deep_copy(field.part[1].view(), odd);
  }
}

}  // namespace trellis::python
