// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Coefficients of the paths of which improved staggered links are sums. The phases of staggered quarks are not in the
// links, so all paths that do not turn back are positive.
//   Fat7: K. Orginos, D. Toussaint and R. L. Sugar, Phys. Rev. D 60 (1999) 054503. Its staples cancel all couplings to
//     gluons of momentum pi / a in up to three directions beside the link's own.
//   Asqtad: the same with the straight five-link path of G. P. Lepage, Phys. Rev. D 59 (1999) 074502, which removes
//     what staples add at order a^2, and hops of three steps (Naik), so that quarks have no errors of order a^2 at
//     tree level; with tadpole factors: a path of n links is divided by u0^(n-1).
//   HISQ: E. Follana et al., Phys. Rev. D 75 (2007) 054502. Fat7, projection to U(3), and Asqtad of these links, where
//     the Lepage term is doubled because staples enter twice.

namespace trellis::gauge {

// Of a path, with its sign: there are one, 6, 24, 48 and 6 of them.
struct FatLinkCoefficients {
  double one_link = 1;
  double three_links = 0;  // one step to a side
  double five_links = 0;   // steps to two different sides
  double seven_links = 0;  // to three
  double lepage = 0;       // two steps to the same side
};

struct ImprovedCoefficients {
  FatLinkCoefficients fat;
  double naik = 0;  // of three links in a row; 0: there are no long links
};

inline constexpr ImprovedCoefficients fat7_coefficients{{1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0}, 0};
// Of the second level of HISQ.
inline constexpr ImprovedCoefficients hisq_coefficients{{1, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8}, -1.0 / 24};

constexpr ImprovedCoefficients asqtad_coefficients(double u0) {
  const double two = u0 * u0, four = two * two;
  return {{5.0 / 8, 1 / (16 * two), 1 / (64 * four), 1 / (384 * four * two), -1 / (16 * four)}, -1 / (24 * two)};
}
constexpr ImprovedCoefficients naik_coefficients(double u0) { return {{.one_link = 9.0 / 8}, -1 / (24 * u0 * u0)}; }

}  // namespace trellis::gauge
