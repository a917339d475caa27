// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/projected.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/active_links.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/smearing/finite_links.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/gauge/smearing/smearing_without_force.hpp"
#include "trellis/gauge/staple.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {

namespace {

// Links V_mu,nu for all nu other than mu: three fields.
template <class T, int W>
struct Decorated {
  GaugeField<T, W> part[3];

  explicit Decorated(const Lattice& lattice)
      : part{GaugeField<T, W>(lattice, "HYP links"), GaugeField<T, W>(lattice, "HYP links"),
             GaugeField<T, W>(lattice, "HYP links")} {}
  // Fills ghosts, when `thin` has given the links of a boundary.
  void finish(const Boundary& boundary, const GaugeField<T, W>& thin) const {
    for (const auto& links : part) {
      keep_inactive(boundary, thin, links);
      links.exchange(Reach::corners);
    }
  }
};
template <class T, int W>
struct DecoratedAccess {
  GaugeAccess<T, W> part[3];

  explicit DecoratedAccess(const Decorated<T, W>& of)
      : part{of.part[0].access(), of.part[1].access(), of.part[2].access()} {}
  TRELLIS_INLINE const GaugeAccess<T, W>& operator()(int mu, int nu) const { return part[nu > mu ? nu - 1 : nu]; }
};

template <class T, int W>
void finish_smearing(const Boundary& boundary, const GaugeField<T, W>& thin, const GaugeField<T, W>& smeared) {
  keep_inactive(boundary, thin, smeared);
  smeared.exchange(Reach::corners);
}

template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> both_staples(const GaugeAccess<T, W>& along, const GaugeAccess<T, W>& side,
                                                  int tile, int mu, int nu) {
  const Hop here{tile, 0};
  return staple_detail::forward_staple(along, side, here, mu, nu) +
         staple_detail::backward_staple(along, side, here, mu, nu);
}

// P[(1 - alpha) U + alpha / n sum], share = alpha / n
template <class S>
TRELLIS_NOINLINE Matrix<S> projected(const Matrix<S>& link, const Matrix<S>& sum, S rest, S share) {
  return project_polar(fma(share, sum, rest * link));
}

// The staples of W_mu,nu from links V.
template <class T, int W>
TRELLIS_INLINE Matrix<lanes_t<T, W>> middle_sum(const DecoratedAccess<T, W>& v, int tile, int mu, int nu) {
  using S = lanes_t<T, W>;
  Matrix<S> sum = Matrix<S>::zero();
  for (int rho = 0; rho < 4; ++rho) {
    if (rho == mu || rho == nu) continue;
    const int eta = 6 - mu - nu - rho;
    sum = sum + both_staples(v(mu, eta), v(rho, eta), tile, mu, rho);
  }
  return sum;
}

template <class T, int W>
double flops(const GaugeField<T, W>& u, int links, int pairs_of_staples) {
  return double(u.lattice().local_volume()) * links * (pairs_of_staples * 4 * product_flops + project_polar_flops);
}

template <class T, int W>
void ape_step(const ApeParameters& parameters, const GaugeField<T, W>& from, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access(), out = to.access();
  const int dimensions = parameters.dimensions;
  const T rest = T(1 - parameters.alpha), share = T(parameters.alpha / (2 * dimensions - 2));
  const Kernel kernel{"APE smearing", bytes_of(from, to), flops(from, dimensions, dimensions - 1), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < dimensions; ++mu) {
          Matrix<S> sum = Matrix<S>::zero();
          for (int nu = 0; nu < dimensions; ++nu)
            if (nu != mu) sum = sum + both_staples(u, u, tile, mu, nu);
          out.set_link(tile, mu, projected(u.link(tile, mu), sum, S(rest), S(share)));
        }
        if (dimensions == 3) out.set_link(tile, 3, u.link(tile, 3));
      });
  finish_smearing(parameters.boundary, from, to);
}

// V of the directions below `dimensions`.
template <class T, int W>
void innermost(double alpha, int dimensions, const Boundary& boundary, const GaugeField<T, W>& from,
               const Decorated<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access();
  const DecoratedAccess<T, W> out(to);
  const T rest = T(1 - alpha), share = T(alpha / 2);
  const Kernel kernel{"HYP smearing, first level", bytes_of(from, to.part[0], to.part[1], to.part[2]),
                      flops(from, dimensions * (dimensions - 1), 1), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < dimensions; ++mu)
          for (int eta = 0; eta < dimensions; ++eta)
            if (eta != mu)
              out(mu, eta).set_link(tile, mu,
                                    projected(u.link(tile, mu), both_staples(u, u, tile, mu, eta), S(rest), S(share)));
      });
  to.finish(boundary, from);
}

