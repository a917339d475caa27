// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/heatbath.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/defect.hpp"
#include "reference/one_link.hpp"
#include "reference/schwinger_dyson.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/gauge/heatbath/heatbath_kernel.hpp"
#include "trellis/gauge/heatbath/link_colours.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::from_reference;
using test::to_reference;

struct Estimate {
  double mean, error;
};
// Mean and error from `bins` averages of consecutive values.
Estimate estimate(const std::vector<double>& values, std::size_t bins = 20) {
  const std::size_t length = values.size() / bins;
  std::vector<double> bin(bins, 0.0);
  double mean = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    for (std::size_t k = 0; k < length; ++k) bin[b] += values[b * length + k] / double(length);
    mean += bin[b] / double(bins);
  }
  double variance = 0;
  for (const double v : bin) variance += (v - mean) * (v - mean);
  return {mean, std::sqrt(variance / double(bins * (bins - 1)))};
}

template <int W>
GaugeField<double, W> hot_links(Coordinate size, std::uint64_t seed) {
  const GaugeField<double, W> u{Lattice(size, W)};
  hot_start({seed, 0, hot_start_purpose}, u);
  return u;
}

RandomStream stream_of(std::uint32_t sweep, std::uint64_t seed = 1) { return {seed, sweep, heatbath_purpose}; }

// Small lattices: several threads would only wait for one another.
class Heatbath : public ::testing::Test {
 protected:
  Heatbath() : threads_before_(concurrency()) { set_thread_count(1); }
  ~Heatbath() override { set_thread_count(threads_before_); }

 private:
  int threads_before_;
};
using HeatbathNightly = Heatbath;

TEST(LinkColours, LinksOfAColourShareNoLoop) {
  for (const Coordinate& size : {Coordinate{4, 6, 8, 10}, Coordinate{12, 14, 4, 4}, Coordinate{16, 4, 18, 6}}) {
    const LinkColours colours(size, true);
    const Lattice lattice(size);
    for (std::int64_t n = 0; n < lattice.volume(); ++n) {
      const Coordinate x = lattice.coordinate(n);
      for (int mu = 0; mu < 4; ++mu) {
        const int colour = colours(x, mu);
        ASSERT_GE(colour, 0);
        ASSERT_LT(colour, colours.count());
        const auto differs = [&](int along, int nu, int across) {
          Coordinate y = x;
          y[mu] = (y[mu] + along + size[mu]) % size[mu];
          y[nu] = (y[nu] + across + size[nu]) % size[nu];
          return colours(y, mu) != colour;
        };
        for (int nu = 0; nu < 4; ++nu) {
          if (nu == mu) continue;
          for (const auto& [along, across] :
               {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0, 2}, {0, -2}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}})
            ASSERT_TRUE(differs(along, nu, across)) << n << " " << mu << " " << nu << " " << along << " " << across;
        }
      }
    }
  }
  EXPECT_THROW(LinkColours({4, 4, 2, 4}, true), InputError);
  EXPECT_EQ(LinkColours({4, 4, 2, 4}, false).count(), 2);
}

// Kolmogorov-Smirnov: the largest distance of the empirical distribution from the exact one.
TEST_F(Heatbath, SubgroupElementsHaveTheExactDistribution) {
  const int count = 20000;
  for (const double coupling : {0.0, 0.05, 0.5, 0.89, 0.91, 3.0, 25.0}) {
    std::vector<double> drawn;
    double square[3] = {0, 0, 0}, mean[3] = {0, 0, 0};
    for (std::int64_t site = 0; site < count; ++site) {
      const bool active = true;
      const double x = heatbath_detail::draw_one_minus_a0<double>(stream_of(3), &site, 7, coupling, &active);
      const auto g = heatbath_detail::random_direction<double>(stream_of(3), &site, 6, x);
      double norm = 0;
      for (int k = 0; k < 4; ++k) norm += g.a[k] * g.a[k];
      ASSERT_NEAR(norm, 1, 1e-14);
      for (int k = 0; k < 3; ++k) {
        mean[k] += g.a[k + 1] / count;
        square[k] += g.a[k + 1] * g.a[k + 1] / (1 - g.a[0] * g.a[0]) / count;
      }
      drawn.push_back(1 - x);
    }
    std::sort(drawn.begin(), drawn.end());
    double largest = 0;
    for (int k = 50; k < count; k += 100)
      largest = std::max(largest, std::abs((k + 0.5) / count - reference::su2_cumulative(drawn[k], coupling)));
    EXPECT_LT(largest * std::sqrt(double(count)), 1.8) << coupling;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(mean[k], 0, 4.5 * std::sqrt(1.0 / 3 / count)) << coupling;
      EXPECT_NEAR(square[k], 1.0 / 3, 4.5 * std::sqrt(4.0 / 45 / count)) << coupling;
    }
  }
}

