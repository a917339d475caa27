// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The configurations that an input of `trellis measure` names: what they are, and whether what is to be measured knows
// their boundaries in time.

#include <filesystem>
#include <optional>
#include <vector>

#include "trellis/app/input/input.hpp"
#include "trellis/comm/process_grid.hpp"

namespace trellis::app {

struct Source {
  std::filesystem::path file;
  Coordinate size{};
  gauge::Boundary boundary;  // that of the input, or as the file's links or the run that wrote it have it
};

// How the ranks share a configuration of this size.
comm::ProcessGrid grid_for(const MeasureInput& input, const Coordinate& size);

// All of them, the same on all ranks. InputError, before anything is measured, for files that are not sound
// configurations, that do not fit ranks and lanes, whose boundary is not that of the input, and for measurements that
// do not know it.
std::vector<Source> find_sources(const MeasureInput& input);

// The input with the boundary in time of a file; as it is recorded, if `analyse` has to know the boundary.
MeasureInput with_boundary_of(const Source& source, MeasureInput input);
MeasureInput resolved_for(const Source& source, const MeasureInput& asked);

// Of all files; nothing if they differ.
std::optional<Coordinate> common_size(const std::vector<Source>& sources);

}  // namespace trellis::app
