// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench dslash and trellis tune, as their users meet them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "tests/support/program.hpp"
#include "trellis/app/bench/dslash_report.hpp"
#include "trellis/io/temporary_folder.hpp"
#include "trellis/lattice/field_space.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;
using test::Outcome;

class Dslash : public ::testing::Test {
 protected:
  Dslash() {
    if (const char* own = std::getenv("TRELLIS_TUNING_CACHE")) own_ = own;
    ::setenv("TRELLIS_TUNING_CACHE", cache().c_str(), 1);
  }
  ~Dslash() override {
    if (own_)
      ::setenv("TRELLIS_TUNING_CACHE", own_->c_str(), 1);
    else
      ::unsetenv("TRELLIS_TUNING_CACHE");
  }

  std::string cache() const { return (folder_ / "tuning.json").string(); }
  // Words are separated by single spaces.
  Outcome trellis(const std::string& words) const {
    std::vector<std::string> command{TRELLIS_PROGRAM};
    std::istringstream stream(words);
    for (std::string word; stream >> word;) command.push_back(word);
    return test::Process(command, {.folder = folder_.path()}).wait();
  }

  io::TemporaryFolder folder_;

 private:
  std::optional<std::string> own_;
};

const std::string small = "--lattice 4,4,4,4 --threads 2 --seconds 1e-6";

