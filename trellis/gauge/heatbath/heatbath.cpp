// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/heatbath.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/sweep_staples.hpp"
#include "trellis/gauge/heatbath/coloured_tiles.hpp"
#include "trellis/gauge/heatbath/heatbath_kernel.hpp"
#include "trellis/gauge/lane_mask.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

template <class T, int W>
TRELLIS_NOINLINE Matrix<lanes_t<T, W>> staple_of(const GaugeAccess<T, W>& u, int tile, int mu,
                                                 const LoopWeights& weights) {
  return weighted_staple(u, tile, mu, weights);
}

// The minimal bytes, and the flops of the staples only, of a sweep over a share of the links.
template <class T, int W>
Kernel sweep_kernel(const char* name, const LoopWeights& weights, const GaugeField<T, W>& u, double share = 1) {
  const double products = weights.rectangle != 0 ? 66 : 12;
  return {name, share * bytes_of(u, u), share * double(u.lattice().local_volume()) * 4 * products * product_flops,
          is_single<T>};
}

struct Heatbath {
  RandomStream stream;
  template <class S>
  TRELLIS_INLINE void operator()(std::uint64_t seed, const LaneSites& sites, const ColouredLanes& active, int mu,
                                 const Matrix<S>& v, Matrix<S>& link) const {
    heatbath_detail::heatbath_link(RandomStream{seed, stream.trajectory, stream.purpose}, sites, active, mu, v, link);
  }
};
struct Overrelaxation {
  template <class S>
  TRELLIS_INLINE void operator()(std::uint64_t, const LaneSites&, const ColouredLanes&, int, const Matrix<S>& v,
                                 Matrix<S>& link) const {
    heatbath_detail::overrelax_link(v, link);
  }
};

// New links that must wait until the neighbours of their tiles are done: one for each tile of a colour.
template <class T, int W>
using WaitingLinks = Access<T, 18, W>;

// What is swept: links, and, near a defect, the same times their weights, of which staples there are made and which
// follow every change.
template <class T, int W>
struct SweptLinks {
  GaugeField<T, W> field, weighted;  // the second is not there without a defect
  double coupling;
  std::uint64_t seed;
};

// Several of these in one kernel, which small boxes on a GPU need to have enough threads.
template <class T>
struct SweptTogether {
  static constexpr int most = fields_on_host ? 1 : 16;
  struct One {
    T *links, *weighted;  // null: no defect
    double coupling;
    std::uint64_t seed;
  };
  One of[most]{};
  int count = 0;
};
template <class T, int W>
SweptTogether<T> together(std::span<const SweptLinks<T, W>> all) {
  SweptTogether<T> some;
  for (const auto& one : all)
    some.of[some.count++] = {one.field.view().data(),
                             one.weighted.is_allocated() ? one.weighted.view().data() : nullptr, one.coupling,
                             one.seed};
  return some;
}

struct AtDefect {
  DefectSites sites;
  NearDefect near;
};

