// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Molecular-dynamics operations on links and momenta, and starting configurations.
// Functions that change links fill their ghosts up to Reach::corners; code that looks further exchanges them first.
// H = sum_a p_a T_a with <p_a^2> = 1, kinetic energy = sum tr H^2 = 1/2 sum p_a^2, dU/dt = i H U.

#include "trellis/core/random.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/lattice/halo/halo.hpp"

namespace trellis::gauge {

inline constexpr RandomPurpose momenta_purpose{1};
inline constexpr RandomPurpose hot_start_purpose{3};
inline constexpr RandomPurpose gauge_transformation_purpose{6};

// Normal p_a of variance 1, from the stream's numbers for each global site.
template <class T, int W>
void draw_momenta(const RandomStream& stream, const AlgebraField<T, W>& p);

template <class T, int W>
double kinetic_energy(const AlgebraField<T, W>& p);

// Kinetic energy of `after` minus that of `before`, as a sum of differences site by site.
template <class T, int W>
double kinetic_energy_difference(const AlgebraField<T, W>& after, const AlgebraField<T, W>& before);

// U <- exp(i step H) U
template <class T, int W>
void update_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u);
// The same without filling ghosts, for links that change once more before their ghosts are read.
template <class T, int W>
void update_own_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u);

// U <- exp(i step H) U, made unitary to rounding as by reunitarise(): for single precision, in which a trajectory would
// otherwise take links out of SU(3) by more than a few units of rounding.
template <class T, int W>
void update_unitary_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u);

// The beginnings of these two: all links are updated, and their ghosts are on their way.
template <class T, int W>
ExchangeUnderWay begin_updating_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u);
template <class T, int W>
ExchangeUnderWay begin_updating_unitary_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u);

// Removes rounding errors that take links out of SU(3). Leaves links that it made before unchanged, to the bit.
template <class T, int W>
void reunitarise(const GaugeField<T, W>& u);

// Links drawn from the Haar measure.
template <class T, int W>
void hot_start(const RandomStream& stream, const GaugeField<T, W>& u);

// U_mu(x) <- G(x) U_mu(x) G(x + mu)^dagger with random G: no observable may change.
template <class T, int W>
void random_gauge_transformation(const RandomStream& stream, const GaugeField<T, W>& u);

}  // namespace trellis::gauge
