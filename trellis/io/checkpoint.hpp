// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A checkpoint of a Markov chain as one file, so that nothing can kill a run between two files that must agree: links
// in double precision as ILDG (gauge_writer.hpp), and two text records beside them,
//   trellis-checkpoint   lines "key = value" of the caller's state, and as last line the CRC-32 of the state before it
//                        and of the input
//   trellis-input        the input of the run, TOML
// Any ILDG reader reads the links. The file replaces the one before it in one step.
//
// Throws Error for a file that is no checkpoint or whose records are damaged; reading the links (GaugeReader) checks
// their checksum. The state given must hold no line ends.

#include "trellis/io/gauge_writer.hpp"

namespace trellis::io {

struct CheckpointText {
  std::vector<std::pair<std::string, std::string>> state;
  std::string input;

  // Throws Error when there is no such key.
  const std::string& value(std::string_view key) const;
};

void write_checkpoint(const std::filesystem::path& path, const Size& size, const LinkSource& links,
                      const CheckpointText& text);

// The text records only; the links are for GaugeReader.
CheckpointText read_checkpoint_text(const std::filesystem::path& path);

}  // namespace trellis::io
