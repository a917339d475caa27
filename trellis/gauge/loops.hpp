// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Averages of small loops. Plaquette: Re tr P / 3 over all sites and planes; spatial: the planes xy, xz, yz; temporal:
// xt, yt, zt. Rectangle: Re tr R / 3 over both orientations. Parallelogram: Re tr / 3 of the loops
// a b c -a -b -c of three different directions, 16 per site. Polyakov loop: tr (product of the links around the torus)
// / 3. Sums are in double precision, whatever the field's, with the same bits for any lanes and threads. Plaquette: 12
// matrix products and 6 traces per site, 576 bytes per site read in double precision.

#include <complex>

#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

struct Plaquette {
  double average = 0, spatial = 0, temporal = 0;
};

template <class T, int W>
Plaquette plaquette(const GaugeField<T, W>& u);

template <class T, int W>
double rectangle(const GaugeField<T, W>& u);

template <class T, int W>
double parallelogram(const GaugeField<T, W>& u);

template <class T, int W>
std::complex<double> polyakov_loop(const GaugeField<T, W>& u, int direction = 3);

// Average of Re tr U / 3 over all links (not gauge invariant; file headers quote it).
template <class T, int W>
double link_trace(const GaugeField<T, W>& u);

// The largest |U U^dagger - 1| element or |det U - 1| over all links, as a root of summed squares.
template <class T, int W>
double unitarity_violation(const GaugeField<T, W>& u);

}  // namespace trellis::gauge
