// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// [measure.quarks], [measure.cooling] and [measure.stout] in `trellis run` and `trellis measure`.
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/core/base/joined.hpp"

#include <cmath>

#include "tests/support/run_test.hpp"

namespace trellis::app {
namespace {

class QuarkMeasurement : public test::RunTest {
 protected:
  static constexpr const char* kMeasured = R"([[flavours]]
name = "l"
mass = 0.8
tastes = 2
charge = 2
[[flavours]]
name = "s"
mass = 1.2
[background]
bz = 1
[smearing]
rho = 0.1
levels = 1
[measure.quarks]
observables = ["quark_number", "susceptibilities", "magnetisation"]
noise_vectors = 3
[measure.cooling]
steps = 4
interval = 2
[measure.stout]
steps = 2
interval = 1
)";

  test::Outcome measure(const std::string& name, const std::string& files) const {
    io::test::write_all(at(name + ".toml"), "[configurations]\nfiles = [" + files + "]\n[output]\ndirectory = \"" +
                                                name + "\"\nname = \"c\"\n[machine]\nthreads = 1\n" + kMeasured);
    return call(name, "measure");
  }
  static double cell(const io::CsvData& t, const std::string& column, std::size_t row) { return t.column(column)[row]; }
};

TEST_F(QuarkMeasurement, OfFiles) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 4"}}).code, 0);
  const auto outcome = measure("m", "\"a/c.*.ildg\"");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto t = io::read_csv(at("m/c.csv"), {"file", "content"}),
             raw = io::read_csv(at("m/c-quarks.csv"), {"flavour"});
  EXPECT_EQ(joined(t.columns, ","),
            "row,file,content,size_x,size_y,size_z,size_t,plaquette,plaquette_spatial,plaquette_temporal,rectangle,"
            "charge_cooling,charge_stout,"
            "condensate_l,chiral_disconnected_l,quark_number_l,susceptibility_connected_l,"
            "susceptibility_disconnected_l,magnetisation_bz_l,"
            "condensate_s,chiral_disconnected_s,quark_number_s,susceptibility_connected_s,"
            "susceptibility_disconnected_s,magnetisation_bz_s,chiral_mixed_l.s,susceptibility_mixed_l.s,seconds");
  EXPECT_EQ(joined(raw.columns, ","),
            "row,flavour,noise_vector,condensate_re,condensate_im,quark_number_re,quark_number_im,"
            "second_derivative_re,second_derivative_im,bubble_re,bubble_im,magnetisation_bz_re,magnetisation_bz_im,"
            "residual,iterations");
  ASSERT_EQ(t.rows(), 3U);
  ASSERT_EQ(raw.rows(), 3U * 2 * 3);
  // Every number of the table follows from those of the noise vectors.
  constexpr double volume = 256;
  for (std::size_t i = 0; i < 3; ++i) {
    double condensates[2] = {0, 0}, numbers[2] = {0, 0};
    for (const std::size_t f : {0, 1}) {
      const std::string name = f == 0 ? "l" : "s";
      double chiral = 0, disconnected = 0, connected = 0, magnetisation = 0;
      for (std::size_t n = 0; n < 3; ++n) {
        const std::size_t row = 6 * i + 3 * f + n;
        EXPECT_EQ(cell(raw, "row", row), double(i + 1));
        EXPECT_EQ(io::read_csv_texts(at("m/c-quarks.csv"), "flavour")[row], name);
        EXPECT_EQ(cell(raw, "noise_vector", row), double(n + 1));
        EXPECT_LE(cell(raw, "residual", row), 1e-10);
        condensates[f] += cell(raw, "condensate_re", row) / 3;
        numbers[f] += cell(raw, "quark_number_im", row) / 3;
        connected += (cell(raw, "second_derivative_re", row) - cell(raw, "bubble_re", row)) / 3;
        magnetisation += cell(raw, "magnetisation_bz_re", row) / 3;
        for (std::size_t other = 6 * i + 3 * f; other < 6 * i + 3 * f + 3; ++other)
          if (other != row) {
            chiral += volume * cell(raw, "condensate_re", row) * cell(raw, "condensate_re", other) / 6;
            disconnected -= volume * cell(raw, "quark_number_im", row) * cell(raw, "quark_number_im", other) / 6;
          }
      }
      EXPECT_NEAR(cell(t, "condensate_" + name, i), condensates[f], 1e-14);
      EXPECT_NEAR(cell(t, "chiral_disconnected_" + name, i), chiral, 1e-11);
      EXPECT_NEAR(cell(t, "quark_number_" + name, i), numbers[f], 1e-14);
      EXPECT_NEAR(cell(t, "susceptibility_connected_" + name, i), connected, 1e-14);
      EXPECT_NEAR(cell(t, "susceptibility_disconnected_" + name, i), disconnected, 1e-12);
      EXPECT_NEAR(cell(t, "magnetisation_bz_" + name, i), magnetisation, 1e-14);
    }
    EXPECT_NEAR(cell(t, "chiral_mixed_l.s", i), volume * condensates[0] * condensates[1], 1e-11);
    EXPECT_NEAR(cell(t, "susceptibility_mixed_l.s", i), -volume * numbers[0] * numbers[1], 1e-12);
  }
  // Charges step by step; the last one is in the table.
  const auto cooling = io::read_csv(at("m/c-cooling.csv")), stout = io::read_csv(at("m/c-stout.csv"));
  EXPECT_EQ(cooling.column("steps"), (std::vector<double>{0, 2, 4, 0, 2, 4, 0, 2, 4}));
  EXPECT_EQ(stout.column("steps"), (std::vector<double>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(cell(t, "charge_cooling", i), cell(cooling, "topological_charge", 3 * i + 2));
    EXPECT_EQ(cell(t, "charge_stout", i), cell(stout, "topological_charge", 3 * i + 2));
    EXPECT_NEAR(cell(cooling, "plaquette", 3 * i), cell(t, "plaquette", i), 1e-14);
    EXPECT_GT(cell(cooling, "plaquette", 3 * i + 2), cell(stout, "plaquette", 3 * i + 2));
  }
  for (const auto* part : {"Quarks, averages", "chi l / T^2", "chi l.s / T^2", "disconnected chi_m s",
                           "magnetisation bz l", "m/c-quarks.csv", "m/c-cooling.csv", "m/c-stout.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;

  // A kill leaves rows of the side tables beyond the main table's last: they are recomputed identically.
  const auto whole = everything("m");
  const auto rows = text("m/c.csv");
  const auto kept = rows.rfind('\n', rows.size() - 2) + 1;
  const auto without_times = [](const std::string& all) { return all.substr(0, all.rfind(',', all.rfind(',') - 1)); };
  io::test::write_all(at("m/c.csv"), rows.substr(0, kept));
  ASSERT_EQ(measure("m", "\"a/c.*.ildg\"").code, 0);
  for (const auto& [file, bytes] : whole)
    EXPECT_TRUE(file == "c.csv" || text("m/" + file) == bytes) << file << " differs";
  EXPECT_EQ(without_times(text("m/c.csv")), without_times(rows));
}

TEST_F(QuarkMeasurement, OnTheFlyAndStopped) {
  const auto quarks = [&](const std::string& name, const std::string& trajectories) {
    const Changes changes{{"trajectories = 12", "trajectories = " + trajectories},
                          {"steps = 5", "steps = 2"},
                          {"thermalisation = 3", "thermalisation = 1"},
                          {"every = 4\ntime_max", "every = 2\ntime_max"}};
    io::test::write_all(at(name + ".toml"), input(name, changes) + kMeasured);
    return call(name);
  };
  const auto outcome = quarks("a", "4");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(quarks("b", "2").code, 0);
  ASSERT_EQ(quarks("b", "4").code, 0);
  expect_same_results("a", "b", {"c-quarks.csv", "c-cooling.csv", "c-stout.csv", "c.checkpoint"});
  const auto t = io::read_csv(at("a/c.csv"));
  ASSERT_EQ(t.rows(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(std::isnan(cell(t, "condensate_l", i)), i % 2 == 0);
  EXPECT_EQ(io::read_csv(at("a/c-quarks.csv"), {"flavour"}).rows(), 12U);
  for (const auto* part : {"condensate l", "chi l / T^2", "charge, cooled", "a/c-quarks.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in " << outcome.out;
}

// Averages of known series: products of averages are subtracted.
TEST(QuarkAverages, FunctionsOfMeans) {
  QuarkJob job;
  job.flavours = {{.name = "a", .mass = 1, .tastes = 1, .phases = {}}};
  job.selection.susceptibilities = true;
  std::size_t count = 6;
  const auto known = [&count](const std::string& column) {
    const auto value = [&] {
      if (column == "condensate_a") return 0.5;
      if (column == "chiral_disconnected_a") return 9.0;  // 32 / 4 = 8
      if (column == "quark_number_a") return 0.25;        // 32 / 16 = 2
      return column == "susceptibility_connected_a" ? 1.0 : -2.5;
    };
    return std::vector<double>(count, value());
  };
  const auto text = quark_averages(job, {2, 2, 2, 4}, known);
  EXPECT_NE(text.find("chi a / T^2          8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("disconnected chi_m a 1\n"), std::string::npos) << text;
  count = 2;
  const auto few = quark_averages(job, {2, 2, 2, 4}, known);
  EXPECT_NE(few.find("chi a / T^2          8  not enough measurements for an error\n"), std::string::npos) << few;
}

}  // namespace
}  // namespace trellis::app
