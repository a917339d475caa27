// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The largest of numbers that a kernel finds, one a site. The kernel keeps them in a field, from which they are
// reduced: lanes may be threads, which have no register in common.
//   const LargestNumber<W> numbers(lattice);
//   const auto out = numbers.access();
//   for_each_tile("...", lattice, TRELLIS_KERNEL(int tile) { out.keep(tile, v); });
//   numbers.largest();
// Infinity where a number kept is none. Costs eight bytes a site written and read.

#include <limits>

#include "trellis/lattice/lattice.hpp"

namespace trellis::gauge {

template <int W>
struct SiteNumbers {
  using D = lanes_t<double, W>;
  double* data;

  // The larger of two; infinity where the second is not a number.
  TRELLIS_INLINE static D larger(const D& most, const D& v) {
    const D infinity = D(std::numeric_limits<double>::infinity());
    const D number = select(v < infinity, v, infinity);
    return select(most < number, number, most);
  }
  TRELLIS_INLINE void keep(int tile, const D& v) const { store_lanes(data + std::int64_t(tile) * W, v); }
};

// Of `count` numbers where kernels run.
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
