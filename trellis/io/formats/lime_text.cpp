// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/lime_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "trellis/core/error.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

// "lx" of "ildg:lx".
std::string_view local_name(std::string_view name) {
  name.remove_prefix(std::min(name.size(), name.find(':') + 1));  // npos + 1 = 0: no prefix
  return name;
}

// What stands between <name> and </name> in text that is not XML, where nothing else does.
Keys legible_elements(std::string_view text) {
  constexpr std::size_t longest_name = 100;
  Keys found;
  for (auto at = text.find('<'); at != text.npos && found.size() < most_header_keys; at = text.find('<', at + 1)) {
    const auto start = text.substr(at + 1, longest_name);
    const auto name = start.substr(0, start.find('>'));
    if (name.empty() || name.size() == start.size() || name.find_first_of(" \t\r\n</?!\"'") != name.npos) continue;
    const auto value = at + name.size() + 2, next = text.find('<', value);
    if (next == text.npos) break;
    if (text.substr(next).starts_with(fmt::format("</{}>", name)))
      found.emplace_back(local_name(name), trim(text.substr(value, next - value)));
  }
  return found;
}

}  // namespace

Leaves xml_leaves(const std::string& text) {
  Leaves found;
  Keys& leaves = found.keys;
  pugi::xml_document document;
  const auto xml = trim(text);
  if (const auto parsed = document.load_buffer(xml.data(), xml.size()); !parsed) {
    found.keys = legible_elements(xml);
    found.problem = parsed.description();
    return found;
  }
  for (const auto child : document.document_element().children()) {
    if (child.type() != pugi::node_element || leaves.size() == most_header_keys) continue;
    leaves.emplace_back(local_name(child.name()), trim(child.text().get()));
  }
  return found;
}

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else if (c == '>')
      xml += "&gt;";
    else
      xml += c;
  }
  return xml;
}

void LimeText::bad(const LimeRecord& record, const std::string& what) const {
  fail_input("{}: LIME record '{}': {}", file.name(), printable(record.type), what);
}

std::string LimeText::text(const LimeRecord& record) const {
  if (record.length > longest_xml) {
    bad(record, fmt::format("{} bytes of text, expected at most {}", record.length, longest_xml));
  }
  return file.text(record.offset, record.length, "a LIME text record");
}

std::string LimeText::require(const LimeRecord& record, const Keys& found, std::string_view key) const {
  const auto* value = find_key(found, key);
  if (value == nullptr) bad(record, fmt::format("has no element {} (or is not XML)", key));
  return *value;
}

Coordinate LimeText::whole_lattice(const LimeRecord& record, const Keys& found) const {
  const auto dims = require(record, found, "dims");
  std::string_view rest = trim(dims);
  std::vector<int> numbers;
  while (!rest.empty() && numbers.size() < 5) {
    const auto end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
    numbers.push_back(parse_int(rest.substr(0, end)).value_or(0));
    rest = trim(rest.substr(end));
  }
  if (numbers.size() != 4 || *std::min_element(numbers.begin(), numbers.end()) < 1) {
    bad(record, fmt::format("dims is '{}', expected four positive integers", printable(dims)));
  }
  if (const auto* format = find_key(found, "volfmt"); format != nullptr && *format != "0") {
    bad(record, fmt::format("volfmt is {}: one part of several, expected 0, a single file", printable(*format)));
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

std::vector<ChecksumClaim> LimeText::checksums(const LimeRecord& record, const Keys& found) const {
  std::vector<ChecksumClaim> claims;
  for (const char* which : {"a", "b"}) {
    const auto key = fmt::format("sum{}", which);
    const auto where = fmt::format("{}: LIME record '{}': {}", file.name(), record.type, key);
    claims.push_back({fmt::format("scidac {}", which), parse_checksum(require(record, found, key), where)});
  }
  return claims;
}

std::string lime_padding_text(std::uint64_t length) { return std::string(lime_padding(length), '\0'); }

std::string lime_header_text(std::string_view type, std::uint64_t length, int flags) {
  const auto h = lime_header(type, length, (flags & begins_message) != 0, (flags & ends_message) != 0);
  return {reinterpret_cast<const char*>(h.data()), h.size()};
}

std::string lime_text_record(std::string_view type, std::string text, int flags) {
  text.push_back('\0');
  return lime_header_text(type, text.size(), flags) + text + lime_padding_text(text.size());
}

std::string scidac_file_xml(const Coordinate& n) {
  return fmt::format(
      "{}<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{} {} {} {} </dims><volfmt>0</volfmt>"
      "</scidacFile>",
      xml_head, n[0], n[1], n[2], n[3]);
}

std::string scidac_checksum_xml(std::uint32_t a, std::uint32_t b) {
  return fmt::format("{}<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb></scidacChecksum>",
                     xml_head, a, b);
}

std::string scidac_record_xml(std::string_view date, std::string_view object, Precision precision, int spins,
                              std::size_t object_bytes, int count) {
  const char letter = precision == Precision::single ? 'F' : 'D';
  return fmt::format(
      "{}<scidacRecord><version>1.1</version><date>{}</date><recordtype>0</recordtype>"
      "<datatype>QDP_{}3_{}</datatype><precision>{}</precision><colors>3</colors><spins>{}</spins>"
      "<typesize>{}</typesize><datacount>{}</datacount></scidacRecord>",
      xml_head, date, letter, object, letter, spins, object_bytes, count);
}

}  // namespace trellis::io
