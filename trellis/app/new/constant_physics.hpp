// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bare parameters as functions of the lattice spacing, from the literature, for `trellis new`. Nothing is extrapolated:
// outside the published range each function throws InputError, naming the range.
//
// 2+1 flavours at physical masses: tree-level Symanzik gauge action, staggered quarks on two levels of stout smearing
// with rho = 0.15, m_s / m_l = 28.15. The line of constant physics is that of Y. Aoki et al., JHEP 06 (2009) 088
// (arXiv:0903.4155), and S. Borsanyi et al., JHEP 11 (2010) 077 (arXiv:1007.2580); the five points are the bare
// parameters of C. Bonati et al., JHEP 03 (2016) 155 (arXiv:1512.06746), who state an uncertainty of 2 to 3 % on a.
// Between them ln a and ln m_s are interpolated linearly in beta, which changes neither by more than 1 %.
//
// Pure gauge theory with the Wilson action: ln(a / r0) = -1.6804 - 1.7331 (beta - 6) + 0.7849 (beta - 6)^2
// - 0.4428 (beta - 6)^3 for 5.7 <= beta <= 6.92, accurate to 0.5 % (1 % at the ends): S. Necco and R. Sommer,
// Nucl. Phys. B 622 (2002) 328 (hep-lat/0108008), with r0 = 0.5 fm.

namespace trellis::app {

struct PhysicalPoint {
  double beta = 0, spacing = 0;   // a in fm
  double strange = 0, light = 0;  // a m
};

inline constexpr double mass_ratio = 28.15;   // m_s / m_l at the physical point
inline constexpr double physical_pion = 135;  // MeV
inline constexpr double heaviest_pion = 500;  // MeV, for with_pion()

// On the line of constant physics, at a given spacing in fm or beta.
PhysicalPoint physical_point_at_spacing(double fm);
PhysicalPoint physical_point_at_beta(double beta);

// The light mass for a heavier pion, at leading order of chiral perturbation theory (Gell-Mann, Oakes, Renner):
// m_pi^2 is proportional to m_l. Good to about 5 %: extended to m_l = m_s it gives 716 MeV, where the pseudoscalar
// meson of two strange quarks (without annihilation) has 686 MeV. InputError outside 135 to 500 MeV.
PhysicalPoint with_pion(PhysicalPoint point, double mev);

// Pure gauge theory, Wilson action; the spacing in fm.
double quenched_beta(double fm);
double quenched_spacing(double beta);

}  // namespace trellis::app
