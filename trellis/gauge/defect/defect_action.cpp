// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/defect/defect_action.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

void require_valid(const Defect& defect, const Coordinate& size) {
  if (defect.direction < 0 || defect.direction > 3)
    fail_input("the defect's direction is {}; it must be from 0 to 3", defect.direction);
  if (defect.length < 1) fail_input("the defect's length is {}; it must be at least 1", defect.length);
  for (int mu = 0; mu < 4; ++mu)
    if (mu != defect.direction && defect.length > size[mu])
      fail_input("the defect's length is {}, but the lattice has an extent of only {}", defect.length, size[mu]);
}

namespace {

// What a loop of the action that contains a link of the defect makes of a tile, for each of its four links, and for its
// sites as the corners where loops begin: bits.
constexpr int links_and_corner = 5, corner_part = 4;
constexpr unsigned char of_plaquettes = 1, of_rectangles = 2, of_parallelograms = 4;

// The paths that close a plaquette, or a rectangle, with a step along d.
std::vector<std::vector<int>> ways_to_close(int d, unsigned char loops) {
  std::vector<std::vector<int>> paths;
  const int back = backward(d);
  for (int nu = 0; nu < 4; ++nu)
    for (const auto& [out, in] : {std::pair{nu, backward(nu)}, {backward(nu), nu}}) {
      if (nu == d) continue;
      if (loops == of_plaquettes) {
        paths.push_back({out, back, in});
      } else {
        paths.push_back({out, out, back, in, in});
        paths.push_back({d, out, back, back, in});
        paths.push_back({out, back, back, in, d});
      }
    }
  return paths;
}

class Marks {
 public:
  Marks(const Lattice& lattice, const Defect& defect, unsigned char* marks)
      : lattice_(lattice), defect_(defect), marks_(marks) {
    const Coordinate& size = lattice.size();
    const int d = defect.direction;
    Coordinate extents{defect.length, defect.length, defect.length, defect.length};
    extents[d] = 1;
    for (int n = 0; n < extents[0] * extents[1] * extents[2] * extents[3]; ++n) {
      Coordinate x;
      int rest = n;
      for (int mu = 0; mu < 4; ++mu) {
        x[mu] = rest % extents[mu] + (mu == d ? size[d] - 1 : 0);
        rest /= extents[mu];
      }
      for (const unsigned char loops : {of_plaquettes, of_rectangles})
        for (const auto& path : ways_to_close(d, loops)) mark_loop(x, path, loops);
      mark_around(x);
    }
  }

 private:
  void mark(Coordinate x, int part, unsigned char loops) {
    for (int mu = 0; mu < 4; ++mu) x[mu] = (x[mu] % lattice_.size(mu) + lattice_.size(mu)) % lattice_.size(mu);
    if (lattice_.owns(x)) marks_[links_and_corner * (lattice_.index(x) / lattice_.lanes()) + part] |= loops;
  }
  void mark_loop(Coordinate x, const std::vector<int>& path, unsigned char loops) {
    Coordinate lowest = x;
    mark(x, defect_.direction, loops);
    ++x[defect_.direction];
    for (const int step : path) {
      if (step >= 4) --x[step - 4];
      mark(x, step % 4, loops);
      if (step < 4) ++x[step];
      for (int mu = 0; mu < 4; ++mu) lowest[mu] = std::min(lowest[mu], x[mu]);
    }
    mark(lowest, corner_part, loops);
  }
  // The corner of a parallelogram is at most one step away from its links, in each direction.
  void mark_around(const Coordinate& x) {
    for (int n = 0; n < 81; ++n)
      mark({x[0] + n % 3 - 1, x[1] + n / 3 % 3 - 1, x[2] + n / 9 % 3 - 1, x[3] + n / 27 - 1}, corner_part,
           of_parallelograms);
  }

  const Lattice& lattice_;
  const Defect& defect_;
  unsigned char* marks_;
};

// The sum over the loops that start at a tile's sites of weight Re tr / 3, with the opposite sign.
template <int W>
TRELLIS_NOINLINE lanes_t<double, W> loops_of(const GaugeAccess<double, W>& u, int tile, const LoopWeights& weights) {
  using S = lanes_t<double, W>;
  S plaquettes = S(0.0), rectangles = S(0.0);
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      plaquettes = plaquettes + plaquette_trace(u, tile, mu, nu);
      if (weights.rectangle != 0)
        rectangles = rectangles + (rectangle_trace(u, tile, mu, nu) + rectangle_trace(u, tile, nu, mu));
    }
  S sum = fma(S(weights.rectangle), rectangles, S(weights.plaquette) * plaquettes);
  if (weights.parallelogram != 0) sum = fma(S(weights.parallelogram), parallelogram_traces(u, tile), sum);
  return S(-1.0 / 3) * sum;
}

