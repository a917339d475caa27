// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/gauge_writer.hpp"
#include "trellis/io/lime.hpp"
#include "trellis/io/link_stream.hpp"

namespace trellis::io {
namespace {

constexpr std::string_view xml_head = R"(<?xml version="1.0" encoding="UTF-8"?>)";

enum Flags { none = 0, begin = 1, end = 2 };

void write_header(AtomicFile& file, std::string_view type, std::uint64_t length, int flags) {
  const auto h = lime_header(type, length, (flags & begin) != 0, (flags & end) != 0);
  file.write(h);
}

void write_padding(AtomicFile& file, std::uint64_t length) {
  constexpr std::array<std::byte, 8> zeros{};
  file.write(std::span(zeros).first(lime_padding(length)));
}

// Text as QIO writes it: the zero that ends a C string belongs to the record.
void write_text(AtomicFile& file, std::string_view type, std::string text, int flags) {
  text.push_back('\0');
  write_header(file, type, text.size(), flags);
  file.write(text);
  write_padding(file, text.size());
}

std::string file_info(const Size& n) {
  return fmt::format(
      "{}<scidacFile><version>1.1</version><spacetime>4</spacetime><dims>{} {} {} {} </dims><volfmt>0</volfmt>"
      "</scidacFile>",
      xml_head, n[0], n[1], n[2], n[3]);
}

std::string record_info(const IldgParameters& p) {
  const bool single = p.precision == Precision::single_;
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
      xml_head, p.precision == Precision::single_ ? 32 : 64, p.size[0], p.size[1], p.size[2], p.size[3]);
}

void require_xml(const std::string& xml, const char* what) {
  pugi::xml_document document;
  if (const auto result = document.load_buffer(xml.data(), xml.size()); !result) {
    fail_input("{}: is not well-formed XML: {}", what, result.description());
  }
}

}  // namespace

std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& p,
                                      const LinkSource& source) {
  const auto sites = volume(p.size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(p.size));
  require_xml(p.file_xml, "scidac-file-xml");
  require_xml(record_info(p), "scidac-private-record-xml");
  const LinkCoding coding{p.size, p.precision, ByteOrder::big, 3};
  const std::size_t site_bytes = link_bytes(1, 3, p.precision);
  const auto data_bytes = link_bytes(*sites, 3, p.precision);

  AtomicFile file(path);
  write_text(file, "scidac-private-file-xml", file_info(p.size), begin);
  write_text(file, "scidac-file-xml", p.file_xml, end);
  write_text(file, "scidac-private-record-xml", record_info(p), begin);
  write_text(file, "scidac-record-xml", user_record(p), none);
  write_text(file, "ildg-format", ildg_format(p), none);
  write_text(file, "ildg-data-lfn", p.lfn, none);
  write_header(file, "ildg-binary-data", data_bytes, none);
  ScidacChecksum checksum;
  encode_links(coding, source, [&](std::int64_t first, std::span<const std::byte> bytes) {
    checksum.add(first, site_bytes, bytes);
    file.write(bytes);
  });
  write_padding(file, data_bytes);
  const auto sums =
      fmt::format("{}<scidacChecksum><version>1.0</version><suma>{:x}</suma><sumb>{:x}</sumb></scidacChecksum>",
                  xml_head, checksum.a, checksum.b);
  write_text(file, "scidac-checksum", sums, end);
  if (!p.input.empty()) write_text(file, "trellis-input", p.input, begin | end);
  if (!p.provenance.empty()) write_text(file, "trellis-provenance", p.provenance, begin | end);
  for (const auto& [type, text] : p.records) write_text(file, type, text, begin | end);
  file.commit(p.check);
  return {{"scidac a", checksum.a}, {"scidac b", checksum.b}};
}

}  // namespace trellis::io
