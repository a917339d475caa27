// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks and times the five loops, with plain and, on processors, with streaming stores; T is float or double.
// Checked as in BabelStream: a = 0.1, b = 0.2, c = 0, then rounds of copy, mul, add, triad and dot. Afterwards the mean
// deviation of each array from the values that a single element takes is at most 100 epsilon, and the dot product
// deviates from theirs by at most 1e-8 (1e-3 in single precision), relatively; throws Error otherwise. Timed on the
// arrays of the check, both versions on the same ones, so that neither has the better pages; running a kernel twice
// gives the same result as running it once. Throws InputError for a size that is not a multiple of a cache line.

#include <cstdint>

#include "examples/result.hpp"

namespace examples::stream {

struct Settings {
  std::int64_t size = std::int64_t{1} << 25;  // numbers per array
  int repetitions = 25;
};

template <class T>
Result measure(const Settings& settings);

}  // namespace examples::stream
