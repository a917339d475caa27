// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complex number c_k(x) that multiplies the k-th of a site's eight hops (0..3 forwards, 4..7 backwards), in
//   psi'(x) = sum_k c_k(x) V_k(x) psi(x + step k).
// For the staggered operator it is eta_mu(x) u_mu(x) / 2 forwards and -eta_mu(x) conj(u_mu(x - mu)) / 2 backwards.
// Phases depend on few coordinates, so that few of a lattice's registers differ: each distinct one is computed and
// stored once, and a tile names its eight by number, 32 bytes a tile instead of 128 a site. Where all numbers are real,
// as they are without background field and chemical potential, kernels multiply by half as much.

#include <complex>
#include <functional>

#include "trellis/core/complex.hpp"
#include "trellis/dirac/link_phases.hpp"

namespace trellis::dirac {

// c_k(x)
using HopCoefficient = std::function<std::complex<double>(const Coordinate& x, int step)>;

HopCoefficient staggered_coefficient(const LinkPhases& phases, const Coordinate& size);
// Of dD/d(a mu), mu the real chemical potential of U_t e^mu, U_t^dagger e^-mu at mu = 0: both t hops with a plus sign.
HopCoefficient chemical_potential_derivative(const LinkPhases& phases, const Coordinate& size);
// Of d^2 D/d(a mu)^2: the t part of D.
HopCoefficient chemical_potential_second_derivative(const LinkPhases& phases, const Coordinate& size);
// Of dD/dn, n the flux quanta in a plane taken as a real number.
HopCoefficient flux_derivative(const LinkPhases& phases, int plane, const Coordinate& size);

template <class T, int W>
class HopTable {
 public:
  HopTable(const Lattice& lattice, const HopCoefficient& coefficient);

  const std::int32_t* numbers() const { return numbers_.data(); }  // [tile][8]
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
  HostView<std::int32_t*> host_numbers_;
  HostView<T*> host_values_;
  FieldView<std::int32_t*> numbers_;
  FieldView<T*> values_;
  int distinct_ = 0;
  bool real_ = true;
};

}  // namespace trellis::dirac
