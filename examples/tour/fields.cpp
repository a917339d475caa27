// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Lattices and fields, and your own kernels on them: the plaquette in ten lines, with the neighbours' lanes permuted by
// the library, and vectors on the sites of one parity, in double precision and in 16 bits.
#include <numbers>

#include "examples/tour/tour.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/lattice/fixed_point.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/lattice/parity_field.hpp"

using namespace trellis;

namespace {

// Re tr P / 3, averaged over sites and planes. A tile is W sites, one per lane; a hop takes all of them to their
// neighbours, wherever those are.
template <int W>
double plaquette(const GaugeField<double, W>& u) {
  using S = lanes_t<double, W>;
  const auto links = u.access();
  const auto sum = sum_over_tiles<S, 1>(
      {"own plaquette", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<S>* out) {
        for (int mu = 1; mu < 4; ++mu)
          for (int nu = 0; nu < mu; ++nu) {
            const Matrix<S> there = links.link(links.neighbours(tile, mu), nu);  // U_nu(x + mu)
            const Matrix<S> back = links.link(links.neighbours(tile, nu), mu);   // U_mu(x + nu)
            out[0].add(real_trace_adjoint(links.link(tile, mu) * there, links.link(tile, nu) * back));
          }
      });
  return sum[0] / (18.0 * double(u.lattice().volume()));
}

// |x_n|^2 of vectors stored side by side.
template <class T, int W>
std::vector<double> lengths(const ColourVectorField<T, W>& x) {
  using S = lanes_t<arithmetic_t<T>, W>;
  using D = lanes_t<double, W>;  // sums use doubles, whatever the field's precision
  const auto from = x.access();
  return sum_over_vectors<D>(
      "lengths", x.lattice(), x.count(), TRELLIS_KERNEL(int tile, int n)->D {
        const ColourVector<S> v = from.vector(tile, n);
        return convert<double>(real_dot(v, v));
      });
}

template <int W>
void links() {
  const Lattice lattice({4, 4, 4, 8}, W);  // even sites first, then odd ones, in tiles of W
  const auto u = GaugeField<double, W>::unit(lattice);
  tour::expect(plaquette(u) == 1, "the plaquette of unit links is 1");
  gauge::hot_start({.seed = 11, .purpose = gauge::hot_start_purpose}, u);
  fmt::print("{:2} lanes as {}x{}x{}x{}: plaquette of random links {:.17f}\n", W, lattice.lane_grid()[0],
             lattice.lane_grid()[1], lattice.lane_grid()[2], lattice.lane_grid()[3], plaquette(u));
  tour::expect_near(plaquette(u), gauge::plaquette(u).average, 1e-15, "the library's own plaquette");

  // Access to single links by coordinates is for sources and tests, not for loops. Code that changes links must also
  // refresh their ghosts.
  std::array<double, 18> link = u.link({1, 2, 3, 4}, 0);
  for (double& number : link) number = -number;
  const auto other = u.clone();  // a copy of a field shares its memory; a clone does not
  other.set_link({1, 2, 3, 4}, 0, link);
  other.exchange(Reach::corners);
  tour::expect(other.link({1, 2, 3, 4}, 0) == link && u.link({1, 2, 3, 4}, 0) != link, "clones have their own links");
}

template <int W>
void vectors() {
  const Lattice lattice({4, 4, 4, 8}, W);
  constexpr double tenth = 0.1;
  const ColourVectorField<double, W> x(lattice, 0, 3);  // three vectors on even sites
  x.set({1, 1, 0, 0}, std::array{3.0, 4.0, 0.0, 0.0, 0.0, 0.0}, 1);
  const auto squares = lengths(x);
  tour::expect(squares[0] == 0 && squares[1] == 25, "each vector has its own length");

  // 16-bit integers and one scale per site: a third of the memory, with rounding errors of at most half the scale.
  const ColourVectorField<Fixed16, W> small(lattice, 0);
  small.set({0, 0, 0, 0}, std::array{1.0, tenth, 0.0, -0.5, 0.25, 0.0});
  tour::expect_near(small.at({0, 0, 0, 0})[1], tenth, 0.51 / 32767, "scale = largest / 32767");
  tour::expect(site_bytes<Fixed16>(6) == 16 && site_bytes<double>(6) == 48, "bytes per site");
}

}  // namespace

int main() {
  return tour::run([] {
    for (const int lanes : compiled_lane_counts<double>()) {
      with_lanes<double>(lanes, [&]<int W>() {
        links<W>();
        vectors<W>();
      });
    }
    fmt::print("a 24^3 x 48 lattice would use {} lanes on this machine\n",
               Lattice::best_lanes({24, 24, 24, 48}, sizeof(double)));
  });
}
