// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The links of a configuration file that work may be built on.

#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {

// Whether links are taken though their plaquette is not what the file's header says, and the section of the input with
// the key accept_damage, which says so.
struct DamagePolicy {
  bool accept = false;
  const char* section = "";
};

// Reads strictly (checksums, SU(3)), and compares the plaquette with what the header says. Where they differ: a warning
// where the file's checksums agree or the policy accepts it, otherwise an InputError.
template <int W>
void read_sound_links(const io::GaugeReader& reader, const std::filesystem::path& file, const DamagePolicy& policy,
                      const GaugeField<double, W>& u);

}  // namespace trellis::app
