// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis metadata` on the configurations of a run.
#include <algorithm>
#include <pugixml.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/app/metadata/publication.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/gauge_reader.hpp"

namespace trellis::app {
namespace {

class MetadataTest : public test::RunTest {
 protected:
  void SetUp() override { io::test::write_all(at("p.toml"), publication_template()); }
  test::Outcome program(const std::string& command, const std::vector<std::string>& arguments) const {
    std::vector<std::string> line{TRELLIS_PROGRAM, command};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return test::Process(line, here()).wait();
  }
  test::Outcome metadata(const std::vector<std::string>& arguments) const { return program("metadata", arguments); }
  std::string value(const std::string& file, const std::string& element) const {
    pugi::xml_document xml;
    EXPECT_TRUE(xml.load_string(text(file).c_str()));
    return xml.select_node(("//*[local-name()='" + element + "']").c_str()).node().child_value();
  }
};

TEST_F(MetadataTest, OfARun) {
  ASSERT_EQ(run("a").code, 0);
  const auto before = everything("a");
  const auto outcome = metadata({"a", "--publication", "p.toml", "--folder", "out", "--copies"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(everything("a"), before);
  EXPECT_EQ(value("out/LABEL.ensemble.xml", "markovChainURI"), "mc://ldg/COLLABORATION/PROJECT/LABEL");
  EXPECT_EQ(value("out/c.000012.xml", "update"), "12");
  EXPECT_EQ(value("out/c.000012.xml", "series"), "7");
  // The copy has the same links, under the name of its metadata, and cksum of these is what the metadata say.
  const io::GaugeReader reader(at("out/c.000012.ildg"));
  EXPECT_TRUE(reader.read([](std::span<const io::Link>) {}).checksums_agree());
  const auto& info = reader.info();
  EXPECT_NE(std::ranges::find(info.header, std::pair<std::string, std::string>("ildg-data-lfn",
                                                                               value("out/c.000012.xml", "dataLFN"))),
            info.header.end());
  EXPECT_NEAR(std::stod(value("out/c.000012.xml", "avePlaquette")), info.plaquette.value().value, 1e-12);
  const auto record =
      std::ranges::find_if(info.records, [](const io::LimeRecord& r) { return r.type == "ildg-binary-data"; });
  ASSERT_NE(record, info.records.end());
  io::test::write_all(at("links"), text("out/c.000012.ildg").substr(record->offset, record->length));
  const auto sum = test::Process({"/usr/bin/env", "cksum", "links"}, here()).wait();
  EXPECT_EQ(sum.out.substr(0, sum.out.find(' ')), value("out/c.000012.xml", "crcCheckSum"));
  EXPECT_EQ(io::read_provenance(at("out/c.000012.ildg"))->trajectory, 12);
}

TEST_F(MetadataTest, Refusals) {
  ASSERT_EQ(run("a").code, 0);
  ASSERT_EQ(run("b", {{"beta = 4.0", "beta = 4.5"}, {"seed = 7", "seed = 8"}}).code, 0);
  expect_error(metadata({"a", "b", "--publication", "p.toml", "--folder", "out"}), 2,
               {"are of different ensembles: they differ in action.beta"});
  expect_error(metadata({"a", "--folder", "out"}), 2, {"--publication", "--template"});
  expect_error(metadata({"--publication", "p.toml", "--folder", "out"}), 2, {"no files"});
  expect_error(metadata({"a/c.checkpoint", "--publication", "p.toml", "--folder", "out"}), 2, {"trellis-provenance"});
  // Converted files of a run are as good; of other files it is said what they lack.
  ASSERT_EQ(program("convert", {"a/c.000012.ildg", "single.ildg", "--precision", "single"}).code, 0);
  EXPECT_EQ(metadata({"single.ildg", "--publication", "p.toml", "--folder", "single"}).code, 0);
  ASSERT_EQ(program("convert", {"a/c.000012.ildg", "c.nersc"}).code, 0);
  ASSERT_EQ(program("convert", {"c.nersc", "c.ildg"}).code, 0);
  expect_error(metadata({"c.ildg", "--publication", "p.toml", "--folder", "out"}), 2,
               {"its record trellis-provenance has no line 'program'"});
  expect_error(metadata({"p.toml", "--publication", "p.toml", "--folder", "out"}), 2, {"p.toml"});
  auto bytes = text("a/c.000012.ildg");
  bytes[bytes.size() / 2] ^= 1;
  io::test::write_all(at("a/c.000012.ildg"), bytes);
  expect_error(metadata({"a", "--publication", "p.toml", "--folder", "out"}), 2, {"c.000012.ildg: is not sound"});
  EXPECT_FALSE(exists("out")) << "nothing is written";
}

}  // namespace
}  // namespace trellis::app
