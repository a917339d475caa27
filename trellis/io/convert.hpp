// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a gauge configuration of any known format and writes it as ILDG, NERSC or any other writable format, for
// `trellis convert IN OUT`.
//
// The input must be valid (strict reading). Before the output gets its name it is read back, and each link is compared
// bit by bit with the input rounded to the output's precision. Memory: 576 bytes per site; if they exceed
// links_in_memory and the input has its sites in order, those of three time slices, and the input is read again for
// each pass over it. Throws InputError for a bad input or an output that is the input itself, Error if the output
// cannot be written or differs.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trellis/io/gauge_reader.hpp"

namespace trellis::io {

struct ConvertOptions {
  std::string format = "ildg";              // one of the writable formats of file_formats.hpp
  std::optional<Precision> precision = {};  // the input's if not given, or all that the format has
  // With `functional`, openQCD's files of the input are completed, and an openQCD file that is written gets the slices
  // that openQCD has.
  ReadOptions read = {};
  bool accept_damage = false;  // convert even if plaquettes or the link trace differ from the header
  std::uint64_t links_in_memory = std::uint64_t{1} << 31;  // bytes
  std::string provenance = {};  // ILDG: added to a record, which always has the input's name and header
  // What the configuration says of the run that made it, "action.beta" and so on; MILC's .info file has it. Of ILDG
  // files the records of that run are kept.
  std::vector<std::pair<std::string, std::string>> origin = {};
  // functional_text() (provenance_text.hpp) of an input whose own record or header says that it is of a Schroedinger
  // functional; the new file says it too, unless that is openQCD's.
  std::string functional = {};
  // Asked between pieces of the file: if true, convert() throws, and the output stays as it was.
  std::function<bool()> is_stopped = {};
};

// Returns what was written, as a reader sees it. Throws InputError if the links do not match the header, unless that is
// accepted: the new file's own checksums would hide it. What was accepted is recorded in the new file, unless
// that is openQCD's.
GaugeFileInfo convert(const std::filesystem::path& in, const std::filesystem::path& out,
                      const ConvertOptions& options = {});

}  // namespace trellis::io