// All W.
template <class T, int W>
void middle(double alpha, const Boundary& boundary, const GaugeField<T, W>& from,
            const Decorated<T, W>& innermost_links, const Decorated<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access();
  const DecoratedAccess<T, W> v(innermost_links), out(to);
  const T rest = T(1 - alpha), share = T(alpha / 4);
  const Kernel kernel{"HYP smearing, second level", 2 * bytes_of(to.part[0], to.part[1], to.part[2]) + bytes_of(from),
                      flops(from, 12, 2), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu)
          for (int nu = 0; nu < 4; ++nu)
            if (nu != mu)
              out(mu, nu).set_link(tile, mu,
                                   projected(u.link(tile, mu), middle_sum(v, tile, mu, nu), S(rest), S(share)));
      });
  to.finish(boundary, from);
}

// W_i,t as the links of `to`.
template <class T, int W>
void middle_in_space(double alpha, const Boundary& boundary, const GaugeField<T, W>& from,
                     const Decorated<T, W>& innermost_links, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access(), out = to.access();
  const DecoratedAccess<T, W> v(innermost_links);
  const T rest = T(1 - alpha), share = T(alpha / 4);
  const Kernel kernel{"HYP smearing in space", 4 * bytes_of(from), flops(from, 3, 2), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int i = 0; i < 3; ++i)
          out.set_link(tile, i, projected(u.link(tile, i), middle_sum(v, tile, i, 3), S(rest), S(share)));
        out.set_link(tile, 3, u.link(tile, 3));
      });
  finish_smearing(boundary, from, to);
}

template <class T, int W>
void outermost(double alpha, const Boundary& boundary, const GaugeField<T, W>& from,
               const Decorated<T, W>& middle_links, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto u = from.access(), out = to.access();
  const DecoratedAccess<T, W> w(middle_links);
  const T rest = T(1 - alpha), share = T(alpha / 6);
  const Kernel kernel{"HYP smearing, third level", 5 * bytes_of(from), flops(from, 4, 3), is_single<T>};
  for_each_tile(
      kernel, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          Matrix<S> sum = Matrix<S>::zero();
          for (int nu = 0; nu < 4; ++nu)
            if (nu != mu) sum = sum + both_staples(w(mu, nu), w(nu, mu), tile, mu, nu);
          out.set_link(tile, mu, projected(u.link(tile, mu), sum, S(rest), S(share)));
        }
      });
  finish_smearing(boundary, from, to);
}

void require_valid(std::string_view name, int dimensions, std::span<const double> alpha, int levels) {
  if (dimensions != 3 && dimensions != 4)
    fail_input("{} smearing in {} dimensions; there must be 3 or 4", name, dimensions);
  for (const double a : alpha)
    if (!(a >= 0 && a <= 1)) fail_input("{} smearing: alpha {}; it must be from 0 to 1", name, a);
  if (levels < 0) fail_input("{} smearing: {} levels; there cannot be fewer than 0", name, levels);
}

// A singular sum has no projection, nor has one of links that are not finite. Links in time, which smearing in space
// leaves as they are, may be of a file in single precision, and so may links that a boundary fixes.
template <class T, int W>
void require_projected(std::string_view name, int dimensions, const Boundary& boundary, const GaugeField<T, W>& thin,
                       const GaugeField<T, W>& smeared) {
  using S = lanes_t<T, W>;
  const auto u = smeared.access();
  const ActiveLinks active(boundary, smeared.lattice());
  const LargestNumber<W> numbers(smeared.lattice());
  const auto out = numbers.access();
  for_each_tile(
      {"smeared links in SU(3)?", bytes_of(smeared)}, smeared.lattice(), TRELLIS_KERNEL(int tile) {
        S most = S(T(0));
        for (int mu = 0; mu < dimensions; ++mu)
          most = SiteNumbers<W>::larger(
              most, select(active.template lanes_of<S>(tile, mu), unitarity_violation(u.link(tile, mu)), S(T(0))));
        out.keep(tile, most);
      });
  if (numbers.largest() < 1e-20) return;
  require_finite(fmt::format("{} smearing", name), thin);
  fail("{} smearing: a sum of links is singular, so it has no projection to SU(3)", name);
}

