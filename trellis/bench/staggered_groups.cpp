// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/staggered_groups.hpp"

#include "trellis/bench/fill_vectors.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered_groups.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::bench {
namespace {

constexpr int most_work_items = 128;

template <class T>
class GroupsBench {
 public:
  explicit GroupsBench(const Coordinate& size) : lattice_(size, 1), links_(lattice_), table_(table_of(lattice_)) {
    const GaugeField<T, 1> u(lattice_);
    gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
    links_.pack(u);
  }

  GroupsFigure measure(int count, const tuning::TimingParameters& timing) const {
    const ColourVectorField<T, 1> in(lattice_, 1, count), out(lattice_, 0, count), expected = out.like();
    fill_vectors(in);
    const auto by_groups = [&] { dirac::apply_hops_by_groups(links_, table_, in, out, most_work_items); };
    const auto by_operator = [&] { dirac::apply_hops(links_, table_, in, expected); };
    by_groups();
    by_operator();
    require_same(out, expected);
    const auto times = tuning::medians_in_turn(timing, by_groups, by_operator);
    const int tiles = dirac::tiles_of_group(
        out.tiles(), count, dirac::StaggeredGroups<T, 1, 1, dirac::stencil::Factors::real>::link_numbers * sizeof(T),
        most_work_items);
    return {count, tiles * count, dirac::staggered_flops * count * double(lattice_.local_parity_volume()), times[0],
            times[1]};
  }

 private:
  static dirac::HopTable<T, 1> table_of(const Lattice& lattice) {
    return {lattice, dirac::staggered_coefficient({}, lattice.size())};
  }
  static void require_same(const ColourVectorField<T, 1>& found, const ColourVectorField<T, 1>& expected) {
    const auto a = create_mirror_view_and_copy(HostSpace{}, found.view());
    const auto b = create_mirror_view_and_copy(HostSpace{}, expected.view());
    for (Index k = 0; k < a.size(); ++k)
      if (a.data()[k] != b.data()[k]) fail("staggered hops by groups: number {} differs from the operator's", k);
  }

  Lattice lattice_;
  dirac::StaggeredLinks<T, 1> links_;
  dirac::HopTable<T, 1> table_;
};

}  // namespace

template <class T>
std::vector<GroupsFigure> staggered_groups([[maybe_unused]] const Coordinate& size,
                                           [[maybe_unused]] std::span<const int> right_hand_sides,
                                           [[maybe_unused]] const tuning::TimingParameters& timing) {
  if constexpr (!fields_on_host && has_lane_count<T>(1)) {
    const GroupsBench<T> bench(size);
    std::vector<GroupsFigure> figures;
    for (const int count : right_hand_sides)
      if (Lattice::best_lanes(size, sizeof(T), count) == 1) figures.push_back(bench.measure(count, timing));
    return figures;
  } else {
    return {};
  }
}

template std::vector<GroupsFigure> staggered_groups<float>(const Coordinate&, std::span<const int>,
                                                           const tuning::TimingParameters&);
template std::vector<GroupsFigure> staggered_groups<double>(const Coordinate&, std::span<const int>,
                                                            const tuning::TimingParameters&);

}  // namespace trellis::bench
