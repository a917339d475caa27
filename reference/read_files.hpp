// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two simple file formats, enough to read the sample configurations of the tests. Only the size is checked; throws
// std::runtime_error naming the file.

#include <string>

#include "reference/gauge.hpp"

namespace trellis::reference {

// MILC version 5, single precision, either byte order: int32 magic 20103, int32 size[4], 64 bytes of date, int32 order
// (0), two int32 checksums; then for every site (x fastest) and direction a row-major 3x3 complex float matrix.
GaugeConfiguration read_milc(const std::string& path);

// Text, one real number per line: t, z, y, x (fastest), direction x..t, row, column, real and imaginary part.
GaugeConfiguration read_text(const std::string& path, const Site& size);

}  // namespace trellis::reference
