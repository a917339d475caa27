// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include "tests/support/run_test.hpp"
#include "trellis/analysis/statistics.hpp"
#include "trellis/app/report/html.hpp"

namespace trellis::app {
namespace {

class Report : public test::RunTest {
 protected:
  test::Outcome trellis(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), TRELLIS_PROGRAM);
    return test::Process(arguments, here()).wait();
  }
  // The page of these results, which must be well-formed and need nothing but itself.
  pugi::xml_document page_of(const std::vector<std::string>& results) const {
    std::vector<std::string> arguments{"report", "--output", "page.html"};
    arguments.insert(arguments.end(), results.begin(), results.end());
    const auto outcome = trellis(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parsed(text("page.html"));
  }
  static pugi::xml_document parsed(const std::string& html) {
    pugi::xml_document page;
    const auto result = page.load_string(html.c_str());
    EXPECT_TRUE(result) << result.description() << " at " << html.substr(std::size_t(result.offset), 80);
    EXPECT_STREQ(page.document_element().name(), "html");
    for (const auto* outside : {"//script", "//link", "//img", "//@src", "//iframe"})
      EXPECT_TRUE(page.select_nodes(outside).empty()) << outside;
    std::set<std::string> ids;
    for (const auto& id : page.select_nodes("//@id"))
      EXPECT_TRUE(ids.insert(id.attribute().value()).second) << "twice: " << id.attribute().value();
    for (const auto& link : page.select_nodes("//a/@href"))
      EXPECT_TRUE(ids.contains(std::string(link.attribute().value()).substr(1))) << link.attribute().value();
    for (const auto& picture : page.select_nodes("//figure/svg"))
      EXPECT_STRNE(picture.node().child_value("title"), "") << "screen readers say the title";
    return page;
  }
  static bool has_heading(const pugi::xml_document& page, const std::string& heading) {
    for (const auto& h : page.select_nodes("//h2 | //h3"))
      if (heading == h.node().child_value()) return true;
    return false;
  }
  static std::string all_text(const pugi::xml_document& page) {
    std::string all;
    for (const auto& t : page.select_nodes("//text()")) all += std::string(t.node().value()) + "\n";
    return all;
  }
  static std::size_t count(const pugi::xml_document& page, const char* xpath) {
    return page.select_nodes(xpath).size();
  }
};

TEST_F(Report, OfARunAgreesWithAnalyse) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 40"}, {"time_max = 0.2", "time_max = 1.0"}}).code, 0);
  const auto page = page_of({"a"});
  const auto analysis = nlohmann::json::parse(trellis({"analyse", "a", "--json"}).out)[0];
  EXPECT_EQ(std::string(page.select_node("//title").node().child_value()),
            "Trellis: " + analysis["ensemble"].get<std::string>());
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& row : page.select_nodes("(//table)[1]/tbody/tr"))
    for (const auto& cell : row.node().children("td"))
      rows[row.node().child_value("th")].emplace_back(cell.child_value());
  ASSERT_EQ(rows.size(), analysis["quantities"].size());
  for (const auto& q : analysis["quantities"]) {
    const auto& cells = rows.at(q["name"]);
    const auto number = [&](const char* key) { return q[key].is_null() ? std::nan("") : q[key].get<double>(); };
    EXPECT_EQ(cells.at(0), analysis::with_error(number("mean"), number("error"))) << q["name"];
    EXPECT_EQ(cells.at(2), std::to_string(q["measurements"].get<int>())) << q["name"];
  }
  for (const auto* heading :
       {"Histories and autocorrelations", "plaquette", "|polyakov|", "topological_charge", "Polyakov loop",
        "Gradient flow", "Energies, forces, solvers", "Kernels", "Provenance", "Input with every default", "Commands"})
    EXPECT_TRUE(has_heading(page, heading)) << heading;
  const auto everything = all_text(page);
  for (const auto* part : {"finished: all 40 trajectories are done", "thermalisation", "dH", "reversibility_every = 4",
                           "commit ", " report a/c.csv", "of triad", "triad "})
    EXPECT_NE(everything.find(part), std::string::npos) << part;
}

// What the commands of the page make has the same bits.
TEST_F(Report, ItsCommandsReproduceTheRun) {
  ASSERT_EQ(run("a").code, 0);
  const auto page = page_of({"a"});
  const auto commands = std::string(page.select_node("(//pre)[last()]").node().child_value());
  const auto begin = commands.find("\nsed ") + 1;
  const auto end = commands.find("\n", commands.find("again.toml\n", begin) + 11);
  const auto outcome = test::Process({"/bin/sh", "-c", commands.substr(begin, end - begin)}, here()).wait();
  ASSERT_EQ(outcome.code, 0) << commands << outcome.err;
  EXPECT_EQ(table("again"), table("a"));
}