// U_mu(x) <- update(seed, site numbers, active lanes, mu, V, U) for the links of a colour. Links that must wait are
// stored there.
template <class T, int W, class Update>
void update_colour(const Kernel& kernel, const LoopWeights& scaled, const BoundaryOfSweep& boundary,
                   const ColouredTiles& coloured, int mu, int colour, const Update& update, const Lattice& lattice,
                   const SweptTogether<T>& swept, const AtDefect& at, const WaitingLinks<T, W>& waiting) {
  using S = lanes_t<T, W>;
  const Neighbours neighbours = lattice.neighbours();
  const TileSites sites = lattice.tile_sites();
  const int count = coloured.tiles(mu, colour);
  const std::int32_t* tiles = coloured.list(mu, colour);
  const unsigned char* colours = coloured.colours_of_links();
  const bool wait = coloured.mixed();
  parallel_for(
      kernel, TilePolicy<FieldSpace>(count * swept.count, W), TRELLIS_KERNEL(int n) {
        const auto& own = swept.of[SweptTogether<T>::most == 1 ? 0 : n / count];
        const int tile = tiles[SweptTogether<T>::most == 1 ? n : n % count];
        const GaugeAccess<T, W> links{{own.links}, neighbours}, around{{own.weighted}, neighbours};
        const ColouredLanes active{colours + (4 * std::int64_t(tile) + mu) * W, colour};
        const bool weighted = own.weighted != nullptr, at_defect = weighted && at.near.has(tile, mu);
        Matrix<S> v = staple_of(at_defect ? around : links, tile, mu, scaled);
        if (boundary.count != 0) add_boundary_staples(boundary, links, tile, mu, v);
        S weight = S(T(1));
        if (at_defect) {
          weight = at.sites.template weights<S>(sites(tile), mu, own.coupling);
          v = weight * v;
        }
        Matrix<S> link = links.link(tile, mu);
        update(own.seed, sites(tile), active, mu, v, link);
        if (!wait) {
          links.set_link(tile, mu, link);
          if (weighted && at.near.inside[tile] != 0) around.set_link(tile, mu, weight * link);
          return;
        }
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) waiting.store_complex(n, 3 * i + j, link.e[i][j]);
      });
}

template <class T, int W>
void store_waiting(const Kernel& kernel, const ColouredTiles& coloured, int mu, int colour, const Lattice& lattice,
                   const SweptTogether<T>& swept, const AtDefect& at, const WaitingLinks<T, W>& waiting) {
  using S = lanes_t<T, W>;
  const Neighbours neighbours = lattice.neighbours();
  const TileSites sites = lattice.tile_sites();
  const int count = coloured.tiles(mu, colour);
  const std::int32_t* tiles = coloured.list(mu, colour);
  const unsigned char* colours = coloured.colours_of_links();
  parallel_for(
      kernel, TilePolicy<FieldSpace>(count * swept.count, W), TRELLIS_KERNEL(int n) {
        const auto& own = swept.of[SweptTogether<T>::most == 1 ? 0 : n / count];
        const int tile = tiles[SweptTogether<T>::most == 1 ? n : n % count];
        const GaugeAccess<T, W> links{{own.links}, neighbours}, around{{own.weighted}, neighbours};
        const ColouredLanes active{colours + (4 * std::int64_t(tile) + mu) * W, colour};
        const mask_t<S> changed = mask_of<S>(active);
        Matrix<S> link = links.link(tile, mu);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) link.e[i][j] = select(changed, waiting.load_complex(n, 3 * i + j), link.e[i][j]);
        links.set_link(tile, mu, link);
        if (own.weighted == nullptr || at.near.inside[tile] == 0) return;
        if (at.near.has(tile, mu)) link = at.sites.template weights<S>(sites(tile), mu, own.coupling) * link;
        around.set_link(tile, mu, link);
      });
}

