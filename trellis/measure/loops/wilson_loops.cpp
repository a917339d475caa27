// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/wilson_loops.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/projected.hpp"
#include "trellis/measure/loops/spatial_levels.hpp"
#include "trellis/measure/loops/transporters.hpp"

namespace trellis::measure {

namespace {

constexpr std::array directions{LoopDirection{"100", {1, 0, 0}}, LoopDirection{"110", {1, 1, 0}},
                                LoopDirection{"111", {1, 1, 1}}, LoopDirection{"210", {2, 1, 0}}};

// Sums over sites and displacements of Re tr, as [distance][time][a][b], all from 0.
class Traces {
 public:
  Traces(int distances, int times, std::size_t levels)
      : times_(std::size_t(times)), levels_(levels), sums_(std::size_t(distances) * times_ * levels * levels) {}
  double& at(int distance, int time, std::size_t a, std::size_t b) {
    return sums_[((std::size_t(distance - 1) * times_ + std::size_t(time - 1)) * levels_ + a) * levels_ + b];
  }

 private:
  std::size_t times_, levels_;
  std::vector<double> sums_;
};

// Adds the loops of some displacements. smeared: links of each level in space; in_time: links in time, in all places.
template <int W>
void add_loops(const WilsonLoopSelection& s, const Displacements& r, const std::vector<GaugeField<double, W>>& smeared,
               const GaugeField<double, W>& in_time, Traces& traces) {
  const Lattice& lattice = in_time.lattice();
  std::vector<GaugeField<double, W>> steps, lines, carried;
  for (const auto& u : smeared) {
    steps.push_back(elementary_lines(r, u));
    lines.push_back(steps.back().clone());
    carried.emplace_back(lattice, "lines");
  }
  GaugeField<double, W> spare(lattice, "lines");
  auto far = in_time.clone();
  for (int n = 1; n <= s.distance; ++n) {
    displace(r, far, spare);
    for (std::size_t a = 0; n > 1 && a < lines.size(); ++a) {
      displace(r, lines[a], spare);
      join_lines(r.count, steps[a], lines[a], spare);
      std::swap(lines[a], spare);
    }
    for (int t = 1; t <= s.time; ++t)
      for (std::size_t b = 0; b < lines.size(); ++b) {
        carry_in_time(r.count, in_time, t == 1 ? lines[b] : carried[b], far, spare);
        std::swap(carried[b], spare);
        for (std::size_t a = 0; a < lines.size(); ++a)
          traces.at(n, t, a, b) += sum_of_traces(r.count, lines[a], carried[b]);
      }
  }
}

}  // namespace

double LoopDirection::length() const {
  return std::sqrt(double(steps[0] * steps[0] + steps[1] * steps[1] + steps[2] * steps[2]));
}

std::span<const LoopDirection> loop_directions() { return directions; }

void require_times_fit(const WilsonLoopSelection& s, const Coordinate& size, const gauge::Boundary& boundary) {
  if (s.time < 1) fail_input("Wilson loops: the largest time is {}; it must be at least 1", s.time);
  if (s.boundary_distance < 0)
    fail_input("Wilson loops: the distance from boundaries is {}; it must be at least 0", s.boundary_distance);
  if (boundary.is_periodic()) {
    if (s.boundary_distance > 0)
      fail_input("Wilson loops: a distance of {} from boundaries; the lattice is periodic in time",
                 s.boundary_distance);
    if (2 * s.time > size[3])
      fail_input("Wilson loops: the largest time is {}; half of the lattice {} is {}", s.time, to_string(size),
                 size[3] / 2);
    return;
  }
  const int slices = boundary.last_slice(size) + 1 - 2 * s.boundary_distance;
  if (s.time >= slices)
    fail_input("Wilson loops: the largest time is {}; there are {} time slices, {} of them {} or more from a boundary",
               s.time, boundary.last_slice(size) + 1, std::max(slices, 0), s.boundary_distance);
}

void require_distances_fit(const WilsonLoopSelection& s, const Coordinate& size) {
  const int shortest = std::min({size[0], size[1], size[2]});
  for (const auto& name : s.directions) {
    const auto& direction = named("direction", loop_directions(), name);
    if (2 * s.distance * direction.steps[0] > shortest)
      fail_input("Wilson loops: {} along {} {} more than half of the lattice {}", plural(s.distance, "step"), name,
                 s.distance == 1 ? "is" : "are", to_string(size));
  }
}

void require_valid(const WilsonLoopSelection& s, const Coordinate& size, const gauge::Boundary& boundary) {
  if (s.directions.empty()) fail_input("Wilson loops: there is no direction");
  if (s.distance < 1) fail_input("Wilson loops: the largest distance is {}; it must be at least 1", s.distance);
  require_times_fit(s, size, boundary);
  require_distances_fit(s, size);
  require_levels("Wilson loops", s.levels);
  if (!s.hyp_alpha.empty() && s.hyp_alpha.size() != 3)
    fail_input("Wilson loops: {} parameters of HYP smearing; there must be three", s.hyp_alpha.size());
}

template <int W>
std::vector<WilsonLoop> wilson_loops(const WilsonLoopSelection& s, const GaugeField<double, W>& u,
                                     const gauge::Boundary& boundary) {
  const Lattice& lattice = u.lattice();
  require_valid(s, lattice.size(), boundary);
  const bool periodic = boundary.is_periodic();
  const int first = s.boundary_distance, last = boundary.last_slice(lattice.size()) - s.boundary_distance;
  std::vector<GaugeField<double, W>> smeared;
  for_each_spatial_level(s.ape_alpha, s.levels, boundary, u,
                         [&](int, const GaugeField<double, W>& links) { smeared.push_back(links); });
  const auto in_time = time_links(
      gauge::TimeSlice(lattice, first, periodic ? last : last - 1),
      s.hyp_alpha.empty()
          ? u
          : gauge::hyp_smeared({.alpha = {s.hyp_alpha[0], s.hyp_alpha[1], s.hyp_alpha[2]}, .boundary = boundary}, u));
  std::vector<WilsonLoop> loops;
  for (const auto& name : s.directions) {
    Traces traces(s.distance, s.time, s.levels.size());
    int displacements = 0;
    for (const auto& r : displacements_of(named("direction", loop_directions(), name).steps)) {
      add_loops(s, r, smeared, in_time, traces);
      displacements += r.count;
    }
    const double of_slice = 3.0 * displacements * double(lattice.volume() / lattice.size(3));
    for (int n = 1; n <= s.distance; ++n)
      for (int t = 1; t <= s.time; ++t) {
        const double norm = of_slice * (periodic ? lattice.size(3) : last + 1 - first - t);
        for (std::size_t a = 0; a < s.levels.size(); ++a)
          for (std::size_t b = a; b < s.levels.size(); ++b)
            loops.push_back(
                {name, n, t, s.levels[a], s.levels[b], 0.5 * (traces.at(n, t, a, b) + traces.at(n, t, b, a)) / norm});
      }
  }
  return loops;
}

#define TRELLIS_INSTANTIATE(W)                                                                            \
  template std::vector<WilsonLoop> wilson_loops(const WilsonLoopSelection&, const GaugeField<double, W>&, \
                                                const gauge::Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
