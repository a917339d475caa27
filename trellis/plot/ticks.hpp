// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where axes have their ticks, and what part of the data they show.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trellis::plot {

using Range = std::pair<double, double>;

// Round numbers (1, 2, 5 times a power of ten) that cover [low, high] with at most about `count` steps, all inside it;
// whole: only whole numbers.
std::vector<double> nice_ticks(double low, double high, int count, bool whole = false);
// The distance between them, 0 if there are none.
double nice_spacing(double low, double high, int count, bool whole = false);

// For logarithmic axes, 0 < low: 1, 2 and 5 times powers of ten in [low, high]; for many decades only the powers, and
// where there are hardly any, those of nice_ticks().
std::vector<double> log_ticks(double low, double high);

// The text of a tick, with as many decimals as this spacing requires.
std::string tick_text(double tick, double spacing, double largest);

// Longer on either side by this share of its length; of a length above 0 even if the range is a single number.
Range widened(Range range, double share);

// A range for y that contains most of the values: the 1st to 99th percentile, widened by half its length on either
// side, but never beyond the values themselves. Empty if there are no finite values.
std::optional<Range> robust_range(std::vector<double> values);

}  // namespace trellis::plot
