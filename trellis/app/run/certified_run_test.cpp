// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs with algorithm.certify. What certificates find is tested in hmc/certificate_test.cpp.
#include "tests/support/run_test.hpp"
#include "trellis/app/run/certified_file.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/replay.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class CertifiedRun : public test::RunTest {
 protected:
  static Changes certified(const char* fraction) {
    return {{"reversibility_every = 4", std::string("reversibility_every = 4\ncertify = ") + fraction}};
  }
};

TEST_F(CertifiedRun, HasTheFilesOfAnyOther) {
  ASSERT_EQ(run("plain").code, 0);
  const auto outcome = run("certified", certified("1"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* file : {"c.000006.ildg", "c.000012.ildg"})
    EXPECT_TRUE(text(std::string("plain/") + file) == text(std::string("certified/") + file)) << file;
  const auto plain = io::read_csv(at("plain/c.csv")), table = io::read_csv(at("certified/c.csv"));
  EXPECT_FALSE(plain.has("certified_operations"));
  EXPECT_EQ(plain.column("dH"), table.column("dH"));
  // "2mn" with 5 steps: 11 kicks and 10 drifts, and drawing, energies and, if accepted, the projection.
  for (std::size_t n = 0; n < table.rows(); ++n) {
    EXPECT_EQ(table.column("certified_operations")[n], 23 + table.column("accepted")[n]);
    EXPECT_GT(table.column("certified_fingerprints")[n], 21);
  }
  for (const auto& where : {outcome.out, text("certified/c.log")}) {
    EXPECT_NE(where.find("operations computed twice"), std::string::npos) << where;
    EXPECT_NE(where.find("no error of the machine found"), std::string::npos) << where;
  }
}

// Also those of molecular dynamics in single precision, whose two ends are operations too.
TEST_F(CertifiedRun, HasTheFilesOfAnyOtherInSinglePrecision) {
  auto single = [](Changes changes) {
    changes.push_back({"[algorithm]", "[algorithm]\nprecision = \"single\""});
    return changes;
  };
  ASSERT_EQ(run("plain", single({})).code, 0);
  const auto outcome = run("certified", single(certified("1")));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(text("plain/c.000012.ildg") == text("certified/c.000012.ildg"));
  const auto plain = io::read_csv(at("plain/c.csv")), table = io::read_csv(at("certified/c.csv"));
  EXPECT_EQ(plain.column("dH"), table.column("dH"));
  // 23 as above, and two of links and momenta at each end, and the projection to SU(3) there.
  for (std::size_t n = 0; n < table.rows(); ++n)
    EXPECT_EQ(table.column("certified_operations")[n], 28 + table.column("accepted")[n]);
  EXPECT_NE(outcome.out.find("no error of the machine found"), std::string::npos) << outcome.out;
}

// The fraction may change when a run continues; the table keeps its columns.
TEST_F(CertifiedRun, MayBeginAndEnd) {
  const auto until = [&](const char* trajectories, const Changes& more) {
    Changes changes{{"trajectories = 12", std::string("trajectories = ") + trajectories}};
    changes.insert(changes.end(), more.begin(), more.end());
    const auto outcome = run("parts", changes);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  until("4", {});
  until("8", certified("0.5"));
  until("12", {});
  ASSERT_EQ(run("whole").code, 0);
  EXPECT_TRUE(text("parts/c.000012.ildg") == text("whole/c.000012.ildg"));
  const auto table = io::read_csv(at("parts/c.csv"));
  ASSERT_EQ(table.rows(), 12u);
  for (std::size_t n = 0; n < 12; ++n)
    EXPECT_EQ(std::isnan(table.column("certified_operations")[n]), n < 4 || n >= 8) << n;
  const auto repair = test::Process({TRELLIS_PROGRAM, "repair", "parts", "--dry-run"}, here()).wait();
  EXPECT_EQ(repair.code, 0) << repair.out << repair.err;
}

TEST_F(CertifiedRun, ContinuedInPartsHasTheSameTable) {
  ASSERT_EQ(run("once", certified("0.5")).code, 0);
  ASSERT_EQ(run("twice", {{"trajectories = 12", "trajectories = 6"}, certified("0.5")[0]}).code, 0);
  ASSERT_EQ(run("twice", certified("0.5")).code, 0);
  const auto once = io::read_csv(at("once/c.csv")), twice = io::read_csv(at("twice/c.csv"));
  for (const char* column : {"certified_operations", "certified_fingerprints", "dH"})
    EXPECT_EQ(once.column(column), twice.column(column)) << column;
}

// A file that does not hold the links is found by reading it, and written again.
TEST_F(CertifiedRun, ReadsWhatItWrote) {
  const Lattice lattice({4, 4, 4, 4});
  const GaugeField<double, 1> u(lattice), other = GaugeField<double, 1>::unit(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  std::vector<std::string> told;
  hmc::Certificate<double, 1> certificate(0.5, nullptr, [&](const std::string& text) { told.push_back(text); });
  const auto file = at("links.ildg");
  io::IldgParameters parameters;
  parameters.size = {4, 4, 4, 4};
  parameters.precision = Precision::double_;
  for (const int wrong : {0, 1, 2}) {
    told.clear();
    int writes = 0;
    const auto write = [&] {
      write_certified<1>(
          &certificate, file, u, [&] { return u; },
          [&] { io::write_ildg(file, parameters, io::link_source(++writes <= wrong ? other : u)); });
    };
    if (wrong == 2)
      EXPECT_THROW(write(), Error);
    else
      write();
    EXPECT_EQ(writes, std::min(wrong + 1, 2));
    EXPECT_EQ(told.size(), wrong == 0 ? 0u : 1u);
  }
}

}  // namespace
}  // namespace trellis::app
