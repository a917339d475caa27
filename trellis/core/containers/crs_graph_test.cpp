// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/crs_graph.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/tested_spaces.hpp"

namespace trellis {
namespace {

template <class Exec>
class CrsGraphTest : public testing::Test {
 protected:
  ~CrsGraphTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(CrsGraphTest, TestedSpaces);

using Rows = std::vector<std::vector<Index>>;

template <class Exec>
Rows rows_of(const CrsGraph<Exec>& graph) {
  Rows rows(static_cast<std::size_t>(graph.rows()));
  for (Index r = 0; r < graph.rows(); ++r) {
    for (const Index entry : graph.row(r)) rows[static_cast<std::size_t>(r)].push_back(entry);
    EXPECT_EQ(graph.row(r).size(), graph.row_end(r) - graph.row_begin(r));
  }
  return rows;
}

// Against lists that grow edge by edge.
TYPED_TEST(CrsGraphTest, HasTheEdgesInTheirOrder) {
  constexpr Index rows = 70, columns = 40, edges = 3000;
  std::mt19937 random(5);
  const HostView<int*> from("from", edges);
  const HostView<Index*> to("to", edges);
  Rows expected(rows), turned(columns);
  for (Index e = 0; e < edges; ++e) {
    from(e) = static_cast<int>(random() % rows);
    if (from(e) == 13) from(e) = 14;  // an empty row
    to(e) = static_cast<Index>(random() % columns);
    expected[static_cast<std::size_t>(from(e))].push_back(to(e));
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (const Index c : expected[r]) turned[static_cast<std::size_t>(c)].push_back(static_cast<Index>(r));
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    const auto graph = crs_from_edges(TypeParam{}, rows, from, to);
    EXPECT_EQ(graph.size(), edges);
    EXPECT_EQ(rows_of(graph), expected);
    EXPECT_EQ(rows_of(transpose(graph, columns)), turned);
  }
  EXPECT_THROW(transpose(crs_from_edges(TypeParam{}, rows, from, to), columns - 1), Error);
}

TYPED_TEST(CrsGraphTest, FromCounts) {
  const HostView<int*> counts("counts", 5);
  const int given[] = {3, 0, 2, 0, 1};
  for (Index r = 0; r < 5; ++r) counts(r) = given[r];
  const auto graph = crs_from_counts(TypeParam{}, counts);
  EXPECT_EQ(rows_of(graph), (Rows{{0, 0, 0}, {}, {0, 0}, {}, {0}}));
  graph.entries(graph.row_begin(2) + 1) = 9;
  EXPECT_EQ(rows_of(graph)[2], (std::vector<Index>{0, 9}));
  const auto none = crs_from_counts(TypeParam{}, HostView<int*>("none", 0));
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(CrsGraph<TypeParam>().rows(), 0);
}

TEST(CrsGraph, BadNumbersAreNamed) {
  const HostView<int*> counts("counts", 3), from("from", 3), to("to", 3), two("two", 2);
  counts(1) = -4;
  counts(2) = -5;
  from(2) = 7;
  const auto message = [](const auto& f) {
    try {
      f();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([&] { crs_from_counts(Serial{}, counts); }).find("crs_from_counts: count 1 of 'counts' is -4; it"),
            0U);
  EXPECT_EQ(message([&] { crs_from_edges(Serial{}, 7, from, to); }),
            "crs_from_edges: beginning 2 of 'from' is 7; it must be from 0 to 6");
  EXPECT_EQ(message([&] { crs_from_edges(Serial{}, 0, from, to); }),
            "crs_from_edges: beginning 0 of 'from' is 0, but there are no rows");
  EXPECT_EQ(message([&] { crs_from_edges(Serial{}, 7, from, two); }),
            "crs_from_edges: 3 beginnings 'from', but 2 ends 'two'");
}

}  // namespace
}  // namespace trellis
