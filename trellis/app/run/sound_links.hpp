// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the links of a configuration file, and checks that they are sound.

#include "trellis/app/input/read_options.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

// Whether to accept links whose plaquette differs from the one in the file's header, and the section of the input that
// has the key accept_damage.
struct DamagePolicy {
  bool accept = false;
  const char* section = "";
};

// Reads strictly (checksums, SU(3)), and compares the plaquette with the header. If they differ: a warning if the
// file's checksums match or the policy accepts it, otherwise an InputError. At a boundary that is not periodic programs
// differ in what they call the average plaquette, and any is accepted.
template <int W>
void read_sound_links(const io::GaugeReader& reader, const std::filesystem::path& file, const DamagePolicy& policy,
                      const GaugeField<double, W>& u, const gauge::Boundary& boundary = {});

}  // namespace trellis::app
