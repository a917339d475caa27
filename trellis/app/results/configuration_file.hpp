// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A configuration of a run as ILDG: checksum, plaquette and link trace, the part of the input that the links depend on,
// and the program, seed and trajectory that made it. It says nothing of the machine: its bytes are the same on any.

#include "trellis/app/input/input.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::app {

// The links as a file in the precision of chain.save_precision holds them: u itself, or rounded copies.
template <int W>
GaugeField<double, W> as_saved(const RunInput& input, const GaugeField<double, W>& u);

// In the precision of chain.save_precision, with the plaquette and link trace that a reader will find. By all ranks
// together.
template <int W>
io::IldgParameters configuration_parameters(const RunInput& input, std::uint32_t trajectory,
                                            const GaugeField<double, W>& u);
template <int W>
void write_configuration(const std::filesystem::path& file, const RunInput& input, std::uint32_t trajectory,
                         const GaugeField<double, W>& u);

}  // namespace trellis::app
