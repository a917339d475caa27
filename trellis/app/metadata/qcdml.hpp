// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The metadata of an ensemble and of a configuration in QCDml 2.0.0, the XML of the International Lattice Data Grid
// (P. Coddington et al., Nucl. Phys. B Proc. Suppl. 119 (2003) 1009; schemas QCDmlEnsemble2.0.0.xsd and
// QCDmlConfig2.0.0.xsd of its metadata working group).
//
// Elements of the schema hold what it has a place for: lattice, gauge action with its couplings, quark actions with
// masses and link treatment, boundary conditions, algorithm. Staggered quarks without an element of their own are
// written as Asqtad quarks with other coefficients, which is the same operator; what has no place at all (chemical
// potentials, background fields, c_G) is said in annotations, and the whole input in the last one.
//
// A pure function of its arguments. Throws InputError for an ensemble that QCDml cannot describe: a gauge action with
// a c1 that has no name, or a Schroedinger functional, whose boundary values it has no place for.

#include <cstdint>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/app/metadata/publication.hpp"

namespace trellis::app {

std::string ensemble_xml(const RunInput& input, const Publication& publication);

struct ConfigurationMetadata {
  std::string logical_file_name;
  std::string program;    // "trellis 0.1.0": the one that made it
  std::string code_date;  // "2026-01-31T12:00:00Z"
  std::string generated;  // likewise
  std::string series;
  std::int64_t update = 0;           // trajectories since the chain began
  std::uint32_t posix_checksum = 0;  // of the record ildg-binary-data (io/checksum.hpp)
  double plaquette = 0;              // Re tr / 3, averaged over the plaquettes that exist
};

std::string configuration_xml(const RunInput& input, const Publication& publication,
                              const ConfigurationMetadata& configuration);

// The average over plaquettes that exist, from that over all sites in which the others count as 0: with open
// boundaries the 3 V / L_t plaquettes in time that leave the last slice do not exist.
double plaquette_that_exists(const RunInput& input, double average_over_all);

}  // namespace trellis::app