// Visits every link, with V such that -S = Re tr(U V^dagger) + the rest. With plaquettes only, links of one direction
// read each other at most one step away. all: on one lattice, at most SweptTogether::most.
template <class T, int W, class Update>
void sweep(const Kernel& kernel, const LoopWeights& weights, const Boundary& boundary, const ColouredTiles& coloured,
           const Update& update, std::span<const SweptLinks<T, W>> all, const AtDefect& at) {
  const FieldSpace space;
  DispatchTimer timer(kernel, space);
  const LoopWeights scaled{weights.plaquette / 3, weights.rectangle / 3, 0};
  const Lattice& lattice = all.front().field.lattice();
  const auto swept = together(all);
  // Mixed tiles are read as neighbours while others change: their new links are kept back until all are known.
  using Links = FieldView<T* [18], FieldLayout<W>>;
  // Of the whole lattice as many as there can be, since a plan does not count them.
  const Index waiting_tiles = coloured.whole() ? lattice.tiles() : coloured.most_tiles();
  const Links waiting = coloured.mixed() ? Links("changed links", W * waiting_tiles * swept.count) : Links();
  const bool rectangles = weights.rectangle != 0;
  if (rectangles)
    for (const auto& one : all) one.field.exchange(Reach::two_steps);
  for (int mu = 0; mu < 4; ++mu) {
    const BoundaryOfSweep at_boundary(scaled, boundary, lattice, mu);
    for (int colour = 0; colour < coloured.colours(); ++colour) {
      const WaitingLinks<T, W> kept{waiting.data()};
      update_colour<T, W>(kernel, scaled, at_boundary, coloured, mu, colour, update, lattice, swept, at, kept);
      if (coloured.mixed()) store_waiting<T, W>(kernel, coloured, mu, colour, lattice, swept, at, kept);
      const bool last = colour + 1 == coloured.colours();
      const Reach reach = rectangles ? Reach::two_steps : last ? Reach::corners : Reach::near;
      for (const auto& one : all) {
        // Before other links see them.
        if (boundary.kind == BoundaryKind::schroedinger_functional) set_inactive(boundary, one.field, mu);
        exchange_direction(one.field, mu, reach);
        if (one.weighted.is_allocated()) exchange_direction(one.weighted, mu, reach);
      }
    }
  }
  timer.given();
}

void require_possible(const HeatbathParameters& parameters, const LoopWeights& weights, const Coordinate& size) {
  if (!in_dry_run()) require_valid(parameters.boundary, size);  // which may be on a smaller lattice
  if (parameters.boundary.has_squares(weights.rectangle))
    fail_input(
        "heatbath: with squares of plaquettes at the boundaries (boundary_rectangles = \"orbifold\") the action is not "
        "linear in each link; use \"weighted\", or hybrid Monte Carlo");
  if (weights.parallelogram != 0) fail_input("heatbath: the action has parallelograms; use hybrid Monte Carlo");
  if (parameters.overrelaxation_steps < 0)
    fail_input("heatbath: {} overrelaxation steps; there cannot be fewer than 0", parameters.overrelaxation_steps);
}

ColouredTiles tiles_of(const LoopWeights& weights, const Lattice& lattice, const Box& box) {
  return {lattice, LinkColours(lattice.size(), weights.rectangle != 0), box};
}

template <class T, int W>
SweptLinks<T, W> alone(const GaugeField<T, W>& u, std::uint64_t seed) {
  return {u, {}, 1, seed};
}
AtDefect no_defect(const Lattice& lattice) { return {DefectSites({}, lattice.size()), {}}; }

template <class T, int W>
void sweeps(const HeatbathParameters& parameters, const ColouredTiles& coloured, double share,
            const RandomStream& stream, std::span<const SweptLinks<T, W>> all, const AtDefect& at) {
  const LoopWeights& weights = parameters.action;
  const Boundary& boundary = parameters.boundary;
  const auto& u = all.front().field;
  share *= double(all.size());
  sweep(sweep_kernel("heatbath", weights, u, share), weights, boundary, coloured, Heatbath{stream}, all, at);
  for (int k = 0; k < parameters.overrelaxation_steps; ++k)
    sweep(sweep_kernel("overrelaxation", weights, u, share), weights, boundary, coloured, Overrelaxation{}, all, at);
}

// One sweep over the whole lattice, by weights, which may be those of no action.
template <class T, int W, class Update>
void whole_sweep(const char* name, const LoopWeights& weights, const Boundary& boundary, const Update& update,
                 std::uint64_t seed, const GaugeField<T, W>& u) {
  HeatbathParameters parameters;
  parameters.boundary = boundary;
  require_possible(parameters, weights, u.lattice().size());
  const SweptLinks<T, W> links[]{alone(u, seed)};
  sweep(sweep_kernel(name, weights, u), weights, boundary,
        tiles_of(weights, u.lattice(), whole_lattice(u.lattice().size())), update,
        std::span<const SweptLinks<T, W>>(links), no_defect(u.lattice()));
}

}  // namespace

