// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inputs of runs with boundaries in time, changed from those of RunTest.

#include <algorithm>

#include "tests/support/run_test.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::test {

class BoundaryRunTest : public RunTest {
 protected:
  const std::string size = "size = [4, 4, 4, 4]";
  const Changes open{{size, "size = [4, 4, 4, 8]\nboundary = \"open\""},
                     {"beta = 4.0", "beta = 4.0\nc_G = 1.1"},
                     {"step = 0.05", "step = 0.05\nslices = true"}};
  const std::pair<std::string, std::string> of_functional{
      size,
      "size = [4, 4, 4, 6]\nboundary = \"schroedinger_functional\"\ntime_extent = 4\nphi = [-1.0471975511965976, "
      "0.0]\nphi_prime = [-3.141592653589793, 1.0471975511965976]"};
  const Changes functional{of_functional, {"\"symanzik\"", "\"wilson\""}};
  const Changes heatbath{{"steps = 5", "kind = \"heatbath\""}, {"reversibility_every = 4", ""}};
  const Changes functional_with_rectangles{of_functional, {"beta = 4.0", "beta = 4.0\nc_G = 1.1"}};
  const Changes one_loop{{"name = \"symanzik\"", "name = \"one_loop_symanzik\"\nu0 = 0.9\nhisq_flavours = 0"}};
  const std::string flavour = "[[flavours]]\nname = \"l\"\nmass = 0.3\ntastes = 2\n";
  static Changes with(Changes changes, const Changes& more) {
    changes.insert(changes.end(), more.begin(), more.end());
    return changes;
  }
  Outcome call_program(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), TRELLIS_PROGRAM);
    return Process(arguments, here()).wait();
  }
  // Which links of a file are zero, as site * 4 + mu.
  std::vector<std::size_t> zeros(const std::string& name) const {
    std::vector<std::size_t> found;
    io::GaugeReader(at(name), {.strict = false}).read([&](std::span<const io::Link> batch) {
      for (const auto& link : batch)
        if (std::ranges::all_of(link.u, [](double x) { return x == 0; }))
          found.push_back(std::size_t(4 * link.site + link.mu));
    });
    return found;
  }
};

}  // namespace trellis::test
