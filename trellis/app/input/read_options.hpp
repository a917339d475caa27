// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How configuration files are read, by what an input says of their boundaries in time.

#include "trellis/app/input/input.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {

// A run's.
io::ReadOptions read_options(const gauge::Boundary& boundary, const Coordinate& size);
// Those of `trellis measure`; each of them may be open in t.
io::ReadOptions read_options(const MeasureInput& input);

}  // namespace trellis::app