template <int W>
TRELLIS_NOINLINE Algebra<lanes_t<double, W>> force_of(const GaugeAccess<double, W>& u, int tile, int mu,
                                                      const LoopWeights& weights) {
  return imaginary_trace(multiply_adjoint(u.link(tile, mu), weighted_staple(u, tile, mu, weights)));
}

// The tiles that loops at marked corners, and staples of marked links, read: those with marks and all that are up to
// `steps` steps away.
std::vector<std::int32_t> tiles_near(const Lattice& lattice, const unsigned char* marks, int mask, int steps) {
  std::vector<char> found(std::size_t(lattice.tiles_and_ghosts()), 0);
  std::vector<std::int32_t> near;
  for (int n = 0; n < lattice.tiles(); ++n) {
    const int tile = lattice.own_tile(n);
    const unsigned char* const of_tile = marks + links_and_corner * Index(tile);
    if (std::none_of(of_tile, of_tile + links_and_corner, [mask](unsigned char m) { return (m & mask) != 0; }))
      continue;
    found[std::size_t(tile)] = 1;
    near.push_back(tile);
  }
  const Neighbours next = lattice.host_neighbours();
  for (std::size_t begin = 0; steps > 0; --steps) {
    const std::size_t end = near.size();
    for (; begin < end; ++begin)
      for (int step = 0; step < 8; ++step) {
        const int there = next(near[begin], step).tile;
        if (std::exchange(found[std::size_t(there)], char(1)) == 0) near.push_back(there);
      }
  }
  std::sort(near.begin(), near.end());
  return near;
}

}  // namespace

template <int W>
struct DefectAction<W>::Work {
  std::deque<GaugeField<double, W>> weighted;
  FieldView<unsigned char*> marks;  // [tile][links_and_corner]
  ParallelogramForce<double, W> parallelograms;
  // What a set of loops needs: without rectangles, with them, or with all loops.
  struct Region {
    unsigned char mask = 0;
    int tiles = 0;  // that have V
    FieldView<std::int32_t*> list;
    FieldView<unsigned char*> inside;
    // Of the tiles' links, and of the tiles as corners, how many have loops of the defect.
    double links = 0, corners = 0;
  };
  Region regions[3];

  Work(const Lattice& lattice, const Defect& defect)
      : marks("loops at the defect", links_and_corner * lattice.tiles_and_ghosts()) {
    const auto host = create_mirror_view(HostSpace{}, marks);
    unsigned char* const found = host.data();
    std::fill_n(found, links_and_corner * Index(lattice.tiles_and_ghosts()), static_cast<unsigned char>(0));
    Marks(lattice, defect, found);
    for (int k = 0; k < 3; ++k) {
      Region& region = regions[k];
      region.mask =
          static_cast<unsigned char>(of_plaquettes | (k > 0 ? of_rectangles : 0) | (k > 1 ? of_parallelograms : 0));
      for (int n = 0; n < lattice.tiles(); ++n)
        for (int part = 0; part < links_and_corner; ++part) {
          if ((found[links_and_corner * Index(lattice.own_tile(n)) + part] & region.mask) == 0) continue;
          (part == corner_part ? region.corners : region.links) += (part == corner_part ? 1.0 : 0.25) / lattice.tiles();
        }
      std::vector<std::int32_t> near;
      if (lattice.has_ghosts() || k == 2) {
        for (int n = 0; n < lattice.tiles(); ++n) near.push_back(lattice.own_tile(n));
      } else {
        near = tiles_near(lattice, found, region.mask, k == 0 ? 2 : 3);
      }
      region.tiles = static_cast<int>(near.size());
      region.list = FieldView<std::int32_t*>("tiles near the defect", Index(near.size()));
      region.inside = FieldView<unsigned char*>("tiles near the defect", Index(lattice.tiles_and_ghosts()));
      const auto list = create_mirror_view(HostSpace{}, region.list);
      const auto inside = create_mirror_view(HostSpace{}, region.inside);
      std::fill_n(inside.data(), Index(lattice.tiles_and_ghosts()), static_cast<unsigned char>(0));
      for (std::size_t n = 0; n < near.size(); ++n) {
        list.data()[n] = near[n];
        inside.data()[near[n]] = 1;
      }
      deep_copy(region.list, list);
      deep_copy(region.inside, inside);
    }
    deep_copy(marks, host);
  }
  const Region& region(const LoopWeights& weights) const {
    return regions[weights.parallelogram != 0 ? 2 : weights.rectangle != 0 ? 1 : 0];
  }
};

