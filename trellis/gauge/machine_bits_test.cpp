// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Recorded results of a host with one lane, which every machine must reproduce to the last bit, for any lanes.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/reference_links.hpp"
#include "trellis/gauge/flow.hpp"
#include "trellis/gauge/heatbath/cooling.hpp"
#include "trellis/gauge/heatbath/heatbath.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/gauge/smearing/stout.hpp"

namespace trellis::gauge {
namespace {

// Goes through everything that changes links and momenta.
template <class T, int W>
std::vector<double> numbers() {
  const Lattice lattice({4, 4, 4, 8}, W);
  const GaugeField<T, W> u(lattice);
  const AlgebraField<T, W> p(lattice);
  hot_start({2026, 0, hot_start_purpose}, u);
  draw_momenta({2026, 1, momenta_purpose}, p);
  const Action symanzik{4.1, -1.0 / 12};
  std::vector<double> found{kinetic_energy(p), link_trace(u), action(symanzik, u)};
  heatbath_update({Action{5.7, 0}, 1}, {2026, 2, heatbath_purpose}, u);
  found.push_back(plaquette(u).average);
  heatbath_update({symanzik, 1}, {2026, 3, heatbath_purpose}, u);
  found.push_back(rectangle(u));
  add_force(symanzik, u, 0.1, p);
  add_force(Action{6, 0}, u, 0.1, p);
  update_links(0.1, p, u);
  found.push_back(kinetic_energy(p));
  found.push_back(plaquette(u).temporal);
  const StoutLinks<T, W> stout({0.12, 2}, lattice);
  found.push_back(plaquette(stout.smear(u)).spatial);
  stout.add_force(u, 0.1, p);
  found.push_back(kinetic_energy(p));
  random_gauge_transformation({2026, 4, gauge_transformation_purpose}, u);
  found.push_back(flow_step(-1.0 / 12, 0.02, u));
  cooling_step(u);
  const CloverObservables clover = clover_observables(spatial_stout(0.1, 1, u));
  found.push_back(clover.energy_density);
  found.push_back(clover.topological_charge);
  found.push_back(polyakov_loop(u).real());
  found.push_back(polyakov_loop(u, 0).imag());
  reunitarise(u);
  found.push_back(unitarity_violation(u));
  return found;
}

template <class T>
void expect_bits(const std::vector<double>& expected) {
  test::for_each_lane_count({4, 4, 4, 8}, [&]<int W>() {
    const auto found = numbers<T, W>();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k], expected[k]) << W << " lanes, number " << k << fmt::format(", {:a}", found[k]);
  });
}

TEST(MachineBits, OfDoublePrecision) {
  expect_bits<double>({0x1.00756052a9d6fp+13, -0x1.c8a3ae1fc52b7p-9, 0x1.2a28228863e21p+14, 0x1.5f6c6fbe7b74p-2,
                       0x1.5eb5de3f3daa4p-3, 0x1.1de16c32a69f2p+13, 0x1.db7d88762602ep-2, 0x1.8d785266dc0c3p-1,
                       0x1.1df8c31a358ep+13, 0x1.35c690ccf4054p-12, 0x1.eeda27b108592p+0, 0x1.0ba7eb42397d2p-3,
                       -0x1.b5f6d8dbe78b3p-6, -0x1.94557c0afb0dbp-8, 0x1.6b457dd4d8cccp-50});
}

}  // namespace
}  // namespace trellis::gauge