// step(from, to), `levels` times
template <class T, int W, class Parameters, class Step>
GaugeField<T, W> repeated(std::string_view name, const Parameters& parameters, const GaugeField<T, W>& u,
                          const Step& step) {
  const int levels = parameters.levels;
  GaugeField<T, W> from = u, spare;
  for (int level = 0; level < levels; ++level) {
    GaugeField<T, W> to = level < 2 ? GaugeField<T, W>(u.lattice(), "smeared links") : spare;
    step(from, to);
    spare = std::exchange(from, to);
  }
  if (levels > 0) require_projected(name, parameters.dimensions, parameters.boundary, u, from);
  return from;
}

}  // namespace

template <class T, int W>
GaugeField<T, W> ape_smeared(const ApeParameters& parameters, const GaugeField<T, W>& u) {
  require_valid("APE", parameters.dimensions, {&parameters.alpha, 1}, parameters.levels);
  return repeated("APE", parameters, u, [&](const auto& from, const auto& to) { ape_step(parameters, from, to); });
}

template <class T, int W>
GaugeField<T, W> hyp_smeared(const HypParameters& parameters, const GaugeField<T, W>& u) {
  // No structured binding: clang before 16 does not let lambdas have those.
  const double alpha1 = parameters.alpha[0], alpha2 = parameters.alpha[1], alpha3 = parameters.alpha[2];
  const Boundary& boundary = parameters.boundary;
  require_valid("HYP", parameters.dimensions, parameters.alpha, parameters.levels);
  if (parameters.levels == 0) return u;
  const Decorated<T, W> v(u.lattice());
  if (parameters.dimensions == 3)
    return repeated("HYP", parameters, u, [&](const auto& from, const auto& to) {
      innermost(alpha2, 3, boundary, from, v);
      middle_in_space(alpha1, boundary, from, v, to);
    });
  const Decorated<T, W> w(u.lattice());
  return repeated("HYP", parameters, u, [&](const auto& from, const auto& to) {
    innermost(alpha3, 4, boundary, from, v);
    middle(alpha2, boundary, from, v, w);
    outermost(alpha1, boundary, from, w, to);
  });
}

Smearing ape_smearing() {
  return smearing({.name = "ape",
                   .keys = {{"alpha", 0.5, 0, 1}, {"dimensions", 4, 3, 4, true}, {"levels", 1, 0, 100, true}},
                   .has_force = false},
                  []<int W>(const SmearingParameters& parameters, const Lattice&) {
                    const ApeParameters ape{int(parameters.values.at("dimensions")), parameters.values.at("alpha"),
                                            int(parameters.values.at("levels")), parameters.boundary};
                    return std::make_unique<const SmearedLinksWithoutForce<double, W>>(
                        [ape](const GaugeField<double, W>& u) { return ape_smeared(ape, u); });
                  });
}

Smearing hyp_smearing() {
  return smearing({.name = "hyp",
                   .keys = {{"alpha1", 0.75, 0, 1},
                            {"alpha2", 0.6, 0, 1},
                            {"alpha3", 0.3, 0, 1},
                            {"dimensions", 4, 3, 4, true},
                            {"levels", 1, 0, 100, true}},
                   .has_force = false},
                  []<int W>(const SmearingParameters& parameters, const Lattice&) {
                    const HypParameters hyp{int(parameters.values.at("dimensions")),
                                            {parameters.values.at("alpha1"), parameters.values.at("alpha2"),
                                             parameters.values.at("alpha3")},
                                            int(parameters.values.at("levels")),
                                            parameters.boundary};
                    return std::make_unique<const SmearedLinksWithoutForce<double, W>>(
                        [hyp](const GaugeField<double, W>& u) { return hyp_smeared(hyp, u); });
                  });
}

#define TRELLIS_INSTANTIATE(W)                                                                    \
  template GaugeField<double, W> ape_smeared(const ApeParameters&, const GaugeField<double, W>&); \
  template GaugeField<double, W> hyp_smeared(const HypParameters&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