template <class T, int W>
HeatbathSweeps<T, W>::HeatbathSweeps(const HeatbathParameters& parameters, const Lattice& lattice, const Box& box)
    : parameters_((require_possible(parameters, parameters.action, lattice.size()), parameters)),
      lattice_(lattice),
      share_(double(box.volume()) / double(lattice.volume())),
      tiles_(tiles_of(parameters.action, lattice, box)) {}

template <class T, int W>
void HeatbathSweeps<T, W>::operator()(const RandomStream& stream, const GaugeField<T, W>& u) const {
  const SweptLinks<T, W> links[]{alone(u, stream.seed)};
  sweeps(parameters_, tiles_, share_, stream, std::span<const SweptLinks<T, W>>(links), no_defect(u.lattice()));
}

template <class T, int W>
void HeatbathSweeps<T, W>::operator()(const RandomStream& stream, const GaugeField<T, W>& u,
                                      const DefectAction<W>& defect, double coupling) const {
  const ReplicaLinks<T, W> one[]{{u, coupling, stream.seed}};
  (*this)(stream, one, defect);
}

template <class T, int W>
void HeatbathSweeps<T, W>::operator()(const RandomStream& stream, std::span<const ReplicaLinks<T, W>> replicas,
                                      const DefectAction<W>& defect) const {
  if (!parameters_.boundary.is_periodic()) fail_input("heatbath: a defect needs periodic boundaries");
  const LoopWeights& weights = parameters_.action;
  constexpr std::size_t most = SweptTogether<T>::most;
  for (std::size_t begin = 0; begin < replicas.size(); begin += most) {
    std::vector<SweptLinks<T, W>> some;
    for (const auto& [u, coupling, seed] : replicas.subspan(begin, std::min(most, replicas.size() - begin))) {
      some.push_back(alone(u, seed));
      some.back().coupling = coupling;
      if (coupling != 1) some.back().weighted = defect.weighted(weights, coupling, u, some.size() - 1);
    }
    sweeps(parameters_, tiles_, share_, stream, std::span<const SweptLinks<T, W>>(some),
           {DefectSites(defect.defect(), lattice_.size()), defect.near(weights)});
  }
}

template <class T, int W>
void heatbath_sweep(const LoopWeights& weights, const RandomStream& stream, const GaugeField<T, W>& u,
                    const Boundary& boundary) {
  whole_sweep("heatbath", weights, boundary, Heatbath{stream}, stream.seed, u);
}

template <class T, int W>
void overrelaxation_sweep(const LoopWeights& weights, const GaugeField<T, W>& u, const Boundary& boundary) {
  whole_sweep("overrelaxation", weights, boundary, Overrelaxation{}, 0, u);
}

template <class T, int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<T, W>& u) {
  HeatbathSweeps<T, W>(parameters, u.lattice())(stream, u);
}

template <int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<double, W>& u,
                     const DefectAction<W>& defect, double coupling) {
  HeatbathSweeps<double, W>(parameters, u.lattice())(stream, u, defect, coupling);
}

#define TRELLIS_INSTANTIATE(W)                                                                                   \
  template class HeatbathSweeps<double, W>;                                                                      \
  template void heatbath_update<double, W>(const HeatbathParameters&, const RandomStream&,                       \
                                           const GaugeField<double, W>&);                                        \
  template void heatbath_update<W>(const HeatbathParameters&, const RandomStream&, const GaugeField<double, W>&, \
                                   const DefectAction<W>&, double);                                              \
  template void heatbath_sweep<double, W>(const LoopWeights&, const RandomStream&, const GaugeField<double, W>&, \
                                          const Boundary&);                                                      \
  template void overrelaxation_sweep<double, W>(const LoopWeights&, const GaugeField<double, W>&, const Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
