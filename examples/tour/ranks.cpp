// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Several processes: `mpirun -n 4 tour_ranks`. The same source runs as a single process, which needs no MPI.
// The lattice is divided among the ranks; sums over sites include all ranks and have the same bits for any number of
// them.
#include "examples/tour/tour.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/comm/coordinate.hpp"
#include "trellis/comm/process_grid.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/lattice.hpp"

using namespace trellis;

namespace {

// The sum over all sites of 1 / (1 + n), where n is the site number: done naively, it would depend on the order of the
// terms.
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
  // Which directions to divide: the grid with the cheapest halos.
  const comm::ProcessGrid grid(world, comm::best_grid(size, world.size()));
  const Lattice lattice(size, 1, SiteOrder::even_odd, {}, grid);

  // Small collective operations. Their names appear in the error message of a rank that waits in vain.
  std::uint64_t sites = std::uint64_t(lattice.local_volume());
  world.sum("sites", {&sites, 1});
  const auto blocks = world.gather("blocks", to_string(lattice.local_size()) + " from " + to_string(lattice.origin()));
  world.require_same("the size of the lattice", to_string(size));
  // A failure on one rank becomes an error on all of them, so that no rank waits for the others for ever.
  comm::together(world, "a check", [&] { tour::expect(sites == 4 * 4 * 4 * 8, "the blocks cover the lattice"); });
  const int around = grid.neighbour({0, 0, 0, grid.extents()[3]});
  tour::expect(around == world.rank(), "as many steps as there are ranks in t lead once around the torus");

  const double sum = harmonic_sum<1>(lattice);
  double expected = 0;
  for (int n = 512; n >= 1; --n) expected += 1.0 / n;
  tour::expect_near(sum, expected, 1e-14, "every site is counted exactly once");
  if (!world.is_first()) return;
  fmt::print("{} rank(s) as {}, MPI {}\n", world.size(), to_string(grid.extents()),
             comm::Session::has_mpi() ? "is available" : "is not compiled in");
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) fmt::print("rank {}: {}\n", rank, blocks[rank]);
  fmt::print("sum {:a}: the same bits on any number of ranks\n", sum);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const comm::Session session(argc, argv);  // starts and ends MPI if a launcher started several processes
    work();
    return 0;
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());  // ends all ranks
  }
}
