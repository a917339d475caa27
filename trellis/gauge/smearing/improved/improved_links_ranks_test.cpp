// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Improved links and their force on process grids have the bits of one process, also where messages overlap work.
#include <array>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "tests/support/grid_lattices.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/improved/hisq_links.hpp"
#include "trellis/gauge/smearing/improved/one_level_links.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {
namespace {

template <template <class, int> class Links, class T, int W>
Links<T, W> make_links(const Lattice& lattice) {
  if constexpr (std::is_same_v<Links<T, W>, HisqLinks<T, W>>)
    return Links<T, W>(lattice);
  else
    return Links<T, W>(asqtad_coefficients(0.9), lattice);
}

template <template <class, int> class Links, class T, int W>
struct Smeared {
  GaugeField<T, W> fat, far;
  AlgebraField<T, W> p;

  // Two forces, the second of links that the first has moved.
  explicit Smeared(const Lattice& lattice) : p(lattice) {
    const Links<T, W> links = make_links<Links, T, W>(lattice);
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

template <template <class, int> class Links, class T>
void expect_bits_of_one_process(const Coordinate& size) {
  const Smeared<Links, T, 1> alone{Lattice(size)};
  testing::on_lattices(size, [&]<int W>(const Lattice& lattice) {
    const Smeared<Links, T, W> found(lattice);
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
  expect_bits_of_one_process<OneLevelLinks, double>({4, 4, 4, 16});
  expect_bits_of_one_process<OneLevelLinks, float>({4, 4, 4, 16});
  expect_bits_of_one_process<HisqLinks, double>({4, 4, 4, 16});
  expect_bits_of_one_process<HisqLinks, float>({4, 4, 4, 16});
}

TEST(RanksImprovedLinks, ThatOverlapTheirMessages) {
  const char* const given = std::getenv("TRELLIS_OVERLAP");
  const std::string before = given != nullptr ? given : "";
  ::setenv("TRELLIS_OVERLAP", "1", 1);
  expect_bits_of_one_process<HisqLinks, double>({4, 4, 4, 32});
  ::setenv("TRELLIS_OVERLAP", before.c_str(), 1);
}

// Every rank reports the same link.
TEST(RanksImprovedLinks, ThatCannotBeProjected) {
  testing::on_lattices({4, 4, 4, 16}, []<int W>(const Lattice& lattice) {
    const auto u = GaugeField<double, W>::unit(lattice);
    const Coordinate size = lattice.size(), site{1, 0, 3, 12};
    for (int mu = 0; mu < 4; ++mu) {
      Coordinate behind = site;
      behind[mu] = (behind[mu] + size[mu] - 1) % size[mu];
      for (const Coordinate& x : {site, behind})
        if (lattice.owns(x)) u.set_link(x, mu, std::array<double, 18>{});
    }
    u.exchange(Reach::corners);
    try {
      HisqLinks<double, W>(lattice).smear(u);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("at site (1, 0, 3, 11) in direction t"), message.npos) << message;
    }
  });
}

}  // namespace
}  // namespace trellis::gauge
