// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/checkpoint.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>

#include "trellis/core/error.hpp"
#include "trellis/io/formats/gauge_layout.hpp"
#include "trellis/io/formats/lime.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

constexpr const char* kRecord = "trellis-checkpoint";
constexpr std::string_view kSum = "crc32 = ";
constexpr std::uint64_t kLongest = 1U << 24;

std::string sum_of(std::string_view state, std::string_view input, std::string_view links) {
  uLong crc = 0;
  for (const auto part : {state, input, links})
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  return fmt::format("{:08x}", crc);
}

std::string text_of(const std::vector<ChecksumClaim>& checksums) {
  std::string text;
  for (const auto& checksum : checksums) text += fmt::format("{} {:08x}\n", checksum.kind, checksum.value);
  return text;
}

std::string text_record(const InputFile& file, const std::vector<LimeRecord>& records, std::string_view type) {
  const auto record = std::find_if(records.begin(), records.end(), [&](const LimeRecord& r) { return r.type == type; });
  if (record == records.end()) fail("{}: is not a file of a run: it has no LIME record '{}'", file.name(), type);
  if (record->length > kLongest) fail("{}: LIME record '{}' has {} bytes", file.name(), type, record->length);
  auto text = file.text(record->offset, record->length, "a text record of the checkpoint");
  if (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

IldgParameters parameters_of(const Coordinate& size, const CheckpointText& text) {
  std::string state;
  for (const auto& [key, value] : text.state) state += fmt::format("{} = {}\n", key, value);
  IldgParameters parameters;
  parameters.size = size;
  parameters.lfn = "lfn://trellis/checkpoint";
  parameters.input = text.input;
  parameters.last_records = [state, input = text.input](const std::vector<ChecksumClaim>& checksums) {
    const auto sum = sum_of(state, input, text_of(checksums));
    return std::vector<std::pair<std::string, std::string>>{{kRecord, state + std::string(kSum) + sum + "\n"}};
  };
  return parameters;
}

}  // namespace

const std::string& CheckpointText::value(std::string_view key) const {
  const auto* found = find_key(state, key);
  if (found == nullptr) fail("the checkpoint's state has no entry '{}'", key);
  return *found;
}

void write_checkpoint(const std::filesystem::path& path, const Coordinate& size, const LinkSource& links,
                      const CheckpointText& text) {
  write_ildg(path, parameters_of(size, text), links);
}

void write_checkpoint(const std::filesystem::path& path, const FieldLinks& links, const CheckpointText& text) {
  write_ildg(path, parameters_of(links.own.lattice, text), links);
}

void start_checkpoint(FilesUnderWay& files, const std::filesystem::path& path,
                      const std::shared_ptr<const PackedLinks>& links, const CheckpointText& text,
                      const FileCheck& check) {
  auto parameters = parameters_of(links->size, text);
  parameters.check = check;
  start_ildg(files, path, parameters, links);
}

std::string read_input_text(const std::filesystem::path& path) {
  const InputFile file(path);
  return text_record(file, scan_lime(file).records, input_record);
}

RunRecords read_run_records(const std::filesystem::path& path) {
  const InputFile file(path);
  RunRecords found;
  try {
    const auto records = scan_lime(file).records;
    for (const auto& [type, text] : {std::pair{input_record, &found.input}, {provenance_record, &found.provenance}})
      if (std::ranges::find(records, type, &LimeRecord::type) != records.end())
        *text = text_record(file, records, type);
  } catch (const Error&) {  // written by another program
  }
  return found;
}

std::vector<std::pair<std::string, std::string>> read_provenance_lines(const std::filesystem::path& path) {
  return own_lines(read_run_records(path).provenance);
}

std::optional<Provenance> read_provenance(const std::filesystem::path& path) {
  const auto lines = read_provenance_lines(path);
  if (lines.empty()) return {};
  const auto number = [&](const char* key) {
    const auto* text = find_key(lines, key);
    std::int64_t value = -1;
    if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), value);
    return value;
  };
  const auto* program = find_key(lines, "program");
  return Provenance{number("seed"), number("trajectory"), program != nullptr ? *program : ""};
}

CheckpointText read_checkpoint_text(const std::filesystem::path& path) {
  const InputFile file(path);
  const auto records = scan_lime(file).records;
  const auto state = text_record(file, records, kRecord);
  CheckpointText text;
  text.input = text_record(file, records, input_record);
  const auto at = std::min(state.rfind(kSum), state.size());
  const auto claimed = trim(std::string_view(state).substr(std::min(at + kSum.size(), state.size())));
  const auto before = state.substr(0, at);
  const auto found = sum_of(before, text.input, text_of(find_layout(file, {}).info.checksums));
  if (claimed != found && claimed != sum_of(before, text.input, "")) {
    fail(
        "{}: LIME records '{}' and 'trellis-input' are damaged, or those of other links: their "
        "CRC-32 is {}, expected '{}'",
        path.string(), kRecord, found, printable(claimed));
  }
  parse_key_values(std::string_view(state).substr(0, at), text.state);
  return text;
}

}  // namespace trellis::io
