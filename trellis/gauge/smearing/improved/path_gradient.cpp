// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/smearing/improved/path_kernels.hpp"
#include "trellis/gauge/smearing/improved/path_smearing.hpp"

namespace trellis::gauge {

using improved_detail::add_sides, improved_detail::add_staples, improved_detail::AdjointOf, improved_detail::MatrixOf,
    improved_detail::side_of, improved_detail::sides, improved_detail::StaplesOf;

template <class T, int W>
void PathWork<T, W>::require_gradients(const Lattice& lattice) {
  require_links(lattice);
  if (gradient_staples.is_allocated() && gradient_staples.lattice() == lattice) return;
  gradient_staples = GaugeField<T, W>(lattice, "staples of gradients");
  gradient_of_middle = GaugeField<T, W>(lattice, "gradients of double staples");
}

namespace {

// gradient = (one_link by_fat + naik T)^dagger. With K = by_long the long links that contain U_mu(x) give
//   T = U(x+mu) [U(x+2mu) K(x) + K(x-mu) U(x-mu)] + K(x-2mu) U(x-2mu) U(x-mu).
template <class T, int W>
void begin_gradient(double one_link, double naik, const GaugeField<T, W>& u, const GaugeField<T, W>& by_fat,
                    const GaugeField<T, W>* by_long, const GaugeField<T, W>& gradient) {
  using S = lanes_t<T, W>;
  const bool with_long = by_long != nullptr;
  if (with_long) by_long->exchange(Reach::two_steps);
  const auto links = u.access(), d = by_fat.access(), out = gradient.access();
  const auto k = with_long ? by_long->access() : GaugeAccess<T, W>{};
  const T scale = T(one_link), scale_of_long = T(naik);
  for_each_link(
      improved_detail::cost_of("derivative by long links", u, with_long ? 16 : 8, with_long ? 20 : 0), u.lattice(),
      TRELLIS_KERNEL(int tile, int following, int mu) {
        d.prefetch(following, mu, 4);
        Matrix<S> sum = S(scale) * d.link(tile, mu);
        if (with_long) {
          const Neighbours& next = links.neighbours;
          links.prefetch_stencil(following, mu, 4);
          k.prefetch_stencil(following, mu, 4);
          const Hop ahead = next(tile, mu), behind = next(tile, backward(mu));
          const Hop further = next(behind, backward(mu));
          Matrix<S> inner = links.link(next(ahead, mu), mu) * k.link(tile, mu);
          inner = multiply_add(k.link(behind, mu), links.link(behind, mu), inner);
          Matrix<S> outer = links.link(ahead, mu) * inner;
          outer = multiply_add(k.link(further, mu) * links.link(further, mu), links.link(behind, mu), outer);
          sum = fma(S(scale_of_long), outer, sum);
        }
        out.set_link(tile, mu, adjoint(sum));
      });
}

// gradient_nu += c7 times what the sides of S_nu[s_sigma] and S_nu[s_rho] add, and what those of S_nu[N_nu], which has
// the gradient G, and of S_nu[U_mu], which has h_nu, add; gradient_mu += the sum of S_nu[h_nu]. All at once, because
// the links at the sides and the gradient are the same.
template <class T, int W>
void add_sides_and_staples(double seven_links, int mu, const GaugeField<T, W>& u, const GaugeField<T, W>& by_fat,
                           const PathWork<T, W>& work, const GaugeField<T, W>& gradient) {
  using S = lanes_t<T, W>;
  const auto links = u.access(), s = work.staples.access(), g = work.gradient_staples.access(),
             n = work.middle.access(), h = work.gradient_of_middle.access(), d = by_fat.access(),
             out = gradient.access();
  const T weight = T(seven_links);
  for_each_link(
      improved_detail::cost_of("derivative by fat links", u, 4 + 1 + 4 * 3 + 8, 108), u.lattice(),
      TRELLIS_KERNEL(int tile, int following, int k) {
        out.prefetch(following, side_of(mu, k), 4);  // side 3 is mu itself
        if (k == sides) {
          Matrix<S> sum = out.link(tile, mu);
          for (int side = 0; side < sides; ++side) {
            const MatrixOf<T, W> middle{h, side};
            improved_detail::prefetch_staples(links, middle, following, mu, side_of(mu, side));
            add_staples(links, middle, tile, mu, side_of(mu, side), sum);
          }
          out.set_link(tile, mu, sum);
        } else {
          const int nu = side_of(mu, k);
          Matrix<S> sum = Matrix<S>::zero();
          for (int m = 1; m < sides; ++m) {
            const MatrixOf<T, W> staple{s, (k + m) % sides}, by{g, (k + sides - m) % sides};
            improved_detail::prefetch_sides(links, staple, by, following, mu, nu);
            add_sides(links, staple, by, tile, mu, nu, sum);
            add_sides(links, by, staple, tile, mu, nu, sum);
          }
          sum = fma(S(weight), sum, out.link(tile, nu));
          const MatrixOf<T, W> middle{n, k}, by_middle{h, k}, link{links, mu};
          const AdjointOf<T, W> by{d, mu};
          improved_detail::prefetch_sides(links, middle, by, following, mu, nu);
          improved_detail::prefetch_sides(links, link, by_middle, following, mu, nu);
          add_sides(links, middle, by, tile, mu, nu, sum);
          add_sides(links, by, middle, tile, mu, nu, sum);
          add_sides(links, link, by_middle, tile, mu, nu, sum);
          add_sides(links, by_middle, link, tile, mu, nu, sum);
          out.set_link(tile, nu, sum);
        }
      });
}

}  // namespace

template <class T, int W>
void find_path_gradient(const ImprovedCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& by_fat,
                        const GaugeField<T, W>* by_long, const GaugeField<T, W>& gradient, PathWork<T, W>& work) {
  const bool with_staples = improved_detail::has_staples(c.fat);
  begin_gradient(improved_detail::one_link_of(c.fat), c.naik, u, by_fat, by_long, gradient);
  if (!with_staples) return;
  work.require_gradients(u.lattice());
  by_fat.exchange(Reach::corners);
  for (int mu = 0; mu < 4; ++mu) {
    using Of = StaplesOf<MatrixOf<T, W>, T, W>;
    using By = StaplesOf<AdjointOf<T, W>, T, W>;
    const Of of({u.access(), mu}, c.fat, 0, work.staples, work.middle);
    const By by({by_fat.access(), mu}, c.fat, c.fat.three_links, work.gradient_staples, work.gradient_of_middle);
    const improved_detail::StaplesOfBoth<Of, By> both{of, by};
    improved_detail::while_exchanging(
        Reach::corners, [&](const TileSet& tiles) { improved_detail::find_staples(mu, u, both, tiles); }, work.staples,
        work.gradient_staples);
    improved_detail::while_exchanging(
        Reach::corners, [&](const TileSet& tiles) { improved_detail::find_middle(mu, u, both, tiles); }, work.middle,
        work.gradient_of_middle);
    add_sides_and_staples(c.fat.seven_links, mu, u, by_fat, work, gradient);
  }
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                 \
  template void PathWork<T, W>::require_gradients(const Lattice&);                                                \
  template void find_path_gradient(const ImprovedCoefficients&, const GaugeField<T, W>&, const GaugeField<T, W>&, \
                                   const GaugeField<T, W>*, const GaugeField<T, W>&, PathWork<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
