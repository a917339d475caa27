// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/stencil/hop_table.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/core/parallel.hpp"

namespace trellis::dirac {

template <class T, int W>
HopTable<T, W>::HopTable(const Lattice& lattice, const HopCoefficient& coefficient, const HopPattern& pattern)
    : list_(lattice, pattern), host_numbers_("hop numbers", pattern.count * std::int64_t(lattice.tiles_and_ghosts())) {
  const int hops = pattern.count;
  if (lattice.lanes() != W) fail("hop table: {} lanes, its lattice {}", W, lattice.lanes());
  using Place = ComplexTraits<complex<lanes_t<T, W>>>;
  struct Entry {
    T numbers[2 * W];
    bool real;
  };
  // Evaluating coefficients costs most: threads do so for a block of tiles, then one thread adds them to the table.
  constexpr int at_once = 512;
  std::vector<Entry> entries(std::size_t(hops) * std::size_t(std::min(at_once, lattice.tiles())));
  std::unordered_map<std::string, int> known;
  std::vector<T> values;
  for (int first = 0; first < lattice.tiles(); first += at_once) {
    const int last = std::min(first + at_once, lattice.tiles());
    parallel_for("hop coefficients", RangePolicy<DefaultHostExecutionSpace>(0, last - first), [&](Index n) {
      std::int64_t sites[W] = {};
      lattice.sites(lattice.own_tile(first + int(n)), sites);
      for (int step = 0; step < hops; ++step) {
        Entry& entry = entries[std::size_t(hops * n + step)];
        entry.real = true;
        for (int lane = 0; lane < W; ++lane) {
          // Adding 0 turns -0 into 0.
          const auto c = coefficient(lattice.coordinate(sites[lane]), step) + std::complex<double>(0, 0);
          entry.numbers[Place::place(lane, 0)] = T(c.real());
          entry.numbers[Place::place(lane, 1)] = T(c.imag());
          entry.real = entry.real && c.imag() == 0;
        }
      }
    });
    for (int n = 0; n < hops * (last - first); ++n) {
      const Entry& entry = entries[std::size_t(n)];
      const auto [at, is_new] =
          known.emplace(std::string(reinterpret_cast<const char*>(entry.numbers), sizeof entry.numbers), distinct_);
      if (is_new) {
        values.insert(values.end(), entry.numbers, entry.numbers + 2 * W);
        ++distinct_;
      }
      real_ = real_ && entry.real;
      host_numbers_(hops * std::int64_t(lattice.own_tile(first + n / hops)) + n % hops) = at->second;
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
