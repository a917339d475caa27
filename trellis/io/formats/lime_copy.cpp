// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/lime_copy.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/formats/lime_text.hpp"
#include "trellis/io/paths/different_files.hpp"

namespace trellis::io {
namespace {

constexpr std::string_view name_record = "ildg-data-lfn", links_record = "ildg-binary-data";

void copy_data(const InputFile& from, const LimeRecord& record, AtomicFile& to) {
  std::vector<std::byte> piece(std::size_t{4} << 20);
  for (std::uint64_t done = 0; done < record.length; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), record.length - done)));
    from.read(record.offset + done, piece, "the data of a LIME record");
    to.write(piece);
  }
}

}  // namespace

void copy_with_logical_file_name(const std::filesystem::path& in, const std::filesystem::path& out,
                                 const std::string& name) {
  require_different_files(in, out);
  const InputFile from(in);
  const auto records = scan_lime(from).records;
  const bool has_name = std::ranges::any_of(records, [](const LimeRecord& r) { return r.type == name_record; });
  AtomicFile to(out);
  for (const auto& record : records) {
    const int flags =
        (record.message_begin ? begins_message : inside_message) | (record.message_end ? ends_message : inside_message);
    if (record.type == name_record) {
      to.write(lime_text_record(name_record, name, flags));
      continue;
    }
    if (!has_name && record.type == links_record) to.write(lime_text_record(name_record, name, inside_message));
    to.write(lime_header_text(record.type, record.length, flags));
    copy_data(from, record, to);
    to.write(lime_padding_text(record.length));
  }
  to.commit();
}

}  // namespace trellis::io
