// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath/heatbath.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/boundary_staple.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
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

// The staples that a boundary adds to those of a tile's links in one direction: at most two sets (boundary_staples).
struct BoundaryOfSweep {
  static constexpr int most = 2;
  int count = 0;
  TimeSlice slices[most];
  StapleSet sets[most]{};
  LoopWeights weights[most];

  BoundaryOfSweep(const LoopWeights& scaled, const Boundary& boundary, const Lattice& lattice, int mu)
      : slices{{lattice, 0}, {lattice, 0}} {
    for (const BoundaryStaples& staples : boundary_staples(scaled, boundary, lattice.size())) {
      if (staples.of_time_links != (mu == 3) || staples.weights == LoopWeights{}) continue;
      slices[count] = TimeSlice(lattice, staples.slice);
      sets[count] = staples.set;
      weights[count++] = staples.weights;
    }
  }
};

template <class T, int W>
TRELLIS_NOINLINE void add_boundary_staples(const BoundaryOfSweep& boundary, const GaugeAccess<T, W>& u, int tile,
                                           int mu, Matrix<lanes_t<T, W>>& v) {
  using S = lanes_t<T, W>;
  for (int n = 0; n < boundary.count; ++n) {
    const mask_t<S> here = boundary.slices[n].template lanes_of<S>(tile);
    if (!any(here)) continue;
    const Matrix<S> more = v + boundary_staple(u, tile, mu, boundary.sets[n], boundary.weights[n]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.e[i][j] = select(here, more.e[i][j], v.e[i][j]);
  }
}

// The minimal bytes, and the flops of the staples only.
template <class T, int W>
Kernel sweep_kernel(const char* name, const LoopWeights& weights, const GaugeField<T, W>& u) {
  const double products = weights.rectangle != 0 ? 66 : 12;
  return {name, bytes_of(u, u), double(u.lattice().local_volume()) * 4 * products * product_flops, is_single<T>};
}

struct Heatbath {
  RandomStream stream;
  template <class S>
  TRELLIS_INLINE void operator()(const LaneSites& sites, const ColouredLanes& active, int mu, const Matrix<S>& v,
                                 Matrix<S>& link) const {
    heatbath_detail::heatbath_link(stream, sites, active, mu, v, link);
  }
};
struct Overrelaxation {
  template <class S>
  TRELLIS_INLINE void operator()(const LaneSites&, const ColouredLanes&, int, const Matrix<S>& v,
                                 Matrix<S>& link) const {
    heatbath_detail::overrelax_link(v, link);
  }
};

// New links that must wait until the neighbours of their tiles are done: one for each tile of a colour.
template <class T, int W>
using WaitingLinks = Access<T, 18, W>;

// The links that staples are made of: those that are updated, or, near a defect, the same times their weights, which
// follow every change.
template <class T, int W>
struct StapleLinks {
  GaugeField<T, W> field;
  DefectSites defect;
  double coupling;
  bool weighted;
};

// U_mu(x) <- update(site numbers, active lanes, mu, V, U) for the links of a colour. Links that must wait are stored
// there.
template <class T, int W, class Update>
void update_colour(const Kernel& kernel, const LoopWeights& scaled, const BoundaryOfSweep& boundary,
                   const ColouredTiles& coloured, int mu, int colour, const Update& update, const GaugeField<T, W>& u,
                   const StapleLinks<T, W>& of_staples, const WaitingLinks<T, W>& waiting) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), around = of_staples.field.access();
  const DefectSites defect = of_staples.defect;
  const double coupling = of_staples.coupling;
  const bool weighted = of_staples.weighted;
  const TileSites sites = u.lattice().tile_sites();
  const std::int32_t* tiles = coloured.list(mu, colour);
  const unsigned char* colours = coloured.colours_of_links();
  const bool wait = coloured.mixed();
  parallel_for(
      kernel, TilePolicy<FieldSpace>(coloured.tiles(mu, colour), W), TRELLIS_KERNEL(int n) {
        const int tile = tiles[n];
        const ColouredLanes active{colours + (4 * std::int64_t(tile) + mu) * W, colour};
        Matrix<S> v = staple_of(around, tile, mu, scaled);
        if (boundary.count != 0) add_boundary_staples(boundary, links, tile, mu, v);
        S weight = S(T(1));
        if (weighted) {
          weight = defect.template weights<S>(sites(tile), mu, coupling);
          v = weight * v;
        }
        Matrix<S> link = links.link(tile, mu);
        update(sites(tile), active, mu, v, link);
        if (!wait) {
          links.set_link(tile, mu, link);
          if (weighted) around.set_link(tile, mu, weight * link);
          return;
        }
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) waiting.store_complex(n, 3 * i + j, link.e[i][j]);
      });
}