TEST_F(Report, NamesAreEscaped) {
  ASSERT_EQ(run("a", {{"directory = \"a\"", "directory = \"<b>&'\""}}).code, 0);
  const auto page = page_of({"<b>&'"});
  EXPECT_EQ(count(page, "//b"), 0U);
  EXPECT_NE(all_text(page).find("<b>&'/c.csv"), std::string::npos);
  EXPECT_EQ(html::escaped("<b>&\"\n"), "&lt;b&gt;&amp;&quot; ");
}

TEST_F(Report, OfARunThatIsGoingAndWasKilled) {
  io::test::write_all(at("a.toml"), input("a", {{"trajectories = 12", "trajectories = 100000"},
                                                {"thermalisation = 3", "thermalisation = 1"}}));
  test::Process process(command("a"), here());
  const auto rows = [&] { return exists("a/c.resolved.toml") ? table("a").size() : 0; };
  for (int i = 0; i < 2000 && rows() < 2000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_NE(all_text(page_of({"a"})).find("still going (process "), std::string::npos);
  process.signal(SIGKILL);
  process.wait();
  const auto page = page_of({"a"});
  EXPECT_NE(all_text(page).find("was killed, or its machine stopped"), std::string::npos);
  EXPECT_TRUE(has_heading(page, "Histories and autocorrelations"));
}

// Two measurements have a history and no error.
TEST_F(Report, OfTooFewMeasurements) {
  ASSERT_EQ(run("a", {{"trajectories = 12", "trajectories = 5"}, {"flow]\nevery = 4", "flow]\nevery = 2"}}).code, 0);
  const auto page = page_of({"a"});
  EXPECT_NE(all_text(page).find("not enough measurements for an error"), std::string::npos);
  EXPECT_TRUE(has_heading(page, "Histories and autocorrelations"));
  for (const auto* number : {"\"nan", " nan", "nan\"", "nan "})
    EXPECT_EQ(text("page.html").find(number), std::string::npos) << number;
}

TEST_F(Report, WithoutAnythingToAverage) {
  ASSERT_EQ(run("a", {{"thermalisation = 3", "thermalisation = 12"}}).code, 0);
  const auto page = page_of({"a"});
  EXPECT_NE(all_text(page).find("nothing to average yet"), std::string::npos);
  EXPECT_TRUE(has_heading(page, "History"));
}

TEST_F(Report, OfMeasurementsAndSeveralRuns) {
  ASSERT_EQ(run("a", {{"save_every = 6", "save_every = 2"}}).code, 0);
  ASSERT_EQ(run("b", {{"seed = 7", "seed = 8"}}).code, 0);
  io::test::write_all(at("m.toml"),
                      "[configurations]\nfiles = [\"a/c.*.ildg\"]\n[measure.hadrons]\nkappas = [0.12]\nchannels = "
                      "[\"pion\"]\n[output]\ndirectory = \"m\"\nname = \"h\"\n[machine]\nthreads = 1\n");
  ASSERT_EQ(call("m", "measure").code, 0);
  const auto page = page_of({"a", "b", "m"});
  EXPECT_TRUE(has_heading(page, "Effective masses"));
  EXPECT_TRUE(has_heading(page, "Provenance of b/c.csv")) << "a and b are replica of one ensemble";
  const auto everything = all_text(page);
  EXPECT_NE(everything.find("finished: measured 6 files"), std::string::npos);
  EXPECT_NE(everything.find("Report: 2 ensembles"), std::string::npos);
  // Without --output it is beside the results.
  const auto outcome = trellis({"report", "m"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.rfind("m/h.html", 0), 0U);
  EXPECT_TRUE(exists("m/h.html"));
}

TEST_F(Report, RefusesWhatIsNoResult) {
  std::filesystem::create_directory(at("empty"));
  io::test::write_all(at("x.csv"), "a,b\n1,2\n");
  for (const auto& [path, message] : {std::pair{"empty", "no results are in this folder"},
                                      {"none", "there is no such file or folder"},
                                      {"x.csv", "not a table of results"}}) {
    const auto outcome = trellis({"report", path, "--output", "page.html"});
    EXPECT_EQ(outcome.code, 2) << path;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
  EXPECT_FALSE(exists("page.html"));
  EXPECT_EQ(trellis({"report", "empty", "--output", "nowhere/page.html"}).code, 2);
  EXPECT_EQ(trellis({"report", "empty", "--cut", "-1"}).code, 2);
  ASSERT_EQ(run("a").code, 0);
  EXPECT_EQ(trellis({"report", "a", "--cut", "11"}).code, 0);
  const auto outcome = trellis({"report", "a", "--cut", "12"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--cut: a/c.csv: nothing is left beyond trajectory 12"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace trellis::app
