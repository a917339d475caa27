// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Several processes: `mpirun -n 4 tour_ranks`. One process needs no MPI, and takes the same source.
// The lattice is cut among ranks; sums over sites are those of all ranks, with the same bits for any number of them.
#include "examples/tour/tour.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/comm/coordinate.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/lattice.hpp"

using namespace trellis;

namespace {

// sum over all sites of 1 / (1 + n), n the number of the site: a sum that would depend on the order of its terms.
template <int W>
double harmonic_sum(const Lattice& lattice) {
  using S = lanes_t<double, W>;
  const TileSites sites = lattice.tile_sites();
  return sum_over_tiles<S, 1>(
      "harmonic sum", lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<S>* sum) {
        S term = S(0.0);
        for (const int lane : own_lanes<S>()) set_lane(term, lane, 1.0 / double(1 + sites(tile)[lane]));
        sum[0].add(term);
      })[0];
}

void work() {
  const comm::Communicator world = comm::Communicator::world();
  const Coordinate size{4, 4, 4, 8};
  // Which directions to cut: the grid whose halos cost least.
  const comm::ProcessGrid grid(world, comm::best_grid(size, world.size()));
  const Lattice lattice(size, 1, SiteOrder::even_odd, {}, grid);

  // Small things that all ranks do together. Names are for the message of a rank that waits in vain.
  std::uint64_t sites = std::uint64_t(lattice.local_volume());
  world.sum("sites", {&sites, 1});
  const auto blocks = world.gather("blocks", to_string(lattice.local_size()) + " from " + to_string(lattice.origin()));
  world.require_same("the size of the lattice", to_string(size));
  // What goes wrong on one rank is an error on all, so that none waits for the others for ever.
  comm::together(world, "a check", [&] { tour::expect(sites == 4 * 4 * 4 * 8, "blocks cover the lattice"); });
  const int around = grid.neighbour({0, 0, 0, grid.extents()[3]});
  tour::expect(around == world.rank(), "as many steps as there are ranks lead around the torus");

  const double sum = harmonic_sum<1>(lattice);
  double expected = 0;
  for (int n = 512; n >= 1; --n) expected += 1.0 / n;
  tour::expect_near(sum, expected, 1e-14, "all sites, each once");
  if (!world.is_first()) return;
  fmt::print("{} rank(s) as {}, MPI {}\n", world.size(), to_string(grid.extents()),
             comm::Session::has_mpi() ? "is there" : "is not compiled in");
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) fmt::print("rank {}: {}\n", rank, blocks[rank]);
  fmt::print("sum {:a}: the same bits on any number of ranks\n", sum);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const comm::Session session(argc, argv);  // begins and ends MPI, if a launcher started several processes
    work();
    return 0;
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());  // ends all ranks
  }
}
