// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of paths: one level of improved staggered links (coefficients.hpp), and its exact derivative. With c1 ... c7, cL
// the coefficients, S_nu the staples of staples.hpp, and nu, rho, sigma the three directions beside mu:
//   s_nu = S_nu[U_mu]
//   N_nu = cL s_nu + c5 (s_rho + s_sigma) + c7 (S_rho[s_sigma] + S_sigma[s_rho])
//   X_mu = (c1 - 6 cL) U_mu + sum over nu of S_nu[c3 U_mu + N_nu]
//   L_mu = cN U_mu(x) U_mu(x+mu) U_mu(x+2mu).
// S_nu[s_nu] is the sum of two Lepage paths and of 2 U_mu, for unitary links. So links must be unitary: thin ones or
// those that were projected (or zero, with open boundaries in time: open_ends.hpp). The derivative has the same
// structure: g_nu = S_nu[G_mu] leads to h_nu = c3 G_mu + N_nu[g] and to (c1 - 6 cL) G_mu + sum over nu of S_nu[h_nu],
// and the links at the sides of all these staples add their own share. Here G is a gradient: dS = sum Re
// tr(G_mu(x)^dagger dX_mu(x)).
//
// One direction after the other, to save memory. Cost per site:
// - links: 192 matrix products of 198 flops, 100 matrices of 18 numbers read or written; 8 and 8 for long links;
// - derivative: 720 matrix products, 220 matrices read or written; 20 and 8 for long links.
// Memory per site: 144 numbers of work space for links, as many more for derivatives; two levels may share them.

#include "trellis/gauge/smearing/improved/coefficients.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// Work space, allocated when it is first needed. Of each site three matrices are used, one for each side.
template <class T, int W>
struct PathWork {
  GaugeField<T, W> staples, middle;                       // s and N
  GaugeField<T, W> gradient_staples, gradient_of_middle;  // g and h

  void require_links(const Lattice& lattice);
  void require_gradients(const Lattice& lattice);
};

// fat = X of unitary links, ghosts up to corners included.
template <class T, int W>
void make_fat_links(const FatLinkCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& fat,
                    PathWork<T, W>& work);
// long_links = L, ghosts up to corners included. Those of u two steps away are filled already.
template <class T, int W>
void make_long_links(double naik, const GaugeField<T, W>& u, const GaugeField<T, W>& long_links);

// gradient = dS/dU, such that dS = sum Re tr(gradient_mu(x)^dagger dU_mu(x)), if dS = sum Re tr(by_fat_mu(x) dX_mu(x) +
// by_long_mu(x) dL_mu(x)). by_long may be null. Ghosts of by_fat and by_long are filled; those of u are filled already,
// two steps away too if by_long is not null; those of the gradient are not.
template <class T, int W>
void find_path_gradient(const ImprovedCoefficients& c, const GaugeField<T, W>& u, const GaugeField<T, W>& by_fat,
                        const GaugeField<T, W>* by_long, const GaugeField<T, W>& gradient, PathWork<T, W>& work);

}  // namespace trellis::gauge
