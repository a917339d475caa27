// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/lime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

constexpr std::uint16_t begin_flag = 0x8000;
constexpr std::uint16_t end_flag = 0x4000;
// A gauge file has about ten; this bounds the work that a malicious file can cause.
constexpr std::size_t most_records = 10000;

bool magic_at(const InputFile& file, std::uint64_t offset) {
  std::array<std::byte, 4> word{};
  if (offset > file.size() || file.size() - offset < lime_header_bytes) return false;
  file.read(offset, word, "a LIME magic number");
  return load<std::uint32_t>(word.data(), ByteOrder::big) == lime_magic;
}

// The number of zero bytes at the end of a text record, beyond the one that ends a C string.
std::uint64_t padding_inside(const InputFile& file, const LimeRecord& record) {
  if (record.length % 8 != 0 || record.length < 8 || record.type.ends_with("binary-data")) return 0;
  std::array<std::byte, 8> tail{};
  file.read(record.offset + record.length - 8, tail, "the end of a LIME record");
  const auto zeros = std::find_if(tail.rbegin(), tail.rend(), [](std::byte b) { return b != std::byte{0}; });
  const auto n = static_cast<std::uint64_t>(zeros - tail.rbegin());
  return n >= 2 && n < 8 ? n : 0;
}

LimeRecord read_header(const InputFile& file, std::uint64_t at, std::size_t number) {
  std::array<std::byte, lime_header_bytes> h{};
  if (const auto rest = file.size() - at; number > 1 && rest < lime_header_bytes && (rest < 4 || !magic_at(file, at)))
    fail_input("{}: {} bytes after record {} are no LIME record: something was appended, or the file is damaged",
               file.name(), rest, number - 1);
  file.read(at, h, "a LIME record header");
  const auto magic = load<std::uint32_t>(h.data(), ByteOrder::big);
  if (magic != lime_magic) {
    fail_input("{}: LIME record {} at byte {}: magic number {:#010x}, expected {:#010x}", file.name(), number, at,
               magic, lime_magic);
  }
  const auto version = load<std::uint16_t>(h.data() + 4, ByteOrder::big);
  const auto flags = load<std::uint16_t>(h.data() + 6, ByteOrder::big);
  const auto* type = reinterpret_cast<const char*>(h.data() + 16);
  LimeRecord r;
  r.type.assign(type, ::strnlen(type, 128));
  r.offset = at + lime_header_bytes;
  r.length = load<std::uint64_t>(h.data() + 8, ByteOrder::big);
  r.message_begin = (flags & begin_flag) != 0;
  r.message_end = (flags & end_flag) != 0;
  if (version != 1) r.oddity = fmt::format("version {}, expected 1", version);
  if (r.length > file.size() - r.offset) {
    fail_input("{}: the file is truncated: LIME record {} '{}' has {} bytes from byte {}, but the file has {} bytes",
               file.name(), number, printable(r.type), r.length, r.offset, file.size());
  }
  return r;
}

bool only_zeros(const InputFile& file, std::uint64_t at) {
  const auto rest = file.text(at, file.size() - at, "the end of the file");
  return std::all_of(rest.begin(), rest.end(), [](char c) { return c == '\0'; });
}

}  // namespace

LimeContents scan_lime(const InputFile& file) {
  LimeContents contents;
  auto& records = contents.records;
  std::uint64_t at = 0;
  while (at < file.size()) {
    if (!records.empty() && file.size() - at < lime_header_bytes && only_zeros(file, at)) {
      contents.notes.push_back(fmt::format("{} zero bytes after the last record", file.size() - at));
      break;
    }
    if (records.size() == most_records) fail_input("{}: has more than {} LIME records", file.name(), most_records);
    auto record = read_header(file, at, records.size() + 1);
    const auto end = record.offset + record.length;
    at = end + lime_padding(record.length);
    if (at > file.size()) {
      record.oddity = "padding missing at the end of the file";
    } else if (at != end && at < file.size() && !magic_at(file, at) && magic_at(file, end)) {
      record.oddity = "not padded to 8 bytes";
      at = end;
    } else if (const auto inside = padding_inside(file, record); inside > 0) {
      record.oddity = fmt::format("length includes {} bytes of padding", inside);
    }
    records.push_back(std::move(record));
  }
  if (records.empty()) return contents;
  const bool any_flag =
      std::any_of(records.begin(), records.end(), [](const LimeRecord& r) { return r.message_begin || r.message_end; });
  if (!any_flag) {
    contents.notes.emplace_back("LIME message begin and end flags are all zero");
  } else if (!records.front().message_begin) {
    contents.notes.emplace_back("the first LIME record does not carry the message begin flag");
  }
  return contents;
}

std::array<std::byte, lime_header_bytes> lime_header(std::string_view type, std::uint64_t length, bool message_begin,
                                                     bool message_end) {
  std::array<std::byte, lime_header_bytes> h{};
  const auto flags = static_cast<std::uint16_t>((message_begin ? begin_flag : 0) | (message_end ? end_flag : 0));
  store(h.data(), lime_magic, ByteOrder::big);
  store(h.data() + 4, std::uint16_t{1}, ByteOrder::big);
  store(h.data() + 6, flags, ByteOrder::big);
  store(h.data() + 8, length, ByteOrder::big);
  std::memcpy(h.data() + 16, type.data(), std::min<std::size_t>(type.size(), 127));
  return h;
}

}  // namespace trellis::io
