// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Improved links and their force on process grids have the bits of one process, also where messages overlap work.
#include <cstdlib>
#include <string>

#include "tests/support/grid_lattices.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/improved/one_level_links.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {
namespace {

template <class T, int W>
struct Smeared {
  GaugeField<T, W> fat, far;
  AlgebraField<T, W> p;

  // Two forces, the second of links that the first has moved.
  explicit Smeared(const Lattice& lattice) : p(lattice) {
    const OneLevelLinks<T, W> links(asqtad_coefficients(0.9), lattice);
    const GaugeField<T, W> u(lattice), by_fat(lattice), by_far(lattice), by_thin(lattice);
    hot_start({2026, 0, hot_start_purpose}, u);
    hot_start({2027, 0, hot_start_purpose}, by_fat);
    hot_start({2028, 0, hot_start_purpose}, by_far);
    hot_start({2029, 0, hot_start_purpose}, by_thin);
    for (int k = 0; k < 2; ++k) {
      links.smear(u);
      links.add_force_with_long(by_fat, {by_far, by_thin}, 0.1, p);
      update_links(0.1, p, u);
    }
    fat = links.smear(u).clone();
    far = links.long_links()->three_steps.clone();
  }
};

template <class T>
void expect_bits_of_one_process(const Coordinate& size) {
  const Smeared<T, 1> alone{Lattice(size)};
  testing::on_lattices(size, [&]<int W>(const Lattice& lattice) {
    const Smeared<T, W> found(lattice);
    testing::expect_same_links(found.fat, alone.fat, "fat links");
    testing::expect_same_links(found.far, alone.far, "long links");
    testing::expect_same_momenta(found.p, alone.p, "momenta");
    // Ghosts up to corners are those of their owners.
    const auto again = found.fat.clone();
    again.exchange(Reach::corners);
    EXPECT_EQ(rank_fingerprint(again), rank_fingerprint(found.fat));
  });
}

TEST(RanksImprovedLinks, InBothPrecisions) {
  expect_bits_of_one_process<double>({4, 4, 4, 16});
  expect_bits_of_one_process<float>({4, 4, 4, 16});
}

TEST(RanksImprovedLinks, ThatOverlapTheirMessages) {
  const char* const given = std::getenv("TRELLIS_OVERLAP");
  const std::string before = given != nullptr ? given : "";
  ::setenv("TRELLIS_OVERLAP", "1", 1);
  expect_bits_of_one_process<double>({4, 4, 4, 32});
  ::setenv("TRELLIS_OVERLAP", before.c_str(), 1);
}

}  // namespace
}  // namespace trellis::gauge
