// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/hdf5_fields.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/fields/field_reader.hpp"
#include "trellis/io/fields/inspect_fields.hpp"

namespace trellis::io {
namespace {

using test::contains, test::error_of, test::read_all, test::write_all;

constexpr Coordinate size{4, 2, 6, 2};
constexpr comm::Block whole{size, {}, size};

double number(int field, std::int64_t site, std::size_t k) {
  return std::sin(double(field * 100000 + site * 300) + double(k));
}

FieldToWrite field(FieldType type, int which) {
  const int reals = name_of(type).reals;
  const auto source = [=](std::int64_t first, std::span<double> out) {
    for (std::size_t n = 0; n < out.size(); ++n)
      out[n] = number(which, first + std::int64_t(n) / reals, n % std::size_t(reals));
  };
  return {type, 1, {{}, whole, source, reals}, std::string("number ") + std::to_string(which)};
}

void write_two_kinds(const std::filesystem::path& path, Precision precision = Precision::double_) {
  write_hdf5_fields(path, precision, {{"text", std::string("for a test")}},
                    {{"vectors", {field(FieldType::colour_vector, 0), field(FieldType::colour_vector, 1)}},
                     {"matrices", {field(FieldType::colour_matrix, 2)}}});
}

TEST(Hdf5Fields, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  for (const auto precision : {Precision::double_, Precision::single}) {
    write_two_kinds(folder / "f.h5", precision);
    const FieldReader reader(folder / "f.h5");
    EXPECT_EQ(reader.info().size, size);
    EXPECT_EQ(reader.info().text, "for a test");
    ASSERT_EQ(reader.info().fields.size(), 3U);
    for (std::size_t n = 0; n < 3; ++n) {  // by name: matrices, vectors
      const int which = n == 0 ? 2 : int(n) - 1;
      EXPECT_EQ(reader.info().fields[n].text, "number " + std::to_string(which));
      EXPECT_EQ(reader.info().fields[n].type, n == 0 ? FieldType::colour_matrix : FieldType::colour_vector);
      const auto report = reader.read(n, whole, [&](std::int64_t site, std::span<const double> numbers) {
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          const double expected = number(which, site, k);
          EXPECT_EQ(numbers[k], precision == Precision::single ? double(float(expected)) : expected);
        }
      });
      EXPECT_EQ(report.checksums.size(), 2U);
    }
    EXPECT_TRUE(inspect_fields(folder / "f.h5").value().sound());
  }
  write_two_kinds(folder / "again.h5", Precision::single);
  EXPECT_EQ(read_all(folder / "f.h5"), read_all(folder / "again.h5"));
}

TEST(Hdf5Fields, AnHdf5LibraryFindsTheNumbers) {
  const TemporaryFolder folder;
  write_two_kinds(folder / "f.h5", Precision::single);
  const auto file = Hdf5File::open(folder / "f.h5");
  EXPECT_EQ(file.shape("vectors"), (Hdf5File::Shape{2, 2, 6, 2, 4, 3, 2}));
  const auto vectors = file.read<double>("vectors");
  for (std::size_t n = 0; n < vectors.size(); ++n)
    ASSERT_EQ(vectors[n], double(float(number(int(n / 576), std::int64_t(n % 576 / 6), n % 6))));
}

// Rewrites a file by plain calls of the library, as other programs write arrays.
void rewrite(const std::filesystem::path& from, const std::filesystem::path& to, hid_t type, bool in_chunks) {
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
  const hid_t file = H5Fopen(to.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const char* name : {"vectors", "matrices"}) {
    const hid_t before = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(before);
    std::array<hsize_t, 8> extents{};
    const int rank = H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    std::vector<double> numbers(std::size_t(H5Sget_simple_extent_npoints(space)));
    H5Dread(before, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (in_chunks) {
      std::array<hsize_t, 8> chunk{1, 1, 3, 2, 3, 2, 2, 2};
      for (std::size_t k = 0; k < 8; ++k) chunk[k] = std::min(chunk[k], std::max<hsize_t>(extents[k], 1));
      H5Pset_chunk(properties, rank, chunk.data());
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, 4);
    }
    const hid_t after = H5Dcreate2(file, "new", type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Dwrite(after, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Aiterate2(
        before, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t owner, const char* attribute, const H5A_info_t*, void* target) -> herr_t {
          const hid_t old = H5Aopen(owner, attribute, H5P_DEFAULT), kind = H5Aget_type(old), shape = H5Aget_space(old);
          std::vector<char> value(H5Tget_size(kind) * std::size_t(H5Sget_simple_extent_npoints(shape)));
          H5Aread(old, kind, value.data());
          const hid_t copy = H5Acreate2(*static_cast<hid_t*>(target), attribute, kind, shape, H5P_DEFAULT, H5P_DEFAULT);
          H5Awrite(copy, kind, value.data());
          H5Dvlen_reclaim(kind, shape, H5P_DEFAULT, value.data());
          H5Aclose(copy), H5Aclose(old), H5Tclose(kind), H5Sclose(shape);
          return 0;
        },
        const_cast<hid_t*>(&after));
    H5Dclose(before), H5Dclose(after), H5Sclose(space), H5Pclose(properties);
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Lmove(file, "new", file, name, H5P_DEFAULT, H5P_DEFAULT);
  }
  H5Fclose(file);
}

TEST(Hdf5Fields, OtherProgramsWriteThemInOtherOrders) {
  const TemporaryFolder folder;
  for (const auto precision : {Precision::double_, Precision::single}) {
    write_two_kinds(folder / "f.h5", precision);
    const auto little = precision == Precision::single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE,
               big = precision == Precision::single ? H5T_IEEE_F32BE : H5T_IEEE_F64BE;
    for (const auto& [type, in_chunks] : {std::pair{little, false}, {little, true}, {big, true}}) {
      rewrite(folder / "f.h5", folder / "g.h5", type, in_chunks);
      const FieldReader reader(folder / "g.h5");
      ASSERT_EQ(reader.info().fields.size(), 3U);
      for (std::size_t n = 0; n < 3; ++n) {
        const int which = n == 0 ? 2 : int(n) - 1;
        // A part, as of a rank.
        const comm::Block part{size, {2, 0, 3, 1}, {2, 2, 3, 1}};
        std::atomic<int> sites = 0;
        reader.read(
            n, part,
            [&](std::int64_t site, std::span<const double> numbers) {
              ++sites;
              for (std::size_t k = 0; k < numbers.size(); ++k) {
                const double expected = number(which, site, k);
                EXPECT_EQ(numbers[k], precision == Precision::single ? double(float(expected)) : expected);
              }
            },
            false);
        EXPECT_EQ(sites, 12);
      }
      // Checksums are those of Trellis's own bytes.
      const auto seen = inspect_fields(folder / "g.h5").value();
      EXPECT_TRUE(seen.sound()) << to_text(seen);
      EXPECT_EQ(seen.reports[0].checksums.size(), 2U);
    }
    rewrite(folder / "f.h5", folder / "g.h5", H5T_STD_I32LE, false);
    EXPECT_TRUE(contains(error_of([&] { FieldReader(folder / "g.h5"); }), "floating-point numbers of 32 or 64 bits"));
  }
}

TEST(Hdf5Fields, FlippedBitsAndMissingEndsAreFound) {
  const TemporaryFolder folder;
  write_two_kinds(folder / "f.h5");
  const auto whole_file = read_all(folder / "f.h5");
  auto bytes = whole_file;
  const auto offset = FieldReader(folder / "f.h5").info().fields[1].offset + 11;
  bytes[offset] = char(bytes[offset] ^ 4);
  write_all(folder / "f.h5", bytes);
  EXPECT_FALSE(inspect_fields(folder / "f.h5").value().sound());
  EXPECT_TRUE(contains(error_of([&] { FieldReader(folder / "f.h5").read(1, whole, [](auto, auto) {}); }),
                       "the data are damaged"));
  for (const std::size_t length : {whole_file.size() - 1, whole_file.size() / 2, std::size_t(100)}) {
    write_all(folder / "f.h5", whole_file.substr(0, length));
    EXPECT_TRUE(contains(error_of([&] { const FieldReader reader(folder / "f.h5"); }), "f.h5")) << length;
  }
}

TEST(Hdf5Fields, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  const std::vector<double> values(48);
  const auto refusal = [&](const char* format, const char* type, const Hdf5File::Shape& shape, bool as_fields) {
    {
      auto file = as_fields ? Hdf5File::create_frame(folder / "o.h5") : Hdf5File::create(folder / "o.h5");
      file.set_attribute("/", "format", std::string(format));
      if (as_fields)
        file.reserve("a", Precision::double_, shape);
      else
        file.write<double>("a", values, shape);
      file.set_attribute("a", "type", std::string(type));
      if (!as_fields) file.commit();
    }
    return error_of([&] { const FieldReader reader(folder / "o.h5"); });
  };
  EXPECT_TRUE(contains(refusal("flow", "real number", {1, 2, 2, 3, 4}, true), "not one of lattice fields"));
  EXPECT_FALSE(inspect_fields(folder / "o.h5").has_value());
  const char* ours = "trellis fields 1";
  EXPECT_EQ(refusal(ours, "real number", {1, 2, 2, 3, 4}, true), "");
  EXPECT_TRUE(contains(refusal(ours, "tensor", {1, 2, 2, 3, 4}, true), "names no type"));
  EXPECT_TRUE(contains(refusal(ours, "real number", {12, 4}, true), "has no lattice"));
  EXPECT_TRUE(contains(refusal(ours, "complex number", {1, 2, 2, 3, 4}, true), "is not that of complex numbers"));
  EXPECT_EQ(refusal(ours, "real number", {1, 2, 2, 3, 4}, false), "") << "in chunks";
}

TEST(Hdf5Fields, NumbersThatAreNotFiniteAreNotWritten) {
  const TemporaryFolder folder;
  auto one = field(FieldType::real, 0);
  one.numbers.source = [](std::int64_t, std::span<double> out) {
    for (double& x : out) x = std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_THROW(write_hdf5_fields(folder / "f.h5", Precision::double_, {}, {{"a", {one}}}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "f.h5"));
}

}  // namespace
}  // namespace trellis::io
