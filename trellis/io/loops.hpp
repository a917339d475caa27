// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers stated in file headers, for any source of links: plain loops in double precision, for checking files.
// (The fast versions are in trellis/gauge.)
//
//   plaquette  = average over sites and planes mu < nu of Re tr[U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+] / 3
//   link trace = average over sites and mu of Re tr U_mu(x) / 3
//
// Memory: three time slices. Cost: about 2.7 kflop per site; each slice is requested once, in their order.

#include <complex>
#include <cstdint>
#include <functional>
#include <span>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

// Fills `out` with the links of out.size() / 72 consecutive sites starting at first_site: for each site mu = 0..3, for
// each mu 18 doubles, row by row.
using LinkSource = std::function<void(std::int64_t first_site, std::span<double> out)>;

struct Loops {
  double plaquette = 0, plaquette_spatial = 0, plaquette_temporal = 0, link_trace = 0;
};

Loops measure_loops(const Coordinate& size, const LinkSource& source);

// Of links in memory, 72 doubles per site:
//   rectangle = average over sites and ordered pairs mu, nu of Re tr of the loop of 2 by 1 links / 3
//   polyakov  = average over x, y, z of tr [U_t(x, y, z, 0) ... U_t(x, y, z, T - 1)] / 3
// All threads; the same bits for any number. Cost: about 8 kflop per site.
struct LargeLoops {
  double rectangle = 0;
  std::complex<double> polyakov = 0;
};

LargeLoops measure_large_loops(const Coordinate& size, std::span<const double> links);

// A source that reads links in memory (72 doubles per site), which must outlive it.
LinkSource source_of(std::span<const double> links);

}  // namespace trellis::io
