// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Group algorithms give exactly the bits of their defined order (backend/group_trees.hpp), in every way.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "trellis/core/nd_range.hpp"

namespace trellis {
namespace {

template <class WayType>
class NdRangeAlgorithmsTest : public testing::Test {
 protected:
  static constexpr auto way = work_items<WayType::value>;
};
using Ways = testing::Types<std::integral_constant<WorkItems, WorkItems::fibers>,
                            std::integral_constant<WorkItems, WorkItems::threads>>;
TYPED_TEST_SUITE(NdRangeAlgorithmsTest, Ways);

const Index sizes[] = {1, 2, 5, 31, 32, 33, 64, 100, 160, 257};

// Numbers whose sum has different bits in every order.
double rough(Index i) { return std::sin(static_cast<double>(i + 1)) * std::pow(10.0, static_cast<double>(i % 13)); }

struct Triple {  // 12 bytes
  float x, y, z;
  friend bool operator==(const Triple&, const Triple&) = default;
};
struct AddTriples {
  template <class T>
  static T identity() {
    return {};
  }
  Triple operator()(const Triple& a, const Triple& b) const { return {a.x + b.x, a.y * 0.5f + b.y * 0.5f, b.z}; }
};
template <class T>
T value_of(Index i) {
  if constexpr (std::is_same_v<T, Triple>) {
    return {static_cast<float>(rough(i)), static_cast<float>(rough(i + 7)), static_cast<float>(i)};
  } else {
    return static_cast<T>(rough(i));
  }
}

// The definition, one value at a time.
template <class T, class Op>
T tree(std::vector<T> v, const Op& op) {
  for (std::size_t half = 16; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half && i + half < v.size(); ++i) v[i] = op(v[i], v[i + half]);
  }
  return v[0];
}
template <class T, class Op>
std::vector<T> scanned(std::vector<T> v, const Op& op) {
  for (std::size_t distance = 1; distance < 32; distance *= 2) {
    const std::vector<T> from = v;
    for (std::size_t i = distance; i < v.size(); ++i) v[i] = op(from[i - distance], from[i]);
  }
  return v;
}
template <class T>
std::vector<std::vector<T>> in_sub_groups(const std::vector<T>& v) {
  std::vector<std::vector<T>> parts;
  for (std::size_t first = 0; first < v.size(); first += 32) {
    parts.emplace_back(v.begin() + static_cast<Index>(first),
                       v.begin() + static_cast<Index>(std::min(v.size(), first + 32)));
  }
  return parts;
}

// What every work-item of one group receives.
template <class T>
struct Results {
  T reduced, inclusive, exclusive, given, sub_reduced, sub_inclusive, sub_exclusive, sub_given;
};

template <class T, class Op>
std::vector<Results<T>> expected(const std::vector<T>& v, Index from, const Op& op) {
  std::vector<T> sums, totals;
  std::vector<Results<T>> all;
  const auto parts = in_sub_groups(v);
  for (const auto& part : parts) {
    sums.push_back(tree(part, op));
    totals.push_back(scanned(part, op).back());
  }
  const std::vector<T> before = scanned(totals, op);
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const std::vector<T> scan = scanned(parts[s], op);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const T inclusive = s > 0 ? op(before[s - 1], scan[i]) : scan[i];
      const T identity = Op::template identity<T>();
      all.push_back({tree(sums, op), inclusive, all.empty() ? identity : all.back().inclusive,
                     v[static_cast<std::size_t>(from)], sums[s], scan[i], i > 0 ? scan[i - 1] : identity,
                     parts[s][parts[s].size() / 2]});
    }
  }
  return all;
}

template <class T, class Op, class Way>
void algorithms_are_exact(Way way, const Op& op) {
  for (const Index size : sizes) {
    std::vector<T> values(static_cast<std::size_t>(2 * size));
    for (Index i = 0; i < 2 * size; ++i) values[static_cast<std::size_t>(i)] = value_of<T>(i);
    std::vector<Results<T>> results(values.size());
    const T* const in = values.data();
    Results<T>* const out = results.data();
    const Index from = size / 3;
    parallel_for("algorithms", nd_range<1, DefaultHostExecutionSpace>{2 * size, size}.by(way),
                 [=](const nd_item<1>& item) noexcept {
                   const T x = in[item.global_id()];
                   const auto sub_group = item.sub_group();
                   Results<T>& mine = out[item.global_id()];
                   mine.reduced = item.reduce(x, op);
                   mine.inclusive = item.inclusive_scan(x, op);
                   mine.given = item.broadcast(x, from);
                   mine.exclusive = item.exclusive_scan(x, op);
                   mine.sub_reduced = sub_group.reduce(x, op);
                   mine.sub_given = sub_group.broadcast(x, sub_group.local_range() / 2);
                   mine.sub_inclusive = sub_group.inclusive_scan(x, op);
                   mine.sub_exclusive = sub_group.exclusive_scan(x, op);
                 });
    for (Index group = 0; group < 2; ++group) {
      const auto right = expected(std::vector<T>(in + group * size, in + (group + 1) * size), from, op);
      for (Index i = 0; i < size; ++i) {
        const Results<T>& mine = out[group * size + i];
        const Results<T>& must = right[static_cast<std::size_t>(i)];
        ASSERT_TRUE(mine.reduced == must.reduced) << i << " of " << size;
        ASSERT_TRUE(mine.inclusive == must.inclusive) << i << " of " << size;
        ASSERT_TRUE(mine.exclusive == must.exclusive) << i << " of " << size;
        ASSERT_TRUE(mine.given == must.given) << i << " of " << size;
        ASSERT_TRUE(mine.sub_reduced == must.sub_reduced) << i << " of " << size;
        ASSERT_TRUE(mine.sub_inclusive == must.sub_inclusive) << i << " of " << size;
        ASSERT_TRUE(mine.sub_exclusive == must.sub_exclusive) << i << " of " << size;
        ASSERT_TRUE(mine.sub_given == must.sub_given) << i << " of " << size;
      }
    }
  }
}

