// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/metadata/published_configuration.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/origin/recorded_replica.hpp"
#include "trellis/app/version.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::app {
namespace {

std::uint32_t checksum_of_links(const std::filesystem::path& path, const io::GaugeFileInfo& info) {
  const auto record =
      std::ranges::find_if(info.records, [](const io::LimeRecord& r) { return r.type == "ildg-binary-data"; });
  if (record == info.records.end()) fail_input("{}: has no record ildg-binary-data", path.string());
  const auto length = io::link_bytes(io::volume(info.size).value(), info.rows, info.precision);
  const io::InputFile file(path);
  io::PosixChecksum sum;
  std::vector<std::byte> piece(std::size_t{4} << 20);
  for (std::uint64_t done = 0; done < length; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), length - done)));
    file.read(record->offset + done, piece, "the links");
    sum.add(piece);
  }
  return sum.value();
}

// The record trellis-input has no keys that links do not depend on.
RunInput input_in(const std::filesystem::path& file) {
  std::string text;
  try {
    text = io::read_input_text(file);
  } catch (const InputError&) {
    throw;
  } catch (const Error&) {
    fail_input("{}: was not saved by a run of trellis: it has no record trellis-input", file.string());
  }
  const auto name = file.string() + " (trellis-input)";
  auto document = parse_toml(text, name);
  std::erase_if(document, [](const TomlEntry& entry) { return entry.key == "measure"; });
  end_chain_at(document, 1);
  return parse_run_input(write_toml(document), name);
}

std::string code_date(const std::filesystem::path& file, const std::string& program, const Publication& publication) {
  if (!publication.code_date.empty()) return publication.code_date;
  const std::string own = commit_date();
  if (program != version_text() || own.empty())
    fail_input("{}: was made by {}, whose date is not known here: add publication.code_date", file.string(), program);
  return own;
}

std::string time_stamp(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) fail_input("{}: its time stamp cannot be read", file.string());
  return date_text(status.st_mtime);
}

std::string value_in(const io::GaugeFileInfo& info, const std::string& key) {
  for (const auto& [name, value] : info.header)
    if (name == key) return value;
  return {};
}

}  // namespace

PublishedConfiguration read_configuration(const std::filesystem::path& file, const Publication& publication) {
  const auto made = io::read_provenance(file);
  if (!made) fail_input("{}: was not saved by a run of trellis: it has no record trellis-provenance", file.string());
  if (const auto replica = recorded_replica(file))
    fail_input(
        "{}: is {}: its links sample another action than that of the ensemble, whose members are configurations of the "
        "periodic replica, 0",
        file.string(), *replica);
  for (const auto& [line, is_missing] :
       {std::pair{"program", made->program.empty()}, {"seed", made->seed < 0}, {"trajectory", made->trajectory < 0}})
    if (is_missing)
      fail_input(
          "{}: was not saved by a run of trellis: its record trellis-provenance has no line '{}', as that of a "
          "converted or gauge fixed file may have none",
          file.string(), line);
  const auto inspection = io::inspect(file);
  if (!inspection.sound()) fail_input("{}: is not sound: {}", file.string(), inspection.problems.front());
  PublishedConfiguration found{
      .file = file, .lfn = value_in(inspection.info, "ildg-data-lfn"), .input = input_in(file), .metadata = {}};
  found.metadata = {.logical_file_name = publication.logical_file_name(file.filename().string()),
                    .program = made->program,
                    .code_date = code_date(file, made->program, publication),
                    .generated = publication.generated.empty() ? time_stamp(file) : publication.generated,
                    .series = publication.series.empty() ? fmt::format("{}", made->seed) : publication.series,
                    .update = made->trajectory,
                    .posix_checksum = checksum_of_links(file, inspection.info),
                    .plaquette = plaquette_that_exists(found.input, inspection.loops.plaquette)};
  return found;
}

void require_same_ensemble(const PublishedConfiguration& first, const PublishedConfiguration& other) {
  constexpr std::array own{"chain.", "start.", "ensemble.", "output.", "machine."};
  const auto of = [&](const RunInput& input) {
    auto all = flatten(input.resolved);
    std::erase_if(all, [&](const auto& line) {
      return std::ranges::any_of(own, [&](const char* section) { return line.first.starts_with(section); });
    });
    return all;
  };
  const auto a = of(first.input), b = of(other.input);
  const auto [at, here] = std::ranges::mismatch(a, b);
  if (at == a.end() && here == b.end()) return;
  const auto& line = here != b.end() ? *here : *at;
  fail_input("{} and {} are of different ensembles: they differ in {}", first.file.string(), other.file.string(),
             line.first);
}

}  // namespace trellis::app
