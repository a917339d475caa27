// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks and times the five loops, with plain and, on processors, with streaming stores; T is float or double.
// Checked as BabelStream does: a = 0.1, b = 0.2, c = 0, then rounds of copy, mul, add, triad and dot. Afterwards the
// mean deviation of each array from the numbers that one element goes through is at most 100 epsilon, and the dot
// product deviates from theirs by no more than 1e-8 (1e-3 in single precision), relatively; throws Error otherwise.
// Timed on the arrays of the check, both versions on the same ones, so that neither has the better pages; any kernel
// run twice leaves what it leaves run once. Throws InputError for a size that is no multiple of a cache line.

#include <cstdint>

#include "examples/result.hpp"

namespace examples::stream {

struct Settings {
  std::int64_t size = std::int64_t{1} << 25;  // numbers an array
  int repetitions = 25;
};

template <class T>
Result measure(const Settings& settings);

}  // namespace examples::stream
