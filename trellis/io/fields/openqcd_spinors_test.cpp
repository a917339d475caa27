// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/openqcd_spinors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/field_test_files.hpp"
#include "trellis/io/fields/inspect_fields.hpp"

namespace trellis::io {
namespace {

using namespace test;

constexpr Coordinate size{4, 2, 6, 2};
constexpr comm::Block whole{size, {}, size};

double spinor_number(const Coordinate& x, int k) {
  return std::sin(x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3] + k / 8.0);
}
std::int64_t site_of(const Coordinate& x) { return x[0] + size[0] * (x[1] + size[1] * (x[2] + size[2] * x[3])); }

SpinorsFile spinors_file() { return {size, spinor_number}; }

std::string refusal(const std::filesystem::path& path) {
  return error_of([&] {
    const FieldReader reader(path);
    reader.read(0, whole, [](std::int64_t, std::span<const double>) {});
  });
}

TEST(OpenqcdSpinors, AreReadAsTheyAreWrittenByLoops) {
  const TempFolder folder;
  for (const int parity_word : {-1, 0}) {
    auto file = spinors_file();
    file.fifth = parity_word;
    const auto path = write_all(folder / "s", file.bytes());
    const FieldReader reader(path);
    EXPECT_EQ(reader.info().size, size);
    ASSERT_EQ(reader.find(FieldType::spinor, 1), 0U);
    std::vector<std::vector<double>> found(96);
    const auto report = reader.read(0, whole, [&](std::int64_t site, std::span<const double> numbers) {
      found.at(std::size_t(site)).assign(numbers.begin(), numbers.end());
    });
    ASSERT_TRUE(report.square_norm);
    EXPECT_EQ(report.square_norm->claimed, file.square_norm());
    EXPECT_TRUE(report.square_norm->agrees());
    for_sites(size, [&](const Coordinate& x) {
      for (int k = 0; k < 24; ++k) ASSERT_EQ(found[std::size_t(site_of(x))].at(std::size_t(k)), spinor_number(x, k));
    });
    const auto inspection = inspect_fields(path);
    ASSERT_TRUE(inspection);
    EXPECT_TRUE(inspection->sound());
    EXPECT_TRUE(contains(to_text(*inspection), "claim        square norm")) << to_text(*inspection);
    EXPECT_TRUE(contains(to_line(*inspection), "one spinor a site, double precision  sound")) << to_line(*inspection);
  }
}

FieldToWrite field_to_write() {
  const auto source = [](std::int64_t first, std::span<double> out) {
    for (std::size_t n = 0; n < out.size(); ++n) {
      const auto site = int(first + std::int64_t(n) / 24);
      out[n] = spinor_number({site % size[0], site / size[0] % size[1], site / (size[0] * size[1]) % size[2],
                              site / (size[0] * size[1] * size[2])},
                             int(n % 24));
    }
  };
  return {FieldType::spinor, 1, {{}, whole, source, 24}, ""};
}

TEST(OpenqcdSpinors, AreWrittenAsByLoops) {
  const TempFolder folder;
  write_openqcd_spinors(folder / "s", field_to_write());
  const auto bytes = read_all(folder / "s"), expected = spinors_file().bytes();
  ASSERT_EQ(bytes.size(), expected.size());
  EXPECT_EQ(bytes.substr(0, 16), expected.substr(0, 16));
  EXPECT_EQ(bytes.substr(24), expected.substr(24));
  double norm = 0;
  std::memcpy(&norm, bytes.data() + 16, 8);
  EXPECT_NEAR(norm / spinors_file().square_norm(), 1, 1e-14);
  EXPECT_FALSE(std::filesystem::exists(folder / "s.part"));
}

TEST(OpenqcdSpinors, WhatIsNoSpinorFieldIsNotWritten) {
  const TempFolder folder;
  const auto error_for = [&](auto change) {
    auto field = field_to_write();
    change(field);
    const auto error = error_of([&] { write_openqcd_spinors(folder / "s", field); });
    EXPECT_FALSE(std::filesystem::exists(folder / "s"));
    return error;
  };
  EXPECT_TRUE(contains(error_for([](auto& f) {
                         f.numbers.source = [](std::int64_t, std::span<double> out) {
                           for (double& x : out) x = std::numeric_limits<double>::infinity();
                         };
                       }),
                       "is not finite"));
  EXPECT_TRUE(contains(error_for([](auto& f) { f.count = 2; }), "openQCD files have one spinor a site"));
  EXPECT_TRUE(contains(error_for([](auto& f) { f.numbers.own.lattice[1] = 3; }), "openQCD's extents are even"));
}

TEST(OpenqcdSpinors, DamagedAndForeignFilesAreRefused) {
  const TempFolder folder;
  const auto sound = spinors_file().bytes();
  const auto with = [&](std::size_t at, const std::string& text) {
    auto bytes = sound;
    return refusal(write_all(folder / "s", bytes.replace(at, text.size(), text)));
  };
  const auto of_size = [&](std::size_t length) {
    auto bytes = sound;
    bytes.resize(length);
    return refusal(write_all(folder / "s", bytes));
  };
  const auto number = [](auto value) {
    std::string text;
    append(text, value, ByteOrder::little);
    return text;
  };
  EXPECT_EQ(of_size(sound.size()), "");
  // Cut, or with more.
  for (const std::size_t length : {sound.size() - 1, sound.size() / 2, std::size_t(24)}) {
    EXPECT_TRUE(contains(of_size(length), "it was cut off")) << length;
    EXPECT_TRUE(contains(error_of([&] { inspect_fields(folder / "s"); }), "it was cut off")) << length;
  }
  EXPECT_TRUE(contains(of_size(sound.size() + 1), "more than a spinor field"));
  EXPECT_TRUE(contains(of_size(20), "not a SciDAC file"));
  // Its header.
  EXPECT_TRUE(contains(with(4, number(std::int32_t{6})), "on a 6x2x6x2 lattice has 27672 bytes"));
  EXPECT_TRUE(contains(with(4, number(std::int32_t{3})), "nor with the even extents of a lattice"));
  EXPECT_TRUE(contains(with(16, number(std::nan(""))), "the square norm in the header is nan"));
  EXPECT_TRUE(contains(with(16, number(-1.0)), "the square norm in the header is -1"));
  EXPECT_TRUE(contains(with(16, number(std::nextafter(1.0, 2.0))), "the data are damaged"));
  // Its numbers: an exponent's bit, zeros in place of a site, an infinity.
  EXPECT_TRUE(contains(with(24 + 192 * 5 + 7, "\x01"), "the data are damaged"));
  EXPECT_TRUE(contains(with(24 + 192 * 95, std::string(192, '\0')), "the data are damaged"));
  EXPECT_FALSE(inspect_fields(folder / "s")->sound());
  EXPECT_TRUE(contains(with(24 + 8 * 7, number(std::numeric_limits<double>::infinity())), "are NaN or infinity"));
  EXPECT_FALSE(inspect_fields(folder / "s")->sound());
  // Other byte order, one parity, a configuration.
  auto swapped = spinors_file();
  swapped.order = ByteOrder::big;
  EXPECT_TRUE(contains(refusal(write_all(folder / "s", swapped.bytes())), "big-endian"));
  EXPECT_TRUE(contains(error_of([&] { inspect_fields(folder / "s"); }), "big-endian"));
  auto half = spinors_file();
  half.fifth = 1;
  const auto all = half.bytes();
  EXPECT_TRUE(contains(refusal(write_all(folder / "s", all)), "the fifth number of the header is 1"));
  EXPECT_TRUE(contains(refusal(write_all(folder / "s", all.substr(0, 28 + (all.size() - 28) / 2))), "of one parity"));
  write_all(folder / "s", openqcd_file(size, random_links(size, 1), 0.1, ByteOrder::little));
  EXPECT_TRUE(contains(refusal(folder / "s"), "is a configuration of openQCD"));
  EXPECT_FALSE(inspect_fields(folder / "s"));
}

// A sum in single steps differs in its last bits from the exact one: openQCD's own tolerance is ours.
TEST(OpenqcdSpinors, RoundedNormsAgree) {
  EXPECT_EQ(square_norm_tolerance(256, 2), 2 * 0x1p-45);
  EXPECT_EQ(square_norm_tolerance(1 << 20, 1), 0x1p-39);
}

}  // namespace
}  // namespace trellis::io
