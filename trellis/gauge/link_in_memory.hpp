// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links that arithmetic reads where they are, one number at a time (products_by_rows.hpp). A matrix has 18 registers'
// worth of numbers, more than a host has registers: one that is loaded as a whole goes to the stack and back. On a GPU,
// whose threads have registers enough, these are links in registers. Each number is loaded once for the instructions
// that use it next to one another, where there are 32 registers.

#include "trellis/lattice/field.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::gauge {

// The link of a tile, or of one that a step leads to: if the step left its block, with lanes permuted into a buffer.
// Reads what it refers to when it is used.
template <class T, int W, bool InRegisters = simd_detail::is_own_lane<lanes_t<T, W>>>
class LinkInMemory {
 public:
  using S = lanes_t<T, W>;

  TRELLIS_INLINE LinkInMemory(const GaugeAccess<T, W>& u, int tile, int mu) : numbers_(u.numbers(tile, mu)) {}
  TRELLIS_INLINE LinkInMemory(const GaugeAccess<T, W>& u, Hop hop, int mu) : numbers_(u.numbers(hop, mu, buffer_)) {}
  LinkInMemory(const LinkInMemory&) = delete;  // may refer to its own buffer
  LinkInMemory& operator=(const LinkInMemory&) = delete;

  TRELLIS_INLINE complex<S> operator()(int row, int column) const {
    return ComplexTraits<complex<S>>::load_to_keep(numbers_ + 2 * (3 * row + column) * W);
  }

 private:
  using Numbers = std::remove_const_t<T>;
  alignas(64) Numbers buffer_[18 * W];
  const Numbers* numbers_;
};

template <class T, int W>
class LinkInMemory<T, W, true> {
 public:
  using S = lanes_t<T, W>;
  template <class Place>
  TRELLIS_INLINE LinkInMemory(const GaugeAccess<T, W>& u, Place place, int mu) : link_(u.link(place, mu)) {}
  TRELLIS_INLINE complex<S> operator()(int row, int column) const { return link_(row, column); }

 private:
  Matrix<S> link_;
};

// The adjoint of such a link.
template <class T, int W>
class AdjointInMemory {
 public:
  using S = lanes_t<T, W>;
  template <class Place>
  TRELLIS_INLINE AdjointInMemory(const GaugeAccess<T, W>& u, Place place, int mu) : link_(u, place, mu) {}
  TRELLIS_INLINE complex<S> operator()(int row, int column) const { return conj(link_(column, row)); }

 private:
  LinkInMemory<T, W> link_;
};

}  // namespace trellis::gauge
