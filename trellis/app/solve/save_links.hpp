// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smears the links of a configuration, and writes what staggered quarks see of them as general colour matrices of
// SciDAC files, in either convention of links (dirac/staggered/phase_conventions.hpp): fat links X + epsilon / 8 w,
// and, if the smearing has a Naik term, long ones (1 + epsilon) L (gauge/smearing/smearing.hpp). `trellis solve` reads
// them back.

#include "trellis/app/solve/solve_fields.hpp"

namespace trellis::app {

struct SaveLinksInput {
  std::filesystem::path configuration;  // periodic
  gauge::SmearingParameters smearing;
  double naik_epsilon = 0;
  LinkConvention convention = LinkConvention::milc;
  std::filesystem::path fat = {}, long_links = {};  // written; long_links: exactly if the smearing has them
  Precision precision = Precision::double_;
  std::string provenance = {};
  MachineInput machine = {};
};

// KIND or KIND,KEY=VALUE,...; complete. InputError naming the option --smearing.
gauge::SmearingParameters parse_smearing(const std::string& text);

// All ranks must call it. InputError for a smearing or a file that is not valid, or whose boundary in time is not
// periodic, as far as links or records show that; Error if a file cannot be written; it is then as it was.
// Memory: thin, fat and long links, and the work space of the smearing.
void save_links(const SaveLinksInput& input);

}  // namespace trellis::app