template <class T, int W>
void store_waiting(const Kernel& kernel, const ColouredTiles& coloured, int mu, int colour, const GaugeField<T, W>& u,
                   const StapleLinks<T, W>& of_staples, const WaitingLinks<T, W>& waiting) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), around = of_staples.field.access();
  const TileSites sites = u.lattice().tile_sites();
  const DefectSites defect = of_staples.defect;
  const double coupling = of_staples.coupling;
  const bool weighted = of_staples.weighted;
  const std::int32_t* tiles = coloured.list(mu, colour);
  const unsigned char* colours = coloured.colours_of_links();
  parallel_for(
      kernel, TilePolicy<FieldSpace>(coloured.tiles(mu, colour), W), TRELLIS_KERNEL(int n) {
        const int tile = tiles[n];
        const ColouredLanes active{colours + (4 * std::int64_t(tile) + mu) * W, colour};
        const mask_t<S> changed = mask_of<S>(active);
        Matrix<S> link = links.link(tile, mu);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) link.e[i][j] = select(changed, waiting.load_complex(n, 3 * i + j), link.e[i][j]);
        links.set_link(tile, mu, link);
        if (weighted) around.set_link(tile, mu, defect.template weights<S>(sites(tile), mu, coupling) * link);
      });
}

// Visits every link, with V such that -S = Re tr(U V^dagger) + the rest. With plaquettes only, links of one direction
// read each other at most one step away.
template <class T, int W, class Update>
void sweep(const Kernel& kernel, const LoopWeights& weights, const Boundary& boundary, const ColouredTiles& coloured,
           const Update& update, const GaugeField<T, W>& u, const StapleLinks<T, W>& of_staples) {
  const FieldSpace space;
  DispatchTimer timer(kernel, space);
  const LoopWeights scaled{weights.plaquette / 3, weights.rectangle / 3, 0};
  // Mixed tiles are read as neighbours while others change: their new links are kept back until all are known.
  using Links = FieldView<T* [18], FieldLayout<W>>;
  const Links waiting = coloured.mixed() ? Links("changed links", u.lattice().local_volume()) : Links();
  const bool rectangles = weights.rectangle != 0;
  if (rectangles) u.exchange(Reach::two_steps);
  for (int mu = 0; mu < 4; ++mu) {
    const BoundaryOfSweep at_boundary(scaled, boundary, u.lattice(), mu);
    for (int colour = 0; colour < coloured.colours(); ++colour) {
      update_colour(kernel, scaled, at_boundary, coloured, mu, colour, update, u, of_staples, {waiting.data()});
      if (coloured.mixed()) store_waiting(kernel, coloured, mu, colour, u, of_staples, {waiting.data()});
      const bool last = colour + 1 == coloured.colours();
      const Reach reach = rectangles ? Reach::two_steps : last ? Reach::corners : Reach::near;
      exchange_direction(u, mu, reach);
      if (of_staples.weighted) exchange_direction(of_staples.field, mu, reach);
      // Before links of this direction with other colours see them.
      if (boundary.kind == BoundaryKind::schroedinger_functional) impose_boundary(boundary, u);
    }
  }
  timer.given();
}

template <class T, int W>
ColouredTiles tiles_of(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& u) {
  if (!in_dry_run()) require_valid(boundary, weights, u.lattice().size());  // which may be on a smaller lattice
  if (weights.parallelogram != 0) fail_input("heatbath: the action has parallelograms; use hybrid Monte Carlo");
  return {u.lattice(), LinkColours(u.lattice().size(), weights.rectangle != 0)};
}

template <class T, int W>
StapleLinks<T, W> own_links(const GaugeField<T, W>& u) {
  return {u, DefectSites({}, u.lattice().size()), 1, false};
}

template <class T, int W>
void sweeps(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<T, W>& u,
            const StapleLinks<T, W>& of_staples) {
  if (parameters.overrelaxation_steps < 0)
    fail_input("heatbath: {} overrelaxation steps; there cannot be fewer than 0", parameters.overrelaxation_steps);
  const LoopWeights weights = parameters.action;
  const Boundary& boundary = parameters.boundary;
  const ColouredTiles coloured = tiles_of(weights, boundary, u);
  sweep(sweep_kernel("heatbath", weights, u), weights, boundary, coloured, Heatbath{stream}, u, of_staples);
  for (int k = 0; k < parameters.overrelaxation_steps; ++k)
    sweep(sweep_kernel("overrelaxation", weights, u), weights, boundary, coloured, Overrelaxation{}, u, of_staples);
}

}  // namespace

template <class T, int W>
void heatbath_sweep(const LoopWeights& weights, const RandomStream& stream, const GaugeField<T, W>& u,
                    const Boundary& boundary) {
  sweep(sweep_kernel("heatbath", weights, u), weights, boundary, tiles_of(weights, boundary, u), Heatbath{stream}, u,
        own_links(u));
}

template <class T, int W>
void overrelaxation_sweep(const LoopWeights& weights, const GaugeField<T, W>& u, const Boundary& boundary) {
  sweep(sweep_kernel("overrelaxation", weights, u), weights, boundary, tiles_of(weights, boundary, u), Overrelaxation{},
        u, own_links(u));
}

template <class T, int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<T, W>& u) {
  sweeps(parameters, stream, u, own_links(u));
}

template <int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<double, W>& u,
                     const DefectAction<W>& defect, double coupling) {
  if (!parameters.boundary.is_periodic()) fail_input("heatbath: a defect needs periodic boundaries");
  if (coupling == 1) return sweeps(parameters, stream, u, own_links(u));
  sweeps(parameters, stream, u,
         {defect.weighted(parameters.action, coupling, u), DefectSites(defect.defect(), u.lattice().size()), coupling,
          true});
}

#define TRELLIS_INSTANTIATE(W)                                                                                   \
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
