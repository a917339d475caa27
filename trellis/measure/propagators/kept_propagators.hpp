// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Propagators of Wilson quarks in files: solutions that are there are read, others are written once they are found.
//
// Files hold b and S = 2 kappa M^-1 b = (D_W + m_0)^-1 b in double precision: spinors in the basis of DeGrand and
// Rossi, [spin][colour], for each column of b (columns of a point source are numbered 3 spin + colour).
// - scidac: records of a spinor of b and one of S in turn, as USQCD_DiracFermion_Source_Sink_Pairs are laid out, and in
//   words which quark they belong to (io/fields/field_file.hpp).
// - hdf5: arrays `source` and `propagator` of the shape [column][T][Z][Y][X][spin][colour][2], with the parameters of
//   the quark as attributes (io/fields/hdf5_fields.hpp).
// - openqcd: a folder with a file of each column of S, without b, as openQCD's export_sfld writes them
//   (io/fields/openqcd_spinors.hpp), in openQCD's basis of spins at sink and source (openqcd_basis.hpp). Their names
//   are spin0-colour0 to spin3-colour2 for the twelve columns of a source, spin0 to spin3 for four, column0 to column2
//   for others, which have no spin of the source.
//
// The name tells configuration, kappa, the other parameters of M by their CRC-32, and the source by the SciDAC
// checksums of b: CONFIGURATION-kappa0.125-5f3a0b1c-SUMA-SUMB.scidac, .h5 or .openqcd. Not part of the name are the
// links: whoever reads a propagator checks M x = b.

#include <array>
#include <filesystem>
#include <string>

#include "trellis/core/base/named.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

enum class PropagatorFormat { scidac, hdf5, openqcd };
inline constexpr std::array<NamedValue<PropagatorFormat>, 3> propagator_formats{
    {{"scidac", PropagatorFormat::scidac}, {"hdf5", PropagatorFormat::hdf5}, {"openqcd", PropagatorFormat::openqcd}}};

struct KeptPropagators {
  std::filesystem::path folder;                        // empty: none are kept; made when it is needed
  std::string configuration;                           // whose links they are on
  PropagatorFormat format = PropagatorFormat::scidac;  // of files that are written
  bool wanted() const { return !folder.empty(); }
};

// The file, or with openqcd the folder, of this quark's propagator from source b: one that is there, whatever its
// format, or else the name of a new one. All ranks must call it. Cost: b is read once.
template <int W>
std::filesystem::path propagator_file(const KeptPropagators& kept, const dirac::WilsonParameters& quark,
                                      const FullSpinors<double, W>& b);

// x <- M^-1 b of the file; false if there is none, or in a folder not one of each column, as when writing them was
// interrupted. InputError if it is damaged or has other columns than x. Also reads files in single precision, and those
// with a field of complex numbers for the source, or without sources.
template <int W>
bool read_propagator(const std::filesystem::path& file, double kappa, const FullSpinors<double, W>& x);

// Writes x = M^-1 b in the format of the file's name, and leaves in x what a reader will find: its last bits may
// differ.
template <int W>
void write_propagator(const std::filesystem::path& file, const dirac::WilsonParameters& quark,
                      const FullSpinors<double, W>& b, const FullSpinors<double, W>& x);

// The same change of x without a file, so that keeping propagators changes no bit. Cost: x is read and written twice.
template <int W>
void round_as_kept(double kappa, const FullSpinors<double, W>& x);

}  // namespace trellis::measure
