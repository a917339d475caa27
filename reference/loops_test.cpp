// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "reference/read_files.hpp"

namespace trellis::reference {
namespace {

// Known answers: an independent program in double precision, quoted to 1e-12 (plaquette), 1e-10 and 1e-8.
struct Known {
  double plaquette, spatial, temporal, link, rectangle;
  Complex polyakov;
};

void expect_known(const GaugeConfiguration& u, const Known& known) {
  const Plaquette p = plaquette(u);
  EXPECT_NEAR(p.total, known.plaquette, 1e-12);
  EXPECT_NEAR(p.spatial, known.spatial, 1e-10);
  EXPECT_NEAR(p.temporal, known.temporal, 1e-10);
  EXPECT_NEAR(link_trace(u), known.link, 1e-10);
  EXPECT_NEAR(rectangle(u), known.rectangle, 1e-12);
  EXPECT_LT(std::abs(polyakov_loop(u) - known.polyakov), 1e-8);
}

TEST(ReferenceLoops, MilcLittleEndian) {
  expect_known(read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4444"),
               {0.594850158947, 0.5982250520, 0.5914752659, 0.6467587374, 0.399122847047, {0.43123036, -0.00081776}});
}

TEST(ReferenceLoops, MilcBigEndian) {
  expect_known(read_milc(TRELLIS_TEST_DATA "/milc/lat.sample.l4448"),
               {0.569055724369, 0.5745827603, 0.5635286885, 0.0692165901, 0.350194842726, {0.00076656, 0.00055879}});
}

TEST(ReferenceLoops, BridgeText) {
  const GaugeConfiguration u = read_text(TRELLIS_TEST_DATA "/qcdm/testconf.txt", {4, 4, 4, 4});
  expect_known(u,
               {0.587818337847, 0.5893489198, 0.5862877559, 0.0263592456, 0.371464710684, {0.17517487, -0.05046950}});
  EXPECT_LT(std::abs(3.0 * polyakov_loop(u) - Complex(0.5255246068616176, -0.1514085097124973)), 1e-14);
}

TEST(ReferenceLoops, AreOneOnAColdConfiguration) {
  const GaugeConfiguration u({2, 4, 2, 4});
  EXPECT_EQ(plaquette(u).total, 1.0);
  EXPECT_DOUBLE_EQ(rectangle(u), 1.0);
  EXPECT_DOUBLE_EQ(parallelogram(u), 1.0);
  EXPECT_EQ(polyakov_loop(u, 1), 1.0);
  EXPECT_EQ(wilson_loop(u, 2, 3), 1.0);
}

TEST(ReferenceLoops, AreGaugeInvariant) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 6}, 3);
  const GaugeConfiguration v = gauge_transform(u, random_transformation(u.size, 4));
  EXPECT_NEAR(plaquette(u).spatial, plaquette(v).spatial, 1e-14);
  EXPECT_NEAR(plaquette(u).temporal, plaquette(v).temporal, 1e-14);
  EXPECT_NEAR(rectangle(u), rectangle(v), 1e-14);
  EXPECT_NEAR(wilson_loop(u, 2, 3), wilson_loop(v, 2, 3), 1e-14);
  for (int mu = 0; mu < 4; ++mu) EXPECT_LT(std::abs(polyakov_loop(u, mu) - polyakov_loop(v, mu)), 1e-14);
  EXPECT_GT(std::abs(link_trace(u) - link_trace(v)), 1e-4);
}

TEST(ReferenceLoops, SmallWilsonLoopsAreThePlaquetteAndTheRectangle) {
  const GaugeConfiguration u = hot_configuration({2, 2, 2, 4}, 5);
  EXPECT_NEAR(wilson_loop(u, 1, 1), plaquette(u).temporal, 1e-15);
  double sum = 0.0;
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      if (mu == nu) continue;
      sum += average_loop(u, forward(nu) + forward(mu, 2) + backward(nu) + backward(mu, 2)).real() / 12.0;
    }
  EXPECT_NEAR(rectangle(u), sum, 1e-15);  // the other way round is the complex conjugate
}

TEST(ReferenceLoops, AConstantAbelianFieldGivesTheEnclosedFlux) {
  // U_x(y) = exp(i f y T_8) with f L_y T_8 a multiple of 2 pi: every xy plaquette is exp(-i f T_8).
  const int ly = 4;
  GaugeConfiguration u({2, ly, 2, 2});
  const double flux = 2.0 * M_PI / ly * 2.0 * std::sqrt(3.0);
  for (int i = 0; i < u.volume(); ++i) u.links[4 * i] = exponential(Complex(0.0, flux * u.site(i)[1]) * generator(7));
  const Complex expected = trace(exponential(Complex(0.0, -flux) * generator(7))) / 3.0;
  EXPECT_LT(std::abs(average_loop(u, forward(0) + forward(1) + backward(0) + backward(1)) - expected), 1e-14);
  EXPECT_NEAR(plaquette(u).temporal, 1.0, 1e-14);
}

TEST(ReferenceLoops, TheWayBackIsTheAdjoint) {
  const GaugeConfiguration u = hot_configuration({2, 4, 2, 2}, 6);
  const Path there = forward(0) + forward(1, 3) + backward(3) + backward(0, 2);
  const Matrix product = path_product(u, {0, 1, 0, 1}, there);
  EXPECT_LT(distance(path_product(u, {-1, 4, 0, 0}, reverse(there)), adjoint(product)), 1e-14);
}

TEST(ReferenceLoops, PolyakovLoopInEveryDirection) {
  GaugeConfiguration u({2, 4, 2, 2});
  for (int i = 0; i < u.volume(); ++i)
    if (u.site(i)[1] == 3) u.links[4 * i + 1] = std::polar(1.0, 2.0 * M_PI / 3.0) * identity();  // a centre twist
  EXPECT_LT(std::abs(polyakov_loop(u, 1) - std::polar(1.0, 2.0 * M_PI / 3.0)), 1e-15);
  EXPECT_EQ(polyakov_loop(u, 0), 1.0);
  EXPECT_NEAR(plaquette(u).total, 1.0, 1e-15);
}

}  // namespace
}  // namespace trellis::reference
