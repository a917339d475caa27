// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <pugixml.hpp>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/first_rank.hpp"
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

ScidacChecksum combined(const comm::Communicator& ranks, const ScidacChecksum& checksum) {
  std::uint64_t words[] = {checksum.a, checksum.b};
  ranks.bitwise_xor("checksums of links", words);
  return {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])};
}

// f(box, bytes), box by box; ranks agree on exceptions that may occur on one of them alone.
void encode_boxes(const FieldLinks& links, const LinkCoding& coding,
                  const std::function<void(const comm::Block&, std::span<const std::byte>)>& f) {
  std::vector<std::byte> bytes;
  for_each_box(links.own, [&](std::int64_t first, const comm::Block& box) {
    comm::together(links.ranks, "links for a file", [&] {
      bytes.resize(box.sites() * coding.site_bytes());
      encode_sites(coding, links.source, first, bytes);
    });
    f(box, bytes);
  });
}

ScidacChecksum checksum_of(const FieldLinks& links, const LinkCoding& coding) {
  const auto site_bytes = coding.site_bytes();
  ScidacChecksum mine;
  encode_boxes(links, coding, [&](const comm::Block& box, std::span<const std::byte> bytes) {
    const auto row = static_cast<std::size_t>(box.extents[0]) * site_bytes;
    for_each_row(box, [&](std::int64_t first, std::int64_t here) {
      mine.add(first, site_bytes, bytes.subspan(static_cast<std::size_t>(here) * site_bytes, row));
    });
  });
  return combined(links.ranks, mine);
}

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Each rank writes its own block, the first one everything around them; then the file is read back and compared.
void write_together(comm::ParallelFile& file, const FieldLinks& links, const LinkCoding& coding,
                    const std::string& before, const std::string& after) {
  const bool first = links.ranks.is_first();
  const auto data_at = before.size(), after_at = data_at + link_bytes(*volume(links.own.lattice), 3, coding.precision);
  const auto bytes_of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  on_first_rank(links.ranks, "write a configuration", [&] {
    file.write_at(0, bytes_of(before));
    file.write_at(after_at, bytes_of(after));
  });
  std::vector<std::uint32_t> written;
  encode_boxes(links, coding, [&](const comm::Block& box, std::span<const std::byte> bytes) {
    file.write_block(data_at, coding.site_bytes(), box, bytes);
    written.push_back(crc_of(bytes));
  });
  file.sync();
  std::string problem;
  std::vector<std::byte> found;
  std::size_t n = 0;
  for_each_box(links.own, [&](std::int64_t, const comm::Block& box) {
    found.resize(box.sites() * coding.site_bytes());
    file.read_block(data_at, coding.site_bytes(), box, found);
    if (crc_of(found) != written[n++]) problem = "the links";
  });
  if (first)
    for (const auto& [at, text] : {std::pair(std::uint64_t{0}, &before), {after_at, &after}}) {
      found.resize(text->size());
      file.read_at(at, found);
      if (!std::ranges::equal(found, bytes_of(*text))) problem = "the records beside the links";
    }
  links.ranks.agree("read back a configuration",
                    problem.empty() ? "" : fmt::format("{}: {} read back differently", file.path().string(), problem),
                    1);
}

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

std::vector<ChecksumClaim> write_ildg(const std::filesystem::path& path, const IldgParameters& p,
                                      const FieldLinks& links) {
  if (links.own.lattice != p.size)
    fail("{}: links of a {} lattice are given, expected {}", path.string(), to_string(links.own.lattice),
         to_string(p.size));
  const auto& ranks = links.ranks;
  if (ranks.size() == 1) return write_ildg(path, p, links.source);
  require_valid(p);
  const auto coding = links.coding(p.precision, ByteOrder::big, 3);
  const auto checksum = checksum_of(links, coding);
  const auto before = head(p), after = tail(p, checksum);
  std::optional<AtomicFile> file;
  std::string part;
  on_first_rank(ranks, "create a configuration", [&] {
    part = file.emplace(path).temporary().string();
    file->share();
  });
  part = ranks.broadcast("create a configuration", part);
  const auto bytes = before.size() + link_bytes(*volume(p.size), 3, p.precision) + after.size();
  auto shared = comm::ParallelFile::create(ranks, part, bytes);
  write_together(shared, links, coding, before, after);
  shared.close();
  on_first_rank(ranks, "finish a configuration", [&] { file->commit(p.check); });
  return claims(checksum);
}

}  // namespace trellis::io
