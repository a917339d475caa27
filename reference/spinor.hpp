// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dirac spinors with colour on all sites of a lattice.
//
// Component 3 * spin + colour of a Spinor; a SpinorField has one per site, at GaugeConfiguration::index(x).

#include <array>
#include <cstdint>
#include <vector>

#include "reference/gamma.hpp"
#include "reference/gauge.hpp"

namespace trellis::reference {

struct Spinor : std::array<Complex, 12> {};
using SpinorField = std::vector<Spinor>;

Spinor operator+(const Spinor& a, const Spinor& b);
Spinor operator*(Complex s, const Spinor& a);
Spinor operator*(const SpinMatrix& m, const Spinor& a);  // on the spin
Spinor operator*(const Matrix& m, const Spinor& a);      // on the colour

SpinorField zero_spinors(const Site& size);
SpinorField random_spinors(const Site& size, std::uint64_t seed);  // real and imaginary parts normal
SpinorField point_spinors(const Site& size, const Site& x, int component);
SpinorField operator+(const SpinorField& a, const SpinorField& b);
SpinorField operator-(const SpinorField& a, const SpinorField& b);
SpinorField operator*(Complex s, const SpinorField& a);
SpinorField operator*(const SpinMatrix& m, const SpinorField& a);
SpinorField gauge_transform(const SpinorField& psi, const GaugeTransformation& g);  // g(x) psi(x)
Complex dot(const SpinorField& a, const SpinorField& b);                            // sum a^* b
double norm(const SpinorField& a);

}  // namespace trellis::reference