TYPED_TEST(NdRangeAlgorithmsTest, HaveTheBitsOfTheirDefinition) {
  algorithms_are_exact<double>(this->way, Plus{});
  algorithms_are_exact<float>(this->way, Plus{});
  algorithms_are_exact<Triple>(this->way, AddTriples{});
}

TYPED_TEST(NdRangeAlgorithmsTest, OfIntegersAreThoseOfPlainLoops) {
  for (const Index size : sizes) {
    std::vector<std::array<Index, 6>> results(static_cast<std::size_t>(size));
    auto* const out = results.data();
    parallel_for("integers", nd_range<1, DefaultHostExecutionSpace>{size, size}.by(this->way),
                 [=](const nd_item<1>& item) noexcept {
                   const Index x = (item.local_id() * 7) % 11 - 3;
                   out[item.local_id()] = {
                       item.reduce(x),         item.reduce(x, Minimum{}), item.reduce(x, Maximum{}),
                       item.inclusive_scan(x), item.exclusive_scan(x),    item.exclusive_scan(x, Maximum{})};
                 });
    Index sum = 0, low = 100, high = std::numeric_limits<Index>::lowest();
    for (Index i = 0; i < size; ++i) {
      const Index x = (i * 7) % 11 - 3;
      const auto& mine = results[static_cast<std::size_t>(i)];
      ASSERT_EQ(mine[4], sum);
      ASSERT_EQ(mine[5], high);
      sum += x;
      low = std::min(low, x);
      high = std::max(high, x);
      ASSERT_EQ(mine[3], sum);
    }
    for (const auto& mine : results) {
      ASSERT_EQ(mine[0], sum);
      ASSERT_EQ(mine[1], low);
      ASSERT_EQ(mine[2], high);
    }
  }
}

TYPED_TEST(NdRangeAlgorithmsTest, AnyAndAll) {
  const Index size = 70;
  for (const Index special : {0, 31, 32, 69, 70}) {
    std::vector<int> results(static_cast<std::size_t>(size));
    int* const out = results.data();
    parallel_for("any", nd_range<2, DefaultHostExecutionSpace>{{7, 10}, {7, 10}}.by(this->way),
                 [=](const nd_item<2>& item) noexcept {
                   const Index id = item.local_linear_id();
                   const auto sub_group = item.sub_group();
                   out[id] = (item.any(id == special) ? 1 : 0) + (item.all(id != special) ? 2 : 0) +
                             (item.all(true) ? 4 : 0) + (sub_group.any(id == special) ? 8 : 0) +
                             (sub_group.all(id != special) ? 16 : 0) +
                             (sub_group.group_id() == id / 32 && sub_group.group_range() == 3 &&
                                      sub_group.local_id() == id % 32 && sub_group.local_range() == (id < 64 ? 32 : 6)
                                  ? 32
                                  : 0);
                 });
    for (Index id = 0; id < size; ++id) {
      const bool here = special < size, in_sub_group = here && special / 32 == id / 32;
      ASSERT_EQ(results[static_cast<std::size_t>(id)], (here ? 1 : 2) + 4 + (in_sub_group ? 8 : 16) + 32)
          << id << ' ' << special;
    }
  }
}

TEST(NdRangeAlgorithms, OfTheLargestGroup) {
  std::vector<double> values(1024);
  for (Index i = 0; i < 1024; ++i) values[static_cast<std::size_t>(i)] = rough(i);
  std::vector<double> sums(1024), scans(1024);
  const double* const in = values.data();
  double* const out = sums.data();
  double* const scan = scans.data();
  parallel_for("largest", nd_range<1, DefaultHostExecutionSpace>{1024, 1024}, [=](const nd_item<1>& item) noexcept {
    out[item.local_id()] = item.reduce(in[item.local_id()]);
    scan[item.local_id()] = item.exclusive_scan(in[item.local_id()]);
  });
  const auto right = expected(values, 0, Plus{});
  for (std::size_t i = 0; i < 1024; ++i) {
    ASSERT_EQ(sums[i], right[i].reduced);
    ASSERT_EQ(scans[i], right[i].exclusive);
  }
}

}  // namespace
}  // namespace trellis
