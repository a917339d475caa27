// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The boundary in time of a configuration: that of the run that saved it, from the record trellis-input, or that of a
// Schroedinger functional which the record trellis-provenance of a converted or gauge fixed file tells, or keys of ours
// in the header of another format (io/formats/provenance_text.hpp).

#include <filesystem>
#include <optional>
#include <string>

#include "trellis/gauge/boundary/boundary.hpp"

namespace trellis::app {

// Nothing if no record says it, or the boundary is not known to this version.
std::optional<gauge::Boundary> recorded_boundary(const std::filesystem::path& file);
// Whether its weights of loops at the boundary are recorded too: where a run saved the file, or Python did.
bool has_recorded_weights(const std::filesystem::path& file);
// The boundary, if it is a Schroedinger functional.
std::optional<gauge::Boundary> recorded_functional(const std::filesystem::path& file);

// io::functional_text() of a Schroedinger functional, from which it is known again; empty for other boundaries. Angles
// that are all 0 are left out: those of records may not be known. with_weights: also those of loops at the boundary.
std::string functional_text(const gauge::Boundary& boundary, bool with_weights = false);

}  // namespace trellis::app
