// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gauge to which a configuration was fixed, as its file says: by [gauge_fixing] of `trellis measure` in the record
// trellis-provenance, or after a conversion as trellis.gauge in MILC's .info file; by MILC as gauge.fix.description
// there.

#include <filesystem>
#include <optional>
#include <string>

namespace trellis::app {

// A name in gauge::gauges, "coulomb" or "landau". Nothing for other files, also damaged ones.
std::optional<std::string> recorded_gauge(const std::filesystem::path& file);

}  // namespace trellis::app
