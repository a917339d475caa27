// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checksums of the gauge file formats, computed from the sites' bytes as they are in the file.
//
// NERSC: sum modulo 2^32 of the 32-bit words, each read in the file's byte order.
// SciDAC: for each site of lexicographic rank r, with c the CRC-32 (zlib's) of the site's bytes,
//   a ^= c rotated left by r mod 29, b ^= c rotated left by r mod 31.
// POSIX: that of the program cksum, which ILDG's metadata state: the CRC-32 of polynomial 0x04c11db7, highest bit
// first,
//   of the bytes followed by their number (lowest byte first, without leading zeros), complemented.
// MILC: for the k-th 32-bit word of the file, sum29 ^= w rotated left by k mod 29, sum31 ^= w rotated by k mod 31.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/io/gauge_file.hpp"

namespace trellis::io {

// The CRC-32 of zlib, of what `crc` is that of, followed by these bytes; 0 is that of nothing.
std::uint32_t add_crc32(std::uint32_t crc, std::span<const std::byte> bytes);

struct ScidacChecksum {
  std::uint32_t a = 0, b = 0;
  // The bytes of `bytes.size() / site_bytes` complete sites, starting at rank `first`.
  void add(std::int64_t first, std::size_t site_bytes, std::span<const std::byte> bytes);
};

struct NerscChecksum {
  std::uint32_t sum = 0;
  void add(std::span<const std::byte> bytes, ByteOrder order);
};

// That of the NERSC archive with two rows of each matrix, of matrices that are stored with three rows in single
// precision, added to `sum`: MILC's .info files quote it.
std::uint32_t two_rows_sum(std::uint32_t sum, std::span<const std::byte> matrices, ByteOrder order);

struct MilcChecksum {
  std::uint32_t sum29 = 0, sum31 = 0;
  // Bytes starting at the file's word number `first_word`.
  void add(std::uint64_t first_word, std::span<const std::byte> bytes, ByteOrder order);
};

struct PosixChecksum {
  std::uint32_t crc = 0;
  std::uint64_t bytes = 0;
  void add(std::span<const std::byte> more);
  std::uint32_t value() const;
};

// Hexadecimal, with or without 0x and leading zeros; surrounding blanks are allowed. Throws InputError naming `where`.
std::uint32_t parse_checksum(std::string_view text, std::string_view where);

}  // namespace trellis::io
