// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_writer.hpp"

#include <memory>
#include <pugixml.hpp>

#include "trellis/core/error.hpp"
#include "trellis/io/files_under_way.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/formats/packed_links.hpp"

namespace trellis::io {
namespace {

void require_xml(const std::string& xml, const char* what) {
  pugi::xml_document document;
  if (const auto result = document.load_buffer(xml.data(), xml.size()); !result)
    fail_input("{}: is not well-formed XML: {}", what, result.description());
}

// What goes to the file, in its order: text of the first rank, or numbers.
struct Contents {
  std::vector<std::unique_ptr<std::string>> texts;
  std::vector<PackedLinks> numbers;
  FileBytes bytes;

  void add(std::string text, bool here) {
    texts.push_back(std::make_unique<std::string>(std::move(text)));
    if (here) bytes.parts.push_back({bytes.size, std::as_bytes(std::span(*texts.back()))});
    bytes.size += texts.back()->size();
  }
  void add(PackedLinks packed, std::uint64_t size) {
    for (const auto& piece : packed.pieces) bytes.parts.push_back({bytes.size + piece.offset, piece.bytes()});
    bytes.size += size;
    numbers.push_back(std::move(packed));
  }
};

}  // namespace

std::vector<std::vector<ChecksumClaim>> write_fields(const std::filesystem::path& path, const FieldFileParameters& p,
                                                     const std::vector<FieldToWrite>& fields) {
  if (fields.empty()) fail("{}: no field to write", path.string());
  require_xml(p.text, "scidac-file-xml");
  for (const auto& field : fields) {
    require_xml(field.text, "scidac-record-xml");
    if (field.numbers.reals != field.count * name_of(field.type).reals)
      fail("{}: {} numbers a site are given for {} times '{}'", path.string(), field.numbers.reals, field.count,
           name_of(field.type).name);
  }
  const auto& lattice = fields.front().numbers.own.lattice;
  const auto& ranks = fields.front().numbers.ranks;
  const auto contents = std::make_shared<Contents>();
  std::vector<std::vector<ChecksumClaim>> sums;
  contents->add(lime_text_record("scidac-private-file-xml", scidac_file_xml(lattice), begins_message) +
                    lime_text_record("scidac-file-xml", p.text, ends_message),
                ranks.is_first());
  for (const auto& field : fields) {
    if (field.numbers.own.lattice != lattice) fail("{}: fields of different lattices", path.string());
    const auto& type = name_of(field.type);
    FieldInfo info;
    info.type = field.type;
    info.count = field.count;
    info.precision = p.precision;
    const auto length = static_cast<std::uint64_t>(*volume(lattice)) * info.site_bytes();
    contents->add(
        lime_text_record("scidac-private-record-xml",
                         scidac_record_xml(p.date, type.datatype, p.precision, type.spins,
                                           info.site_bytes() / static_cast<std::size_t>(field.count), field.count),
                         begins_message) +
            lime_text_record("scidac-record-xml", field.text, inside_message) +
            lime_header_text("scidac-binary-data", length, inside_message),
        ranks.is_first());
    contents->add(pack_links(field.numbers, p.precision), length);
    const auto checksum = contents->numbers.back().checksum;
    sums.push_back({{"scidac a", checksum.a}, {"scidac b", checksum.b}});
    contents->add(lime_padding_text(length) +
                      lime_text_record("scidac-checksum", scidac_checksum_xml(checksum.a, checksum.b), ends_message),
                  ranks.is_first());
  }
  auto bytes = contents->bytes;
  bytes.owner = contents;
  FilesUnderWay files(ranks);
  files.start(path, std::move(bytes));
  files.finish();
  return sums;
}

}  // namespace trellis::io