// The links of a tile, as a host's lanes store them.
template <int W>
Matrix<lanes_t<double, W>> links_of_tile(const GaugeField<double, W>& u, int tile, int mu) {
  Matrix<lanes_t<double, W>> m;
  std::int64_t sites[W];
  u.lattice().sites(tile, sites);
  for (int l = 0; l < W; ++l) {
    const auto link = u.link(u.lattice().coordinate(sites[l]), mu);
    for (int k = 0; k < 9; ++k) {
      set_lane(m.e[k / 3][k % 3].re, l, link[2 * std::size_t(k)]);
      set_lane(m.e[k / 3][k % 3].im, l, link[2 * std::size_t(k) + 1]);
    }
  }
  return m;
}

// The heatbath of one link in a fixed staple, against the integrals over SU(3).
TEST_F(Heatbath, OneLinkAveragesAreExact) {
  // On the host; there are no lanes here that are GPU threads.
  constexpr int W = fields_on_host ? test::wide : 1;
  using S = lanes_t<double, W>;
  const int chains = 512 / W, steps = 150;
  for (const double coupling : {0.3, 2.0, 8.0}) {
    const GaugeField<double, W> rotations = hot_links<W>({8, 4, 4, 4}, 12);
    std::vector<double> first, second;
    for (int chain = 0; chain < chains; ++chain) {
      std::int64_t sites[W];
      bool active[W];
      for (int l = 0; l < W; ++l) sites[l] = W * chain + l, active[l] = true;
      // Any SU(3) matrix times the coupling: the distribution of U V^dagger is the same as for V = coupling.
      const Matrix<S> rotation = links_of_tile(rotations, chain, 1);
      const Matrix<S> v = S(coupling) * rotation;
      Matrix<S> u = links_of_tile(rotations, chain, 2);
      double sum1 = 0, sum2 = 0;
      for (int step = 0; step < steps; ++step) {
        heatbath_detail::heatbath_link(stream_of(step), sites, active, step % 4, v, u);
        if (step % 3 == 0) {
          const Matrix<S> before = u;
          heatbath_detail::overrelax_link(v, u);
          const S change = real_trace_adjoint(u, v) - real_trace_adjoint(before, v);
          for (int l = 0; l < W; ++l) ASSERT_NEAR(lane(change, l), 0, 1e-13 * coupling);
        }
        if (step < 20) continue;
        const auto t = trace(multiply_adjoint(u, rotation));
        for (int l = 0; l < W; ++l) {
          sum1 += lane(t.re, l) / (W * (steps - 20.0));
          sum2 += lane(norm(t), l) / (W * (steps - 20.0));
        }
      }
      first.push_back(sum1);
      second.push_back(sum2);
    }
    const auto re_trace = [](const reference::Matrix& m) { return reference::trace(m).real(); };
    const auto square = [](const reference::Matrix& m) { return std::norm(reference::trace(m)); };
    const Estimate a = estimate(first, chains), b = estimate(second, chains);
    EXPECT_NEAR(a.mean, reference::su3_average(re_trace, coupling), 4.5 * a.error) << coupling;
    EXPECT_NEAR(b.mean, reference::su3_average(square, coupling), 4.5 * b.error) << coupling;
    EXPECT_LT(a.error, 0.01);
  }
}

