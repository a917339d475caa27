// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/resident.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/core/mirror.hpp"

namespace trellis {
namespace resident_test {

using Exec = DefaultExecutionSpace;
using Numbers = View<double*, Exec::memory_space>;
constexpr int turns = 20, few = 11, numbers_on_the_way = 3;

// A rule for numbers on a ring that far neighbours and the sum of all contribute to; it overwrites what it reads, so
// that a thread that did not wait would be noticed.
TRELLIS_INLINE double next_number(double own, double other, double total, int turn) {
  const double scale = turn % 2 == 0 ? 0x1p40 : 0x1p-40;
  return 0.3 * own - 0.4 * other + total * 1e-7 + (turn % 7 == 0 ? scale : 0);
}

template <int W>
struct Ring {
  double *now, *next, *totals, *scalars;
  int tiles;

  TRELLIS_EITHER_SIDE
  template <class Team>
  TRELLIS_FUNCTION void operator()(Team& team) const {
    using D = lanes_t<double, W>;
    const int sites = tiles * W;
    double total = 0;
    for (int turn = 0; turn < turns; ++turn) {
      team.each(tiles, [&](int tile) {
        for (const int l : own_lanes<D>()) {
          const int site = tile * W + l, other = (site + 1 + turn * 37) % sites;
          next[site] = next_number(now[site], now[other], total, turn);
        }
      });
      total = team.template sum<D>(tiles, [&](int tile) {
        D value(0.0);
        for (const int l : own_lanes<D>()) set_lane(value, l, next[tile * W + l]);
        return value;
      });
      team.each(tiles, [&](int tile) {
        for (const int l : own_lanes<D>()) now[tile * W + l] = next[tile * W + l];
      });
      team.meet();
      team.each(tiles, numbers_on_the_way, [&](int tile, int n) {
        for (const int l : own_lanes<D>()) {
          const int site = tile * W + l;
          if (site % numbers_on_the_way == n) now[site] += next[(site + 1) % sites];
        }
      });
      team.each_number(few, [&](int i) { scalars[i] += i * total; });
      team.once([&] { totals[turn] = total; });
      team.meet();
    }
  }
};

struct Result {
  std::vector<double> numbers, totals, scalars;
  bool operator==(const Result&) const = default;
};

Result on_the_host(int sites) {
  std::vector<double> now(std::size_t(sites), 1.0), next(now);
  Result result{{}, {}, std::vector<double>(few)};
  double total = 0;
  for (int turn = 0; turn < turns; ++turn) {
    ExactSum sum;
    for (int site = 0; site < sites; ++site) {
      next[std::size_t(site)] =
          next_number(now[std::size_t(site)], now[std::size_t((site + 1 + turn * 37) % sites)], total, turn);
      sum.add(next[std::size_t(site)]);
    }
    for (int site = 0; site < sites; ++site)
      now[std::size_t(site)] = next[std::size_t(site)] + next[std::size_t((site + 1) % sites)];
    total = sum.value();
    result.totals.push_back(total);
    for (int i = 0; i < few; ++i) result.scalars[std::size_t(i)] += i * total;
  }
  result.numbers = now;
  EXPECT_TRUE(std::isfinite(total));
  return result;
}

std::vector<double> read(const Numbers& numbers) {
  const auto here = create_mirror_view_and_copy(HostSpace{}, numbers);
  return {here.data(), here.data() + here.size()};
}

template <int W>
Result resident(const Resident<Exec>& place, int sites) {
  const Numbers now("now", sites), next("next", sites), totals("totals", turns), scalars("scalars", few);
  deep_copy(now, 1.0);
  place.run("ring", sites, W, Ring<W>{now.data(), next.data(), totals.data(), scalars.data(), sites / W});
  return {read(now), read(totals), read(scalars)};
}

// Twice in the same place: the second launch goes on with the rounds of the first.
template <int W>
void expect_the_same_bits(const Resident<Exec>& place, int sites) {
  const Result expected = on_the_host(sites);
  EXPECT_EQ(resident<W>(place, sites), expected) << sites;
  EXPECT_EQ(resident<W>(place, sites), expected) << sites;
}

TEST(Resident, ThreadsSeeWhatOthersWroteAndKnowTheSumOfAll) {
  const Resident<Exec> place;
  for (const int sites : {64, 1024, 3072, 4096, 8192}) {
#define TRELLIS_TEST(W) expect_the_same_bits<W>(place, sites);
    TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_TEST)
#undef TRELLIS_TEST
  }
}

TEST(Resident, TakesOnlyWhatFits) {
  const Resident<Exec> place;
  EXPECT_FALSE(place.takes(Index(1) << 40));
  if (std::is_same_v<Exec, DefaultHostExecutionSpace>) {
    EXPECT_FALSE(place.takes(64));
  }
}

}  // namespace resident_test
}  // namespace trellis
