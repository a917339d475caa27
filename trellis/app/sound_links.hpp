// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of a configuration file that work may be built on.

#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

// Reads strictly (checksums, SU(3)), and compares the plaquette with what the header says: an InputError where the file
// has no checksum that could tell better, a warning in the log where it has.
template <int W>
void read_sound_links(const io::GaugeReader& reader, const std::filesystem::path& file, const GaugeField<double, W>& u);

}  // namespace trellis::app