TEST_F(Heatbath, OverrelaxationKeepsTheAction) {
  for (const double c1 : {0.0, -1.0 / 12, -0.331})
    for_each_lane_count({4, 4, 4, 4}, [&]<int W>() {
      const auto u = hot_links<W>({4, 4, 4, 4}, 4);
      const Action weights{5.0, c1};
      heatbath_sweep(weights, stream_of(0), u);
      const auto before = u.clone();
      for (int k = 0; k < 3; ++k) overrelaxation_sweep(weights, u);
      const double s = action(weights, before);
      EXPECT_NEAR(action_difference(weights, u, before), 0, 1e-12 * s) << W << " " << c1;
      EXPECT_LT(unitarity_violation(u), 1e-13);
      // Every link has moved far.
      const auto a = to_reference(u), b = to_reference(before);
      double least = 10;
      for (std::size_t n = 0; n < a.links.size(); ++n)
        least = std::min(least, reference::distance(a.links[n], b.links[n]));
      EXPECT_GT(least, 0.05) << W << " " << c1;
    });
}

TEST_F(Heatbath, BitsDoNotDependOnLanesThreadsOrSiteOrder) {
  for (const Coordinate& size : {Coordinate{4, 4, 4, 4}, Coordinate{8, 6, 4, 12}})
    for (const double c1 : {0.0, -1.0 / 12}) {
      const auto start = reference::hot_configuration(size, 9);
      const HeatbathParameters parameters{Action{5.2, c1}, 1};
      set_thread_count(1);
      const auto one = from_reference<double, 1>(start, SiteOrder::lexicographic);
      heatbath_update(parameters, stream_of(5), one);
      const auto expected = to_reference(one);
      EXPECT_GT(test::distance(expected, start), 1);
      for_each_lane_count(size, [&]<int W>() {
        set_thread_count(W == 8 && size[0] == 4 ? 2 : 1);
        const auto u = from_reference<double, W>(start);
        heatbath_update(parameters, stream_of(5), u);
        EXPECT_EQ(to_reference(u).links, expected.links) << W << " lanes, " << concurrency() << " threads, " << c1;
      });
    }
}

TEST_F(Heatbath, DrawsAnewForEachTrajectoryAndSeed) {
  const auto a = hot_links<1>({4, 4, 2, 2}, 1), b = hot_links<1>({4, 4, 2, 2}, 1), c = hot_links<1>({4, 4, 2, 2}, 1);
  heatbath_sweep(Action{2.0, 0}, stream_of(1), a);
  heatbath_sweep(Action{2.0, 0}, stream_of(2), b);
  heatbath_sweep(Action{2.0, 0}, stream_of(1, 2), c);
  EXPECT_GT(test::distance(to_reference(a), to_reference(b)), 0.5);
  EXPECT_GT(test::distance(to_reference(a), to_reference(c)), 0.5);
}

// Average plaquette over `updates`.
template <int W>
Estimate plaquette_of(const HeatbathParameters& parameters, const GaugeField<double, W>& u, int thermalisation,
                      int updates) {
  std::vector<double> values;
  for (int k = 0; k < thermalisation + updates; ++k) {
    heatbath_update(parameters, stream_of(k), u);
    if (k >= thermalisation) values.push_back(plaquette(u).average);
  }
  return estimate(values);
}

TEST_F(Heatbath, PlaquetteAtStrongCoupling) {
  // The truncation error of u + 4 u^5 is below a per mille of it up to beta = 2 and half a per cent at 3.
  for (const double beta : {0.5, 1.0, 2.0, 3.0}) {
    const auto found = plaquette_of(HeatbathParameters{Action{beta, 0}, 1}, hot_links<1>({4, 4, 4, 4}, 3), 10, 60);
    const double expected = reference::strong_coupling_plaquette(beta);
    EXPECT_NEAR(found.mean, expected, 4 * found.error + (beta > 2 ? 5e-3 : 1e-3) * expected) << beta;
    EXPECT_LT(found.error, 2e-3);
  }
}

