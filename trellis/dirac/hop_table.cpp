// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/hop_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/phase.hpp"

namespace trellis::dirac {

namespace {

double staggered_sign(const Coordinate& x, int mu) {
  int sum = 0;
  for (int nu = 0; nu < mu; ++nu) sum += x[nu];
  return sum % 2 == 0 ? 1 : -1;
}

// eta_mu(x) u / 2 of the link that a hop runs along: u_mu(x), or conj(u_mu(x - mu)) backwards.
std::complex<double> half_link(const LinkPhases& phases, const Coordinate& size, const Coordinate& x, int step) {
  const int mu = step % 4;
  Coordinate from = x;
  if (step >= 4) from[mu] = (from[mu] + size[mu] - 1) % size[mu];
  const std::complex<double> u = phase_of(angle_over_pi(phases, size, from, mu));
  return 0.5 * staggered_sign(x, mu) * (step < 4 ? u : std::conj(u));
}

}  // namespace

HopCoefficient staggered_coefficient(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) { return (step < 4 ? 1.0 : -1.0) * half_link(phases, size, x, step); };
}

HopCoefficient chemical_potential_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) { return step % 4 == 3 ? half_link(phases, size, x, step) : 0.0; };
}

HopCoefficient chemical_potential_second_derivative(const LinkPhases& phases, const Coordinate& size) {
  return [=](const Coordinate& x, int step) {
    return step % 4 == 3 ? (step < 4 ? 1.0 : -1.0) * half_link(phases, size, x, step) : 0.0;
  };
}

HopCoefficient flux_derivative(const LinkPhases& phases, int plane, const Coordinate& size) {
  // d/dn exp(i theta) = i theta' exp(i theta); backwards both the sign of D and that of the angle turn.
  return [=](const Coordinate& x, int step) {
    const int mu = step % 4;
    Coordinate from = x;
    if (step >= 4) from[mu] = (from[mu] + size[mu] - 1) % size[mu];
    return std::complex<double>(0, angle_derivative(size, plane, from, mu)) * half_link(phases, size, x, step);
  };
}

template <class T, int W>
HopTable<T, W>::HopTable(const Lattice& lattice, const HopCoefficient& coefficient)
    : host_numbers_("hop numbers", 8 * std::int64_t(lattice.tiles_and_ghosts())) {
  if (lattice.lanes() != W) fail("hop table: {} lanes, its lattice {}", W, lattice.lanes());
  using Place = ComplexTraits<complex<lanes_t<T, W>>>;
  struct Entry {
    T numbers[2 * W];
    bool real;
  };
  // Coefficients cost most: threads find those of some tiles, of which one makes the table.
  constexpr int at_once = 512;
  std::vector<Entry> entries(std::size_t(8 * std::min(at_once, lattice.tiles())));
  std::unordered_map<std::string, int> known;
  std::vector<T> values;
  for (int first = 0; first < lattice.tiles(); first += at_once) {
    const int last = std::min(first + at_once, lattice.tiles());
    parallel_for("hop coefficients", RangePolicy<DefaultHostExecutionSpace>(0, last - first), [&](Index n) {
      std::int64_t sites[W] = {};
      lattice.sites(lattice.own_tile(first + int(n)), sites);
      for (int step = 0; step < 8; ++step) {
        Entry& entry = entries[std::size_t(8 * n + step)];
        entry.real = true;
        for (int lane = 0; lane < W; ++lane) {
          // Adding 0 makes -0 into 0.
          const auto c = coefficient(lattice.coordinate(sites[lane]), step) + std::complex<double>(0, 0);
          entry.numbers[Place::place(lane, 0)] = T(c.real());
          entry.numbers[Place::place(lane, 1)] = T(c.imag());
          entry.real = entry.real && c.imag() == 0;
        }
      }
    });
    for (int n = 0; n < 8 * (last - first); ++n) {
      const Entry& entry = entries[std::size_t(n)];
      const auto [at, is_new] =
          known.emplace(std::string(reinterpret_cast<const char*>(entry.numbers), sizeof entry.numbers), distinct_);
      if (is_new) {
        values.insert(values.end(), entry.numbers, entry.numbers + 2 * W);
        ++distinct_;
      }
      real_ = real_ && entry.real;
      host_numbers_(8 * std::int64_t(lattice.own_tile(first + n / 8)) + n % 8) = at->second;
    }
  }
  host_values_ = HostView<T*>("hop coefficients", Index(values.size()));
  std::memcpy(host_values_.data(), values.data(), values.size() * sizeof(T));
  numbers_ = in_field_memory(host_numbers_);
  values_ = in_field_memory(host_values_);
}

#define TRELLIS_INSTANTIATE(T, W) template class HopTable<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
