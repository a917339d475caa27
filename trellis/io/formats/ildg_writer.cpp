// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/formats/lime.hpp"
#include "trellis/io/formats/link_stream.hpp"

namespace trellis::io {
namespace {

constexpr std::string_view xml_head = R"(<?xml version="1.0" encoding="UTF-8"?>)";

std::vector<ChecksumClaim> claims(const ScidacChecksum& checksum) {
  return {{"scidac a", checksum.a}, {"scidac b", checksum.b}};
}

enum Flags { none = 0, begin = 1, end = 2 };

std::string padding(std::uint64_t length) { return std::string(lime_padding(length), '\0'); }

std::string header(std::string_view type, std::uint64_t length, int flags) {
  const auto h = lime_header(type, length, (flags & begin) != 0, (flags & end) != 0);
  return {reinterpret_cast<const char*>(h.data()), h.size()};
}

// Text as QIO writes it: the zero that ends a C string is part of the record.
std::string record(std::string_view type, std::string text, int flags) {
  text.push_back('\0');
  return header(type, text.size(), flags) + text + padding(text.size());
}

std::string file_info(const Coordinate& n) {
  return fmt::format(
      "{}<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{} {} {} {} </dims><volfmt>0</volfmt>"
      "</scidacFile>",
      xml_head, n[0], n[1], n[2], n[3]);
}

std::string record_info(const IldgParameters& p) {
  const bool single = p.precision == Precision::single;
  return fmt::format(
      "{}<scidacRecord><version>1.1</version><date>{}</date><recordtype>0</recordtype>"
      "<datatype>QDP_{}3_ColorMatrix</datatype><precision>{}</precision><colors>3</colors><spins>1</spins>"
      "<typesize>{}</typesize><datacount>4</datacount></scidacRecord>",
      xml_head, p.date, single ? 'F' : 'D', single ? 'F' : 'D', single ? 72 : 144);
}

std::string user_record(const IldgParameters& p) {
  std::string xml = fmt::format("{}<trellis>", xml_head);
  if (p.plaquette) xml += fmt::format("<plaquette>{:.12f}</plaquette>", *p.plaquette);
  if (p.link_trace) xml += fmt::format("<linkTrace>{:.12f}</linkTrace>", *p.link_trace);
  return xml + "</trellis>";
}

std::string ildg_format(const IldgParameters& p) {
  return fmt::format(
      "{}<ildgFormat xmlns=\"http://www.lqcd.org/ildg\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"><version>1.0</version><field>su3gauge</field>"
      "<precision>{}</precision><lx>{}</lx><ly>{}</ly><lz>{}</lz><lt>{}</lt></ildgFormat>",
      xml_head, p.precision == Precision::single ? 32 : 64, p.size[0], p.size[1], p.size[2], p.size[3]);
}

void require_xml(const std::string& xml, const char* what) {
  pugi::xml_document document;
  if (const auto result = document.load_buffer(xml.data(), xml.size()); !result) {
    fail_input("{}: is not well-formed XML: {}", what, result.description());
  }
}

void require_valid(const IldgParameters& p) {
  if (!volume(p.size)) fail_input("a lattice of {} is not possible", to_string(p.size));
  require_xml(p.file_xml, "scidac-file-xml");
  require_xml(record_info(p), "scidac-private-record-xml");
}

// The records before the links, and those after them.
std::string head(const IldgParameters& p) {
  return record("scidac-private-file-xml", file_info(p.size), begin) + record("scidac-file-xml", p.file_xml, end) +
         record("scidac-private-record-xml", record_info(p), begin) +
         record("scidac-record-xml", user_record(p), none) + record("ildg-format", ildg_format(p), none) +
         record("ildg-data-lfn", p.lfn, none) +
         header("ildg-binary-data", link_bytes(*volume(p.size), 3, p.precision), none);
}

std::string tail(const IldgParameters& p, const ScidacChecksum& checksum) {
  auto text = padding(link_bytes(*volume(p.size), 3, p.precision));
  text += record("scidac-checksum",
                 fmt::format("{}<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb>"
                             "</scidacChecksum>",
                             xml_head, checksum.a, checksum.b),
                 end);
  if (!p.input.empty()) text += record("trellis-input", p.input, begin | end);
  if (!p.provenance.empty()) text += record("trellis-provenance", p.provenance, begin | end);
  auto records = p.records;
  if (p.last_records)
    for (auto& last : p.last_records(claims(checksum))) records.push_back(std::move(last));
  for (const auto& [type, words] : records) text += record(type, words, begin | end);
  return text;
}

// The bytes around the links, and the links.
struct Records {
  std::string before, after;
  std::shared_ptr<const PackedLinks> links;
};

}  // namespace

std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& p,
                                      const LinkSource& source) {
  require_valid(p);
  const LinkCoding coding{p.size, p.precision, ByteOrder::big, 3};
  AtomicFile file(path);
  file.write(head(p));
  ScidacChecksum checksum;
  encode_links(coding, source, [&](std::int64_t first, std::span<const std::byte> bytes) {
    checksum.add(first, coding.site_bytes(), bytes);
    file.write(bytes);
  });
  file.write(tail(p, checksum));
  file.commit(p.check);
  return claims(checksum);
}

void start_ildg(FilesUnderWay& files, const std::filesystem::path& path, const IldgParameters& p,
                const std::shared_ptr<const PackedLinks>& links, const std::function<void()>& when_there) {
  if (links->size != p.size || links->precision != p.precision)
    fail("{}: links of a {} lattice in {} precision are given, expected {} in {}", path.string(),
         to_string(links->size), name_of(links->precision), to_string(p.size), name_of(p.precision));
  require_valid(p);
  const auto records = std::make_shared<const Records>(Records{head(p), tail(p, links->checksum), links});
  const auto first = records->before.size(), last = first + link_bytes(*volume(p.size), 3, p.precision);
  FileBytes bytes{.size = last + records->after.size(), .parts = {}, .owner = records};
  const bool has_records = links->ranks.is_first();
  if (has_records) bytes.parts.push_back({0, std::as_bytes(std::span(records->before))});
  for (const auto& piece : links->pieces) bytes.parts.push_back({first + piece.offset, piece.bytes()});
  if (has_records) bytes.parts.push_back({last, std::as_bytes(std::span(records->after))});
  files.start(path, std::move(bytes), p.check, when_there);
}

std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& p,
                                      const FieldLinks& links) {
  if (links.own.lattice != p.size)
    fail("{}: links of a {} lattice are given, expected {}", path.string(), to_string(links.own.lattice),
         to_string(p.size));
  const auto packed = std::make_shared<const PackedLinks>(pack_links(links, p.precision));
  FilesUnderWay files(links.ranks);
  start_ildg(files, path, p, packed);
  files.finish();
  return claims(packed->checksum);
}

}  // namespace trellis::io