// The coupling as inferred from the configurations, by an identity that holds for every action of these loops.
template <int W>
Estimate schwinger_dyson_beta(const HeatbathParameters& parameters, Coordinate size, int thermalisation, int updates,
                              int every) {
  const auto u = hot_links<W>(size, 21);
  const LoopWeights& weights = parameters.action;
  const double c1 = weights.rectangle / (weights.plaquette + 8 * weights.rectangle);
  std::vector<double> re_trace, square;
  for (int k = 0; k < thermalisation + updates; ++k) {
    heatbath_update(parameters, stream_of(k), u);
    if (k < thermalisation || k % every != 0) continue;
    const auto s = reference::schwinger_dyson(to_reference(u), c1);
    re_trace.push_back(s.re_trace);
    square.push_back(s.square);
  }
  // Linearised in the two means.
  const std::size_t n = re_trace.size();
  const double a = estimate(re_trace, n).mean, b = estimate(square, n).mean;
  std::vector<double> beta;
  for (std::size_t k = 0; k < n; ++k) beta.push_back(8 * (re_trace[k] / b - a * (square[k] - b) / (b * b)));
  return estimate(beta, std::min<std::size_t>(n, 20));
}

TEST_F(Heatbath, ConfigurationsShowTheirCoupling) {
  for (const double c1 : {0.0, -1.0 / 12, -0.331}) {
    const double beta = c1 < -0.3 ? 2.2 : (c1 < 0 ? 4.0 : 5.5);
    const auto found = schwinger_dyson_beta<1>({Action{beta, c1}, 1}, {4, 4, 4, 4}, 12, 30, 3);
    EXPECT_NEAR(found.mean, beta, 4 * found.error) << c1;
    EXPECT_LT(found.error, 0.02 * beta) << c1;
  }
}

// The sum of both sides of the identity in reference/defect.hpp, over links of a defect and links beside it. It holds
// for every link with the others fixed, so also if only the box with that margin is swept.
template <int W>
std::pair<Estimate, Estimate> sides_at_defect(const LoopWeights& weights, double coupling, double believed, int updates,
                                              int margin = 0) {
  const Coordinate size{4, 4, 4, 4};
  const Defect defect{0, 2};
  const auto u = hot_links<W>(size, 4);
  const DefectAction<W> action(u.lattice(), defect);
  const HeatbathParameters parameters{Action{weights.plaquette + 8 * weights.rectangle,
                                             weights.rectangle / (weights.plaquette + 8 * weights.rectangle)},
                                      1};
  const HeatbathSweeps<double, W> sweeps(parameters, u.lattice(),
                                         margin > 0 ? box_around(defect, margin, size) : whole_lattice(size));
  const std::vector<std::pair<Coordinate, int>> links{{{3, 0, 0, 0}, 0}, {{3, 1, 1, 1}, 0}, {{3, 0, 1, 0}, 1},
                                                      {{0, 1, 1, 0}, 3}, {{3, 0, 0, 1}, 2}, {{3, 2, 0, 0}, 0}};
  std::vector<double> squares, traces;
  for (int n = -20; n < updates; ++n) {
    sweeps(stream_of(std::uint32_t(n + 20)), u, action, coupling);
    if (n < 0) continue;
    const auto c = to_reference(u);
    double square = 0, trace = 0;
    for (const auto& [x, mu] : links) {
      const reference::LoopWeights plain{weights.plaquette, weights.rectangle, 0};
      for (const double d : reference::defect_derivative(c, x, mu, plain, {0, 2}, believed)) square += d * d;
      trace += 4.0 / 9 * reference::trace(reference::defect_loops(c, x, mu, plain, {0, 2}, believed)).real();
    }
    squares.push_back(square);
    traces.push_back(trace);
  }
  std::vector<double> difference;
  for (std::size_t n = 0; n < squares.size(); ++n) difference.push_back(squares[n] - traces[n]);
  return {estimate(difference), estimate(traces)};
}

