// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Configurations of a Schroedinger functional of even extent T in openQCD's files (`bc 1`; modules/archive/archive.c,
// lattice/bcnds.c and uflds/plaq_sum.c of openQCD 1.6): the slices 0 to T - 1, and the links in time from each of them.
// Links in space on slice T are not in the file: they are exp(i diag(phi') / L_k), as those on slice 0 are of phi. The
// header's plaquette is the sum of Re tr of all that exist, those on slice T included, over 6 T V_3.
//
// Here such a lattice has T + 2 slices (gauge/boundary/boundary.hpp): all links that are not in the file, except those,
// are 1. With open-SF boundaries (`bc 2`) slice 0 has links of its own, and files are refused for that.

#include <array>
#include <filesystem>

#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::io {

using ConstantLinks = std::array<std::array<double, 18>, 3>;  // in x, y, z

// On slices 0 and T.
struct FunctionalBoundaries {
  int extent = 0;  // T
  ConstantLinks first{}, last{};
};

ConstantLinks constant_links(const std::array<double, 3>& angles, const Coordinate& size);
// The angles of these links, if they are such links.
std::optional<std::array<double, 3>> angles_of(const ConstantLinks& links, const Coordinate& size);
// Whether all are diagonal, and not all are 1.
bool may_be_boundary(const ConstantLinks& links);
// Whether the numbers of these matrices differ by no more than this.
bool agree(std::span<const double> a, std::span<const double> b, double tolerance);

// The average plaquette (Re tr / 3) of all T + 2 slices, periodic, from that of openQCD's header, and back.
double plaquette_of_all_slices(const FunctionalBoundaries& boundaries, double plaquette);
double plaquette_in_file(const FunctionalBoundaries& boundaries, double plaquette);

// Passes on the links of slices T and T + 1; size is that of the lattice.
void complete_slices(const FunctionalBoundaries& boundaries, const Coordinate& size, const GaugeReader::Sink& sink);

// The boundaries of links on T + 1 or T + 2 slices, whichever is even. InputError unless those on slices 0, T and T + 1
// are as above, with any angles, to within the tolerance; `path` is for messages.
FunctionalBoundaries boundaries_of(const std::filesystem::path& path, int extent, const Coordinate& size,
                                   double tolerance, const LinkSource& source);

// What openQCD's file of such links has: its size, and the plaquette of its header. InputError as above, and for an odd
// extent.
struct OpenqcdSlices {
  Coordinate size{};
  double plaquette = 0;
};
OpenqcdSlices openqcd_slices(const std::filesystem::path& path, int extent, Coordinate size, double tolerance,
                             const LinkSource& source);

}  // namespace trellis::io
