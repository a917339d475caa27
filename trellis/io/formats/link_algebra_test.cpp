// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/link_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "trellis/su3/projection.hpp"

namespace trellis::io {
namespace {

// Near SU(3): every element is off by up to `off`.
std::vector<Link> random_links(std::size_t count, double off) {
  std::mt19937_64 engine(count);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Link> links(count);
  for (auto& link : links) {
    trellis::Matrix<double> m;
    for (int k = 0; k < 9; ++k) m.e[k / 3][k % 3] = {number(engine), number(engine)};
    m = reunitarise(m);
    for (int k = 0; k < 9; ++k) {
      link.u[std::size_t(2 * k)] = m.e[k / 3][k % 3].re + off * number(engine);
      link.u[std::size_t(2 * k + 1)] = m.e[k / 3][k % 3].im + off * number(engine);
    }
  }
  return links;
}

TEST(LinkAlgebra, DeviationOfSeveralIsTheLargestOfEach) {
  for (const double off : {0.0, 1e-7, 0.01})
    for (std::size_t count = 1; count <= links_at_once; ++count) {
      const auto links = random_links(count, off);
      double unitarity = 0, determinant = 0;
      for (const auto& link : links) {
        const auto q = examine(link.u);
        unitarity = std::max(unitarity, q.unitarity);
        determinant = std::max(determinant, std::hypot(q.det_re - 1, q.det_im));
      }
      const auto found = deviation_near_su3(links);
      ASSERT_TRUE(found) << count << " links, off by " << off;
      EXPECT_EQ(found->unitarity, unitarity);
      EXPECT_NEAR(found->determinant, determinant, 1e-14 * determinant);
    }
}

// Whichever of the links it is, and whichever of its elements.
TEST(LinkAlgebra, OneLinkFarFromSu3IsNeverOverlooked) {
  const auto sound = random_links(links_at_once, 1e-10);
  const double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < sound.size(); ++n) {
    const auto expect_found = [&](const auto& change, const char* what) {
      auto links = sound;
      change(links[n].u);
      EXPECT_FALSE(deviation_near_su3(links)) << what << " in link " << n;
    };
    for (std::size_t k = 0; k < 18; ++k)
      for (const double bad : {std::nan(""), infinity, -infinity, 1e300, 3.0})
        expect_found([&](Matrix& u) { u[k] = bad; }, "a bad element");
    expect_found([](Matrix& u) { u.fill(0); }, "a zero matrix");
    expect_found(
        [](Matrix& u) {
          for (double& x : u) x = -x;
        },
        "determinant -1");
    expect_found(
        [](Matrix& u) {
          for (double& x : u) x *= 1.3;
        },
        "a factor");
  }
}

}  // namespace
}  // namespace trellis::io