template <int W>
DefectAction<W>::DefectAction(const Lattice& lattice, const Defect& defect) : defect_(defect) {
  require_valid(defect, lattice.size());
  work_ = std::make_shared<Work>(lattice, defect);
}

template <int W>
NearDefect DefectAction<W>::near(const LoopWeights& weights) const {
  const auto& region = work_->region(weights);
  return {work_->marks.data(), region.inside.data(), region.mask};
}

template <int W>
const GaugeField<double, W>& DefectAction<W>::weighted(const LoopWeights& weights, double coupling,
                                                       const GaugeField<double, W>& u, std::size_t number) const {
  using S = lanes_t<double, W>;
  auto& all = work_->weighted;
  while (all.size() <= number) all.emplace_back(u.lattice(), "weighted links");
  const GaugeField<double, W>& v = all[number];
  const auto& region = work_->region(weights);
  const auto from = u.access(), to = v.access();
  const unsigned char* const marks = work_->marks.data();
  const std::int32_t* const tiles = region.list.data();
  const TileSites sites = v.lattice().tile_sites();
  const DefectSites defect(defect_, v.lattice().size());
  const int direction = defect_.direction;
  const Kernel kernel{"weigh links", double(region.tiles) / v.lattice().tiles() * bytes_of(u, v), 0};
  parallel_for(
      kernel, TilePolicy<FieldSpace>(region.tiles, W), TRELLIS_KERNEL(int n) {
        const int tile = tiles[n];
        for (int mu = 0; mu < 4; ++mu) {
          Matrix<S> link = from.link(tile, mu);
          if (mu == direction && (marks[links_and_corner * Index(tile) + mu] & of_plaquettes) != 0)
            link = defect.template weights<S>(sites(tile), mu, coupling) * link;
          to.set_link(tile, mu, link);
        }
      });
  v.exchange(weights.rectangle != 0 ? Reach::two_steps : Reach::corners);
  return v;
}

template <int W>
double DefectAction<W>::energy(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u) const {
  if (coupling == 1) return 0;
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
  using S = lanes_t<double, W>;
  const auto v = weighted(weights, coupling, u).access(), links = u.access();
  const unsigned char* const marks = work_->marks.data();
  const unsigned char mask = work_->region(weights).mask;
  const double share = work_->region(weights).corners;
  const double flops =
      2 * (6 * (2 * product_flops + 35) + (weights.rectangle != 0 ? 12 * (4 * product_flops + 35) : 0) +
           (weights.parallelogram != 0 ? parallelogram_flops : 0));
  const Kernel kernel{"action of a defect", share * bytes_of(u, u), share * double(u.lattice().local_volume()) * flops};
  return sum_over_tiles<S, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<S>* sums) {
        if ((marks[links_and_corner * Index(tile) + corner_part] & mask) != 0)
          sums[0].add(loops_of<W>(v, tile, weights) - loops_of<W>(links, tile, weights));
      })[0];
}

template <int W>
DefectLoops DefectAction<W>::loops(const LoopWeights& weights, const GaugeField<double, W>& u) const {
  const double one = energy(weights, -1, u) / 2;  // loops with two links stay as they are
  return {one, energy(weights, 0, u) - one};
}

template <int W>
void DefectAction<W>::add_force(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u,
                                double step, const AlgebraField<double, W>& p) const {
  using S = lanes_t<double, W>;
  if (coupling == 1) return;
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
  const GaugeField<double, W>& v = weighted(weights, coupling, u);
  const auto with = v.access(), without = u.access();
  const auto momenta = p.access();
  const unsigned char* const marks = work_->marks.data();
  const auto& region = work_->region({weights.plaquette, weights.rectangle, 0});
  const unsigned char mask = region.mask;
  const double share = region.links;
  const LoopWeights planar{-step / 3 * weights.plaquette, -step / 3 * weights.rectangle, 0};
  const Kernel kernel{
      "force of a defect", share * bytes_of(u, u, p, p),
      share * double(u.lattice().local_volume()) * 8 * (planar.rectangle != 0 ? 67 : 13) * product_flops};
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          if ((marks[links_and_corner * Index(tile) + mu] & mask) == 0) continue;
          const Algebra<S> force = force_of<W>(with, tile, mu, planar) - force_of<W>(without, tile, mu, planar);
          momenta.set(tile, mu, momenta.at(tile, mu) + force);
        }
      });
  if (weights.parallelogram == 0) return;
  work_->parallelograms(weights.parallelogram, v, step, p);
  work_->parallelograms(-weights.parallelogram, u, step, p);
}

#define TRELLIS_INSTANTIATE(W) template class DefectAction<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
