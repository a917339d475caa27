// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Result files say what they hold and how they were made.
#include "trellis/app/origin/file_origin.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_test.hpp"
#include "trellis/app/origin/column_text.hpp"
#include "trellis/app/version.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class FileOriginTest : public test::RunTest {
 protected:
  const Changes rich_ = {
      {"[start]",
       "[[flavours]]\nname = \"l\"\nmass = 0.5\ntastes = 2\ncharge = 2.0\n[[flavours]]\nname = \"s\"\nmass = 0.7\n"
       "[background]\nbz = 3.0\n[start]"},
      {"name = \"symanzik\"", "name = \"wilson\""},
      {"trajectories = 12", "trajectories = 4"},
      {"every = 2", "every = 1"},
      {"[measure.flow]",
       "[measure.cooling]\nsteps = 4\ninterval = 2\n[measure.stout]\nsteps = 4\ninterval = 2\n"
       "[measure.quarks]\nobservables = [\"condensate\", \"quark_number\", \"susceptibilities\", \"magnetisation\"]\n"
       "noise_vectors = 2\n[measure.hadrons]\nkappas = [0.1]\nchannels = [\"pion\", \"proton\"]\n"
       "[measure.staggered_hadrons]\n[measure.flow]"}};
};

TEST_F(FileOriginTest, AttributesOfHdf5Files) {
  const auto outcome = run("whole", rich_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* name : {"whole/c.flow.h5", "whole/c.hadrons.h5", "whole/c.staggered-hadrons.h5"}) {
    const auto file = io::Hdf5File::open(at(name));
    const auto text = [&](const std::string& object, const std::string& attribute) {
      return std::get<std::string>(file.attribute(object, attribute));
    };
    EXPECT_EQ(text("/", "program"), version_text());
    EXPECT_EQ(text("/", "commit"), commit());
    EXPECT_EQ(text("/", "command"), "trellis run");
    EXPECT_EQ(text("/", "table"), "c.csv");
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(file.attribute("/", "lattice")),
              (std::vector<std::int64_t>{4, 4, 4, 4}));
    EXPECT_EQ(std::get<std::int64_t>(file.attribute("/", "seed")), 7);
    EXPECT_EQ(std::get<std::vector<std::string>>(file.attribute("/", "flavours")),
              (std::vector<std::string>{"l: mass 0.5, 2 tastes, charge 2 e/3", "s: mass 0.7, 1 taste"}));
    // The input is complete, and says nothing of the machine.
    const auto input = parse_run_input(text("/", "input"), "attribute");
    EXPECT_EQ(input.chain.trajectories, 4);
    EXPECT_EQ(input.action.beta, 4.0);
    EXPECT_EQ(text("/", "input").find("machine"), std::string::npos);
    // Every array is described, with a name for each dimension.
    const auto group = file.children().at(0);
    int arrays = 0;
    const std::function<void(const std::string&)> look = [&](const std::string& object) {
      if (file.is_group(object)) {
        for (const auto& child : file.children(object)) look(object + "/" + child);
        return;
      }
      ++arrays;
      EXPECT_FALSE(text(object, "long_name").empty()) << object;
      EXPECT_FALSE(text(object, "units").empty()) << object;
      EXPECT_EQ(std::get<std::vector<std::string>>(file.attribute(object, "DIMENSION_LABELS")).size(),
                file.shape(object).size())
          << object;
    };
    look(group);
    EXPECT_GT(arrays, 4);
  }
  const auto file = io::Hdf5File::open(at("whole/c.hadrons.h5"));
  EXPECT_EQ(std::get<std::string>(file.attribute("hadrons/kappa_0.1/point/proton", "channel")), "proton");
  EXPECT_EQ(std::get<std::string>(file.attribute("hadrons/kappa_0.1/point/proton", "units")), "a^-6");
  EXPECT_EQ(std::get<double>(file.attribute("hadrons/kappa_0.1/point/pion", "kappa")), 0.1);
}

TEST_F(FileOriginTest, EveryColumnOfEveryTableIsDescribed) {
  const auto outcome = run("whole", rich_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(text("whole/c.csv-metadata.json"));
  EXPECT_EQ(all["@context"], "http://www.w3.org/ns/csvw");
  EXPECT_EQ(all["notes"][0]["lattice"], (std::vector<int>{4, 4, 4, 4}));
  EXPECT_NE(all["notes"][0]["input"].get<std::string>().find("bz = 3.0"), std::string::npos);
  int tables = 0;
  for (const auto& file : std::filesystem::directory_iterator(at("whole"))) {
    const auto& entry = file.path();
    if (entry.extension() != ".csv") continue;
    ++tables;
    std::vector<std::string> header, described;
    const auto csv = io::test::read_all(entry);
    std::istringstream first(csv.substr(0, csv.find('\n')));
    for (std::string name; std::getline(first, name, ',');) header.push_back(name);
    for (const auto& table : all["tables"])
      if (table["url"] == entry.filename().string())
        for (const auto& column : table["tableSchema"]["columns"]) {
          described.push_back(column["name"]);
          EXPECT_TRUE(is_known_column(column["name"])) << entry << ": " << column["name"];
          EXPECT_TRUE(column["datatype"] == "string" || column.contains("schema:unitText")) << column;
        }
    EXPECT_EQ(described, header) << entry;
  }
  // Trajectories, quarks, cooling, stout, kernels; two of hadrons, two of effective masses.
  EXPECT_EQ(tables, 9);
}

TEST_F(FileOriginTest, MeasuredFiles) {
  ASSERT_EQ(run("whole").code, 0);
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"whole/c.*.ildg\"]\n[measure.flow]\ntime_max = 0.1\nstep = 0.05\n"
                      "[output]\ndirectory = \"m\"\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  const auto file = io::Hdf5File::open(at("m/m.flow.h5"));
  EXPECT_EQ(std::get<std::string>(file.attribute("/", "command")), "trellis measure");
  EXPECT_FALSE(file.has_attribute("/", "seed"));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(file.attribute("/", "lattice")),
            (std::vector<std::int64_t>{4, 4, 4, 4}));
  EXPECT_EQ(parse_measure_input(std::get<std::string>(file.attribute("/", "input")), "attribute").files,
            (std::vector<std::string>{"whole/c.*.ildg"}));
  EXPECT_TRUE(exists("m/m.csv-metadata.json"));
}

TEST(SetKey, AddsReplacesAndRemoves) {
  auto document = parse_toml("[chain]\ntrajectories = 10\nthermalisation = 5\n", "x");
  end_chain_at(document, 3);
  EXPECT_EQ(write_toml(document), "[chain]\ntrajectories = 3\nthermalisation = 3\n");
  set_key(document, "chain", "thermalisation", std::nullopt);
  set_key(document, "output", "name", TomlValue{std::string("n"), {}});
  EXPECT_EQ(write_toml(document), "[chain]\ntrajectories = 3\n\n[output]\nname = \"n\"\n");
}

}  // namespace
}  // namespace trellis::app
