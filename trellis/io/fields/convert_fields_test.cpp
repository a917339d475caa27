// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/convert_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/field_test_files.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/fields/field_writer.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"

namespace trellis::io {
namespace {

constexpr Coordinate size{2, 4, 2, 6};
constexpr int sites = 2 * 4 * 2 * 6;

double number(int field, std::int64_t site, int k) { return std::sin(1.0 + 7 * field + double(site) + 0.01 * k); }

FieldToWrite field_of(FieldType type, int count, int field) {
  const int reals = count * name_of(type).reals;
  const auto source = [=](std::int64_t first, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = number(field, first + std::int64_t(i) / reals, int(i % std::size_t(reals)));
  };
  return {type, count, {{}, {size, {}, size}, source, reals}, "<field/>"};
}

// The largest difference of a field from what was written.
double difference(const std::filesystem::path& file, std::size_t place, int field, int first = 0) {
  const FieldReader reader(file);
  std::vector<double> worst(sites);
  reader.read(place, {size, {}, size}, [&](std::int64_t site, std::span<const double> numbers) {
    for (std::size_t k = 0; k < numbers.size(); ++k)
      worst[std::size_t(site)] =
          std::max(worst[std::size_t(site)], std::abs(numbers[k] - number(field, site, first + int(k))));
  });
  return *std::ranges::max_element(worst);
}

TEST(ConvertFields, ThereAndBack) {
  const test::TempFolder folder;
  const auto scidac = folder / "a.scidac", hdf5 = folder / "a.h5", back = folder / "b.scidac";
  write_fields(scidac, {}, {field_of(FieldType::colour_vector, 1, 0), field_of(FieldType::spinor, 1, 1)});
  const auto in_hdf5 = convert_fields(scidac, hdf5, "hdf5");
  ASSERT_EQ(in_hdf5.fields.size(), 2U);
  EXPECT_EQ(in_hdf5.fields[0].array, "colour_vector");
  convert_fields(hdf5, back, "scidac");
  for (const int n : {0, 1}) {
    EXPECT_EQ(difference(hdf5, std::size_t(n), n), 0);
    EXPECT_EQ(difference(back, std::size_t(n), n), 0);
  }
  const auto rounded = convert_fields(hdf5, folder / "c.scidac", "scidac", Precision::single);
  EXPECT_EQ(rounded.fields[1].precision, Precision::single);
  EXPECT_GT(difference(folder / "c.scidac", 1, 1), 1e-9);
  EXPECT_LT(difference(folder / "c.scidac", 1, 1), 1e-7);
}

TEST(ConvertFields, MatricesOfASiteBecomeFieldsOfHdf5) {
  const test::TempFolder folder;
  write_fields(folder / "fat", {.precision = Precision::double_}, {field_of(FieldType::colour_matrix, 4, 3)});
  const auto written = convert_fields(folder / "fat", folder / "fat.h5", "hdf5");
  ASSERT_EQ(written.fields.size(), 4U);
  for (const int mu : {0, 1, 2, 3}) EXPECT_EQ(difference(folder / "fat.h5", std::size_t(mu), 3, 18 * mu), 0) << mu;
}

// Texts, attributes and the objects of a site survive conversions, whose precision may differ.
TEST(ConvertFields, WhatFilesSayOfFieldsIsKept) {
  const test::TempFolder folder;
  auto fat = field_of(FieldType::colour_matrix, 4, 3), one = field_of(FieldType::colour_matrix, 1, 4);
  fat.text = "<fat>links</fat>";
  one.text = "<one/>";
  const FieldFileParameters parameters{.text = "<what>kappa 0.11</what>"};
  write_fields(folder / "a", parameters, {fat, one, fat});
  convert_fields(folder / "a", folder / "a.h5", "hdf5", Precision::single);
  convert_fields(folder / "a.h5", folder / "b.h5", "hdf5");
  convert_fields(folder / "b.h5", folder / "b", "scidac");
  convert_fields(folder / "a", folder / "c", "scidac", Precision::single);
  EXPECT_TRUE(test::read_all(folder / "b") == test::read_all(folder / "c"));
  const auto info = FieldReader(folder / "b").info();
  EXPECT_EQ(info.text, "<what>kappa 0.11</what>");
  ASSERT_EQ(info.fields.size(), 3U);
  EXPECT_EQ(info.fields[0].count, 4);
  EXPECT_EQ(info.fields[0].text, "<fat>links</fat>");
  EXPECT_EQ(info.fields[1].count, 1);
  EXPECT_EQ(FieldReader(folder / "b.h5").info().text, "<what>kappa 0.11</what>");
}

// Sources and propagators are pairs in SciDAC files, arrays of their own in HDF5 files; attributes become words.
TEST(ConvertFields, SourcesAndPropagators) {
  const test::TempFolder folder;
  std::vector<FieldToWrite> sources, sinks;
  for (const int n : {0, 1}) {
    sources.push_back(field_of(FieldType::spinor, 1, n));
    sources.back().text = "<usqcdSourceInfo></usqcdSourceInfo>";
    sinks.push_back(field_of(FieldType::spinor, 1, 10 + n));
    sinks.back().text = "<usqcdPropInfo></usqcdPropInfo>";
  }
  write_hdf5_fields(folder / "a.h5", Precision::double_, {{"text", std::string("a < b & c")}, {"kappa", 0.11}},
                    {{"source", sources}, {"propagator", sinks}});
  convert_fields(folder / "a.h5", folder / "a", "scidac");
  for (const int n : {0, 1}) {
    EXPECT_EQ(difference(folder / "a", std::size_t(2 * n), n), 0);
    EXPECT_EQ(difference(folder / "a", std::size_t(2 * n + 1), 10 + n), 0);
  }
  EXPECT_TRUE(test::contains(FieldReader(folder / "a").info().text, "<info>a &lt; b &amp; c</info>"));
  const auto back = convert_fields(folder / "a", folder / "b.h5", "hdf5");
  ASSERT_EQ(back.fields.size(), 4U);
  EXPECT_EQ(back.fields[0].array, "propagator");
  EXPECT_EQ(difference(folder / "b.h5", 0, 10), 0);
  EXPECT_EQ(difference(folder / "b.h5", 3, 1), 0);
  const auto same = convert_fields(folder / "a.h5", folder / "c.h5", "hdf5");
  ASSERT_EQ(same.attributes.size(), 1U);
  EXPECT_EQ(same.attributes[0].first, "kappa");
  EXPECT_EQ(std::get<double>(same.attributes[0].second), 0.11);
  // Without a text the attributes are what there is.
  write_hdf5_fields(folder / "d.h5", Precision::double_,
                    {{"angles", std::vector<double>{0, 1}}, {"n", std::int64_t{3}}}, {{"a", {sinks[0]}}});
  convert_fields(folder / "d.h5", folder / "d", "scidac");
  EXPECT_TRUE(test::contains(FieldReader(folder / "d").info().text, "<info>angles 0 1, n 3</info>"));
}

TEST(ConvertFields, SpinorsOfOpenqcd) {
  const test::TempFolder folder;
  write_fields(folder / "s", {}, {field_of(FieldType::spinor, 1, 2)});
  convert_fields(folder / "s", folder / "s.openqcd", "openqcd");
  EXPECT_EQ(difference(folder / "s.openqcd", 0, 2), 0);
  convert_fields(folder / "s.openqcd", folder / "s.h5", "hdf5");
  EXPECT_EQ(difference(folder / "s.h5", 0, 2), 0);
  EXPECT_THROW(convert_fields(folder / "s", folder / "t", "openqcd", Precision::single), InputError);
  write_fields(folder / "v", {}, {field_of(FieldType::colour_vector, 1, 2)});
  EXPECT_THROW(convert_fields(folder / "v", folder / "t", "openqcd"), InputError);
  EXPECT_THROW(convert_fields(folder / "v", folder / "v", "scidac"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "t"));
}

TEST(ConvertFields, ADamagedFileIsNotConverted) {
  const test::TempFolder folder;
  write_fields(folder / "v", {}, {field_of(FieldType::colour_vector, 1, 2)});
  auto bytes = test::read_all(folder / "v");
  const auto at = FieldReader(folder / "v").info().fields[0].offset;
  bytes[at + 10] ^= 4;
  test::write_all(folder / "v", bytes);
  EXPECT_THROW(convert_fields(folder / "v", folder / "w.h5", "hdf5"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "w.h5"));
}

}  // namespace
}  // namespace trellis::io
