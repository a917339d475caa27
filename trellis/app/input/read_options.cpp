// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/read_options.hpp"

namespace trellis::app {

io::ReadOptions read_options(const gauge::Boundary& boundary, const Coordinate& size) {
  io::ReadOptions options{.size = size, .open_in_time = boundary.kind == gauge::BoundaryKind::open};
  if (boundary.kind == gauge::BoundaryKind::schroedinger_functional)
    options.functional = io::SchroedingerFunctional{boundary.extent, boundary.phi_prime};
  return options;
}

io::ReadOptions read_options(const MeasureInput& input) {
  io::ReadOptions options{.size = input.size, .open_in_time = true};
  if (input.boundary && input.boundary->kind == gauge::BoundaryKind::schroedinger_functional)
    options.functional = io::SchroedingerFunctional{input.boundary->extent, input.phi_prime};
  return options;
}

}  // namespace trellis::app
