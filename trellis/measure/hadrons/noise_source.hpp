// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stochastic sources on a time slice, for mesons by the one-end trick (M. Foster and C. Michael, Phys. Rev. D 59 (1999)
// 074503): numbers xi of modulus 1 and zero mean, <xi_i conj(xi_j)> = delta_ij, on the sites of the slice, so that
//   -1/V_3 sum_x exp(-i p x) tr[Gamma phi(x) Gammabar gamma_5 phi'(x)^dagger gamma_5],
//   phi = S xi exp(i p y),  phi' = S' xi,
// is on average the correlator of hadron_correlators.hpp with momentum p, averaged over all V_3 point sources of the
// slice. With several vectors their differences say how large the noise is.
//   z2_wall   xi = +-1
//   z4_wall   (+-1 +- i) / sqrt(2)
//   u1_wall   exp(2 pi i u), u uniform
// A column of the source holds a part of the components, the rest is zero ("dilution"):
//   spin_colour  12 columns, 3 spin + colour    one number a site
//   spin          4 columns, by spin            three, one for each colour, the same for all spins
//   colour        3 columns, by colour          four, the same for all colours
//   none          1 column                      twelve
// The matrix at the source needs the spins apart, so all but the pseudoscalar meson need one of the first two. In space
// the sites with y_i = offset_i modulo spacing_i make a source of their own; with the extents as spacing the sum over
// all of these is exact.
//
// Number k of a site, k = 3 spin + colour where neither is diluted, is draw 12 vector + k of that site: the same for
// any lanes, threads or ranks.

#include <array>

#include "trellis/core/base/named.hpp"
#include "trellis/core/random.hpp"
#include "trellis/measure/full_fields.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {

enum class NoiseKind { z2, z4, u1 };
enum class NoiseDilution { none, spin, colour, spin_colour };

inline constexpr std::array<NamedValue<NoiseKind>, 3> noise_kinds{{
    {"z2_wall", NoiseKind::z2},
    {"z4_wall", NoiseKind::z4},
    {"u1_wall", NoiseKind::u1},
}};
inline constexpr std::array<NamedValue<NoiseDilution>, 4> noise_dilutions{{
    {"none", NoiseDilution::none},
    {"spin", NoiseDilution::spin},
    {"colour", NoiseDilution::colour},
    {"spin_colour", NoiseDilution::spin_colour},
}};

struct NoiseParameters {
  NoiseKind kind = NoiseKind::z4;
  NoiseDilution dilution = NoiseDilution::spin;
  int vectors = 1;  // for each time of a source, 1 to most_quark_noise
  std::array<int, 3> spacing{1, 1, 1};
  std::uint64_t seed = 0;
  std::uint32_t trajectory = 0;

  int parts() const { return spacing[0] * spacing[1] * spacing[2]; }
};

inline constexpr RandomPurpose quark_noise_purpose{10};
inline constexpr int most_quark_noise = 10000;

int column_count(NoiseDilution dilution);
// Of a propagator's twelve columns (quark_source.hpp), those that the columns of the dilution take the place of, so
// that meson contractions are those of a propagator whose other columns are zero.
std::vector<int> propagator_columns(NoiseDilution dilution);

// InputError for a number of vectors out of range, or a spacing that does not divide the extents.
void require_valid(const NoiseParameters& noise, const Coordinate& size);

// b <- source number `vector` at this time, of part 0 to noise.parts() - 1 of the slice, times exp(i p y). Error unless
// b has as many columns as the dilution. Cost: twelve random numbers per site and column.
template <int W>
void noise_source(const NoiseParameters& noise, int vector, int part, int time, const Momentum& momentum,
                  const FullSpinors<double, W>& b);

}  // namespace trellis::measure
