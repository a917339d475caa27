// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench compare as its users see it.
#include <gtest/gtest.h>

#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "tests/support/program.hpp"
#include "trellis/app/bench/device_figures.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

constexpr const char* gpus = R"({"kernels": [
  {"kernel": "D_eo", "precision": "double", "scaling": "strong", "lattice": "8x8x8x8", "of_a_rank": "8x8x8x8", "ranks": 1,
   "yardstick": false, "seconds": 8.0, "gflops": 100.0, "gbytes": 150.0},
  {"kernel": "D_eo", "precision": "double", "scaling": "strong", "lattice": "8x8x8x8", "of_a_rank": "8x8x8x8", "ranks": 1,
   "yardstick": true, "seconds": 1.0, "gflops": 1000.0, "gbytes": 1500.0},
  {"kernel": "D_eo", "precision": "double", "scaling": "strong", "lattice": "8x8x8x8", "of_a_rank": "8x8x8x4", "ranks": 2,
   "yardstick": false, "seconds": 5.0, "gflops": 160.0, "gbytes": 240.0},
  {"kernel": "operator", "precision": "single", "scaling": "weak", "lattice": "8x8x8x16", "of_a_rank": "8x8x8x8",
   "ranks": 2, "yardstick": false, "seconds": 5.0, "gflops": 16.0, "gbytes": 24.0},
  {"kernel": "operator", "precision": "single", "scaling": "weak", "lattice": "8x8x8x32", "of_a_rank": "8x8x8x8",
   "ranks": 4, "yardstick": false, "seconds": 10.0, "gflops": 16.0, "gbytes": 24.0}]})";
constexpr const char* cores = R"({"threads": 4, "kernels": [
  {"kernel": "D_eo", "precision": "double", "lattice": "8x8x8x8", "vectors": 1, "seconds": 80.0, "gflops": 10.0,
   "gbytes": 15.0},
  {"kernel": "D_eo", "precision": "double", "lattice": "8x8x8x8", "vectors": 4, "seconds": 8.0, "gflops": 20.0,
   "gbytes": 15.0}]})";
constexpr const char* trajectories = R"({"figures": [
  {"scaling": "strong", "lattice": "8x8x8x8", "of_a_rank": "8x8x8x4", "ranks": 4, "seconds": 2, "gflops": 1,
   "gbytes": 2},
  {"scaling": "strong", "lattice": "8x8x8x8", "of_a_rank": "8x8x8x8", "ranks": 2, "seconds": 3, "gflops": 1,
   "gbytes": 2}]})";

class Compare : public ::testing::Test {
 protected:
  Compare() {
    write("gpus.json", gpus);
    write("cores.json", cores);
    write("trajectories.json", trajectories);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  // Words are separated by single spaces.
  test::Outcome trellis(const std::string& words) const {
    std::vector<std::string> command{TRELLIS_PROGRAM, "bench", "compare"};
    std::istringstream stream(words);
    for (std::string word; stream >> word;) command.push_back(word);
    return test::Process(command, {.folder = folder_.path()}).wait();
  }
  io::TemporaryFolder folder_;
};

TEST_F(Compare, CurvesHaveAscendingDevices) {
  const auto curves = read_device_curves(folder_ / "gpus.json");
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].machine, "gpus");
  EXPECT_EQ(curves[0].what, "D_eo, double, 8x8x8x8");
  ASSERT_EQ(curves[0].figures.size(), 2U);
  EXPECT_DOUBLE_EQ(curves[0].speedup(curves[0].figures[1]), 1.6);
  EXPECT_EQ(curves[1].what, "operator, single, 8x8x8x8 a device");
  EXPECT_DOUBLE_EQ(curves[1].speedup(curves[1].figures[0]), 2);
  EXPECT_DOUBLE_EQ(curves[1].speedup(curves[1].figures[1]), 2);  // twice the work in twice the time
  const auto whole = read_device_curves(folder_ / "trajectories.json");
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].what, "trajectory, 8x8x8x8");
  EXPECT_EQ(whole[0].figures[0].devices, 2);
  EXPECT_DOUBLE_EQ(whole[0].speedup(whole[0].figures[1]), 3);
  EXPECT_EQ(read_device_curves(folder_ / "cores.json")[1].what, "D_eo of 4 vectors, double, 8x8x8x8");
}

