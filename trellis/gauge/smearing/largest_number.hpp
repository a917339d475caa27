// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest of the numbers that a kernel computes, one per site. The kernel stores them in a field, which is then
// reduced: lanes may be threads, which share no register.
//   const LargestNumber<W> numbers(lattice);
//   const auto out = numbers.access();
//   for_each_tile("...", lattice, TRELLIS_KERNEL(int tile) { out.keep(tile, v); });
//   numbers.largest();
// Infinity if any number is NaN. Costs eight bytes per site written and read.

#include <limits>

#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

template <int W>
struct SiteNumbers {
  using D = lanes_t<double, W>;
  double* data;

  // The larger of two; infinity if the second is NaN.
  TRELLIS_INLINE static D larger(const D& most, const D& v) {
    const D infinity = D(std::numeric_limits<double>::infinity());
    const D number = select(v < infinity, v, infinity);
    return select(most < number, number, most);
  }
  TRELLIS_INLINE void keep(int tile, const D& v) const { store_lanes(data + std::int64_t(tile) * W, v); }
};

// The largest of `count` numbers in the kernels' memory.
double largest_number(const double* numbers, Index count);

template <int W>
class LargestNumber {
 public:
  explicit LargestNumber(const Lattice& lattice) : lattice_(lattice), numbers_("numbers of sites", lattice.places()) {}
  SiteNumbers<W> access() const { return {numbers_.data()}; }
  double largest() const {
    double most = largest_number(numbers_.data(), Index(numbers_.size()));
    lattice_.ranks().maximum("largest number", {&most, 1});
    return most;
  }

 private:
  Lattice lattice_;
  FieldView<double*, SingleLayout<W>> numbers_;
};

}  // namespace trellis::gauge
