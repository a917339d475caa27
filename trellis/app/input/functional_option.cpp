// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/functional_option.hpp"

#include <charconv>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::app {

void FunctionalOption::add_to(const Command& command) {
  command
      .add_option("--time-extent", time_extent,
                  "T of a Schroedinger functional, of whose slices openQCD's files have 0 to T - 1")
      .option_text("T");
  command
      .add_option("--phi-prime", phi_prime,
                  "the two angles of its slice T, which those files do not have; see phi_prime in the manual")
      .option_text("A,B");
}

std::optional<io::SchroedingerFunctional> FunctionalOption::functional() const {
  if (time_extent == 0 && phi_prime.empty()) return std::nullopt;
  if (time_extent < 2 || time_extent > 65535)
    fail_input("--time-extent: found {}, expected T of the Schroedinger functional, 2 to 65535", time_extent);
  io::SchroedingerFunctional functional{.extent = time_extent};
  if (phi_prime.empty()) return functional;
  std::array<double, 3> angles{};
  const char *at = phi_prime.data(), *end = at + phi_prime.size();
  for (const std::size_t k : {0U, 1U}) {
    const auto [stop, code] = std::from_chars(at, end, angles[k]);
    const bool separated = k == 1 ? stop == end : stop != end && *stop == ',';
    if (code != std::errc() || !separated || !(std::abs(angles[k]) <= 20))
      fail_input("--phi-prime: found '{}', expected two angles, -20 to 20, such as -3.14159,1.0472", phi_prime);
    at = k == 1 ? stop : stop + 1;
  }
  angles[2] = -angles[0] - angles[1];
  functional.phi_prime = angles;
  return functional;
}

}  // namespace trellis::app
