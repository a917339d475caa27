// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/replay.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/lattice/fingerprint.hpp"
#include "trellis/lattice/site_map.hpp"

namespace trellis::hmc {

namespace {

template <int W, int WO>
class OtherArrangement final : public TrajectoryReplay<double, W> {
 public:
  OtherArrangement(const HmcParameters& parameters, Terms<double, WO> terms, const Lattice& own, const Lattice& other,
                   bool rounds_momenta)
      : there_(own, other),
        back_(other, own),
        hmc_(parameters, std::move(terms), other),
        links_(other, "replayed links"),
        links_back_(own, "replayed links"),
        momenta_back_(own, "replayed momenta"),
        rounds_momenta_(rounds_momenta) {}

  void forget() override {
    for (const auto& term : hmc_.terms()) term->forget();
  }
  void draw(const RandomStream& stream, const GaugeField<double, W>& u) override {
    convert_links(there_, u, links_);
    hmc_.draw(stream, links_);
    if (rounds_momenta_) round_to_single(hmc_.fields().momenta);
  }
  void take_pseudofermions(const RandomStream& stream, const Terms<double, W>& terms) override {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      hmc_.terms()[i]->take_stream(stream);
      const auto from = terms[i]->pseudofermions();
      const auto to = hmc_.terms()[i]->pseudofermions();
      for (std::size_t j = 0; j < from.size(); ++j) convert_vectors(there_, from[j], to[j]);
    }
  }
  std::vector<std::uint64_t> pseudofermions() override {
    std::vector<std::uint64_t> all;
    for (const auto& term : hmc_.terms())
      for (const auto& from : term->pseudofermions()) {
        const ColourVectorField<double, W> to(back_.to(), from.parity(), from.count(), "replayed pseudofermion");
        convert_vectors(back_, from, to);
        all.push_back(rank_fingerprint(to));
      }
    return all;
  }

  void take(const GaugeField<double, W>& u, const AlgebraField<double, W>& p) override {
    convert_links(there_, u, links_);
    convert_momenta(there_, p, hmc_.fields().momenta);
  }
  void perform(const Operation& operation, bool first) override {
    hmc_.perform(operation, first, links_, hmc_.fields().momenta);
  }
  void reunitarise() override { gauge::reunitarise(links_); }
  std::uint64_t links() override {
    convert_links(back_, links_, links_back_);
    return rank_fingerprint(links_back_);
  }
  std::uint64_t momenta() override {
    convert_momenta(back_, hmc_.fields().momenta, momenta_back_);
    return rank_fingerprint(momenta_back_);
  }

  TrajectoryRecord energies(const GaugeField<double, W>& links_before,
                            const AlgebraField<double, W>& momenta_before) override {
    convert_links(there_, links_before, hmc_.fields().links_before);
    convert_momenta(there_, momenta_before, hmc_.fields().momenta_before);
    TrajectoryRecord record;
    record.terms.resize(hmc_.terms().size());
    record.dH = hmc_.energy_difference(links_, hmc_.fields().momenta, record);
    return record;
  }

 private:
  SiteMap there_, back_;
  HybridMonteCarlo<double, WO> hmc_;
  GaugeField<double, WO> links_;
  GaugeField<double, W> links_back_;
  AlgebraField<double, W> momenta_back_;
  bool rounds_momenta_;
};

// Ways to cut a block into lanes, x fastest.
std::vector<Coordinate> lane_grids(const Coordinate& block, int lanes) {
  std::vector<Coordinate> all;
  const auto fits = [&](int mu, int parts) { return lanes % parts == 0 && block[std::size_t(mu)] % (2 * parts) == 0; };
  for (int t = 1; t <= lanes; t *= 2)
    for (int z = 1; z <= lanes; z *= 2)
      for (int y = 1; y <= lanes; y *= 2)
        for (int x = 1; x <= lanes; x *= 2)
          if (x * y * z * t == lanes && fits(0, x) && fits(1, y) && fits(2, z) && fits(3, t))
            all.push_back({x, y, z, t});
  return all;
}

}  // namespace

Lattice rearranged(const Lattice& lattice) {
  // Blocks that are nearly cubes are the fastest, so the longest of a grid's cuts is to be short.
  const auto longest = [](const Coordinate& grid) { return *std::max_element(grid.begin(), grid.end()); };
  std::optional<Coordinate> best;
  for (const Coordinate& grid : lane_grids(lattice.local_size(), lattice.lanes()))
    if (grid != lattice.lane_grid() && (!best || longest(grid) < longest(*best))) best = grid;
  const Coordinate& d = lattice.directions();
  return Lattice(lattice.size(), lattice.lanes(), lattice.order(),
                 {.lane_grid = best.value_or(lattice.lane_grid()),
                  .directions = {d[1], d[2], d[3], d[0]},
                  .ghosts = lattice.ghost_directions(),
                  .vector_reach = lattice.vector_reach()},
                 lattice.grid());
}

template <int W, int WO>
std::shared_ptr<TrajectoryReplay<double, W>> make_replay(const HmcParameters& parameters, Terms<double, WO> terms,
                                                         const Lattice& own, const Lattice& other,
                                                         bool rounds_momenta) {
  return std::make_shared<OtherArrangement<W, WO>>(parameters, std::move(terms), own, other, rounds_momenta);
}

#define TRELLIS_INSTANTIATE(W)                                                                                    \
  template std::shared_ptr<TrajectoryReplay<double, W>> make_replay<W, W>(const HmcParameters&, Terms<double, W>, \
                                                                          const Lattice&, const Lattice&, bool);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
