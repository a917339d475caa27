// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/propagators/kept_propagators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/fields/field_io.hpp"
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

TEST(KeptPropagators, AreReadWithTheBitsThatWritingLeaves) {
  const io::TemporaryFolder folder;
  const auto x = numbers();
  const auto b = x.like(), y = x.like();
  point_source<1>({0, 1, 2, 1}, b);
  const dirac::WilsonParameters quark{.kappa = 0.117};
  const KeptPropagators kept{folder / "new/folder", "lat.7"};
  const auto file = propagator_file(kept, quark, b);
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
  // The file itself has S = 2 kappa M^-1 b, behind the source of its column.
  io::FieldReader(file).read(2 * 5 + 1, {size, {}, size}, [&](std::int64_t site, std::span<const double> s) {
    if (x.lattice().coordinate(site) == place) {
      EXPECT_NEAR(s[7], 2 * 0.117 * before, 1e-15);
    }
  });
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
