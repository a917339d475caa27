// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/stout.hpp"

#include <vector>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/smearing/last_smeared.hpp"
#include "trellis/gauge/smearing/stout_kernel.hpp"
#include "trellis/gauge/streaming.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/exponential_derivative.hpp"

namespace trellis::gauge {

namespace {

// Eigenvalues of the traceless anti-Hermitian part of an SU(3) matrix are at most 1.1733 (angles t, -t/2, -t/2 with
// cos t + cos(t/2) / 2 = 0); there are six plaquettes.
constexpr double exponent_bound(double rho) { return 6 * 1.174 * rho; }

// to <- exp(X) from on some tiles, X = i times exponent
template <class T, int W>
void exponentiate(double rho, const GaugeField<T, W>& from, const AlgebraField<T, W>& exponent,
                  const GaugeField<T, W>& to, const TileSet& tiles) {
  const auto x = exponent.access();
  const auto u = from.access(), out = to.access();
  const int terms = exponential_terms<T>(exponent_bound(rho));
  const Kernel kernel{"stout links", bytes_of(exponent, from, to),
                      double(from.lattice().local_volume()) * 4 * (exponential_flops(terms) + product_flops),
                      is_single<T>};
  for_each_link(
      kernel, from.lattice(), tiles, TRELLIS_KERNEL(int tile, int following, int mu) {
        x.prefetch(following, mu, 4);
        u.prefetch(following, mu, 4);
        stream_link(out, tile, mu, bounded_exponential(x.at(tile, mu), terms) * u.link(tile, mu));
      });
}

// X = 0 for links that a boundary fixes. Those that do not exist are zero, which makes their X zero by itself.
template <class T, int W>
void clear_fixed(const Boundary& boundary, const AlgebraField<T, W>& x) {
  if (boundary.kind == BoundaryKind::schroedinger_functional) clear_inactive(boundary, x);
}

// to <- exp(X) from; the exponent is overwritten, `to` may be `from`. Links that other ranks need come
// first, the others while these are on their way.
template <class T, int W>
void stout_step(double rho, const Boundary& boundary, const GaugeField<T, W>& from, const AlgebraField<T, W>& exponent,
                const GaugeField<T, W>& to) {
  const TilesApart tiles = tiles_apart(from.lattice());
  const bool in_place = from.view().data() == to.view().data();
  const auto find_exponents = [&](const TileSet& of) {
    set_plaquette_force("stout staples", 6 * rho, from, 1.0, exponent, of);
  };
  find_exponents(tiles.surface);
  if (in_place) find_exponents(tiles.inside);
  clear_fixed(boundary, exponent);
  exponentiate(rho, from, exponent, to, tiles.surface);
  ExchangeUnderWay ghosts = begin_exchange(to, Reach::corners);
  if (!in_place) {
    find_exponents(tiles.inside);
    clear_fixed(boundary, exponent);
  }
  exponentiate(rho, from, exponent, to, tiles.inside);
  ghosts.finish();
}

void require_valid(double rho, int levels) {
  if (!(rho >= 0 && rho <= 0.5)) fail_input("stout smearing: rho {}; it must be from 0 to 0.5", rho);
  if (levels < 0) fail_input("stout smearing: {} levels; there cannot be fewer than 0", levels);
}

// G of the last level, from its links and a derivative.
template <class T, int W>
struct FromLinks {
  GaugeAccess<T, W> links, derivative;
  TRELLIS_INLINE Algebra<lanes_t<T, W>> operator()(int tile, int following, int mu) const {
    links.prefetch(following, mu, 4);
    derivative.prefetch(following, mu, 4);
    return imaginary_trace(links.link(tile, mu) * derivative.link(tile, mu));
  }
};
// G of the level below, once the plaquettes of the level above have stored their shares.
template <class T, int W>
struct FromShares {
  AlgebraAccess<T, W> g;
  ShareAccess<T, W> shares;
  Neighbours next;
  TRELLIS_INLINE Algebra<lanes_t<T, W>> operator()(int tile, int following, int mu) const {
    g.prefetch(following, mu, 4);
    shares.prefetch_shares(next, following, mu);
    return shares.add_shares(next, tile, mu, g.at(tile, mu));
  }
};

// p += step force(tile, following, mu); the cost of reading the force is `read`.
template <class T, int W, class F>
void add_to_momenta(const Kernel& read, const F& force, double step, const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto momenta = p.access();
  const T scale = T(step);
  const Kernel kernel{"add force of stout links", read.bytes + bytes_of(p, p),
                      read.flops + double(p.lattice().local_volume()) * 64, is_single<T>};
  for_each_tile(
      kernel, p.lattice(), TRELLIS_KERNEL(int tile, int following) {
        for (int mu = 0; mu < 4; ++mu) {
          momenta.prefetch(following, mu, 4);
          momenta.set(tile, mu, fma(S(scale), force(tile, following, mu), momenta.at(tile, mu)));
        }
      });
}

}  // namespace

template <class T, int W>
struct StoutLinks<T, W>::Work {
  using S = lanes_t<T, W>;

