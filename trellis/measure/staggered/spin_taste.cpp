// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered/spin_taste.hpp"

#include <algorithm>
#include <bit>

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_coefficients.hpp"
#include "trellis/measure/full_vectors.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"

namespace trellis::measure {

namespace {

// Gamma_a Gamma_b is this times Gamma_{a ^ b}: each factor of b passes those of a with a larger direction. True if -1.
bool turns(unsigned a, unsigned b) {
  int passes = 0;
  for (unsigned mu = 0; mu < 4; ++mu)
    if ((b >> mu & 1) != 0) passes += std::popcount(a >> (mu + 1));
  return passes % 2 != 0;
}

// tr(Gamma_a^dagger gamma_S Gamma_{a+D} gamma_T^dagger) / 4
bool phi_is_negative(SpinTaste what, unsigned a) { return turns(what.spin, a ^ what.steps()) != turns(a, what.taste); }

}  // namespace

std::uint16_t meson_signs(SpinTaste what) {
  unsigned signs = 0;
  for (unsigned a = 0; a < 16; ++a) {
    const bool odd = std::popcount(a) % 2 != 0;
    if (odd != (phi_is_negative(what, a) != phi_is_negative(what, 0))) signs |= 1U << a;
  }
  return std::uint16_t(signs);
}

const std::vector<PointSplitPion>& point_split_pions() {
  constexpr unsigned x = 1, y = 2, z = 4, t = 8, gamma5 = 15, gamma_t5 = 7;
  static const std::vector<PointSplitPion> all{
      {"pion_i5", {{gamma5, y | z | t}, {gamma5, x | z | t}, {gamma5, x | y | t}}},
      {"pion_ij", {{gamma_t5, y | z}, {gamma_t5, z | x}, {gamma_t5, x | y}}},
      {"pion_it", {{gamma5, x | t}, {gamma5, y | t}, {gamma5, z | t}}},
      {"pion_i", {{gamma_t5, x}, {gamma_t5, y}, {gamma_t5, z}}},
      {"pion_t", {{gamma5, t}}},
      {"pion_1", {{gamma_t5, 0}}},
  };
  return all;
}

template <int W>
CovariantShifts<W>::CovariantShifts(const dirac::StaggeredLinks<double, W>& links, const dirac::LinkPhases& phases)
    : links_(links) {
  for (int direction = 0; direction < 3; ++direction)
    shifts_.emplace_back(links.lattice(), dirac::symmetric_shift(phases, direction, links.lattice().size()));
}

template <int W>
FullVectors<double, W> CovariantShifts<W>::operator()(unsigned steps, const FullVectors<double, W>& in) const {
  std::vector<int> order;
  for (int i = 0; i < 3; ++i)
    if ((steps >> i & 1) != 0) order.push_back(i);
  const double orders = order.size() == 3 ? 6 : order.size() == 2 ? 2 : 1;
  const std::vector<double> weight(std::size_t(in.count()), 1 / orders);
  const auto sum = in.like();
  do {
    auto moved = in;
    for (const int i : order) {
      const auto next = in.like();
      apply_hops(links_, shifts_[std::size_t(i)], moved, next);
      moved = next;
    }
    for (const int parity : {0, 1}) solver::add_scaled(weight, moved.part[parity], sum.part[parity]);
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

#define TRELLIS_INSTANTIATE(W) template class CovariantShifts<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
