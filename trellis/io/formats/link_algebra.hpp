// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Colour matrices as files contain them, for the readers: 18 doubles, row by row, real part before imaginary part. The
// algebra is that of trellis/su3.

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

using Matrix = std::array<double, 18>;

// Decodes one matrix with `rows` rows from a file's bytes; if two, the third is the conjugate of their cross product.
void decode_link(const std::byte* bytes, int rows, Precision precision, ByteOrder order, Matrix& u);
void encode_link(const double* u, int rows, Precision precision, ByteOrder order, std::byte* bytes);

struct LinkQuality {
  double unitarity = 0;           // max element of |U U^+ - 1|; infinite if an element is not finite
  double det_re = 0, det_im = 0;  // det U
  bool zero = false;              // all elements are 0
};
LinkQuality examine(const Matrix& u);

// Of links that are all near SU(3), as those of a sound file are: the largest element of |U U^+ - 1| and the largest
// |det U - 1|. Empty if a link is not: if it is zero or not finite, or either number is 0.5 or more. There may be 1 to
// links_at_once links, which are examined side by side in registers.
struct Deviation {
  double unitarity = 0, determinant = 0;
};
inline constexpr std::size_t links_at_once = 8;
std::optional<Deviation> deviation_near_su3(std::span<const Link> links);

void multiply(const double* a, const double* b, double* c);          // c = a b
void multiply_adjoint(const double* a, const double* b, double* c);  // c = a b^+

}  // namespace trellis::io
