// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// --time-extent T and --phi-prime A,B of `inspect` and `convert`: for openQCD's files of a Schroedinger functional.

#include <optional>
#include <string>

#include "trellis/app/command_line.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {

struct FunctionalOption {
  int time_extent = 0;    // 0: not given
  std::string phi_prime;  // empty: not given

  void add_to(const Command& command);
  // Nothing if neither is given. InputError for an extent below 2 or missing, and for text that is not two angles.
  std::optional<io::SchroedingerFunctional> functional() const;
};

}  // namespace trellis::app
