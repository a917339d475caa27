// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Chooses the best grid of ranks for a lattice by trying all that divide it.
#include <algorithm>
#include <set>

#include "trellis/comm/process_grid.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

namespace {

// The number of sites of a block in a slice across each direction.
std::array<std::int64_t, 4> slices(const Coordinate& block) {
  const std::int64_t volume = std::int64_t(block[0]) * block[1] * block[2] * block[3];
  return {volume / block[0], volume / block[1], volume / block[2], volume / block[3]};
}

// f(n) for each divisor n of `of` such that this many sites divide into n blocks.
template <class F>
void for_each_division(int sites, int of, const F& f) {
  for (int n = 1; n <= of && 2 * n <= sites; ++n)
    if (of % n == 0 && sites % (2 * n) == 0) f(n);
}

template <class F>
void for_each_grid(const Coordinate& lattice, int ranks, const F& f) {
  for_each_division(lattice[3], ranks, [&](int t) {
    for_each_division(lattice[2], ranks / t, [&](int z) {
      for_each_division(lattice[1], ranks / t / z, [&](int y) {
        const int x = ranks / t / z / y;
        if (lattice[0] % (2 * x) == 0) f(Coordinate{x, y, z, t});
      });
    });
  });
}

// The numbers of ranks that a lattice divides over into blocks that are this wide where they are cut.
std::set<std::int64_t> possible_ranks(const Coordinate& lattice, int longest_hop) {
  std::set<std::int64_t> numbers{1};
  for (const int sites : lattice) {
    std::set<std::int64_t> next;
    for (int n = 1; 2 * n <= sites; ++n)
      if (sites % (2 * n) == 0 && (n == 1 || sites / n >= longest_hop))
        for (const std::int64_t before : numbers) next.insert(before * n);
    numbers = std::move(next);
  }
  return numbers;
}

// The nearest of them, four on either side.
std::string nearest_possible(const Coordinate& lattice, int ranks, int longest_hop) {
  constexpr int around = 4;
  const auto numbers = possible_ranks(lattice, longest_hop);
  auto first = numbers.lower_bound(ranks), last = first;
  for (int k = 0; k < around && first != numbers.begin(); ++k) --first;
  for (int k = 0; k < around && last != numbers.end(); ++k) ++last;
  return fmt::format("{}{}{} do{}", first == numbers.begin() ? "" : "... ", joined(std::vector<int>(first, last), ", "),
                     last == numbers.end() ? "" : " ...", numbers.size() == 1 ? "es" : "");
}

}  // namespace

double HaloTraffic::seconds(const LinkCost& cost, double bytes_per_site) const {
  return messages * cost.latency +
         bytes_per_site * (double(inside) / cost.bandwidth_inside + double(outside) / cost.bandwidth);
}

// Sites that are sent to other machines are counted for every rank: those at the edge of a machine send most.
HaloTraffic halo_traffic(const Coordinate& lattice, const Coordinate& extents, int ranks_on_machine) {
  Coordinate block{};
  for (std::size_t mu = 0; mu < 4; ++mu) block[mu] = lattice[mu] / extents[mu];
  const auto slice = slices(block);
  const int ranks = extents[0] * extents[1] * extents[2] * extents[3];
  HaloTraffic worst;
  std::int64_t all = 0;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (extents[mu] > 1) {
      worst.messages += 2;
      all += 2 * slice[mu];
    }
  if (ranks > ranks_on_machine) {
    for (int rank = 0; rank < ranks; ++rank) {
      std::int64_t outside = 0;
      int stride = 1;
      for (std::size_t mu = 0; mu < 4; ++mu) {  // in the order 0, 1, 2, 3
        const int extent = extents[mu], here = rank / stride % extent;
        for (const int there : {(here + 1) % extent, (here + extent - 1) % extent})
          if ((rank + (there - here) * stride) / ranks_on_machine != rank / ranks_on_machine) outside += slice[mu];
        stride *= extent;
      }
      worst.outside = std::max(worst.outside, outside);
    }
  }
  worst.inside = all - worst.outside;
  return worst;
}

std::vector<GridChoice> possible_grids(const Coordinate& lattice, int ranks, const LinkCost& cost,
                                       double bytes_per_site, int longest_hop) {
  std::vector<GridChoice> choices;
  for_each_grid(lattice, ranks, [&](const Coordinate& extents) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (extents[mu] > 1 && lattice[mu] / extents[mu] < longest_hop) return;
    const HaloTraffic all = halo_traffic(lattice, extents, std::max(1, cost.ranks_on_machine));
    choices.push_back({extents, all.seconds(cost, bytes_per_site), all.inside + all.outside});
  });
  // Among equal ones, the one that cuts t most, then z, then y: x is the direction of the lanes.
  const auto from_t = [](const Coordinate& e) { return Coordinate{e[3], e[2], e[1], e[0]}; };
  std::sort(choices.begin(), choices.end(), [&](const GridChoice& a, const GridChoice& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : from_t(a.extents) > from_t(b.extents);
  });
  return choices;
}

Coordinate best_grid(const Coordinate& lattice, int ranks, const LinkCost& cost, double bytes_per_site,
                     int longest_hop) {
  if (ranks < 1) fail_input("a lattice is divided over at least 1 rank, not {}", ranks);
  for (const int sites : lattice)
    if (sites < 2 || sites % 2 != 0)
      fail_input("lattice {}: its extents must be even, and at least 2", to_string(lattice));
  const std::int64_t most = std::int64_t(lattice[0] / 2) * (lattice[1] / 2) * (lattice[2] / 2) * (lattice[3] / 2);
  if (ranks > most)
    fail_input("lattice {} does not divide over {} ranks: blocks have at least 2x2x2x2 sites, so that {} the most",
               to_string(lattice), ranks, most == 1 ? "1 rank is" : fmt::format("{} ranks are", most));
  const auto choices = possible_grids(lattice, ranks, cost, bytes_per_site, longest_hop);
  if (choices.empty() && longest_hop > 1 && !possible_grids(lattice, ranks, cost, bytes_per_site).empty())
    fail_input(
        "lattice {} does not divide over {} ranks: blocks have even extents, and where they are cut at least {} sites, "
        "since quarks hop {}; {}",
        to_string(lattice), ranks, longest_hop + longest_hop % 2, longest_hop,
        nearest_possible(lattice, ranks, longest_hop));
  if (choices.empty())
    fail_input("lattice {} does not divide over {} ranks; {}", to_string(lattice), ranks,
               nearest_possible(lattice, ranks, 1));
  return choices.front().extents;
}

}  // namespace trellis::comm
