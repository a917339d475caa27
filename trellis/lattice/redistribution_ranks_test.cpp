// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Links go from all ranks to groups of them and back; each number says where it belongs.
#include "trellis/lattice/redistribution.hpp"

#include <gtest/gtest.h>

#include "tests/support/wide_lanes.hpp"
#include "trellis/comm/groups.hpp"
#include "trellis/core/error.hpp"

namespace trellis {
namespace {

const Coordinate size{4, 2, 4, 16};

comm::ProcessGrid cut_in_time(const comm::Communicator& ranks) {
  return ranks.size() == 1 ? comm::ProcessGrid() : comm::ProcessGrid(ranks, {1, 1, 1, ranks.size()});
}

std::array<double, 18> numbers_of(const Lattice& lattice, const Coordinate& x, int mu, double more) {
  std::array<double, 18> numbers{};
  for (std::size_t k = 0; k < 18; ++k)
    numbers[k] = 100.0 * double(4 * lattice.lexicographic(x) + mu) + double(k) + more;
  return numbers;
}

template <int W, class F>
void for_own_links(const GaugeField<double, W>& u, const F& f) {
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      if (const auto x = u.lattice().coordinate(n); u.lattice().owns(x)) f(x, mu);
}
template <int W>
void fill(const GaugeField<double, W>& u, double more) {
  for_own_links(u, [&](const Coordinate& x, int mu) { u.set_link(x, mu, numbers_of(u.lattice(), x, mu, more)); });
}
template <int W>
void expect(const GaugeField<double, W>& u, double more) {
  for_own_links(u, [&](const Coordinate& x, int mu) {
    ASSERT_EQ(u.link(x, mu), numbers_of(u.lattice(), x, mu, more)) << to_string(x) << " " << mu;
  });
}

template <int W>
void expect_links_everywhere() {
  const auto all = comm::Communicator::world();
  const GaugeField<double, W> whole(Lattice(size, W, SiteOrder::even_odd, {}, cut_in_time(all)));
  for (int count = 1; count <= all.size(); ++count) {
    if (all.size() % count != 0) continue;
    const auto group = comm::group_of(all, count);
    const int length = all.size() / count, number = all.rank() / length;
    const GaugeField<double, W> own(Lattice(size, W, SiteOrder::even_odd, {}, cut_in_time(group)));
    fill(whole, 0.25);
    redistribute(all, 0, all.size(), whole, own);
    expect(own, 0.25);
    for (int from = 0; from < count; ++from) {
      fill(own, number);
      redistribute(all, from * length, length, number == from ? own : GaugeField<double, W>(), whole);
      expect(whole, from);
      // Only one group takes them.
      const int to = (from + 1) % count;
      if (to == from) continue;
      redistribute(all, from * length, length, number == from ? own : GaugeField<double, W>(),
                   number == to ? own : GaugeField<double, W>());
      expect(own, number == to ? from : number);
    }
  }
}

TEST(RanksRedistribution, LinksComeWhereTheyBelong) {
  expect_links_everywhere<1>();
  if (Lattice::divides({size[0], size[1], size[2], size[3] / comm::Communicator::world().size()}, test::wide))
    expect_links_everywhere<test::wide>();
}

TEST(RanksRedistribution, LatticesMustHaveTheSameSize) {
  const auto all = comm::Communicator::world();
  const GaugeField<double, 1> whole(Lattice(size, 1, SiteOrder::even_odd, {}, cut_in_time(all)));
  const GaugeField<double, 1> other(Lattice({4, 4, 4, 16}, 1, SiteOrder::even_odd, {}, cut_in_time(all)));
  EXPECT_THROW(redistribute(all, 0, all.size(), whole, other), Error);
}

}  // namespace
}  // namespace trellis
