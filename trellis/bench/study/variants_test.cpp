// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variants.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "reference/wilson.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_spinors.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::bench::study {
namespace {

using reference::SiteParity;

const HopWeights weights{.spatial = 0.83, .boundary_angle_over_pi = {0.2, 0.7, -0.5, 1.1}};
// The first divides into up to 8 virtual nodes, the second into 32.
constexpr Coordinate odd_shape{2, 4, 6, 8}, even_shape{4, 4, 4, 8};
constexpr int vectors = 3;  // right-hand side n is vector n mod 3: permuting lanes by powers of two changes them

// Random links and vectors, and the results of a scalar variant: [parity][sign], vectors side by side.
template <class T>
struct Problem {
  reference::WilsonMatrix matrix;
  GaugeField<T, 1> links;
  std::vector<reference::SpinorField> psi;
  SpinorField<T, 1> source[2];

  explicit Problem(const Coordinate& size)
      : matrix(reference::hot_configuration(size, 51),
               {.spatial_hopping = weights.spatial, .boundary_angle_over_pi = weights.boundary_angle_over_pi}),
        links(test::from_reference<T, 1>(matrix.links)) {
    for (int n = 0; n < vectors; ++n) psi.push_back(reference::random_spinors(size, std::uint64_t(60 + n)));
    for (const int parity : {0, 1}) source[parity] = sources(parity, vectors);
  }
  SpinorField<T, 1> sources(int parity, int count) const {
    const SpinorField<T, 1> fields(links.lattice(), parity, count);
    for (int n = 0; n < count; ++n) test::from_reference(psi[std::size_t(n % vectors)], fields, n);
    return fields;
  }

  // The bits of everything that a variant computes, one right-hand side after the other.
  struct Results {
    std::vector<SpinorField<T, 1>> fields;  // [2 parity + sign]
  };
  Results run(const WilsonVariant& variant, int first_vector = 0) const {
    WilsonVariantRun<T> run(variant, links, weights);
    Results results;
    for (const int parity : {0, 1})
      for (const HopSign sign : {HopSign::plain, HopSign::adjoint}) {
        SpinorField<T, 1> in = sources(1 - parity, run.right_hand_sides());
        if (run.right_hand_sides() == 1) test::from_reference(psi[std::size_t(first_vector)], in);
        run.set_source(in);
        run.apply(parity, sign);
        results.fields.push_back(run.result(parity));
      }
    return results;
  }
};

template <class T>
bool same_bits(const SpinorField<T, 1>& a, int n, const SpinorField<T, 1>& b) {
  const auto x = create_mirror_view_and_copy(HostSpace{}, a.view());
  const auto y = create_mirror_view_and_copy(HostSpace{}, b.view());
  for (Index site = 0; site < a.lattice().volume() / 2; ++site)
    for (int k = 0; k < 24; ++k)
      if (std::memcmp(&x(site, n, k), &y(site, 0, k), sizeof(T)) != 0) return false;
  return true;
}

// The results of the scalar kernel for each vector with links of one format, compared with the oracle.
template <class T>
class Expected {
 public:
  Expected(const Problem<T>& problem, LinkFormat format, double tolerance) {
    for (int n = 0; n < vectors; ++n) {
      results_.push_back(problem.run({.filling = Filling::scalar, .links = format}, n));
      const auto& psi = problem.psi[std::size_t(n)];
      const reference::SpinorField d[2] = {apply_d(problem.matrix, psi), apply_d_adjoint(problem.matrix, psi)};
      for (const int parity : {0, 1})
        for (const int sign : {0, 1}) {
          const auto expected = part(problem.links.lattice().size(), d[sign], SiteParity(parity));
          const auto found = test::to_reference(results_.back().fields[std::size_t(2 * parity + sign)]);
          EXPECT_LT(test::largest(found - expected), tolerance * test::largest(expected))
              << int(format) << " reals, vector " << n << ", parity " << parity << ", sign " << sign;
        }
    }
  }
  void expect_same_bits(const typename Problem<T>::Results& found, const WilsonVariant& variant) const {
    for (std::size_t k = 0; k < 4; ++k)
      for (int n = 0; n < found.fields[k].count(); ++n)
        EXPECT_TRUE(same_bits(found.fields[k], n, results_[std::size_t(n % vectors)].fields[k]))
            << description(variant) << ": vector " << n << ", parity " << k / 2 << ", sign " << k % 2;
  }

