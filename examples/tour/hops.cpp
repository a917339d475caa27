// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A stencil that reaches beyond nearest neighbours: the lattice derivative with the Naik term,
//   D f(x) = 9/16 [f(x+t) - f(x-t)] - 1/48 [f(x+3t) - f(x-3t)],
// which for a plane wave exp(i p t) gives i p (1 + O(p^4)) instead of i p (1 + O(p^2)) times the wave. The ghost layers
// are as deep as the hops are long, and interior tiles are processed while ghosts are in flight.
#include <array>
#include <cmath>
#include <numbers>

#include "examples/tour/tour.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/halo/hop_list.hpp"
#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/lattice/parity_field.hpp"

using namespace trellis;

namespace {

// The hop pattern of an operator is a compile-time constant. (naik_neighbours has the hops in all directions.)
constexpr HopPattern along_time = [] {
  HopPattern pattern;
  for (const int distance : {1, 3})
    for (const int step : {3, backward(3)}) pattern.hops[std::size_t(pattern.count++)] = {step, distance};
  return pattern;
}();
static_assert(along_time.reach() == 3 && along_time.changes_parity() && !along_time.keeps_parity());

template <int W>
void derivative(const HopList& list, const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out) {
  using S = lanes_t<double, W>;
  const auto hops = list.hops<along_time.count>();
  const int in_first = in.first_tile(), out_first = out.first_tile();
  const auto from = in.access(), to = out.access();
  const auto parts = in.halo_parts();
  for_each_half_tile_of_stencil(
      "derivative", parts, in.lattice(), out.parity(),
      TRELLIS_KERNEL(int tile) {
        const double weights[] = {9.0 / 16, -9.0 / 16, -1.0 / 48, 1.0 / 48};
        for (int real = 0; real < 6; ++real) {
          S sum = S(0.0);
          for (int k = 0; k < along_time.count; ++k) {
            const Hop hop = hops(out_first + tile, k);
            const S there = permute(from.load(hop.tile - in_first, 0, real), hops.permutation(hop.shift));
            sum = fma(S(weights[k]), there, sum);
          }
          to.store(tile, 0, real, sum);
        }
      },
      along_time);
}

template <int W>
void plane_wave() {
  const Coordinate size{4, 4, 4, 8};
  // Forces ghosts in t even though there is only one rank; the ranks of a process grid get them automatically.
  const Lattice lattice(size, W, SiteOrder::even_odd, {.ghosts = {0, 0, 0, 1}, .vector_reach = along_time.reach()});
  const HopList list(lattice, along_time);
  const ColourVectorField<double, W> wave(lattice, 0), result(lattice, 1);
  const double p = 2 * std::numbers::pi / size[3];
  for (std::int64_t site = 0; site < lattice.volume(); ++site) {
    const Coordinate x = lattice.coordinate(site);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == 0)
      wave.set(x, std::array{std::cos(p * x[3]), std::sin(p * x[3]), 0., 0., 0., 0.});
  }
  derivative(list, wave, result);
  // At an odd site: D f = i k f, so k = Im D f at t = 0.
  const double k = result.at({1, 0, 0, 0})[1];
  fmt::print("{:2} lanes: p = {:.6f} is {:.6f} with the Naik term, {:.6f} without\n", W, p, k, std::sin(p));
  tour::expect_near(k, 9.0 / 8 * std::sin(p) - std::sin(3 * p) / 24, 1e-15, "the value that the weights imply");
  tour::expect(std::abs(k - p) < std::abs(std::sin(p) - p) / 4, "the Naik term removes most of the error");
  tour::expect(reach_of(along_time) == Reach::three_steps && lattice.has_ghosts(), "three layers of ghosts");
  if (W == 1) {  // the tiles at t = 3 and 4
    tour::expect(lattice.halo().tiles(along_time).inside(1).count == 4 * 4 * 4, "tiles that need no ghosts");
  }
}

}  // namespace

int main() {
  return tour::run([] {
    for (const int lanes : compiled_lane_counts<double>()) with_lanes<double>(lanes, [&]<int W>() { plane_wave<W>(); });
    tour::expect(parity_after(along_time, 0) == 1 && parity_after(second_neighbours, 0) == 0, "odd hops change parity");
  });
}
