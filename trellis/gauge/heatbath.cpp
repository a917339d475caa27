// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/heatbath.hpp"

#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/heatbath_kernel.hpp"
#include "trellis/gauge/link_colours.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

template <int W>
struct ColouredTile {
  int tile;
  bool active[W];  // lanes whose link has the colour
};

template <int W>
struct ColouredTiles {
  std::vector<ColouredTile<W>> tiles;
  bool mixed = false;  // some tile has lanes of other colours
};

// The colour of each link: [tile][mu][lane].
template <int W>
std::vector<unsigned char> colours_of_links(const Lattice& lattice, const LinkColours& colours) {
  std::vector<unsigned char> table(4 * std::size_t(W) * lattice.tiles());
  unsigned char* out = table.data();
  parallel_for("link colours", RangePolicy<FieldSpace>(0, lattice.tiles()), [=, &lattice, &colours](Index n) {
    std::int64_t sites[W];
    lattice.sites(static_cast<int>(n), sites);
    for (int l = 0; l < W; ++l) {
      const Coordinate x = lattice.coordinate(sites[l]);
      for (int mu = 0; mu < 4; ++mu) out[(4 * n + mu) * W + l] = static_cast<unsigned char>(colours(x, mu));
    }
  });
  return table;
}

// For each colour of the links in direction mu the tiles that hold some.
template <int W>
std::vector<ColouredTiles<W>> tiles_by_colour(const std::vector<unsigned char>& table, int count, int mu) {
  std::vector<ColouredTiles<W>> by_colour(count);
  const auto tiles = static_cast<int>(table.size() / (4 * W));
  for (int n = 0; n < tiles; ++n) {
    const unsigned char* colour = &table[(4 * std::size_t(n) + mu) * W];
    unsigned found = 0;
    for (int l = 0; l < W; ++l) found |= 1u << colour[l];
    for (int c = 0; c < count; ++c) {
      if ((found >> c & 1) == 0) continue;
      ColouredTile<W> entry{n, {}};
      for (int l = 0; l < W; ++l) entry.active[l] = colour[l] == c;
      by_colour[c].tiles.push_back(entry);
      by_colour[c].mixed = by_colour[c].mixed || found != 1u << c;
    }
  }
  return by_colour;
}

template <class T, int W>
[[gnu::noinline]] Matrix<lanes_t<T, W>> staple_of(const GaugeAccess<T, W>& u, int tile, int mu,
                                                  const LoopWeights& weights) {
  return weighted_staple(u, tile, mu, weights);
}

// The least bytes, and the flops of the staples alone.
template <class T, int W>
Kernel sweep_kernel(const char* name, const LoopWeights& weights, const GaugeField<T, W>& u) {
  const double products = weights.rectangle != 0 ? 66 : 12;
  return {name, bytes_of(u, u), double(u.lattice().volume()) * 4 * products * product_flops, is_single<T>};
}

// U_mu(x) <- update(site numbers, active lanes, mu, V, U) for every link, V with -S = Re tr(U V^dagger) + the rest.
template <class T, int W, class F>
void sweep(const Kernel& kernel, const LoopWeights& weights, const GaugeField<T, W>& u, const F& update) {
  using S = lanes_t<T, W>;
  const KernelTimer timer(kernel);
  const Lattice& lattice = u.lattice();
  const LinkColours colours(lattice.size(), weights.rectangle != 0);
  const LoopWeights scaled{weights.plaquette / 3, weights.rectangle / 3};
  const auto table = colours_of_links<W>(lattice, colours);
  const auto links = u.access();
  std::vector<Matrix<S>> changed;
  for (int mu = 0; mu < 4; ++mu)
    for (const ColouredTiles<W>& part : tiles_by_colour<W>(table, colours.count(), mu)) {
      const ColouredTile<W>* tiles = part.tiles.data();
      const auto count = static_cast<Index>(part.tiles.size());
      // Mixed tiles are read as neighbours while others change: their links wait until all are known.
      if (part.mixed) changed.resize(part.tiles.size());
      Matrix<S>* out = part.mixed ? changed.data() : nullptr;
      parallel_for(kernel, RangePolicy<FieldSpace>(0, count), [=, &lattice, &update](Index n) {
        const ColouredTile<W>& at = tiles[n];
        std::int64_t sites[W];
        lattice.sites(at.tile, sites);
        const Matrix<S> v = staple_of(links, at.tile, mu, scaled);
        Matrix<S> link = links.link(at.tile, mu);
        update(sites, at.active, mu, v, link);
        if (out == nullptr)
          links.set_link(at.tile, mu, link);
        else
          out[n] = link;
      });
      if (!part.mixed) continue;
      parallel_for(kernel, RangePolicy<FieldSpace>(0, count), [=](Index n) {
        const ColouredTile<W>& at = tiles[n];
        Matrix<S> link = links.link(at.tile, mu);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int l = 0; l < W; ++l)
              if (at.active[l]) {
                set_lane(link.e[i][j].re, l, lane(out[n].e[i][j].re, l));
                set_lane(link.e[i][j].im, l, lane(out[n].e[i][j].im, l));
              }
        links.set_link(at.tile, mu, link);
      });
    }
}

}  // namespace

template <class T, int W>
void heatbath_sweep(const LoopWeights& weights, const RandomStream& stream, const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  sweep(sweep_kernel("heatbath", weights, u), weights, u,
        [stream](const std::int64_t* sites, const bool* active, int mu, const Matrix<S>& v, Matrix<S>& link) {
          heatbath_detail::heatbath_link(stream, sites, active, mu, v, link);
        });
}

template <class T, int W>
void overrelaxation_sweep(const LoopWeights& weights, const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  sweep(sweep_kernel("overrelaxation", weights, u), weights, u,
        [](const std::int64_t*, const bool*, int, const Matrix<S>& v, Matrix<S>& link) {
          heatbath_detail::overrelax_link(v, link);
        });
}

template <class T, int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<T, W>& u) {
  if (parameters.overrelaxation_steps < 0)
    fail_input("heatbath: {} overrelaxation steps; there cannot be fewer than 0", parameters.overrelaxation_steps);
  heatbath_sweep(parameters.action, stream, u);
  for (int k = 0; k < parameters.overrelaxation_steps; ++k) overrelaxation_sweep(parameters.action, u);
}

#define TRELLIS_INSTANTIATE_FOR(T, W)                                                                           \
  template void heatbath_update<T, W>(const HeatbathParameters&, const RandomStream&, const GaugeField<T, W>&); \
  template void heatbath_sweep<T, W>(const LoopWeights&, const RandomStream&, const GaugeField<T, W>&);         \
  template void overrelaxation_sweep<T, W>(const LoopWeights&, const GaugeField<T, W>&);
#define TRELLIS_INSTANTIATE(W)      \
  TRELLIS_INSTANTIATE_FOR(float, W) \
  TRELLIS_INSTANTIATE_FOR(double, W)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)

}  // namespace trellis::gauge
