// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether two result files hold the same bits, for `trellis reproduce`. The second must have every row between the two
// numbers that the first has; only columns or arrays that both have, and cells that neither leaves empty, are compared,
// so that the second may leave out what costs time to measure. Columns of seconds, which differ from run to run,
// `tuning`, which counts changes of the input, `file` and `check` are left out, and so are iterations and largest
// eigenvalues of a trajectory whose reversibility only one of the two has checked: they include the way back.
//
// Throws Error for files that are damaged or of another kind.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace trellis::app {

struct Difference {
  std::int64_t number = 0;  // of the trajectory or row
  std::string what;         // "plaquette is 0.5, was 0.6"
};

struct FileComparison {
  std::filesystem::path file;            // the first one
  std::int64_t compared = 0;             // trajectories or rows
  std::optional<Difference> first = {};  // with the smallest number
};

// Tables whose first column is a number that never decreases; rows numbered `from` to `to`. kept_propagators: some may
// have been read from files; where their iterations differ, neither these nor the residual are compared.
FileComparison compare_tables(const std::filesystem::path& before, const std::filesystem::path& now, std::int64_t from,
                              std::int64_t to, bool kept_propagators = false);

// HDF5 files with an array of numbers called `number` ("trajectory" or "row") in their only group.
FileComparison compare_arrays(const std::filesystem::path& before, const std::filesystem::path& now,
                              const std::string& number, std::int64_t from, std::int64_t to);

// ILDG files, by the bytes of their links: the record ildg-binary-data. `number` is the trajectory that made them. The
// second may be in single precision and the first in double: then its numbers are compared.
FileComparison compare_links(const std::filesystem::path& before, const std::filesystem::path& now,
                             std::int64_t number);

}  // namespace trellis::app
