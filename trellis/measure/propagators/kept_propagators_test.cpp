// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/propagators/kept_propagators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "reference/gamma.hpp"
#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/measure/propagators/openqcd_basis.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {
namespace {

using io::test::contains, io::test::error_of;

constexpr Coordinate size{4, 2, 4, 2};

FullSpinors<double, 1> numbers() {
  const FullSpinors<double, 1> x(Lattice(size), columns);
  for (std::int64_t site = 0; site < x.lattice().volume(); ++site)
    for (int n = 0; n < columns; ++n) {
      std::array<double, 24> values{};
      for (int k = 0; k < 24; ++k) values[std::size_t(k)] = std::sin(double(site) * 288 + n * 24 + k);
      x.set(x.lattice().coordinate(site), values, n);
    }
  return x;
}

class KeptIn : public testing::TestWithParam<PropagatorFormat> {};
INSTANTIATE_TEST_SUITE_P(Formats, KeptIn,
                         testing::Values(PropagatorFormat::scidac, PropagatorFormat::hdf5, PropagatorFormat::openqcd),
                         [](const auto& format) { return std::string(name_in(propagator_formats, format.param)); });

TEST_P(KeptIn, AreReadWithTheBitsThatWritingLeaves) {
  const io::TemporaryFolder folder;
  const auto x = numbers();
  const auto b = x.like(), y = x.like();
  point_source<1>({0, 1, 2, 1}, b);
  const dirac::WilsonParameters quark{.kappa = 0.117};
  const bool is_hdf5 = GetParam() == PropagatorFormat::hdf5, is_openqcd = GetParam() == PropagatorFormat::openqcd;
  const KeptPropagators kept{folder / "new/folder", "lat.7", GetParam()};
  const auto file = propagator_file(kept, quark, b);
  EXPECT_EQ(file.extension(), is_hdf5 ? ".h5" : is_openqcd ? ".openqcd" : ".scidac");
  EXPECT_TRUE(contains(file.filename().string(), "lat.7-kappa0.117-")) << file;
  EXPECT_FALSE(read_propagator(file, quark.kappa, y));
  const Coordinate place{3, 1, 0, 1};
  const double before = x.at(place, 5)[7];
  write_propagator(file, quark, b, x);
  EXPECT_NEAR(x.at(place, 5)[7], before, 1e-15);
  ASSERT_TRUE(read_propagator(file, quark.kappa, y));
  for (std::int64_t site = 0; site < x.lattice().volume(); ++site)
    for (int n = 0; n < columns; ++n) {
      const auto at = x.lattice().coordinate(site);
      ASSERT_EQ(y.at(at, n), x.at(at, n));
    }
  if (is_openqcd) return;  // below
  // The file itself has S = 2 kappa M^-1 b: in SciDAC files behind the source of its column, in HDF5 before all
  // sources.
  io::FieldReader(file).read(is_hdf5 ? 5 : 2 * 5 + 1, {size, {}, size},
                             [&](std::int64_t site, std::span<const double> s) {
                               if (x.lattice().coordinate(site) == place) {
                                 EXPECT_NEAR(s[7], 2 * 0.117 * before, 1e-15);
                               }
                             });
}

TEST(KeptPropagators, AreFoundInEitherFormat) {
  const io::TemporaryFolder folder;
  const auto x = numbers();
  const auto b = x.like();
  point_source<1>({0, 0, 0, 0}, b);
  const dirac::WilsonParameters quark{.kappa = 0.117};
  const KeptPropagators scidac{folder.path(), "lat.7"}, hdf5{folder.path(), "lat.7", PropagatorFormat::hdf5},
      openqcd{folder.path(), "lat.7", PropagatorFormat::openqcd};
  const auto wanted = propagator_file(scidac, quark, b);
  write_propagator(propagator_file(openqcd, quark, b), quark, b, x);
  EXPECT_EQ(propagator_file(scidac, quark, b).extension(), ".openqcd");
  std::filesystem::remove(propagator_file(scidac, quark, b) / "spin2-colour1");  // a part of it is none
  EXPECT_EQ(propagator_file(scidac, quark, b), wanted);
  EXPECT_FALSE(read_propagator(propagator_file(openqcd, quark, b), quark.kappa, x));
  write_propagator(propagator_file(hdf5, quark, b), quark, b, x);
  EXPECT_EQ(propagator_file(scidac, quark, b).extension(), ".h5");
  write_propagator(wanted, quark, b, x);
  EXPECT_EQ(propagator_file(scidac, quark, b), wanted);
}

// V of openqcd_basis.hpp as a matrix.
reference::SpinMatrix openqcd_basis() {
  reference::SpinMatrix v{};
  for (int s = 0; s < 4; ++s) v(s, openqcd_spin(s)) = double(openqcd_sign(s));
  return v;
}

// Twelve files, read with nothing but the format's description, hold V S V^+ with S = 2 kappa M^-1 b.
TEST(KeptPropagators, ForOpenqcdEachColumnIsAFile) {
  const io::TemporaryFolder folder;
  const auto x = numbers(), b = x.like();
  const dirac::WilsonParameters quark{.kappa = 0.117};
  write_propagator(folder / "p.openqcd", quark, b, x);
  const auto v = openqcd_basis(), v_adjoint = reference::adjoint(v);
  for (int spin = 0; spin < 4; ++spin)
    for (int colour = 0; colour < 3; ++colour) {
      std::ifstream file(folder / fmt::format("p.openqcd/spin{}-colour{}", spin, colour), std::ios::binary);
      std::int32_t extents[4];
      double norm = 0, sum = 0;
      file.read(reinterpret_cast<char*>(extents), sizeof extents);
      file.read(reinterpret_cast<char*>(&norm), sizeof norm);
      const std::array expected{size[3], size[0], size[1], size[2]};
      for (std::size_t n = 0; n < 4; ++n) ASSERT_EQ(extents[n], expected[n]);
      for (int t = 0; t < size[3]; ++t)
        for (int i = 0; i < size[0]; ++i)
          for (int j = 0; j < size[1]; ++j)
            for (int k = 0; k < size[2]; ++k) {
              reference::Complex psi[4][3];
              file.read(reinterpret_cast<char*>(psi), sizeof psi);
              for (int s = 0; s < 4; ++s)
                for (int c = 0; c < 3; ++c) {
                  reference::Complex s_of_v = 0;
                  for (int from = 0; from < 4; ++from)
                    for (int source = 0; source < 4; ++source) {
                      const auto column = x.at({i, j, k, t}, 3 * source + colour);
                      const auto at = std::size_t(6 * from + 2 * c);
                      s_of_v += v(s, from) * reference::Complex(column[at], column[at + 1]) * v_adjoint(source, spin);
                    }
                  ASSERT_NEAR(std::abs(psi[s][c] - 2 * 0.117 * s_of_v), 0, 1e-15);
                  sum += std::norm(psi[s][c]);
                }
            }
      EXPECT_TRUE(file.good());
      EXPECT_EQ(file.peek(), std::ifstream::traits_type::eof());
      EXPECT_NEAR(norm / sum, 1, 1e-14);
    }
}

// Four columns are the spins of a source, three or one have none: a file each, and the same bits again.
TEST(KeptPropagators, ForOpenqcdNoiseIsKeptToo) {
  const std::vector<std::pair<int, std::string>> last{{4, "spin3"}, {3, "column2"}, {1, "column0"}};
  for (const auto& [count, name] : last) {
    const io::TemporaryFolder folder;
    const FullSpinors<double, 1> x(Lattice(size), count);
    const auto y = x.like();
    const Coordinate place{1, 1, 2, 0};
    for (int n = 0; n < count; ++n) x.set(place, numbers().at(place, n), n);
    write_propagator(folder / "p.openqcd", {.kappa = 0.125}, x.like(), x);
    EXPECT_TRUE(std::filesystem::exists(folder / "p.openqcd" / name));
    ASSERT_TRUE(read_propagator(folder / "p.openqcd", 0.125, y));
    for (int n = 0; n < count; ++n) EXPECT_EQ(y.at(place, n), x.at(place, n));
  }
}

TEST(KeptPropagators, DamagedColumnsAreRefused) {
  const io::TemporaryFolder folder;
  const auto x = numbers();
  write_propagator(folder / "p.openqcd", {.kappa = 0.125}, x.like(), x);
  const auto file = folder / "p.openqcd/spin1-colour2";
  auto bytes = io::test::read_all(file);
  bytes[2000 + 7] ^= 1;  // the exponent of a number
  io::test::write_all(file, bytes);
  const auto error = error_of([&] { read_propagator(folder / "p.openqcd", 0.125, x); });
  EXPECT_TRUE(contains(error, "spin1-colour2: the data are damaged")) << error;
  EXPECT_TRUE(contains(error, "the square norm is")) << error;
}

// What a program finds that knows HDF5, but not Trellis.
TEST(KeptPropagators, InHdf5TheySayWhatTheyAre) {
  const io::TemporaryFolder folder;
  const auto x = numbers();
  const auto b = x.like();
  const Coordinate source{0, 1, 2, 1};
  point_source<1>(source, b);
  const dirac::WilsonParameters quark{.kappa = 0.117, .clover = 1.5};
  write_propagator(folder / "p.h5", quark, b, x);
  const auto file = io::Hdf5File::open(folder / "p.h5");
  EXPECT_EQ(std::get<double>(file.attribute("/", "kappa")), 0.117);
  EXPECT_EQ(std::get<double>(file.attribute("/", "clover")), 1.5);
  EXPECT_EQ(std::get<std::string>(file.attribute("/", "basis")), "DeGrand-Rossi");
  EXPECT_EQ(file.children(), (std::vector<std::string>{"propagator", "source"}));
  const io::Hdf5File::Shape shape{12, 2, 4, 2, 4, 4, 3, 2};
  EXPECT_EQ(file.shape("source"), shape);
  ASSERT_EQ(file.shape("propagator"), shape);
  const auto s = file.read<double>("propagator"), sources = file.read<double>("source");
  for (int n = 0; n < columns; ++n)
    for (std::int64_t site = 0; site < x.lattice().volume(); ++site) {
      const auto at = x.lattice().coordinate(site);
      const auto place = std::size_t(((((n * 2 + at[3]) * 4 + at[2]) * 2 + at[1]) * 4 + at[0]) * 24);
      for (std::size_t k = 0; k < 24; ++k) {
        ASSERT_NEAR(s[place + k], 2 * 0.117 * x.at(at, n)[k], 1e-15);
        ASSERT_EQ(sources[place + k], at == source && int(k) == 2 * n ? 1 : 0);
      }
    }
}

// As other programs may write them.
TEST(KeptPropagators, Hdf5FilesWithoutSourcesInSinglePrecisionAreRead) {
  const io::TemporaryFolder folder;
  const auto x = numbers(), y = x.like();
  const auto fields = io::each_vector_to_write(x.part, std::vector<std::string>(columns, ""));
  io::write_hdf5_fields(folder / "p.h5", Precision::single, {}, {{"propagator", fields}});
  ASSERT_TRUE(read_propagator(folder / "p.h5", 0.5, y));
  const Coordinate place{1, 0, 3, 0};
  for (int n = 0; n < columns; ++n) EXPECT_EQ(y.at(place, n)[9], double(float(x.at(place, n)[9])));
}

TEST(KeptPropagators, NamesTellQuarksAndSourcesApart) {
  const FullSpinors<double, 1> b(Lattice(size), columns);
  std::set<std::filesystem::path> names;
  const KeptPropagators kept{"f", "c"};
  for (const Coordinate& x : {Coordinate{0, 0, 0, 0}, Coordinate{1, 0, 0, 0}}) {
    point_source<1>(x, b);
    for (const auto& quark :
         {dirac::WilsonParameters{}, dirac::WilsonParameters{.kappa = 0.11}, dirac::WilsonParameters{.clover = 1},
          dirac::WilsonParameters{.boundary_angle_over_pi = {0, 0, 0, 0}}})
      names.insert(propagator_file(kept, quark, b));
  }
  EXPECT_EQ(names.size(), 8U);
}

// As programs write it that keep one scalar field for all sources, in single precision.
TEST(KeptPropagators, FilesWithoutSpinorsOfSourcesAreRead) {
  const io::TemporaryFolder folder;
  const auto x = numbers(), y = x.like();
  auto fields = io::each_vector_to_write(x.part, std::vector<std::string>(columns, "<a/>"));
  const io::FieldToWrite scalar{io::FieldType::complex,
                                1,
                                {x.lattice().ranks(),
                                 {size, {}, size},
                                 [](std::int64_t, std::span<double> out) { std::ranges::fill(out, 1.0); },
                                 2},
                                "<source/>"};
  fields.insert(fields.begin(), scalar);
  io::write_fields(folder / "f", {.precision = Precision::single}, fields);
  ASSERT_TRUE(read_propagator(folder / "f", 0.5, y));
  const Coordinate place{1, 0, 3, 0};
  for (int n = 0; n < columns; ++n) EXPECT_EQ(y.at(place, n)[9], double(float(x.at(place, n)[9])));
  fields.pop_back();
  io::write_fields(folder / "f", {}, fields);
  EXPECT_TRUE(contains(error_of([&] { read_propagator(folder / "f", 0.5, y); }),
                       "has 11 spinors a site, expected the 12 columns of a propagator"));
}

}  // namespace
}  // namespace trellis::measure