  // X = i Q of the step from a level's links to the next ones.
  struct Level {
    GaugeField<T, W> links;
    AlgebraField<T, W> exponent;
  };
  double rho;
  Boundary boundary;
  int terms;
  LastSmeared<T, W> last;
  std::vector<Level> levels;
  AlgebraField<T, W> g, h;  // G and L of stout.hpp, both divided by i
  PlaquetteShares<T, W> waiting;

  Work(const StoutParameters& p, const Lattice& lattice)
      : rho(p.rho), boundary(p.boundary), terms(exponential_terms<T>(exponent_bound(p.rho))) {
    for (int k = 0; k < p.levels; ++k)
      levels.push_back({GaugeField<T, W>(lattice, "stout links"), AlgebraField<T, W>(lattice, "stout exponents")});
    if (p.levels == 0) return;
    g = AlgebraField<T, W>(lattice, "force of stout links");
    h = AlgebraField<T, W>(lattice, "directions of stout links");
    waiting = PlaquetteShares<T, W>(lattice);
  }

  const GaugeField<T, W>& thin() const { return last.thin(); }
  const GaugeField<T, W>& links(int level) const { return level == 0 ? thin() : levels[level - 1].links; }
  template <class F>
  void go_back(int level, const Kernel& read, const F& incoming) const;
  template <class F>
  void transpose_exponential(int level, const Kernel& read, const F& incoming, const TileSet& tiles) const;
  void differentiate_exponents(int level, const TileSet& tiles) const;
  // The cost of reading G from the links of the last level and the derivative, and from the shares.
  Kernel read_links() const { return {"", 2 * bytes_of(thin()), sites() * 4 * product_flops}; }
  Kernel read_shares() const { return {"", bytes_of(g, waiting), sites() * 4 * 24}; }
  double sites() const { return double(thin().lattice().local_volume()); }
};

// g = incoming(tile, following, mu), whose cost is `read`, and h = its L, for the step from level to level + 1.
template <class T, int W>
template <class F>
void StoutLinks<T, W>::Work::transpose_exponential(int level, const Kernel& read, const F& incoming,
                                                   const TileSet& tiles) const {
  const auto exponent = levels[level].exponent.access(), sum = g.access(), to = h.access();
  const int n = terms;
  const Kernel kernel{"stout exponentials", read.bytes + bytes_of(levels[level].exponent, g, h),
                      read.flops + sites() * 4 * exponential_transpose_flops(terms), is_single<T>};
  for_each_link(
      kernel, thin().lattice(), tiles, TRELLIS_KERNEL(int tile, int following, int mu) {
        exponent.prefetch(following, mu, 4);
        const Algebra<S> from = incoming(tile, following, mu);
        stream_algebra(sum, tile, mu, from);
        stream_algebra(to, tile, mu, exponential_transpose(exponent.at(tile, mu), from, n));
      });
}

// Contributions of plaquettes to the four links at their site are added to g; the others are stored.
template <class T, int W>
void StoutLinks<T, W>::Work::differentiate_exponents(int level, const TileSet& tiles) const {
  const Kernel kernel{"stout force", bytes_of(links(level), h, g, g, waiting), sites() * 6 * 2200, is_single<T>};
  for_joined_parts(kernel, thin().lattice(), tiles,
                   stout_detail::AddPlaquetteDerivatives<T, W>{links(level).access(), h.access(), waiting.access(),
                                                               g.access(), T(0.25 * rho)});
}

// Both, from level + 1 to level. Half of the inner derivatives are taken while directions are on their way, half while
// shares are.
template <class T, int W>
template <class F>
void StoutLinks<T, W>::Work::go_back(int level, const Kernel& read, const F& incoming) const {
  const TilesApart tiles = tiles_apart(thin().lattice());
  transpose_exponential(level, read, incoming, tiles.surface);
  clear_fixed(boundary, h);
  const HaloPart part = plain_part(h.view().data(), int(sizeof(T)) * lane_group, 32 / lane_group);
  ExchangeUnderWay directions(thin().lattice(), Halo::both, Reach::near, Faces::forward, {&part, 1});
  transpose_exponential(level, read, incoming, tiles.inside);
  clear_fixed(boundary, h);
  differentiate_exponents(level, tiles.first_half());
  directions.finish();
  differentiate_exponents(level, tiles.surface);
  ExchangeUnderWay shares = waiting.exchange();
  differentiate_exponents(level, tiles.second_half());
  shares.finish();
}

template <class T, int W>
StoutLinks<T, W>::StoutLinks(const StoutParameters& parameters, const Lattice& lattice) : parameters_(parameters) {
  require_valid(parameters.rho, parameters.levels);
  work_ = std::make_shared<Work>(parameters, lattice);
}

template <class T, int W>
const GaugeField<T, W>& StoutLinks<T, W>::smear(const GaugeField<T, W>& u) const {
  Work& work = *work_;
  const auto smear = [&] {
    for (int level = 0; level < parameters_.levels; ++level)
      stout_step(parameters_.rho, parameters_.boundary, work.links(level), work.levels[level].exponent,
                 work.links(level + 1));
  };
  if (parameters_.levels == 0)
    work.last.share(u);
  else
    work.last.take(u, smear);
  return work.links(parameters_.levels);
}

template <class T, int W>
void StoutLinks<T, W>::forget() const {
  work_->last.forget();
}

template <class T, int W>
void StoutLinks<T, W>::add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const {
  const Work& work = *work_;
  work.last.require_smeared("stout smearing");
  const FromLinks<T, W> from_links{work.links(parameters_.levels).access(), derivative.access()};
  if (parameters_.levels == 0) return add_to_momenta(work.read_links(), from_links, step, p);
  const FromShares<T, W> from_shares{work.g.access(), work.waiting.access(), work.thin().lattice().neighbours()};
  for (int level = parameters_.levels - 1; level >= 0; --level) {
    if (level == parameters_.levels - 1)
      work.go_back(level, work.read_links(), from_links);
    else
      work.go_back(level, work.read_shares(), from_shares);
  }
  add_to_momenta(work.read_shares(), from_shares, step, p);
  clear_fixed(work.boundary, p);
}

Smearing stout_smearing() {
  return smearing_in_both_precisions(
      {.name = "stout", .keys = {{"rho", 0.15, 0, 0.5}, {"levels", 0, 0, 10, true}}},
      []<class T, int W>(const SmearingParameters& p, const Lattice& lattice) {
        return std::make_unique<const StoutLinks<T, W>>(
            StoutParameters{p.values.at("rho"), static_cast<int>(p.values.at("levels")), p.boundary}, lattice);
      });
}

SmearingParameters stout_smearing(double rho, int levels) {
  return {"stout", {{"rho", rho}, {"levels", double(levels)}}};
}

template <class T, int W>
void stout_steps(double rho, int steps, const GaugeField<T, W>& u, const Boundary& boundary) {
  require_valid(rho, steps);
  const AlgebraField<T, W> exponent(u.lattice(), "stout exponents");
  for (int k = 0; k < steps; ++k) stout_step(rho, boundary, u, exponent, u);
}

#define TRELLIS_INSTANTIATE(T, W) template class StoutLinks<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#define TRELLIS_INSTANTIATE_STEPS(W) \
  template void stout_steps<double, W>(double, int, const GaugeField<double, W>&, const Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE_STEPS)
#undef TRELLIS_INSTANTIATE
#undef TRELLIS_INSTANTIATE_STEPS

}  // namespace trellis::gauge
