// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Staggered bilinears of given spin and taste, O = chibar phi Xi chi (M. F. L. Golterman, Nucl. Phys. B 273 (1986)
// 663). Spin gamma_S and taste xi_T are products of gamma_x^s_x .. gamma_t^s_t, given by bits 0 to 3. The quark and the
// antiquark of O are apart by one step in each direction D in which S and T differ: Xi is the mean over all orders of
// the product of symmetric covariant shifts
//   (E_i chi)(x) = 1/2 [ u_i(x) U_i(x) chi(x+i) + conj(u_i(x-i)) U_i(x-i)^dagger chi(x-i) ],    i in D,
// and phi(x) = tr(Gamma_x^dagger gamma_S Gamma_{x+D} gamma_T^dagger) / 4 = +-1, Gamma_x = gamma_x^x gamma_y^y ..

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

struct SpinTaste {
  unsigned spin = 0, taste = 0;
  unsigned steps() const { return spin ^ taste; }  // D
};

// (-1)^(x+y+z+t) phi(x) / phi(0): bit n is set where it is -1, n = 0 .. 15 with bits 0 to 3 for odd x, y, z, t.
std::uint16_t meson_signs(SpinTaste what);

// Pions whose quark and antiquark are one, two or three steps apart in space; a channel is the mean over its operators,
// which have different directions.
struct PointSplitPion {
  std::string name;
  std::vector<SpinTaste> operators;
};
const std::vector<PointSplitPion>& point_split_pions();

// Xi on these links, with the phases of one flavour.
template <int W>
class CovariantShifts {
 public:
  CovariantShifts(const dirac::StaggeredLinks<double, W>& links, const dirac::LinkPhases& phases);
  // steps: bits 0 to 2, at least one.
  FullVectors<double, W> operator()(unsigned steps, const FullVectors<double, W>& in) const;

 private:
  dirac::StaggeredLinks<double, W> links_;
  std::vector<dirac::HopTable<double, W>> shifts_;  // x, y, z
};

}  // namespace trellis::measure
