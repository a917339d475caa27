// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The output of `trellis bench dslash`: table, JSON and pictures.

#include <nlohmann/json_fwd.hpp>

#include "trellis/app/bench/dslash_options.hpp"
#include "trellis/bench/machine/machine.hpp"
#include "trellis/plot/roofline.hpp"

namespace trellis::app {

struct DslashRow {
  DslashRun run;
  bench::DslashFigure figure;
  double bandwidth = 0;  // the better triad on arrays of the row's size, measured with it
  double peak = 0;
  bool tuned = false;

  double flops() const { return figure.flops / figure.seconds; }  // a second
  double of_bandwidth() const { return figure.bytes / figure.seconds / bandwidth; }
  bench::DslashModel model() const;
};

std::string dslash_heading();
std::string dslash_line(const DslashRow& row);
// With --compare; `baseline` is the best speed of the scalar kernel so far.
std::string comparison_heading();
std::string comparison_line(const DslashRow& row, double baseline);
nlohmann::ordered_json to_json(const DslashRow& row);

plot::Roofline roofline_of(const std::vector<DslashRow>& rows, const bench::PeakFlops& peak);

}  // namespace trellis::app