TEST_F(Heatbath, LinksAtADefectHaveItsDistribution) {
  for (const double c1 : {0.0, -1.0 / 12})
    for (const double coupling : {0.0, 0.4}) {
      const Action action{5.2, c1};
      const auto [difference, size] = sides_at_defect<test::wide>(action, coupling, coupling, 200);
      EXPECT_NEAR(difference.mean, 0, 4 * difference.error) << c1 << " " << coupling;
      EXPECT_LT(difference.error, 0.05 * size.mean);
    }
  // With another coupling than the one that made them, links say so.
  const auto [difference, size] = sides_at_defect<test::wide>(Action{5.2, 0}, 0.4, 1.0, 200);
  EXPECT_GT(std::abs(difference.mean), 6 * difference.error);
}

TEST_F(Heatbath, LinksOfABoxHaveTheDistributionOfTheDefect) {
  for (const double c1 : {0.0, -1.0 / 12}) {
    const auto [difference, size] = sides_at_defect<test::wide>(Action{5.2, c1}, 0.4, 0.4, 200, 1);
    EXPECT_NEAR(difference.mean, 0, 4 * difference.error) << c1;
    EXPECT_LT(difference.error, 0.05 * size.mean);
  }
}

TEST_F(Heatbath, SweepsOfABoxLeaveAllOtherLinksAlone) {
  const Coordinate size{8, 4, 8, 4};
  const Defect defect{0, 2};
  for (const double c1 : {0.0, -1.0 / 12})
    for (const double coupling : {1.0, 0.3}) {
      const HeatbathParameters parameters{Action{5.2, c1}, 2};
      const Box box = box_around(defect, 1, size);
      const auto start = to_reference(hot_links<1>(size, 9));
      const auto swept = [&]<int W>(const Box& of) {
        const auto u = hot_links<W>(size, 9);
        HeatbathSweeps<double, W>(parameters, u.lattice(), of)(stream_of(1), u, DefectAction<W>(u.lattice(), defect),
                                                               coupling);
        return to_reference(u);
      };
      const auto expected = swept.template operator()<1>(box);
      for (int n = 0; n < start.volume(); ++n) {
        const auto site = start.site(n);
        const bool inside = box.contains({site[0], site[1], site[2], site[3]}, size);
        for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(expected.link(site, mu) == start.link(site, mu), !inside) << n;
      }
      for_each_lane_count(size, [&]<int W>() {
        EXPECT_EQ(swept.template operator()<W>(box).links, expected.links) << W;
        const auto u = hot_links<W>(size, 9);
        heatbath_update(parameters, stream_of(1), u, DefectAction<W>(u.lattice(), defect), coupling);
        EXPECT_EQ(swept.template operator()<W>(whole_lattice(size)).links, to_reference(u).links) << W;
      });
    }
}

TEST_F(Heatbath, BoxesLieAroundTheDefect) {
  const auto box = box_around({0, 3}, 2, {16, 16, 8, 6});
  EXPECT_EQ(box.first, (Coordinate{14, 14, 6, 0}));
  EXPECT_EQ(box.extents, (Coordinate{4, 7, 7, 6}));
  EXPECT_TRUE(box.contains({15, 0, 4, 5}, {16, 16, 8, 6}));
  EXPECT_FALSE(box.contains({2, 0, 0, 0}, {16, 16, 8, 6}));
  EXPECT_FALSE(box.contains({0, 5, 0, 0}, {16, 16, 8, 6}));
  EXPECT_THROW(box_around({0, 3}, 0, {16, 16, 8, 6}), InputError);
}

