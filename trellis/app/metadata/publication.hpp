// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the metadata of the International Lattice Data Grid (ILDG) say about an ensemble that its files cannot know: who
// made it, where, how it is called and what others may do with it. A TOML file [publication] of `trellis metadata`;
// docs/manual.md explains the keys. Texts may not be empty. Everything here throws InputError.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "trellis/app/input/toml_value.hpp"

namespace trellis::app {

struct Participant {  // a name with an institution, or an ORCID
  std::string name, institution, orcid;
};

struct Funding {
  std::string funder, title, number;  // the last two may be empty
};

struct Publication {
  std::string grid, collaboration, project, label;  // the parts of the ensemble's address
  std::string alias, reference;                     // may be empty
  std::string license, license_name, embargo_until, acknowledgment;
  std::string date;       // of the entry in the catalogue, "2026-01-31T12:00:00Z"; default: now
  std::string generated;  // of the configurations; empty: the time stamp of each file
  std::string code_date;  // of the program that made them; empty: that of this program, if it has the same version
  std::string series;     // empty: the seed of each chain
  Participant participant;
  std::string machine, machine_institution, machine_type;
  std::vector<Funding> funding;

  std::string chain_uri() const;                                 // "mc://grid/collaboration/project/label"
  std::string logical_file_name(const std::string& name) const;  // "lfn://grid/collaboration/project/label/name"
};

Publication read_publication(const std::filesystem::path& file);
// From text; `name` is what messages call the file.
Publication parse_publication(const std::string& text, const std::string& name);

// With every default explicit.
TomlEntries resolved_publication(const std::string& text, const std::string& name);

// A file to start from.
const char* publication_template();

// "2026-01-31T12:00:00Z"
std::string date_text(std::int64_t seconds_since_1970);

}  // namespace trellis::app
