// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/solve/link_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

const char* record_of(LinkConvention convention) {
  return convention == LinkConvention::milc ? "signs of MILC, antiperiodic in time" : "no signs";
}

// Empty without such a record.
io::Keys record_in(const io::FieldReader& reader) {
  const auto& fields = reader.info().fields;
  const auto links = std::ranges::find_if(
      fields, [](const auto& field) { return field.type == io::FieldType::colour_matrix && field.count == 4; });
  if (links == fields.end()) return {};
  auto keys = io::xml_leaves(links->text).keys;
  return io::find_key(keys, "links") != nullptr ? keys : io::Keys();
}

std::string value_in(const io::Keys& record, const char* key) {
  const auto* value = io::find_key(record, key);
  return value != nullptr ? *value : "";
}

}  // namespace

std::string link_record(const std::string& what, const gauge::SmearingParameters& smearing, double naik_epsilon,
                        LinkConvention convention, const std::filesystem::path& configuration) {
  return fmt::format(
      "{}<trellis><links>{}</links><smearing>{}</smearing><naik_epsilon>{}</naik_epsilon><convention>{}</convention>"
      "<configuration>{}</configuration></trellis>",
      io::xml_head, what, io::escaped(gauge::describe(smearing)), naik_epsilon, record_of(convention),
      io::escaped(configuration.filename().string()));
}

std::vector<std::string> contradictions(const SolveInput& input, const io::FieldReader& fat,
                                        const io::FieldReader* long_links) {
  std::vector<std::string> found;
  const auto compare_with_options = [&](const io::FieldReader& reader, const io::Keys& record, const char* option,
                                        const char* steps) {
    if (record.empty()) return;
    if (const auto links = value_in(record, "links"); links != steps)
      found.push_back(fmt::format("{}: its record says that it has links {}, but {} takes those {}",
                                  reader.path().string(), links, option, steps));
    if (const auto convention = value_in(record, "convention"); convention != record_of(input.convention))
      found.push_back(fmt::format(
          "{}: its record says \"{}\", but --convention {} takes \"{}\"", reader.path().string(), convention,
          input.convention == LinkConvention::milc ? "milc" : "trellis", record_of(input.convention)));
  };
  const auto of_fat = record_in(fat);
  compare_with_options(fat, of_fat, "--fat", "of one step");
  if (long_links == nullptr) return found;
  const auto of_long = record_in(*long_links);
  compare_with_options(*long_links, of_long, "--long", "of three steps");
  if (of_fat.empty() || of_long.empty()) return found;
  for (const char* key : {"smearing", "naik_epsilon", "convention", "configuration"})
    if (const auto a = value_in(of_fat, key), b = value_in(of_long, key); a != b)
      found.push_back(fmt::format("{} and {} do not belong together: the {} of the one is \"{}\", of the other \"{}\"",
                                  fat.path().string(), long_links->path().string(), key, a, b));
  return found;
}

}  // namespace trellis::app
