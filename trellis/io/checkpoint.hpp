// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A checkpoint of a Markov chain as a single file, so that a run cannot be killed between writing two files that must
// agree: links in double precision as ILDG (gauge_writer.hpp), with two additional text records,
//   trellis-checkpoint   lines "key = value" of the caller's state; the last line has the CRC-32 of the state before
//                        it, of the input, and of the links' SciDAC checksum in hexadecimal digits, so that links of
//                        one checkpoint with the state of another are refused. (Earlier versions lack the last part.)
//   trellis-input        the input of the run, TOML
// Any ILDG reader can read the links. The file replaces the previous one in one step.
//
// Throws Error for a file that is not a checkpoint or has damaged records; reading the links (GaugeReader) checks their
// checksum. The state must not contain line breaks.

#include "trellis/io/formats/gauge_writer.hpp"

namespace trellis::io {

struct CheckpointText {
  std::vector<std::pair<std::string, std::string>> state;
  std::string input;

  // Throws Error if there is no such key.
  const std::string& value(std::string_view key) const;
};

void write_checkpoint(const std::filesystem::path& path, const Coordinate& size, const LinkSource& links,
                      const CheckpointText& text);
// All ranks must call this together.
void write_checkpoint(const std::filesystem::path& path, const FieldLinks& links, const CheckpointText& text);

// Begins to write it; it replaces the previous one as files_under_way.hpp says. `check` is that of IldgParameters.
void start_checkpoint(FilesUnderWay& files, const std::filesystem::path& path,
                      const std::shared_ptr<const PackedLinks>& links, const CheckpointText& text,
                      const FileCheck& check = {});

// The input of the run that wrote this checkpoint or configuration: the record trellis-input.
std::string read_input_text(const std::filesystem::path& path);

// Both text records of a configuration, empty if it has none: the input of the run that made it, and what else is known
// of that (provenance_text.hpp).
struct RunRecords {
  std::string input, provenance;
};
RunRecords read_run_records(const std::filesystem::path& path);

// own_lines() of the record trellis-provenance, none without that record: program, algorithm, seed, trajectory in
// configurations of a run.
std::vector<std::pair<std::string, std::string>> read_provenance_lines(const std::filesystem::path& path);

// Where in its chain a configuration was saved, from its record trellis-provenance; empty without that record.
struct Provenance {
  std::int64_t seed = 0, trajectory = 0;
  std::string program = {};  // "trellis 0.1.0"; empty if the record does not say
};
std::optional<Provenance> read_provenance(const std::filesystem::path& path);

// Only the text records; the links are for GaugeReader. Each rank that calls it reads the file.
CheckpointText read_checkpoint_text(const std::filesystem::path& path);

}  // namespace trellis::io
