// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Damaged, foreign and hostile files of fields: each a clear error, or a problem that inspection names.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/support/field_test_files.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/fields/inspect_fields.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using namespace test;

constexpr Coordinate size{2, 2, 2, 2};

std::vector<Record> vectors() {
  std::string data;
  for (int n = 0; n < 16 * 6; ++n) append(data, float(n) / 7, ByteOrder::big);
  return field_records(size, "QDP_F3_ColorVector", Precision::single, 24, 1, data);
}

std::string refusal(const fs::path& path) {
  return error_of([&] {
    const FieldReader reader(path);
    reader.read(0, {size, {}, size}, [](std::int64_t, std::span<const double>) {});
  });
}

TEST(FieldDamage, EveryByteOfTheDataIsInTheChecksum) {
  const TempFolder folder;
  const auto sound = lime_file(vectors());
  EXPECT_EQ(refusal(write_all(folder / "f", sound)), "");
  const auto at = sound.find("scidac-binary-data") + 128;
  for (const std::size_t byte : {at, at + 100, at + 383}) {
    auto bytes = sound;
    bytes[byte] = char(bytes[byte] ^ 1);
    const auto path = write_all(folder / "f", bytes);
    EXPECT_TRUE(contains(refusal(path), "the data are damaged: checksum scidac a")) << refusal(path);
    const auto inspection = inspect_fields(path);
    ASSERT_TRUE(inspection);
    ASSERT_EQ(inspection->problems.size(), 2U);
    EXPECT_TRUE(contains(to_text(*inspection), "not sound"));
  }
}

TEST(FieldDamage, TruncatedFilesAreRefused) {
  const TempFolder folder;
  const auto sound = lime_file(vectors());
  for (const std::size_t length : {sound.find("scidac-binary-data") + 300, std::size_t(200), std::size_t(100)})
    EXPECT_NE(refusal(write_all(folder / "f", sound.substr(0, length))), "") << length;
  EXPECT_TRUE(contains(refusal(write_all(folder / "f", "no LIME file at all")), "not a SciDAC file"));
  EXPECT_TRUE(contains(refusal(write_all(folder / "f", "")), "not a SciDAC file"));
}

TEST(FieldDamage, HeadersThatContradictThemselvesAreRefused) {
  const TempFolder folder;
  const auto with = [&](std::size_t record, const std::string& from, const std::string& to) {
    auto records = vectors();
    auto& text = records.at(record).data;
    const auto at = text.find(from);
    if (at == text.npos) fail("no '{}' in '{}'", from, text);
    text.replace(at, from.size(), to);
    return refusal(write_all(folder / "f", lime_file(records)));
  };
  struct Case {
    std::size_t record;
    const char *from, *to, *message;
  };
  for (const auto& [record, from, to, message] : std::vector<Case>{
           {0, "2 2 2 2", "2 2 2 4",
            "384 bytes; a 2x2x2x4 lattice with one colour vector a site, single precision takes"},
           {0, "2 2 2 2", "2 2 2", "expected four positive integers"},
           {0, "2 2 2 2", "2 2 -2 2", "expected four positive integers"},
           {0, "2 2 2 2", "65536 65536 65536 65536", "is not possible"},
           {0, "<volfmt>0", "<volfmt>1", "one part of several"},
           {2, "<precision>F", "<precision>Q", "expected F or D"},
           {2, "<precision>F", "<precision>D", "which no known type has"},
           {2, "<typesize>24", "<typesize>23", "which no known type has"},
           {2, "<typesize>24", "<typesize>72", "the datatype is QDP_F3_ColorVector, of 24 bytes, but typesize is 72"},
           {2, "<datacount>1", "<datacount>2", "2 colour vectors a site"},
           {2, "<datacount>1", "<datacount>0", "datacount is '0'"},
           {2, "<datacount>1", "<datacount>2000000000", "expected 1 to 10000"},
           {2, "<colors>3", "<colors>2", "expected 3"},
           {2, "<globaldata>0", "<globaldata>1", "not a field on all sites"},
           {5, "<suma>", "<suma>q", "suma"}}) {
    const auto error = with(record, from, to);
    EXPECT_TRUE(contains(error, message)) << to << ": " << error;
  }
}

TEST(FieldDamage, RecordsThatAreMissing) {
  const TempFolder folder;
  const auto without = [&](std::size_t record) {
    auto records = vectors();
    records.erase(records.begin() + std::ptrdiff_t(record));
    return refusal(write_all(folder / "f", lime_file(records)));
  };
  EXPECT_TRUE(contains(without(0), "comes before scidac-private-file-xml"));
  EXPECT_TRUE(contains(without(2), "no scidac-private-record-xml describes it"));
  EXPECT_TRUE(contains(without(4), "without SciDAC fields"));
  // Neither words nor checksum are needed; inspection says that there is none.
  for (const std::size_t record : {1, 3, 5}) EXPECT_EQ(without(record), "");
  EXPECT_TRUE(contains(to_text(*inspect_fields(folder / "f")), "there is no SciDAC checksum"));
}

TEST(FieldDamage, NumbersThatAreNotFinite) {
  const TempFolder folder;
  std::string data;
  for (int n = 0; n < 16 * 6; ++n)
    append(data, n == 20 ? std::numeric_limits<float>::quiet_NaN() : float(n), ByteOrder::big);
  const auto path =
      write_all(folder / "f", lime_file(field_records(size, "QDP_F3_ColorVector", Precision::single, 24, 1, data)));
  EXPECT_TRUE(contains(refusal(path), "numbers of 1 site are NaN or infinity"));
  EXPECT_FALSE(inspect_fields(path)->sound());
}

TEST(FieldDamage, FieldsOfAnotherTypeOrLatticeAreRefused) {
  const TempFolder folder;
  const FieldReader reader(write_all(folder / "f", lime_file(vectors())));
  const Lattice lattice(size), other({2, 2, 2, 4});
  const GaugeField<double, 1> u(lattice);
  EXPECT_TRUE(contains(error_of([&] { read_matrices(reader, 0, u); }), "expected 4 times 'colour matrix'"));
  using Vectors = ParityField<double, 6, 1>;
  const FieldParts<double, 6, 1> two{Vectors(lattice, 0, 2), Vectors(lattice, 1, 2)},
      large{Vectors(other, 0), Vectors(other, 1)};
  EXPECT_TRUE(contains(error_of([&] { read_vectors(reader, 0, two); }), "expected 2 times 'colour vector'"));
  EXPECT_TRUE(contains(error_of([&] { read_vectors(reader, 0, large); }),
                       "the lattice of the file is 2x2x2x2, expected 2x2x2x4"));
}

}  // namespace
}  // namespace trellis::io
