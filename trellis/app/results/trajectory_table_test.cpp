// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/trajectory_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/run_test.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/loops.hpp"

namespace trellis::app {
namespace {

const char* const kInput = R"([lattice]
size = [4, 4, 4, 4]
[action]
beta = 5.0
[[flavours]]
name = "u"
mass = 0.1
split_masses = [0.5]
[chain]
trajectories = 1
)";

hmc::TermRecord term(const std::string& name, double x) {
  return {.name = name, .difference = x, .force_average = x + 1, .force_maximum = x + 2};
}

TEST(TrajectoryColumns, TermsOfQuarks) {
  const TrajectoryColumns columns(parse_run_input(kInput, "i.toml"));
  hmc::TrajectoryRecord record;
  record.terms = {term("plaquette", 10), term("u_1", 20), term("u_2", 30)};
  for (const int n : {1, 2}) {
    hmc::SolverCounts counts;
    counts.iterations = 100 * n;
    counts.largest_eigenvalue = 4 + n;
    counts.seconds = 0.5 * n;
    record.terms[static_cast<std::size_t>(n)].solver = counts;
  }
  record.profile.total = 7;
  io::CsvData table{columns.names(), std::vector<std::vector<double>>(columns.names().size())};
  const auto row = columns.row(record, 0, {});
  ASSERT_EQ(row.size(), columns.names().size());
  append_row(table, row);
  const auto value = [&](const char* column) { return table.column(column).at(0); };
  EXPECT_EQ(value("dS_u_2"), 30);
  EXPECT_EQ(value("force_average_plaquette"), 11);
  EXPECT_EQ(value("force_maximum_u_1"), 22);
  EXPECT_EQ(value("iterations_u_1"), 100);
  EXPECT_EQ(value("largest_eigenvalue_u_2"), 6);
  EXPECT_EQ(value("seconds_u_2"), 1);
  EXPECT_EQ(value("seconds"), 7);
  // Columns that differ from run to run come last.
  const auto& names = columns.names();
  EXPECT_EQ(std::vector<std::string>(names.end() - 3, names.end()),
            (std::vector<std::string>{"seconds_u_1", "seconds_u_2", "seconds"}));
}

TEST(TrajectoryColumns, HaveDifferentNames) {
  EXPECT_NO_THROW(require_different({"plaquette", "rectangle"}));
  EXPECT_THROW(require_different({"plaquette", "rectangle", "plaquette"}), Error);
}

TEST(TrajectoryColumns, OldTablesGetWhatTheyLack) {
  const io::test::TempFolder folder;
  const auto file = folder / "c.csv";
  add_missing_columns(file, {"a"});
  EXPECT_FALSE(std::filesystem::exists(file));
  io::test::write_all(file, "a,c\n1,\n3,4\n5,");
  add_missing_columns(file, {"a", "b", "c", "d"});
  EXPECT_EQ(io::test::read_all(file), "a,b,c,d\n1,,,\n3,,4,\n");
  // Also with checks and texts.
  std::filesystem::remove(file);
  io::CsvTable(file, {"row", "file"}).append(std::vector<io::CsvCell>{std::int64_t{1}, std::string("x")});
  add_missing_columns(file, {"row", "file", "b"});
  EXPECT_EQ(io::test::read_all(file), "row,file,b\n1,x,\n");
  // Nothing is missing; an unknown column.
  for (const char* text : {"a,b\n1,2\n3,", "a,x\n1,2\n"}) {
    io::test::write_all(file, text);
    add_missing_columns(file, {"a", "b"});
    EXPECT_EQ(io::test::read_all(file), text);
  }
}

class OldFolder : public test::RunTest {};

TEST_F(OldFolder, GoesOn) {
  ASSERT_EQ(run("whole").code, 0);
  ASSERT_EQ(run("old", {{"trajectories = 12", "trajectories = 4"}}).code, 0);
  // As written before there were columns of forces, and before checkpoints knew of tables.
  for (const auto* file : {"old/c.checkpoint", "old/c.previous.checkpoint"}) {
    auto chain = read_saved_chain(at(file));
    chain.results.clear();
    const auto loaded = io::load_links(at(file));
    save_chain(at(file), loaded.info.size, io::source_of(loaded.links), chain);
  }
  const auto now = io::read_csv(at("old/c.csv"));
  std::string text;
  for (int row = -1; row < 4; ++row) {
    std::string line;
    for (std::size_t c = 0; c < now.columns.size(); ++c) {
      if (now.columns[c].starts_with("force_")) continue;
      const double x = row < 0 ? 0 : now.values[c][static_cast<std::size_t>(row)];
      line += (line.empty() ? "" : ",") + (row < 0 ? now.columns[c] : std::isnan(x) ? "" : fmt::format("{}", x));
    }
    text += line + "\n";
  }
  io::test::write_all(at("old/c.csv"), text);
  const auto outcome = run("old");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto old = io::read_csv(at("old/c.csv")), whole = io::read_csv(at("whole/c.csv"));
  ASSERT_EQ(old.columns, whole.columns);
  EXPECT_EQ(old.column("dS_plaquette"), whole.column("dS_plaquette"));
  EXPECT_TRUE(std::isnan(old.column("force_average_plaquette")[3]));
  EXPECT_EQ(old.column("force_average_plaquette")[4], whole.column("force_average_plaquette")[4]);
}

}  // namespace
}  // namespace trellis::app
