// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/comparison.hpp"

#include <cmath>

#include "examples/minimd/by_hand.hpp"
#include "examples/minimd/lennard_jones.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

// Forces are sums of about 55 numbers, which may be added in another order: rounding is relative to the size of those
// numbers, not of their sum.
void require_equal(const char* version, const Vectors& expected, const Vectors& found) {
  const auto a = create_mirror_view_and_copy(HostSpace{}, expected),
             b = create_mirror_view_and_copy(HostSpace{}, found);
  double largest = 0, deviation = 0;
  for (Index i = 0; i < a.extent(0); ++i) {
    for (int c = 0; c < 3; ++c) {
      largest = std::max(largest, std::fabs(a(i, c)));
      const double difference = std::fabs(a(i, c) - b(i, c));
      if (!(difference <= deviation)) deviation = difference;
    }
  }
  if (!(deviation <= 1e-12 * (1 + largest))) {
    fail("forces {} differ from Trellis' by {} where the largest is {}", version, deviation, largest);
  }
}

}  // namespace

std::vector<Row> compare_forces(const Parameters& parameters, Atoms atoms, Layouts layouts, int repetitions) {
  const double cutoff = parameters.cutoff, range = parameters.range();
  sort_atoms(atoms, range);
  NeighbourList<NaturalLayout> natural;
  build(natural, atoms, range);
  const double flops = double(atoms.count) * flops_of_listed * mean_count(natural) +
                       flops_within_cutoff * 2 * sum_over_pairs(atoms, natural, cutoff).pairs;

  const Vectors force_by_hand("forces by hand", atoms.count);
  const by_hand::ForceInput input{
      .position = atoms.position.data(),
      .position_rows = long(atoms.position.extent(0)),
      .neighbours = natural.rows.data(),
      .room = long(natural.rows.extent(1)),
      .count = natural.count.data(),
      .force = force_by_hand.data(),
      .atoms = long(atoms.count),
      .cutoff_squared = cutoff * cutoff,
  };
  std::vector<Row> rows;
  const auto compare_with = [&](const auto& list, const std::string& name, const auto& hand) {
    const auto turns = compare(repetitions, [&] { compute_forces(atoms, list, cutoff); }, [&] { hand(input); });
    require_equal("by hand", atoms.force, force_by_hand);
    rows.push_back(rate_row(name, "GFLOP/s", 1e-9 * flops, turns));
  };
  if (layouts.natural) {
    compare_with(natural, fmt::format("force, {}", NaturalLayout::name), by_hand::forces);
    if (kernels_on_host) compare_with(natural, "against omp simd", by_hand::forces_omp_simd);
  }
  if (layouts.wrong) {
    NeighbourList<WrongLayout> wrong;
    build(wrong, atoms, range);
    compare_with(wrong, fmt::format("force, {}", WrongLayout::name), by_hand::forces);
  }
  return rows;
}

}  // namespace examples::minimd