TEST_F(Heatbath, OverrelaxationKeepsTheActionOfADefect) {
  for (const double c1 : {0.0, -1.0 / 12})
    for_each_lane_count({4, 8, 4, 4}, [&]<int W>() {
      const Defect defect{0, 3};
      const auto u = hot_links<W>({4, 8, 4, 4}, 9), v = hot_links<W>({4, 8, 4, 4}, 9);
      const DefectAction<W> at_defect(u.lattice(), defect);
      heatbath_update({Action{5.2, c1}, 0}, stream_of(1), u, at_defect, 0.3);
      heatbath_update({Action{5.2, c1}, 3}, stream_of(1), v, at_defect, 0.3);
      const Action weights{5.2, c1};
      const auto energy = [&](const GaugeField<double, W>& links) {
        return action(weights, links) + at_defect.energy(weights, 0.3, links);
      };
      EXPECT_NEAR(energy(v), energy(u), 1e-11 * energy(u)) << W;
      EXPECT_GT(std::abs(link_trace(v) - link_trace(u)), 1e-6);
      // With coupling 1 it is the heatbath of the periodic lattice, to the bit.
      const auto a = hot_links<W>({4, 8, 4, 4}, 9), b = hot_links<W>({4, 8, 4, 4}, 9);
      heatbath_update({Action{5.2, c1}, 1}, stream_of(1), a, at_defect, 1.0);
      heatbath_update({Action{5.2, c1}, 1}, stream_of(1), b);
      EXPECT_EQ(to_reference(a).links, to_reference(b).links);
    });
}

TEST_F(Heatbath, InputErrors) {
  const auto u = GaugeField<double, 1>::unit(Lattice({4, 4, 2, 4}));
  EXPECT_THROW(heatbath_sweep(Action{4, -1.0 / 12}, stream_of(0), u), InputError);
  EXPECT_THROW(overrelaxation_sweep(Action{4, -1.0 / 12}, u), InputError);
  EXPECT_THROW(heatbath_update({Action{4, 0}, -1}, stream_of(0), u), InputError);
  EXPECT_THROW(heatbath_sweep(one_loop_symanzik(6, 0.86, 0), stream_of(0), u), InputError);
  EXPECT_THROW(overrelaxation_sweep(one_loop_symanzik(6, 0.86, 0), u), InputError);
  EXPECT_NO_THROW(heatbath_update({Action{4, 0}, 1}, stream_of(0), u));
}

TEST_F(HeatbathNightly, StrongCoupling) {
  const int W = Lattice::best_lanes({4, 4, 4, 4}, 8);
  with_lanes(W, [&]<int Lanes>() {
    for (const double beta : {0.5, 1.0, 2.0, 3.0}) {
      const auto found =
          plaquette_of(HeatbathParameters{Action{beta, 0}, 1}, hot_links<Lanes>({4, 4, 4, 4}, 3), 50, 10000);
      const double expected = reference::strong_coupling_plaquette(beta);
      EXPECT_NEAR(found.mean, expected, 4 * found.error + (beta > 2 ? 5e-3 : 1e-3) * expected) << beta;
    }
  });
}

// At beta = 6.0 the lattice is 12^4: on 8^4 finite-size effects shift the plaquette to 0.5941.
TEST_F(HeatbathNightly, PublishedPlaquettes) {
  struct Known {
    double beta;
    int extent, updates;
    double plaquette, error;
  };
  for (const Known& known : {Known{5.7, 8, 2000, 0.54918, 1e-4}, Known{6.0, 12, 400, 0.593678, 2.4e-5}}) {
    const Coordinate size{known.extent, known.extent, known.extent, known.extent};
    with_lanes(Lattice::best_lanes(size, 8), [&]<int W>() {
      const HeatbathParameters parameters{Action{known.beta, 0}, 4};
      const auto found = plaquette_of(parameters, hot_links<W>(size, 5), known.updates / 5, known.updates);
      EXPECT_NEAR(found.mean, known.plaquette, 4 * std::hypot(found.error, known.error)) << known.beta;
      EXPECT_LT(found.error, 2e-4) << known.beta;
    });
  }
}

TEST_F(HeatbathNightly, ConfigurationsShowTheirCoupling) {
  for (const double c1 : {0.0, -1.0 / 12, -0.331, -1.4088}) {
    const double beta = c1 < -1 ? 0.8 : (c1 < -0.3 ? 2.2 : (c1 < 0 ? 4.0 : 5.5));
    const auto found = schwinger_dyson_beta<1>({Action{beta, c1}, 1}, {4, 4, 4, 6}, 50, 1500, 5);
    EXPECT_NEAR(found.mean, beta, 4 * found.error) << c1;
    EXPECT_LT(found.error, 0.005 * beta) << c1;
  }
}

}  // namespace
}  // namespace trellis::gauge
