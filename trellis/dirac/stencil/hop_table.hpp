// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complex factor c_k(x) of the k-th hop of a site (of eight: 0..3 forwards, 4..7 backwards), in
//   psi'(x) = sum_k c_k(x) V_k(x) psi(x + step k).
// Phases depend on few coordinates, so few of a lattice's registers differ: each distinct one is computed and stored
// once, and a tile refers to those of its hops by number, 32 bytes per tile instead of 128 per site. Where all factors
// are real, as they are without background field and chemical potential, kernels need half the multiplications.

#include <complex>
#include <functional>

#include "trellis/core/complex.hpp"
#include "trellis/lattice/halo/hop_list.hpp"

namespace trellis::dirac {

// c_k(x)
using HopCoefficient = std::function<std::complex<double>(const Coordinate& x, int hop)>;

template <class T, int W>
class HopTable {
 public:
  // For the hops of a pattern, by number.
  HopTable(const Lattice& lattice, const HopCoefficient& coefficient, const HopPattern& pattern = nearest_neighbours);

  const HopList& list() const { return list_; }  // where they lead

  const std::int32_t* numbers() const { return numbers_.data(); }  // [tile][hop]
  const T* values() const { return values_.data(); }               // [number], as a field's complex number
  // The same for the host.
  const std::int32_t* host_numbers() const { return host_numbers_.data(); }
  std::complex<T> host_value(int number, int lane) const {
    using Place = ComplexTraits<complex<lanes_t<T, W>>>;
    const T* value = host_values_.data() + std::int64_t(number) * 2 * W;
    return {value[Place::place(lane, 0)], value[Place::place(lane, 1)]};
  }
  bool real() const { return real_; }
  int distinct() const { return distinct_; }

 private:
  HopList list_;
  HostView<std::int32_t*> host_numbers_;
  HostView<T*> host_values_;
  FieldView<std::int32_t*> numbers_;
  FieldView<T*> values_;
  int distinct_ = 0;
  bool real_ = true;
};

}  // namespace trellis::dirac