TEST_F(Compare, MachinesAreSideBySide) {
  const auto outcome = trellis("gpus.json cores.json --kernels D_eo --precision double --svg c.svg");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("D_eo, double, 8x8x8x8\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("operator"), std::string::npos) << outcome.out;
  const auto first = outcome.out.find("gpus "), second = outcome.out.find("cores ");
  ASSERT_NE(second, std::string::npos) << outcome.out;
  EXPECT_LT(first, second);
  EXPECT_NE(outcome.out.find("1.60      160.0      240.0"), std::string::npos) << outcome.out;
  pugi::xml_document picture;
  ASSERT_TRUE(picture.load_file((folder_ / "c.svg").c_str()));
  std::ostringstream text;
  picture.save(text);
  for (const auto* part : {"gpus, GFLOP/s", "cores, GB/s", "ideal", "D_eo, double, 8x8x8x8: speedup"})
    EXPECT_NE(text.str().find(part), std::string::npos) << part;
}

TEST_F(Compare, ActionsAreKeptApart) {
  const auto of_action = [](const std::string& action) {
    return R"({"action": ")" + action + R"(", "figures": [{"scaling": "strong", "lattice": "8x8x8x8",
      "of_a_rank": "8x8x8x8", "ranks": 1, "seconds": 3, "gflops": 1, "gbytes": 2}]})";
  };
  write("one.json", of_action("Wilson action"));
  write("same.json", of_action("Wilson action"));
  write("other.json", of_action("Iwasaki action"));
  const auto outcome = trellis("one.json other.json same.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto wilson = outcome.out.find("trajectory of Wilson action, 8x8x8x8\n"),
             iwasaki = outcome.out.find("trajectory of Iwasaki action, 8x8x8x8\n");
  ASSERT_NE(wilson, std::string::npos) << outcome.out;
  ASSERT_NE(iwasaki, std::string::npos) << outcome.out;
  const auto same = outcome.out.find("same "), other = outcome.out.find("other ");
  EXPECT_LT(wilson, same);
  EXPECT_LT(same, iwasaki);
  EXPECT_LT(iwasaki, other);
}

TEST_F(Compare, WrongFilesAndOptionsAreNamed) {
  write("cut.json", "{\"kernels\": [");
  write("other.json", "{\"threads\": 1}");
  write("empty.json", "{\"kernels\": []}");
  write("zero.json", R"({"kernels": [{"kernel": "a", "lattice": "b", "seconds": 0, "gflops": 1, "gbytes": 1}]})");
  write("dslash.json", R"({"kernels": [{"lattice": "4x4x4x4", "precision": "single", "links": 18, "rhs": 1,
    "seconds": 1e-6, "gflops": 1, "gbytes": 1}]})");
  std::filesystem::create_directory(folder_ / "more");
  write("more/gpus.json", gpus);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "FILES"},
      {"none.json", "none.json: cannot be opened"},
      {"cut.json", "cut.json: is no result of bench scaling"},
      {"other.json", "other.json: is no result of bench scaling"},
      {"dslash.json",
       "dslash.json: is no result of bench scaling, trajectory, nersc or staggered, as JSON: its kernels have no "
       "names, as those of bench dslash"},
      {"zero.json", "not positive"},
      {"empty.json", "empty.json: has no figures"},
      {"gpus.json more/gpus.json", "two files are called gpus.json"},
      {"gpus.json --kernels D_oe", "--kernels: found 'D_oe'; did you mean 'D_eo'?"},
      {"gpus.json --precision half", "--precision: found 'half'"},
      {"trajectories.json --precision single", "--precision: the files say nothing of that"},
      {"gpus.json --kernels D_eo --precision single", "no file has one of these"},
      {"a.json b.json c.json d.json e.json f.json", "found 6 files; at most 5"},
      {"gpus.json --svg none/c.svg", "there is no folder"},
      {"gpus.json --svg gpus.json", "--svg: gpus.json would replace the file of FILES"},
      {"gpus.json --svg .", "is a folder"},
  };
  for (const auto& [words, part] : cases) {
    const auto outcome = trellis(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << words << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace trellis::app
