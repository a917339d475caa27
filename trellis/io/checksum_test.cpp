// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/checksum.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

namespace trellis::io {
namespace {

std::vector<std::byte> random_bytes(std::size_t n) {
  std::mt19937 engine(3);
  std::vector<std::byte> bytes(n);
  for (auto& byte : bytes) byte = std::byte(engine() & 0xff);
  return bytes;
}

TEST(Checksum, Crc32OfAnyLengthIsThatOfTheDefinition) {
  // The check value of the catalogue of CRCs (CRC-32/ISO-HDLC).
  const std::string_view digits = "123456789";
  EXPECT_EQ(add_crc32(0, std::as_bytes(std::span(digits))), 0xcbf43926U);
  const auto bytes = random_bytes(2000);
  for (std::size_t length = 0; length < 700; ++length)
    for (const std::size_t first : {0U, 1U, 7U}) {
      const auto part = std::span(bytes).subspan(first, length);
      for (const std::uint32_t before : {0U, 0xffffffffU, 0x12345678U})
        ASSERT_EQ(add_crc32(before, part), crc32_z(before, reinterpret_cast<const Bytef*>(part.data()), part.size()))
            << length << " " << first << " " << before;
    }
}

TEST(Checksum, PartsAddUpToTheWhole) {
  const auto bytes = random_bytes(1'000'000);
  std::uint32_t crc = 0;
  for (std::size_t at = 0, step = 1; at < bytes.size(); at += step, step = step * 7 % 4099)
    crc = add_crc32(crc, std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
  EXPECT_EQ(crc, add_crc32(0, bytes));

  ScidacChecksum whole, parts;
  const auto sites = std::span(bytes).first(576 * 1000);
  whole.add(5, 576, sites);
  parts.add(405, 576, sites.subspan(576 * 400));
  parts.add(5, 576, sites.first(576 * 400));
  EXPECT_EQ(whole.a, parts.a);
  EXPECT_EQ(whole.b, parts.b);
}

// Numbers of the program cksum.
TEST(Checksum, PosixIsThatOfCksum) {
  const auto of = [](std::span<const std::byte> bytes, std::size_t piece) {
    PosixChecksum sum;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      sum.add(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    return sum.value();
  };
  EXPECT_EQ(of({}, 1), 4294967295U);
  const std::string_view digits = "123456789";
  const std::vector<std::byte> zeros(1'000'003);
  for (const std::size_t piece : {1U, 7U, 8U, 4096U, 2'000'000U}) {
    EXPECT_EQ(of(std::as_bytes(std::span(digits)), piece), 930766865U) << piece;
    EXPECT_EQ(of(zeros, piece), 1380344904U) << piece;
  }
}

}  // namespace
}  // namespace trellis::io
