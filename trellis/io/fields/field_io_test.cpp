// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_io.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/field_test_files.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/fields/inspect_fields.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using namespace test;

const fs::path data = fs::path(TRELLIS_TEST_DATA) / "milc";
constexpr Coordinate small{4, 2, 6, 2};

template <int Reals, int W>
FieldParts<double, Reals, W> parts(const Lattice& lattice, int count) {
  return {ParityField<double, Reals, W>(lattice, 0, count), ParityField<double, Reals, W>(lattice, 1, count)};
}

std::size_t parity(const Coordinate& x) { return std::size_t(x[0] + x[1] + x[2] + x[3]) % 2; }

// A number that no other place has, and that single precision rounds.
double number_at(std::int64_t site, int k) { return std::sin(double(site) * 1000.0 + k) + 1e-3 * k; }

template <int Reals, int W>
void fill(const FieldParts<double, Reals, W>& v) {
  const Lattice& lattice = v[0].lattice();
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    for (int n = 0; n < v[0].count(); ++n) {
      std::array<double, Reals> numbers{};
      for (int k = 0; k < Reals; ++k) numbers[std::size_t(k)] = number_at(site, n * Reals + k);
      const auto x = lattice.coordinate(site);
      v[parity(x)].set(x, numbers, n);
    }
}

double stored(double number, Precision precision) {
  return precision == Precision::single ? double(float(number)) : number;
}

template <int Reals, int W>
void expect_written_and_read(const fs::path& path, int count, Precision precision) {
  const Lattice lattice(small, W);
  const auto from = parts<Reals, W>(lattice, count), to = parts<Reals, W>(lattice, count);
  fill(from);
  const auto sums = write_fields(path, {.precision = precision}, {vectors_to_write(from)});
  const FieldReader reader(path);
  ASSERT_EQ(reader.info().fields.size(), 1U);
  const auto report = read_vectors(reader, 0, to);
  ASSERT_EQ(report.checksums.size(), 2U);
  EXPECT_TRUE(report.checksums_agree());
  EXPECT_EQ(report.checksums[0].claimed, sums[0][0].value);
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    for (int n = 0; n < count; ++n) {
      const auto x = lattice.coordinate(site);
      const auto numbers = to[parity(x)].at(x, n);
      for (int k = 0; k < Reals; ++k)
        ASSERT_EQ(numbers[std::size_t(k)], stored(number_at(site, n * Reals + k), precision)) << site << " " << n;
    }
}

TEST(FieldIo, VectorsComeBackAsTheyWereWritten) {
  const TempFolder folder;
  for (const auto precision : {Precision::single, Precision::double_})
    for (const int count : {1, 3}) {
      expect_written_and_read<6, 1>(folder / "vectors", count, precision);
      expect_written_and_read<24, 1>(folder / "spinors", count, precision);
      if constexpr (has_lane_count<double>(2)) expect_written_and_read<6, 2>(folder / "lanes", count, precision);
    }
}

TEST(FieldIo, MatricesNeedNotBeInSu3AndTakeASign) {
  const TempFolder folder;
  const Lattice lattice(small);
  const GaugeField<double, 1> u(lattice), v(lattice);
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      std::array<double, 18> numbers{};
      for (int k = 0; k < 18; ++k) numbers[std::size_t(k)] = 3 * number_at(site, 18 * mu + k);
      u.set_link(lattice.coordinate(site), mu, numbers);
    }
  const auto sign = [](const Coordinate& x, int mu) { return (x[0] + mu) % 2 == 0 ? 1.0 : -1.0; };
  for (const auto precision : {Precision::single, Precision::double_}) {
    write_fields(folder / "m", {.precision = precision}, {matrices_to_write(u, "<a/>", sign), matrices_to_write(u)});
    const FieldReader reader(folder / "m");
    EXPECT_EQ(reader.info().fields.at(0).text, "<a/>");
    for (const std::size_t number : {0, 1}) {
      EXPECT_TRUE(read_matrices(reader, number, v).checksums_agree());
      for (std::int64_t site = 0; site < lattice.volume(); ++site)
        for (int mu = 0; mu < 4; ++mu) {
          const auto x = lattice.coordinate(site);
          const auto link = v.link(x, mu);
          const double s = number == 0 ? sign(x, mu) : 1.0;
          for (int k = 0; k < 18; ++k)
            ASSERT_EQ(link[std::size_t(k)], s * stored(3 * number_at(site, 18 * mu + k), precision));
        }
    }
    // The sign may also be taken away on the way in.
    read_matrices(reader, 0, v, sign);
    EXPECT_EQ(v.link({1, 0, 2, 1}, 2)[3], stored(u.link({1, 0, 2, 1}, 2)[3], precision));
  }
}

