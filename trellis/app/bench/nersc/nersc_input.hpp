// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The input of the MILC code's RHMC benchmark at NERSC: examples/nersc_medium.toml itself, on lattices of other sizes.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/app/input/input.hpp"

namespace trellis::app {

// The text of examples/nersc_medium.toml.
extern const std::string_view nersc_example;

// How long other programs took (MILC with QUDA on A100 with 80 GB): two trajectories, in seconds.
struct PublishedTime {
  int devices = 1;
  double seconds = 0;
};

struct NerscCase {
  std::string name;  // "small", "medium", "large"; empty for any other lattice
  Coordinate size{};
  std::vector<PublishedTime> published = {};
};
const std::vector<NerscCase>& nersc_cases();

// By name, or "X,Y,Z,T". InputError for anything else.
NerscCase nersc_case(const std::string& size);

// The lattice that is thermalised: that of the option, "X,Y,Z,T", whose extents must divide those of `size`; without it
// the small case's if it divides the lattice, otherwise the lattice itself.
Coordinate nersc_first_lattice(const Coordinate& size, const std::string& option = {});

// The benchmark's input on this lattice: from a file, or from unit links, whose first trajectories, `warm_up` of them,
// are accepted whatever their dH. Everything else is the example's. Throws InputError as a run with this input does.
RunInput nersc_input(const Coordinate& size, const std::optional<std::filesystem::path>& start, int warm_up);

// What is different from the published benchmark: the list in the example's comment.
std::vector<std::string> nersc_differences();

}  // namespace trellis::app
