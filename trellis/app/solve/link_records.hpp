// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `trellis solve` wrote into files of fat and long links about them (save_links.hpp).

#include <string>
#include <vector>

#include "trellis/app/solve/solve_fields.hpp"
#include "trellis/io/fields/field_reader.hpp"

namespace trellis::app {

// The text of such a record. what: "of one step" or "of three steps".
std::string link_record(const std::string& what, const gauge::SmearingParameters& smearing, double naik_epsilon,
                        LinkConvention convention, const std::filesystem::path& configuration);

// Where the records contradict the options, or each other: a sentence each. Files without such records contradict
// nothing. long_links may be null.
std::vector<std::string> contradictions(const SolveInput& input, const io::FieldReader& fat,
                                        const io::FieldReader* long_links);

}  // namespace trellis::app
