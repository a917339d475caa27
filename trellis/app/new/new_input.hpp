// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inputs of `trellis run` with comments, from a few choices.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trellis::app {

struct NewInput {
  std::string lattice = {};         // "16,16,16,32"
  std::string action = {};          // default: "wilson" without quarks, "symanzik" with
  std::optional<double> beta = {};  // or the lattice spacing in fm
  std::optional<double> spacing = {};
  std::optional<double> pion_mass = {};    // MeV: 2+1 flavours from the line of constant physics
  std::vector<std::string> flavours = {};  // "l=0.05:2": name, mass and tastes; or none
  std::optional<std::int64_t> trajectories = {};
};

// The input as TOML; `name` is that of its file, for comments. It has been read once as `trellis run` would. Throws
// InputError, naming the option that is wrong, missing, or contradicts another one.
std::string new_input(const NewInput& choices, const std::string& name);

// Asks for lattice, quarks, couplings and trajectories, whatever is set already. `answer` gets a question and returns a
// line: empty for the default; nothing if there are no more. Throws InputError then, or for an impossible answer.
using Answer = std::function<std::optional<std::string>(const std::string& question)>;
void ask(NewInput& choices, const Answer& answer);

}  // namespace trellis::app
