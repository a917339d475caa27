// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/checksum.hpp"

#include <zlib.h>

#include <array>
#include <bit>
#include <charconv>

#include "trellis/core/backend/crc_folding.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {

namespace {

std::uint32_t add_by_tables(std::uint32_t crc, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::uint32_t add_crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
  if (bytes.size() < 64 || !backend::folds_crc()) return add_by_tables(crc, bytes);
  const auto count = bytes.size() / 16 * 16;
  std::byte folded[16];
  // zlib's numbers are the register with all bits inverted.
  backend::fold_crc(~crc, bytes.data(), count, folded);
  return add_by_tables(add_by_tables(~0U, folded), bytes.subspan(count));
}

void ScidacChecksum::add(std::int64_t first, std::size_t site_bytes, std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += site_bytes, ++first) {
    const auto crc = add_crc32(0, bytes.subspan(at, site_bytes));
    a ^= std::rotl(crc, static_cast<int>(first % 29));
    b ^= std::rotl(crc, static_cast<int>(first % 31));
  }
}

void NerscChecksum::add(std::span<const std::byte> bytes, ByteOrder order) {
  for (std::size_t at = 0; at < bytes.size(); at += 4) sum += load<std::uint32_t>(bytes.data() + at, order);
}

std::uint32_t two_rows_sum(std::uint32_t sum, std::span<const std::byte> matrices, ByteOrder order) {
  constexpr std::size_t matrix = 18 * sizeof(float), two_rows = 12 * sizeof(float);
  NerscChecksum checksum{sum};
  for (std::size_t at = 0; at < matrices.size(); at += matrix) checksum.add(matrices.subspan(at, two_rows), order);
  return checksum.sum;
}

void MilcChecksum::add(std::uint64_t first_word, std::span<const std::byte> bytes, ByteOrder order) {
  auto r29 = static_cast<int>(first_word % 29);
  auto r31 = static_cast<int>(first_word % 31);
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const auto word = load<std::uint32_t>(bytes.data() + at, order);
    sum29 ^= std::rotl(word, r29);
    sum31 ^= std::rotl(word, r31);
    if (++r29 == 29) r29 = 0;
    if (++r31 == 31) r31 = 0;
  }
}

namespace {

// Entry k, b: what byte b adds to the CRC when k more bytes follow it.
using PosixTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr PosixTables make_posix_tables() {
  constexpr std::uint32_t polynomial = 0x04c11db7;
  PosixTables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b << 24;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc >> 31) != 0 ? polynomial : 0);
    tables[0][b] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] << 8) ^ tables[0][tables[k - 1][b] >> 24];
  return tables;
}

constexpr PosixTables posix_tables = make_posix_tables();

}  // namespace

void PosixChecksum::add(std::span<const std::byte> more) {
  const auto byte = [&](std::size_t at) { return std::to_integer<std::uint32_t>(more[at]); };
  std::size_t at = 0;
  for (; at + 8 <= more.size(); at += 8) {
    const auto& t = posix_tables;
    crc = t[7][(crc >> 24) ^ byte(at)] ^ t[6][((crc >> 16) & 255) ^ byte(at + 1)] ^
          t[5][((crc >> 8) & 255) ^ byte(at + 2)] ^ t[4][(crc & 255) ^ byte(at + 3)] ^ t[3][byte(at + 4)] ^
          t[2][byte(at + 5)] ^ t[1][byte(at + 6)] ^ t[0][byte(at + 7)];
  }
  for (; at < more.size(); ++at) crc = (crc << 8) ^ posix_tables[0][(crc >> 24) ^ byte(at)];
  bytes += more.size();
}

std::uint32_t PosixChecksum::value() const {
  auto whole = crc;
  for (auto count = bytes; count != 0; count >>= 8)
    whole = (whole << 8) ^ posix_tables[0][(whole >> 24) ^ static_cast<std::uint32_t>(count & 255)];
  return ~whole;
}

std::uint32_t parse_checksum(std::string_view text, std::string_view where) {
  auto digits = trim(text);
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (code != std::errc() || end != digits.data() + digits.size()) {
    fail_input("{}: the checksum is '{}', expected up to 8 hexadecimal digits", where, printable(text));
  }
  return value;
}

}  // namespace trellis::io
