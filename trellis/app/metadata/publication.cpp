// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/metadata/publication.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <regex>

#include "trellis/app/input/toml_reader.hpp"

namespace trellis::app {
namespace {

// One line of legible text. Required unless `fallback` is given.
std::string line(const Table& table, const std::string& key, std::optional<std::string> fallback = {}) {
  auto text = table.text(key, fallback);
  if (text.empty() && table.has(key)) table.wrong(key, "found an empty text");
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
    table.wrong(key, "found a line break or control character, expected one line");
  return text;
}

std::string matching(const Table& table, const std::string& key, std::optional<std::string> fallback,
                     const char* pattern, const char* expected) {
  auto text = line(table, key, std::move(fallback));
  if (!text.empty() && !std::regex_match(text, std::regex(pattern)))
    table.wrong(key, "found '{}', expected {}", text, expected);
  return text;
}

// A part of the address of ensembles and files.
std::string part_of_address(const Table& table, const std::string& key) {
  return matching(table, key, std::nullopt, "[A-Za-z0-9][A-Za-z0-9._+-]*",
                  "letters, digits and any of . _ + - without blanks, because it is a part of the ensemble's address");
}

constexpr const char* address = "[A-Za-z][A-Za-z0-9+.-]*:[^ <>\"]+";
constexpr const char* moment =
    "\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(Z|[+-]\\d\\d:\\d\\d)";
constexpr const char* moment_example = "a date with time and zone, such as \"2026-01-31T12:00:00Z\"";

std::string date(const Table& table, const std::string& key, const std::string& fallback) {
  return matching(table, key, fallback, moment, moment_example);
}

Participant read_participant(const Table& table) {
  Participant p;
  p.orcid = matching(table, "orcid", "", "\\d{4}-\\d{4}-\\d{4}-\\d{3}[0-9]",
                     "sixteen digits, such as \"0000-0002-1825-0097\" (QCDml 2.0.0 allows no final X)");
  const std::optional<std::string> needed = p.orcid.empty() ? std::nullopt : std::optional<std::string>("");
  p.name = line(table, "name", needed);
  p.institution = line(table, "institution", needed);
  return p;
}

Publication read(const Table& root) {
  Publication p;
  const auto table = root.table("publication");
  p.grid = part_of_address(table, "grid");
  p.collaboration = part_of_address(table, "collaboration");
  p.project = part_of_address(table, "project");
  p.label = part_of_address(table, "label");
  p.alias = line(table, "alias", "");
  p.reference = line(table, "reference", "");
  p.license = matching(table, "license", std::nullopt, address,
                       "an address, such as \"https://creativecommons.org/licenses/by/4.0/\"");
  p.license_name = line(table, "license_name", "");
  p.embargo_until = matching(table, "embargo_until", "", "\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])",
                             "a date, such as \"2026-01-31\"");
  p.acknowledgment = line(table, "acknowledgment", "");
  p.date = date(table, "date", date_text(std::time(nullptr)));
  p.generated = date(table, "generated", "");
  p.code_date = date(table, "code_date", "");
  p.series = line(table, "series", "");
  p.participant = read_participant(table.table("participant"));
  const auto machine = table.table("machine");
  p.machine = line(machine, "name");
  p.machine_institution = line(machine, "institution");
  p.machine_type = line(machine, "type");
  if (table.has("funding"))
    for (const auto& one : table.tables("funding"))
      p.funding.push_back({line(one, "funder"), line(one, "title", ""), line(one, "number", "")});
  root.finish();
  return p;
}

std::string place(const Publication& p) {
  return fmt::format("{}/{}/{}/{}", p.grid, p.collaboration, p.project, p.label);
}

}  // namespace

std::string Publication::chain_uri() const { return "mc://" + place(*this); }
std::string Publication::logical_file_name(const std::string& name) const {
  return "lfn://" + place(*this) + "/" + name;
}

Publication read_publication(const std::filesystem::path& file) { return read(Table::open(file)); }
Publication parse_publication(const std::string& text, const std::string& name) {
  return read(Table::parse(text, name));
}

TomlEntries resolved_publication(const std::string& text, const std::string& name) {
  const auto root = Table::parse(text, name);
  read(root);
  return root.resolved();
}

const char* publication_template() {
  return R"(# For `trellis metadata`: what the files of an ensemble cannot know. Lines that begin with # may stay out.
[publication]
grid = "ldg"                      # the regional grid
collaboration = "COLLABORATION"   # these four make the address mc://grid/collaboration/project/label
project = "PROJECT"
label = "LABEL"
license = "https://creativecommons.org/licenses/by/4.0/"
# license_name = "CC BY 4.0"
# embargo_until = "2030-01-31"
# acknowledgment = "Please cite ..."
# alias = "another name of the ensemble, in papers"
# reference = "arXiv:..."
# date = "2026-01-31T12:00:00Z"       # of the entry in the catalogue; default: now
# generated = "2026-01-31T12:00:00Z"  # of the configurations; default: the time stamps of their files
# code_date = "2026-01-31T12:00:00Z"  # of the program that made them
# series = "1"                        # default: the seed of each chain

[publication.participant]         # who publishes it: name and institution, or orcid
name = "NAME"
institution = "INSTITUTION"
# orcid = "0000-0002-1825-0097"

[publication.machine]             # on which it was made
name = "NAME OF THE MACHINE"
institution = "INSTITUTION"
type = "CPU OR GPU CLUSTER, WITH ITS PROCESSORS"

# [[publication.funding]]
# funder = "FUNDER"
# title = "TITLE OF THE AWARD"
# number = "NUMBER OF THE AWARD"
)";
}

std::string date_text(std::int64_t seconds_since_1970) {
  const auto seconds = static_cast<std::time_t>(seconds_since_1970);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace trellis::app