// Bytes that no writer of ours made, and what a program of a few lines reads in them.
TEST(FieldIo, ReadsAVectorThatMilcWrote) {
  const FieldReader reader(data / "ksvector.src.sample.l8");
  const auto& info = reader.info();
  EXPECT_EQ(info.size, (Coordinate{8, 8, 8, 8}));
  EXPECT_TRUE(contains(info.text, "asqtad.u0 0.50200"));
  ASSERT_EQ(info.fields.size(), 1U);
  EXPECT_EQ(describe(info.fields[0]), "one colour vector a site, single precision");
  EXPECT_EQ(info.fields[0].text, "source color vector field");
  const auto b = parts<6, 1>(Lattice(info.size), 1);
  const auto report = read_vectors(reader, 0, b);
  EXPECT_TRUE(report.checksums_agree());
  EXPECT_EQ(report.checksums[0].computed, 0x18c175b6U);
  EXPECT_EQ(report.zero, 0);
  EXPECT_EQ(b[0].at({0, 0, 0, 0}),
            (std::array<double, 6>{6.401041507720947, 1.3374346494674683, 5.100208282470703, -35.54834747314453,
                                   -12.203680992126465, -12.657670974731445}));
  EXPECT_EQ(b[1].at({3, 2, 5, 7}), (std::array<double, 6>{-43.44856262207031, -8.92482852935791, -5.561417102813721,
                                                          -10.512250900268555, 8.838430404663086, 13.009566307067871}));
  EXPECT_TRUE(contains(error_of([&] { reader.find(FieldType::colour_matrix, 4); }),
                       "expected a field of 4 colour matrices a site, found one colour vector a site"));
}

// A configuration is four colour matrices a site, too.
TEST(FieldIo, ReadsTheMatricesOfAConfiguration) {
  const auto path = data / "lat.sample.l4444.scidac";
  const FieldReader reader(path);
  const GaugeField<double, 1> u(Lattice(reader.info().size));
  read_matrices(reader, reader.find(FieldType::colour_matrix, 4), u);
  const auto expected = load_gauge_field<double, 1>(path);
  for (std::int64_t site = 0; site < u.lattice().volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      const auto x = u.lattice().coordinate(site);
      ASSERT_EQ(u.link(x, mu), expected.link(x, mu));
    }
}

// Without our writer.
TEST(FieldIo, ReadsFilesOfSeveralFieldsOfSeveralTypes) {
  const TempFolder folder;
  const auto path = write_all(folder / "f", lime_file(propagator_records({2, 2, 2, 2}, Precision::double_)));
  const FieldReader reader(path);
  ASSERT_EQ(reader.info().fields.size(), 3U);
  EXPECT_EQ(describe(reader.info().fields[0]), "one complex number a site, double precision");
  const auto v = parts<24, 1>(Lattice({2, 2, 2, 2}), 1);
  read_vectors(reader, 2, v);
  EXPECT_EQ(v[1].at({0, 1, 0, 0})[5], propagator_number(2, 2, 5));
  const auto inspection = inspect_fields(path);
  ASSERT_TRUE(inspection);
  EXPECT_TRUE(inspection->sound());
  EXPECT_TRUE(contains(to_line(*inspection),
                       "one complex number a site, double precision; one spinor a site, double precision (2 fields)"))
      << to_line(*inspection);
  EXPECT_EQ(to_json(*inspection)["fields"].size(), 3U);
}

TEST(FieldIo, NumbersThatAreNotFiniteAreNotWritten) {
  const TempFolder folder;
  const auto v = parts<6, 1>(Lattice(small), 1);
  fill(v);
  std::array<double, 6> numbers{};
  numbers[4] = 1e300;
  v[1].set({1, 0, 0, 0}, numbers);
  EXPECT_TRUE(
      contains(error_of([&] { write_fields(folder / "v", {.precision = Precision::single}, {vectors_to_write(v)}); }),
               "number 4 of site 1 is not finite"));
  EXPECT_FALSE(fs::exists(folder / "v"));
  write_fields(folder / "v", {.precision = Precision::double_}, {vectors_to_write(v)});
  EXPECT_TRUE(contains(error_of([&] { write_fields(folder / "v", {.text = "<a>"}, {vectors_to_write(v)}); }),
                       "scidac-file-xml"));
}

TEST(FieldInspection, DistinguishesConfigurationsFromOtherMatrices) {
  const TempFolder folder;
  for (const char* name : {"lat.sample.l4444.scidac", "lat.sample.l4444.ildg", "lat.sample.l4444"})
    EXPECT_FALSE(inspect_fields(data / name)) << name;
  EXPECT_TRUE(inspect_fields(data / "ksvector.src.sample.l8")->sound());
  // A damaged configuration stays one.
  auto bytes = read_all(data / "lat.sample.l4444.scidac");
  bytes[2000] = char(bytes[2000] ^ 0x40);
  EXPECT_FALSE(inspect_fields(write_all(folder / "damaged", bytes)));
  // One whose description only the reader of configurations understands, too.
  auto odd = read_all(data / "lat.sample.l4444.scidac");
  odd.replace(odd.find("<globaldata>0"), 13, "<globaldata>7");
  EXPECT_FALSE(inspect_fields(write_all(folder / "odd", odd)));
  const GaugeField<double, 1> twice(Lattice{small});
  for (std::int64_t site = 0; site < twice.lattice().volume(); ++site)
    for (int mu = 0; mu < 4; ++mu) {
      std::array<double, 18> numbers{};
      numbers[0] = numbers[8] = numbers[16] = 2;
      twice.set_link(twice.lattice().coordinate(site), mu, numbers);
    }
  write_fields(folder / "twice", {}, {matrices_to_write(twice)});
  const auto inspection = inspect_fields(folder / "twice");
  ASSERT_TRUE(inspection);
  EXPECT_EQ(inspection->reports[0].unitarity, 3);
  EXPECT_TRUE(contains(to_text(*inspection), "4 colour matrices a site, double precision"));
}

}  // namespace
}  // namespace trellis::io