TEST_F(Dslash, PrintsATable) {
  const auto outcome = trellis("bench dslash " + small);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const auto* word : {"GFLOP/s", "of MIX", "of triad", "of peak", "reused", "expected", "16-bit", "4x4x4x4"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << outcome.out;
}

TEST_F(Dslash, JsonHasEveryFigure) {
  const auto outcome =
      trellis("bench dslash " + small + " --precision single double --links 12 18 --rhs 1 2 --json --plot r.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto kernels = json::parse(outcome.out)["kernels"];
  ASSERT_EQ(kernels.size(), 8U);
  EXPECT_EQ(kernels[1]["rhs"], 2);
  EXPECT_EQ(kernels[1]["links"], 12);
  EXPECT_EQ(kernels[4]["precision"], "double");
  for (const auto& kernel : kernels) {
    EXPECT_TRUE(kernel["production"]);
    EXPECT_FALSE(kernel["tuned"]);
    for (const auto* name : {"gflops", "gbytes", "of_mix", "of_bandwidth", "of_peak", "predicted_gflops_at_7"})
      EXPECT_GT(kernel[name].get<double>(), 0) << name;
  }
  pugi::xml_document picture;
  EXPECT_TRUE(picture.load_file((folder_ / "r.svg").c_str()));
  EXPECT_STREQ(picture.document_element().name(), "svg");
}

TEST_F(Dslash, SolversAreTimedAgainstTheirFloor) {
  const auto outcome =
      trellis("bench dslash " + small + " --precision single 16-bit --links 12 --rhs 2 --solvers --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto solvers = json::parse(outcome.out)["solvers"];
  ASSERT_EQ(solvers.size(), 2U);  // none in 16 bits
  EXPECT_EQ(solvers[0]["solver"], "CG, normal equations");
  EXPECT_EQ(solvers[1]["solver"], "BiCGStab");
  for (const auto& one : solvers) {
    EXPECT_EQ(one["precision"], "single");
    EXPECT_EQ(one["vectors"], 2);
    EXPECT_GT(one["hops_seconds"].get<double>(), 0);
    EXPECT_GT(one["floor_seconds"].get<double>(), 4 * one["hops_seconds"].get<double>());
  }
  EXPECT_NE(trellis("bench dslash " + small + " --precision double --links 12 --rhs 1 --solvers").out.find("of floor"),
            std::string::npos);
  EXPECT_EQ(trellis("bench dslash " + small + " --compare --solvers").code, 2);
}

// On CPUs the study's variants live in a module that need not have been built; the program says so.
const bool has_variants =
    !fields_on_host ||
    std::filesystem::exists(std::filesystem::path(TRELLIS_PROGRAM).parent_path() / "trellis_wilson_variants.so");
const std::string why_none = "a target of their own";
// How operators store complex numbers, and how they do not.
const std::string own_form = fields_on_host ? "split" : "interleaved",
                  other_form = fields_on_host ? "interleaved" : "split";

TEST_F(Dslash, ComparesTheStudysVariants) {
  if (!has_variants) {
    const auto refused = trellis("bench dslash --compare " + small);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(why_none), std::string::npos) << refused.err;
    return;
  }
  const auto outcome = trellis("bench dslash --compare " + small + " --json --plot bars.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::set<std::string> fillings, layouts, forms;
  const auto all = json::parse(outcome.out);
  for (const auto& kernel : all["kernels"]) {
    const bool own = kernel["filling"] != "right-hand sides" &&
                     (kernel["complex"] == own_form || kernel["lanes"] == 1) && kernel["layout"] == "right";
    EXPECT_TRUE(own || kernel.contains("not_run") || !kernel["production"].get<bool>());
    fillings.insert(kernel["filling"]);
    layouts.insert(kernel["layout"]);
    forms.insert(kernel["complex"]);
  }
  EXPECT_EQ(fillings, (std::set<std::string>{"scalar", "right-hand sides", "virtual nodes"}));
  EXPECT_EQ(forms, (std::set<std::string>{"split", "interleaved"}));
  EXPECT_EQ(layouts, (std::set<std::string>{"left", "right", "tiled"}));
  pugi::xml_document picture;
  EXPECT_TRUE(picture.load_file((folder_ / "bars.svg").c_str()));
  std::string texts;
  for (const auto& text : picture.document_element().children("text")) texts += text.text().get() + std::string("\n");
  for (const auto* part : {"as figure 5", "as figure 6", "as figure 7", "as tables II and III", "teams", "blocks ",
                           "right-hand sides side by side", "virtual nodes, split"})
    EXPECT_NE(texts.find(part), std::string::npos) << part << texts;
  const auto table = trellis("bench dslash --compare " + small);
  EXPECT_NE(table.out.find("of scalar"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("|  | left | tiled | right |"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("| one lane | "), std::string::npos) << table.out;
  // With one order of traversal for all.
  const auto teams = trellis("bench dslash --compare --traversal team " + small + " --plot teams.svg");
  EXPECT_EQ(teams.code, 0) << teams.err;
  EXPECT_EQ(teams.out.find(" flat "), std::string::npos) << teams.out;
  EXPECT_TRUE(picture.load_file((folder_ / "teams.svg").c_str()));
}

// A sweep over all precisions leaves out those that cannot run, and says so.
TEST_F(Dslash, WhatASweepLeavesOutIsSaid) {
  const auto outcome = trellis("bench dslash " + small + " --links 8 --rhs 1 --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto kernels = json::parse(outcome.out)["kernels"];
  ASSERT_EQ(kernels.size(), 3U);
  for (const auto& kernel : kernels) {
    EXPECT_EQ(kernel["links"], 8);
    EXPECT_EQ(kernel.contains("not_run"), kernel["precision"] == "16-bit");
    EXPECT_EQ(kernel.contains("gflops"), kernel["precision"] != "16-bit");
  }
  EXPECT_NE(kernels[2]["not_run"].get<std::string>().find("singular"), std::string::npos);
  const auto table = trellis("bench dslash " + small + " --links 8 --rhs 1 --plot r.svg");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("not run: links of 8 reals are singular in 16-bit precision"), std::string::npos);
  const auto streaming = trellis("bench dslash " + small + " --links 12 --rhs 1 --stores streaming");
  EXPECT_EQ(streaming.code, 0) << streaming.err;
  EXPECT_NE(streaming.out.find("not run: there are no streaming stores"), std::string::npos) << streaming.out;
}

TEST_F(Dslash, AComparisonNamesWhatIsNotCompiled) {
  if (!has_variants) return;
  // Interleaved numbers are compiled in single precision, with right-hand sides in as many lanes as fill a register.
  const auto outcome = trellis("bench dslash --compare " + small + " --precision double --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  int with_figures = 0, without = 0;
  std::set<std::string> rows;
  const auto kernels = json::parse(outcome.out)["kernels"];
  for (const auto& kernel : kernels) {
    (kernel.contains("not_run") ? without : with_figures) += 1;
    EXPECT_EQ(kernel.contains("not_run"), !kernel.contains("gflops"));
    if (kernel["filling"] == "right-hand sides" && kernel["lanes"] == 16) rows.insert(kernel["layout"]);
  }
  EXPECT_GT(with_figures, 0);
  EXPECT_GT(without, 0);
  EXPECT_EQ(rows,
            fields_on_host ? (std::set<std::string>{"left", "right", "tiled"}) : (std::set<std::string>{"right"}));
  EXPECT_NE(trellis("bench dslash --compare " + small + " --precision double").out.find("not compiled"),
            std::string::npos);
}

TEST_F(Dslash, ATileIsAnOptionAndIsTuned) {
  if (!has_variants) return;
  const std::string blocked = "bench dslash " + small + " --filling scalar --traversal blocked --json ";
  const auto asked = json::parse(trellis(blocked + "--tile 1,4,2,0").out)["kernels"].at(0);
  EXPECT_EQ(asked["tile"], (json{1, 4, 2, 0}));
  EXPECT_FALSE(asked["tuned"].get<bool>());
  const auto usual = json::parse(trellis(blocked).out)["kernels"].at(0)["tile"];
  EXPECT_EQ(usual, fields_on_host ? (json{0, 2, 2, 0}) : (json{2, 2, 2, 2}));
  const auto tuned = json::parse(trellis(blocked + "--tune").out)["kernels"].at(0);
  EXPECT_TRUE(tuned["tuned"].get<bool>());
  const auto compared = json::parse(trellis("bench dslash --compare --tile 1,1,1,1 --json " + small).out)["kernels"];
  std::set<std::string> traversals;
  for (const auto& kernel : compared) {
    traversals.insert(kernel["traversal"]);
    if (kernel["traversal"] != "blocked" || kernel.contains("not_run")) continue;
    EXPECT_EQ(kernel["tile"], (json{1, 1, 1, 1})) << kernel;
  }
  EXPECT_EQ(traversals, (std::set<std::string>{"blocked", "flat", "team"}));
}

// Other programs, in name and output only.
TEST_F(Dslash, RunsInTurnWithAnotherProgram) {
  const auto script = [&](const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  };
  // Counts its calls, and is faster in the second.
  const auto quda =
      script("quda", "echo x >>" + (folder_ / "calls").string() + "\nif [ $(wc -l <" + (folder_ / "calls").string() +
                         ") = 2 ]; then echo 'GFLOPS = 8.5'; else echo 'GFLOPS = 4.25'; fi\n");
  const auto run = [&](const std::string& command, const std::string& more) {
    std::vector<std::string> words{TRELLIS_PROGRAM, "bench", "dslash", "--against", command};
    std::istringstream stream(small + " " + more);
    for (std::string word; stream >> word;) words.push_back(word);
    return test::Process(words, {.folder = folder_.path()}).wait();
  };
  const auto outcome = run(quda, "--json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto out = json::parse(outcome.out);
  EXPECT_EQ(out["program"], "QUDA dslash_test");
  EXPECT_EQ(out["precision"], "single");
  ASSERT_EQ(out["rounds"].size(), 3U);
  const double theirs[] = {4.25, 8.5, 4.25};
  std::vector<double> ratios;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(out["rounds"][k]["their_gflops"].get<double>(), theirs[k]);
    ratios.push_back(out["rounds"][k]["gflops"].get<double>() / theirs[k]);
  }
  std::sort(ratios.begin(), ratios.end());
  EXPECT_NEAR(out["ratio"].get<double>(), ratios[1], 1e-9 * ratios[1]);
  EXPECT_DOUBLE_EQ(out["median_their_gflops"].get<double>(), 4.25);

  const auto grid = script("grid", "[ \"$2\" = 'a b' ] && echo 'Grid : Message : 1.3 s : mflop/s =   5000'\n");
  const auto table = run(grid + " --grid 'a b'", "--rounds 2 --precision double --links 12");
  EXPECT_EQ(table.code, 0) << table.err;
  for (const auto* part : {"Grid", "ours / theirs", "median", "5.0", "double"})
    EXPECT_NE(table.out.find(part), std::string::npos) << part << table.out;

  const std::vector<std::tuple<std::string, std::string, int, std::string>> refused{
      {script("broken", "echo out of memory; exit 7\n"), "", 1, "exit code 7; its last lines are:\n  out of memory"},
      {script("other", "echo 12 GFLOPS\n"), "", 2, "no known program (QPhiX, KokkosDslash, Grid, QUDA dslash_test"},
      {"/no/such/program", "", 2, "/no/such/program cannot be started"},
      {quda + " | tail", "", 2, "there is no shell"},
      {"", "", 2, "the command is empty"},
      {quda, "--precision single double", 2, "--against compares one kernel; --precision selects 2"},
      {quda, "--rhs 1 2", 2, "--rhs selects 2"},
      {quda, "--rounds 0", 2, "--rounds: found 0"},
      {quda, "--compare", 2, "--compare and --against exclude one another"},
      {quda, "--solvers", 2, "--solvers and --against exclude one another"},
      {quda, "--plot r.svg", 2, "--plot and --against exclude one another"}};
  for (const auto& [command, more, code, part] : refused) {
    const auto error = run(command, more);
    EXPECT_EQ(error.code, code) << part << error.err;
    EXPECT_NE(error.err.find(part), std::string::npos) << error.err;
    EXPECT_EQ(error.out, "") << part;
  }
}

// As in the table: what is no number of neighbours is none.
TEST_F(Dslash, ReuseThatMeansNothingIsNull) {
  DslashRow row;
  row.figure = {.flops = 1.32e6, .bytes = 1e6, .seconds = 1e-6, .mix_seconds = 1e-6, .of_mix = 1};
  row.peak = 1e13;
  row.bandwidth = row.model().bytes(7) * row.flops() / 1320;
  EXPECT_NEAR(to_json(row)["reuse"].get<double>(), 7, 1e-9);
  row.bandwidth *= 100;
  EXPECT_TRUE(to_json(row)["reuse"].is_null()) << to_json(row)["reuse"];
}

TEST_F(Dslash, TeamsHaveTheirSize) {
  if (!has_variants) return;
  const std::string team = "bench dslash " + small + " --filling scalar --traversal team --json ";
  EXPECT_EQ(json::parse(trellis(team + "--team 2").out)["kernels"].at(0)["team"], 2);
  EXPECT_EQ(json::parse(trellis(team).out)["kernels"].at(0)["team"], 0);
  const auto compared = json::parse(trellis("bench dslash --compare --team 2 --json " + small).out)["kernels"];
  int teams = 0;
  for (const auto& kernel : compared)
    if (kernel["traversal"] == "team") {
      EXPECT_EQ(kernel["team"], 2);
      ++teams;
    }
  EXPECT_EQ(teams, 2);
  if (fields_on_host) {
    const auto refused = trellis("bench dslash --least-blocks 4");
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--least-blocks has no effect on a CPU"), std::string::npos) << refused.err;
    EXPECT_NE(trellis("bench dslash --threads 2 --traversal team --team 3").err.find("there are 2 threads for a team"),
              std::string::npos);
  }
}

TEST_F(Dslash, RunsASingleVariant) {
  const auto outcome = trellis("bench dslash " + small + " --filling scalar --traversal blocked --json");
  ASSERT_EQ(outcome.code, has_variants ? 0 : 2) << outcome.err;
  if (!has_variants) return;
  const auto kernels = json::parse(outcome.out)["kernels"];
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0]["traversal"], "blocked");
  EXPECT_FALSE(kernels[0]["production"]);
}

TEST_F(Dslash, WrongOptionsAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"bench dslash --layuot left", "unknown option '--layuot'; did you mean '--layout'?"},
      {"bench dslash --layout lefft", "--layout: found 'lefft'; did you mean 'left'?"},
      {"bench dslash --complex x", "--complex: found 'x'; known are split, interleaved"},
      {"bench dslash --precision half", "--precision: found 'half'; known are double, single, 16-bit"},
      {"bench dslash --traversal blokced", "did you mean 'blocked'?"},
      {"bench dslash --neighbours tables", "did you mean 'table'?"},
      {"bench dslash --filling nodes", "--filling: found 'nodes'"},
      {"bench dslash --stores stream", "--stores: found 'stream'"},
      {"bench dslash --links 9", "--links: found 9, expected 18, 12 or 8"},
      {"bench dslash --rhs 65", "--rhs: found 65, expected 1 to 64"},
      {"bench dslash --rhs 0", "--rhs: found 0"},
      {"bench dslash --threads -1", "--threads: found -1"},
      {"bench dslash --seconds 0", "--seconds: found 0"},
      {"bench dslash --lanes 3", "3 SIMD lanes were asked for; this program was compiled for"},
      {"bench dslash --lattice 4,4,4,3", "every extent must be even"},
      {"bench dslash --lattice 4,4,4", "expected x,y,z,t"},
      {"bench dslash --filling scalar --lanes 8", "one lane"},
      {"bench dslash --filling right-hand-sides --rhs 3", "this variant is not compiled"},
      {"bench dslash --filling right-hand-sides --rhs 8 --lanes 4", "as many lanes as right-hand sides"},
      {"bench dslash --layout left --rhs 4", "--rhs 4 needs"},
      {"bench dslash --layout left --precision 16-bit", "double and single precision"},
      {"bench dslash --links 8 --precision 16-bit", "8 reals"},
      {"bench dslash --tune --no-tune", "exclude one another"},
      {"bench dslash --layout left --tune", "--tune has no effect with --layout left"},
      {"bench dslash --complex " + other_form + " --no-tune", "--no-tune has no effect with --complex " + other_form},
      {"bench dslash --traversal team --solvers", "--solvers has no effect with --traversal team"},
      {"bench dslash --precision 16-bit --solvers", "--solvers has no effect with --precision 16-bit"},
      {"bench dslash --stores streaming --precision 16-bit", "no streaming stores of 16-bit numbers"},
      {"bench dslash --tile 0,2,2,0", "--tile has no effect with --traversal flat"},
      {"bench dslash --traversal team --tile 0,2,2,0", "--tile has no effect with --traversal team"},
      {"bench dslash --compare --traversal flat --tile 0,2,2,0", "--tile has no effect with --traversal flat"},
      {"bench dslash --traversal blocked --tile 0,2,2", "--tile: found '0,2,2'"},
      {"bench dslash --traversal blocked --tile 0,-2,2,0", "--tile: found '0,-2,2,0'"},
      {"bench dslash --traversal blocked --tile 0,2,2,0 --tune", "--tile and --tune exclude one another"},
      {"bench dslash --filling scalar --traversal blocked --tile 0,2,5,0 --lattice 4,4,4,4", "blocks of 5 in z"},
      {"bench dslash --traversal team --team 1 --tune", "--team and --tune exclude one another"},
      {"bench dslash --compare --filling scalar", "--filling and --compare exclude one another"},
      {"bench dslash --compare --layout left", "--layout and --compare exclude one another"},
      {"bench dslash --compare --complex split", "--complex and --compare exclude one another"},
      {"bench dslash --compare --neighbours table", "--neighbours and --compare exclude one another"},
      {"bench dslash --compare --no-tune", "--no-tune and --compare exclude one another"},
      {"bench dslash --compare --solvers", "--solvers and --compare exclude one another"},
      {"bench dslash --team 2", "--team has no effect with --traversal flat"},
      {"bench dslash --traversal blocked --team 2", "--team has no effect with --traversal blocked"},
      {"bench dslash --compare --traversal flat --team 2", "--team has no effect with --traversal flat"},
      {"bench dslash --traversal team --team 1025", "--team: found 1025"},
      {"bench dslash --compare --least-blocks 4", "--least-blocks"},
      {"bench dslash --least-blocks 33", "--least-blocks: found 33"},
      {"bench dslash --against true --plot r.svg", "--plot and --against exclude one another: there is no picture"},
      {"bench dslash --rounds 2", "--rounds has no effect without --against"},
      {"bench dslash --compare --lanes 8", "chooses lanes and right-hand sides itself"},
      {"bench dslash --compare --rhs 2", "chooses lanes and right-hand sides itself"},
      {"bench dslash --compare --precision 16-bit", "double and single"},
      {"tune",
       "give the INPUT of a run or a measurement whose kernels to tune, or a --lattice to tune for, or --list, or "
       "--clear"},
      {"tune --list --clear", "give the INPUT of a run"},
      {"tune --lattice 4,4,4,4 --json", "--json goes with --list"},
      {"tune --lattice 4,4,4,5", "every extent must be even"},
      {"tune --lattice 4,4,4,4 --only kernels", "--only goes with an INPUT"},
      {"tune --lattice 4,4,4,4 --kernel stagered", "unknown --kernel 'stagered'; did you mean 'staggered'?"},
      {"tune --lattice 4,4,4,4 --kernel dslash", "unknown --kernel 'dslash'; known are wilson, staggered"},
      {"tune --lattice 4,4,4,4 --kernel staggered --quark-links lng", "did you mean 'long'?"},
      {"tune --lattice 4,4,4,4 --kernel staggered --links 18", "--links is for the Wilson operator only"},
      {"tune --lattice 4,4,4,4 --kernel dynamics --links 12", "--links is for the Wilson operator only"},
      {"tune --lattice 4,4,4,4 --output x.toml", "--output goes with an INPUT whose algorithm is chosen"},
      {"tune --list --budget 3", "--budget is for kernels that are timed"},
      {"tune --clear --links 12", "--links goes with --lattice"},
      {"tune --lattice 4,4,4,4 --kernel dynamics --rhs 2", "--rhs is for the operators of quarks only"},
      {"tune --lattice 4,4,4,4 --kernel dynamics --precision 16-bit", "no forces in 16 bits"},
      {"tune --lattice 4,4,4,4 --precision singel", "tune: --precision: found 'singel'; did you mean 'single'?"},
      {"tune --lattice 4,4,4,4 --links 10", "tune: --links: found 10"},
      {"tune --lattice 4,4,4,4 --budget -1", "tune: --budget: found -1"},
  };
  for (const auto& [words, part] : cases) {
    const auto outcome = trellis(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_EQ(outcome.out, "") << words;
    // Where there are no variants, that may be reported first.
    const bool without = !has_variants && outcome.err.find(why_none) != std::string::npos;
    EXPECT_TRUE(without || outcome.err.find(part) != std::string::npos) << words << ": " << outcome.err;
  }
  const auto nowhere = trellis("bench dslash " + small + " --plot none/r.svg");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_EQ(nowhere.out, "");
}

TEST_F(Dslash, TunesListsUsesAndForgets) {
  const auto empty = trellis("tune --list");
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_NE(empty.out.find("0 entries"), std::string::npos) << empty.out;
  const std::string what = "--lattice 4,4,4,4 --precision single --links 12 --threads 1 --seconds 1e-6";
  const auto tuned = trellis("tune " + what + " --budget 0.2");
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_NE(tuned.out.find("4x4x4x4"), std::string::npos) << tuned.out;
  const auto listed = trellis("tune --list");
  EXPECT_NE(listed.out.find("This machine"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("4x4x4x4"), std::string::npos) << listed.out;
  const auto entries = json::parse(trellis("tune --list --json").out);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_TRUE(entries[0]["this_machine"]);
  const auto used = [&](const std::string& more) {
    const auto kernels = json::parse(trellis("bench dslash " + what + " --json" + more).out)["kernels"];
    return kernels.at(0)["tuned"].get<bool>();
  };
  EXPECT_TRUE(used(""));
  EXPECT_FALSE(used(" --no-tune"));
  EXPECT_FALSE(used(" --rhs 2"));
  EXPECT_TRUE(used(" --rhs 2 --tune"));
  EXPECT_TRUE(used(" --rhs 2"));
  const auto cleared = trellis("tune --clear");
  EXPECT_NE(cleared.out.find("2 entries forgotten"), std::string::npos) << cleared.out;
  EXPECT_FALSE(used(""));
}

TEST_F(Dslash, ADamagedCacheIsIgnoredWithAWarning) {
  std::ofstream(cache()) << "{\"format\": \"trellis tun";
  const auto listed = trellis("tune --list");
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.err.find("is ignored"), std::string::npos) << listed.err;
  const auto run = trellis("bench dslash " + small + " --precision single --links 12 --json");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("is ignored"), std::string::npos) << run.err;
  EXPECT_FALSE(json::parse(run.out)["kernels"][0]["tuned"].get<bool>());
}

}  // namespace
}  // namespace trellis::app