 private:
  std::vector<typename Problem<T>::Results> results_;
};

// The variants are a separate target, which nightly tests build.
class StudysVariants : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_variants(); !why.empty()) GTEST_SKIP() << why;
  }
};

template <class T>
class WilsonVariants : public StudysVariants {
 protected:
  // Rounding errors of sums of some hundred products, and of links rebuilt from eight numbers.
  static double tolerance(LinkFormat format) {
    return (format == LinkFormat::minimal ? 1000 : 10) * double(std::numeric_limits<T>::epsilon());
  }
  static std::map<LinkFormat, Expected<T>> expected(const Problem<T>& problem) {
    std::map<LinkFormat, Expected<T>> all;
    for (const LinkFormat format : {LinkFormat::full, LinkFormat::two_rows, LinkFormat::minimal})
      if (is_compiled<T>({.filling = Filling::scalar, .links = format}))
        all.emplace(format, Expected<T>(problem, format, tolerance(format)));
    return all;
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(WilsonVariants, Precisions);

TYPED_TEST(WilsonVariants, AgreeWithTheOracleAndGiveTheSameBits) {
  std::set<int> done;
  const auto variants = compiled_variants<TypeParam>();
  for (const Coordinate& size : {odd_shape, even_shape}) {
    const Problem<TypeParam> problem(size);
    const auto expected = this->expected(problem);
    for (int k = 0; k < int(variants.size()); ++k) {
      const WilsonVariant& v = variants[std::size_t(k)];
      if (done.contains(k) || !Lattice::divides(size, v.filling == Filling::virtual_nodes ? v.lanes : 1)) continue;
      expected.at(v.links).expect_same_bits(problem.run(v), v);
      done.insert(k);
    }
  }
  EXPECT_EQ(done.size(), variants.size());
}

TYPED_TEST(WilsonVariants, ShapesTraversalsStoresAndDistancesKeepTheBits) {
  const Problem<TypeParam> problem(even_shape);
  // Where lanes are threads, only some with whole links run in all orders.
  const LinkFormat format = fields_on_host ? LinkFormat::two_rows : LinkFormat::full;
  const Expected<TypeParam> expected(problem, format, this->tolerance(format));
  int orders = 0;
  const int threads = concurrency();
  for (WilsonVariant v : compiled_variants<TypeParam>()) {
    if (v.layout != SiteLayout::right || v.links != format || v.lanes > 16) continue;
    set_thread_count(3);
    v.shape.column = {1, 2};
    if (v.filling == Filling::virtual_nodes)
      v.shape.lane_grid = {1, v.lanes >= 4 ? 2 : 1, v.lanes >= 8 ? 2 : 1, v.lanes >= 16 ? 4 : 2};
    v.stores = Stores::streaming;
    v.ahead = {.links = 3, .vectors = 5, .fresh = 2};
    expected.expect_same_bits(problem.run(v), v);
    v.traversal = Traversal::team;
    if (!fields_on_host && !is_compiled<TypeParam>(v)) continue;
    ++orders;
    expected.expect_same_bits(problem.run(v), v);
    v.team_size = 2;
    expected.expect_same_bits(problem.run(v), v);
    v.traversal = Traversal::blocked;
    v.ahead = {};
    for (const Coordinate& tile : {Coordinate{0, 2, 2, 0}, Coordinate{1, 1, 2, 2}, Coordinate{0, 0, 0, 0}}) {
      v.tile = tile;
      expected.expect_same_bits(problem.run(v), v);
    }
    set_thread_count(threads);
  }
  set_thread_count(threads);
  EXPECT_GT(orders, is_single<TypeParam> ? 1 : fields_on_host ? 0 : -1);
}

TYPED_TEST(WilsonVariants, EveryChoiceOfTheStudyIsThere) {
  using T = TypeParam;
  if (!fields_on_host) GTEST_SKIP() << "a list of those for registers";
  const auto variants = compiled_variants<T>();
  for (const WilsonVariant& v : variants) {
    EXPECT_TRUE(is_compiled<T>(v)) << description(v);
    EXPECT_EQ(std::count(variants.begin(), variants.end(), v), 1) << description(v);
  }
  const int native = native_lanes<T>();
  for (const LinkFormat links : {LinkFormat::full, LinkFormat::two_rows, LinkFormat::minimal})
    for (const Filling filling : {Filling::virtual_nodes, Filling::right_hand_sides}) {
      EXPECT_TRUE((is_compiled<T>({.filling = filling, .lanes = 1, .links = links})));
      EXPECT_TRUE((is_compiled<T>({.filling = filling, .lanes = native, .links = links})));
    }
  if (!is_single<T>) return;
  for (const int lanes : {4, 8, 16, 32}) EXPECT_TRUE((is_compiled<T>({.lanes = lanes}))) << lanes;
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    EXPECT_TRUE((is_compiled<T>({.filling = Filling::right_hand_sides, .lanes = lanes}))) << lanes;
  for (const SiteLayout layout : {SiteLayout::right, SiteLayout::left, SiteLayout::tiled})
    for (const ComplexForm form : {ComplexForm::split, ComplexForm::interleaved}) {
      const LinkFormat full = LinkFormat::full;
      EXPECT_TRUE((is_compiled<T>({.filling = Filling::scalar, .complex = form, .layout = layout, .links = full})));
      for (const Filling filling : {Filling::virtual_nodes, Filling::right_hand_sides})
        EXPECT_TRUE(
            (is_compiled<T>({.filling = filling, .lanes = native, .complex = form, .layout = layout, .links = full})));
    }
  for (const int lanes : {1, native})
    EXPECT_TRUE((is_compiled<T>({.lanes = lanes, .neighbours = NeighbourSource::computed})));
}

TEST_F(StudysVariants, CountsItsBytesAndFlops) {
  const GaugeField<float, 1> u = GaugeField<float, 1>::unit(Lattice(odd_shape));
  WilsonVariantRun<float> run({.filling = Filling::right_hand_sides, .lanes = 8, .links = LinkFormat::full}, u);
  EXPECT_EQ(run.right_hand_sides(), 8);
  EXPECT_EQ(run.bytes(), 192.0 * 4 * (144 + 8 * 48));
  EXPECT_EQ(run.flops(), 192.0 * 8 * 1320);
  for (const int parity : {0, 1}) {
    EXPECT_EQ(run.link_numbers(parity).size(), 192 * 144);
    EXPECT_EQ(run.spinor_numbers(parity).size(), 192 * 24 * 8);
  }
  // One vector for all right-hand sides.
  const SpinorField<float, 1> psi(u.lattice(), 1);
  test::from_reference(reference::random_spinors(odd_shape, 3), psi);
  run.set_source(psi);
  const SpinorField<float, 1> back = run.result(1);
  for (int n = 0; n < 8; ++n) EXPECT_TRUE(same_bits(back, n, psi));
}

TEST_F(StudysVariants, WhatCannotBeIsNamed) {
  if (!fields_on_host) GTEST_SKIP() << "examples for registers";
  const GaugeField<float, 1> u = GaugeField<float, 1>::unit(Lattice(odd_shape));
  const auto refused = [&](const WilsonVariant& v, const std::string& words, const HopWeights& hops = {}) {
    try {
      const WilsonVariantRun<float> run(v, u, hops);
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
      return;
    }
    ADD_FAILURE() << words << ": was accepted";
  };
  refused({.lanes = 64}, "'64 virtual nodes, split, layout right, 12 reals'");
  refused({.lanes = 64},
          fmt::format("there are: {} virtual nodes, split, layout right, 18 reals; ", native_lanes<float>()));
  refused({.filling = Filling::scalar, .lanes = 8}, "8 lanes");
  refused({.lanes = 8, .complex = ComplexForm::interleaved, .links = LinkFormat::minimal}, "interleaved");
  refused({.lanes = 32}, "does not divide into 32");
  refused({.lanes = 4, .shape = {.lane_grid = {2, 2, 1, 1}}}, "2x2x1x1");
  refused({.traversal = Traversal::blocked, .tile = {0, 2, 7, 0}}, "blocks of 7 in z; virtual nodes have 6 there");
  refused({.traversal = Traversal::blocked, .tile = {0, -1, 0, 0}}, "blocks of -1 in y");
  refused({}, "spatial hops", {.spatial = -1});
}

TEST(StudysTiles, TileFitsThinVirtualNodes) {
  const WilsonVariant blocked{.traversal = Traversal::blocked};
  EXPECT_EQ(default_tile(blocked, {4, 4, 4, 8}), fields_on_host ? (Coordinate{0, 2, 2, 0}) : (Coordinate{2, 2, 2, 2}));
  WilsonVariant nodes = blocked;
  nodes.lanes = 4;
  nodes.shape = {.lane_grid = {1, 2, 2, 1}};
  EXPECT_EQ(default_tile(nodes, {4, 4, 8, 8}), fields_on_host ? (Coordinate{0, 2, 2, 0}) : (Coordinate{2, 2, 2, 2}));
  EXPECT_NO_THROW(require_tile(nodes, {4, 4, 4, 8}));
  nodes.tile = {3, 1, 1, 1};
  EXPECT_THROW(require_tile(nodes, {4, 4, 4, 8}), InputError);
  EXPECT_THROW(require_tile(blocked, {4, 4, 3, 8}), InputError);
  // Four tiles in y and z, eight in t, two in x/2: each extent becomes 1, 2, 4 or all, and not what it is.
  const auto orders = orders_around(blocked, {4, 4, 4, 8});
  EXPECT_EQ(orders.size(), 2U + 2 + 3 + 1);
  for (const WilsonVariant& v : orders) {
    int changed = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) changed += v.tile[mu] != blocked.tile[mu];
    EXPECT_EQ(changed, 1) << to_string(v.tile);
    EXPECT_NO_THROW(require_tile(v, {4, 4, 4, 8})) << to_string(v.tile);
  }
  const WilsonVariant teams{.traversal = Traversal::team, .team_size = 1};
  std::set<int> sizes;
  for (const WilsonVariant& v : orders_around(teams, {4, 4, 4, 8})) sizes.insert(v.team_size);
  EXPECT_TRUE(sizes.contains(0));
  EXPECT_FALSE(sizes.contains(1));
  EXPECT_LE(*sizes.rbegin(), largest_team(teams));
  EXPECT_TRUE(orders_around({}, {4, 4, 4, 8}).empty());
}

TEST_F(StudysVariants, TilesChangeBetweenApplications) {
  const Problem<float> problem(even_shape);
  WilsonVariantRun<float> run({.filling = Filling::scalar, .links = LinkFormat::full, .traversal = Traversal::blocked},
                              problem.links, weights);
  run.set_source(problem.sources(1, 1));
  run.apply(0);
  const auto before = run.result(0);
  WilsonVariant other = run.variant();
  other.tile = {1, 1, 4, 2};
  run.set_order(other);
  run.apply(0);
  EXPECT_TRUE(same_bits(run.result(0), 0, before));
  other.tile = {0, 5, 0, 0};
  EXPECT_THROW(run.set_order(other), InputError);
}

TEST_F(StudysVariants, VectorsOfAnotherKindAreRefused) {
  const Lattice lattice(odd_shape), other(even_shape);
  const WilsonVariant variant{.filling = Filling::right_hand_sides,
                              .lanes = fields_on_host ? 4 : native_lanes<float>(),
                              .links = fields_on_host ? LinkFormat::two_rows : LinkFormat::full};
  WilsonVariantRun<float> run(variant, GaugeField<float, 1>::unit(lattice));
  EXPECT_THROW(run.set_source(SpinorField<float, 1>(other, 0)), Error);
  EXPECT_THROW(run.set_source(SpinorField<float, 1>(lattice, 0, 3)), Error);
  EXPECT_THROW(run.apply(2), Error);
}

}  // namespace
}  // namespace trellis::bench::study
