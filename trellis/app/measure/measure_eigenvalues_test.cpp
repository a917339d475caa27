// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis measure` with [measure.eigenvalues]: its tables, how it continues, and what it refuses.
#include "tests/support/run_test.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class MeasureEigenvalues : public test::RunTest {
 protected:
  static constexpr const char* kFlavours = R"([[flavours]]
name = "light"
mass = 0.1
[[flavours]]
name = "turned"
mass = 0.5
imaginary_mu = 0.3
[smearing]
rho = 0.1
levels = 1
)";
  test::Outcome measure(const std::string& name, const std::string& keys, const std::string& flavours = kFlavours) {
    io::test::write_all(
        at(name + ".toml"),
        fmt::format("[configurations]\nfiles = [\"{}/milc/lat.sample.l4444\"]\n[measure.eigenvalues]\n{}{}[output]\n"
                    "directory = \"{}\"\nname = \"c\"\n[machine]\nthreads = 1\nlanes = 1\n",
                    TRELLIS_TEST_DATA, keys, flavours, name));
    return call(name, "measure");
  }
};

TEST_F(MeasureEigenvalues, InTables) {
  const auto outcome = measure("m", "count = 6\ntolerance = 1e-9\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("m/c-eigenvalues.csv  (lowest eigenvalues of -D_eo D_oe)"), std::string::npos)
      << outcome.out;
  const auto t = io::read_csv(at("m/c.csv"), {"file", "content"});
  const auto rows = io::read_csv(at("m/c-eigenvalues.csv"), {"flavour"});
  const auto flavours = io::read_csv_texts(at("m/c-eigenvalues.csv"), "flavour");
  ASSERT_EQ(rows.rows(), 12U);
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_EQ(flavours[k], k < 6 ? "light" : "turned");
    EXPECT_EQ(rows.column("row")[k], 1);
    EXPECT_EQ(rows.column("eigenvalue_number")[k], double(k % 6 + 1));
    EXPECT_LE(rows.column("residual")[k], 1e-9);
    EXPECT_GT(rows.column("eigenvalue")[k], k % 6 == 0 ? 0 : rows.column("eigenvalue")[k - 1]);
  }
  EXPECT_EQ(t.column("lowest_eigenvalue_light")[0], rows.column("eigenvalue")[0]);
  EXPECT_EQ(t.column("lowest_eigenvalue_turned")[0], rows.column("eigenvalue")[6]);
  EXPECT_NE(rows.column("eigenvalue")[0], rows.column("eigenvalue")[6]);
  // Rows beyond the table's last one, left by a kill, are computed again.
  const auto eigenvalues = text("m/c-eigenvalues.csv");
  const auto lines = text("m/c.csv");
  io::test::write_all(at("m/c.csv"), lines.substr(0, lines.find('\n') + 1));
  ASSERT_EQ(measure("m", "count = 6\ntolerance = 1e-9\n").code, 0);
  EXPECT_EQ(text("m/c-eigenvalues.csv"), eigenvalues);
  expect_error(measure("m", "count = 7\ntolerance = 1e-9\n"), 2, {"measure.eigenvalues.count"});

  const auto chosen = measure("n", "count = 6\ntolerance = 1e-9\nflavours = [\"turned\"]\n");
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_EQ(io::read_csv(at("n/c-eigenvalues.csv"), {"flavour"}).column("eigenvalue")[2], rows.column("eigenvalue")[8]);
}

TEST_F(MeasureEigenvalues, SaysWhatIsWrong) {
  expect_error(measure("m", "", ""), 2, {"eigenvalues", "without [[flavours]]"});
  expect_error(measure("m", "count = 0\n"), 2, {"count", "1 to 48"});
  expect_error(measure("m", "count = 49\n"), 2, {"count", "1 to 48"});
  expect_error(measure("m", "tolerance = 1e-14\n"), 2, {"tolerance"});
  expect_error(measure("m", "flavours = [\"heavy\"]\n"), 2, {"flavours", "light"});
  EXPECT_FALSE(exists("m"));
  expect_error(run("a", {{"[measure.flow]", "[measure.eigenvalues]\n[measure.flow]"}}), 2,
               {"eigenvalues", "trellis measure"});
}

}  // namespace
}  // namespace trellis::app
