// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A checkpoint of a Markov chain as one file, so that nothing can kill a run between two files that must agree: links
// in double precision as ILDG (gauge_writer.hpp), and two text records beside them,
//   trellis-checkpoint   lines "key = value" of the caller's state, and as last line the CRC-32 of the state before it,
//                        of the input, and of the links' SciDAC checksum in hexadecimal digits: links of one checkpoint
//                        beside the state of another are refused. (Earlier versions left the last part out.)
//   trellis-input        the input of the run, TOML
// Any ILDG reader reads the links. The file replaces the one before it in one step.
//
// Throws Error for a file that is no checkpoint or whose records are damaged; reading the links (GaugeReader) checks
// their checksum. The state given must hold no line ends.

#include "trellis/io/formats/gauge_writer.hpp"

namespace trellis::io {

struct CheckpointText {
  std::vector<std::pair<std::string, std::string>> state;
  std::string input;

  // Throws Error when there is no such key.
  const std::string& value(std::string_view key) const;
};

void write_checkpoint(const std::filesystem::path& path, const Coordinate& size, const LinkSource& links,
                      const CheckpointText& text);
// By all ranks together.
void write_checkpoint(const std::filesystem::path& path, const FieldLinks& links, const CheckpointText& text);

// The input that a checkpoint, or a configuration that a run saved, was made with: the record trellis-input.
std::string read_input_text(const std::filesystem::path& path);

// Where in its chain a configuration was saved, as its record trellis-provenance says; nothing without that record.
struct Provenance {
  std::int64_t seed = 0, trajectory = 0;
};
std::optional<Provenance> read_provenance(const std::filesystem::path& path);

// The text records only; the links are for GaugeReader. By each rank that calls it.
CheckpointText read_checkpoint_text(const std::filesystem::path& path);

}  // namespace trellis::io
