// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of the record trellis-provenance in ILDG files that Trellis writes: lines "key = value" about the file, and
// for each time that it was converted (or gauge fixed) "converted from NAME" ("transformed from NAME") with lines about
// that, the last of which are "format = VARIANT" and the header of the file that was read.
//
// accepted: ... tells that the links did not match that header, and boundary, time_extent, phi and phi_prime that they
// are of a Schroedinger functional; these keys are those of an input's [lattice]. c_G, c1, boundary_rectangles and
// c_G_rectangles are those of [action], with parallelograms = true if the action has such; c_G says that the weights
// are known. Headers of other formats have the latter too: TRELLIS_BOUNDARY, TRELLIS_TIME_EXTENT, ... in a NERSC
// archive, trellis.boundary, ... in MILC's .info file.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trellis::io {

inline constexpr const char* provenance_record = "trellis-provenance";
inline constexpr const char* input_record = "trellis-input";
inline constexpr const char* time_stamp_key = "time_stamp";
// MILC's files of ours have no other, because a real one would make equal runs differ.
inline constexpr const char* no_time_stamp = "Thu Jan  1 00:00:00 1970";

// The lines without those of other files' headers; "converted_from" and "transformed_from" are keys as well.
std::vector<std::pair<std::string, std::string>> own_lines(std::string_view provenance);

// The gauge to which links were fixed, in MILC's .info files: "Coulomb"; ours is `gauge`, in lower case.
inline constexpr const char* milc_gauge_key = "gauge.fix.description";

// What a MILC file says of its links, as lines of that record: trellis.KEY in its .info file, if `trellis run` made
// them, the gauge to which they were fixed, and its time stamp unless it has none.
std::string run_text(const std::vector<std::pair<std::string, std::string>>& milc_header);

// What follows "accepted: ".
std::vector<std::string> accepted_lines(std::string_view provenance);
std::string accepted_text(const std::vector<std::string>& accepted);

// Keys of a Schroedinger functional, those of its weights last.
inline constexpr std::array functional_key_names{
    "boundary",       "time_extent",   "phi", "phi_prime", "c_G", "c1", "boundary_rectangles",
    "c_G_rectangles", "parallelograms"};

// Angles that are not known are left out, and weights are.
std::string functional_text(int extent, const std::optional<std::array<double, 3>>& phi = {},
                            const std::optional<std::array<double, 3>>& phi_prime = {});

// Its keys and values, without quotes, as headers of other formats have them.
std::vector<std::pair<std::string, std::string>> functional_keys(std::string_view functional);

// The lines of functional_text() that a header (GaugeFileInfo) of another format has; empty without TRELLIS_BOUNDARY or
// trellis.boundary.
std::vector<std::pair<std::string, std::string>> functional_lines(
    const std::vector<std::pair<std::string, std::string>>& header);

}  // namespace trellis::io
