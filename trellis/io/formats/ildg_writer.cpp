// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <pugixml.hpp>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/provenance_text.hpp"

namespace trellis::io {
namespace {

std::vector<ChecksumClaim> claims(const ScidacChecksum& checksum) {
  return {{"scidac a", checksum.a}, {"scidac b", checksum.b}};
}

std::string record_info(const IldgParameters& p) {
  return scidac_record_xml(p.date, "ColorMatrix", p.precision, 1, p.precision == Precision::single ? 72 : 144, 4);
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
  return lime_text_record("scidac-private-file-xml", scidac_file_xml(p.size), begins_message) +
         lime_text_record("scidac-file-xml", p.file_xml, ends_message) +
         lime_text_record("scidac-private-record-xml", record_info(p), begins_message) +
         lime_text_record("scidac-record-xml", user_record(p), inside_message) +
         lime_text_record("ildg-format", ildg_format(p), inside_message) +
         lime_text_record("ildg-data-lfn", p.lfn, inside_message) +
         lime_header_text("ildg-binary-data", link_bytes(*volume(p.size), 3, p.precision), inside_message);
}

std::string tail(const IldgParameters& p, const ScidacChecksum& checksum) {
  constexpr int alone = begins_message | ends_message;
  auto text = lime_padding_text(link_bytes(*volume(p.size), 3, p.precision));
  text += lime_text_record("scidac-checksum", scidac_checksum_xml(checksum.a, checksum.b), ends_message);
  if (!p.input.empty()) text += lime_text_record(input_record, p.input, alone);
  if (!p.provenance.empty()) text += lime_text_record(provenance_record, p.provenance, alone);
  auto records = p.records;
  if (p.last_records)
    for (auto& last : p.last_records(claims(checksum))) records.push_back(std::move(last));
  for (const auto& [type, words] : records) text += lime_text_record(type, words, alone);
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
