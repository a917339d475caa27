// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a gauge configuration of any known format and writes it as ILDG, NERSC or what else is written: what
// `trellis convert IN OUT` does.
//
// The input must be sound (strict reading). The output is read back and each link compared, bit by bit, with the input
// rounded to the output's precision, before it gets its name. Memory: 576 bytes a site. Throws InputError for a bad
// input or an output that is the input, Error when the output cannot be written or differs.

#include <filesystem>
#include <optional>
#include <string>

#include "trellis/io/gauge_reader.hpp"

namespace trellis::io {

struct ConvertOptions {
  std::string format = "ildg";         // of file_formats.hpp, one that is written
  std::optional<Precision> precision;  // the input's if not given
  ReadOptions read = {};
  bool accept_damage = false;   // convert all the same where plaquettes or the link trace are not what the header says
  std::string provenance = {};  // ILDG: goes into a record; the input's name and header are always there
};

// What was written, as a reader sees it. Throws InputError for links that are not what the header says, unless that is
// accepted: the new file's own checksums would hide it. What was accepted is in the new file (ILDG).
GaugeFileInfo convert(const std::filesystem::path& in, const std::filesystem::path& out,
                      const ConvertOptions& options = {});

}  // namespace trellis::io
