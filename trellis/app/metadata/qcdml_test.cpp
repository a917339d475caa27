// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The XML has the elements that QCDml 2.0.0 wants, in its order, and the numbers of the input. With the schemas
// QCDmlEnsemble2.0.0.xsd and QCDmlConfig2.0.0.xsd in the folder TRELLIS_QCDML_SCHEMAS, and the program xmllint, every
// document is also validated against them.
#include "trellis/app/metadata/qcdml.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <pugixml.hpp>
#include <regex>
#include <sstream>

#include "trellis/core/error.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

// What may be inside elements: names in order, with ? * + for how often; a|b for either. Elements that are not here
// hold text.
const std::map<std::string, std::string> content{
    {"markovChain", "markovChainURI management license fundingReferences? physics algorithm cLibrary? additionalInfo?"},
    {"gaugeConfiguration", "dataLFN management implementation algorithm precision markovSequence additionalInfo?"},
    {"markovChain/management",
     "annotation? revisions? collaboration projectName ensembleLabel? publishedAlias? reference? archiveHistory"},
    {"gaugeConfiguration/management", "annotation? revisions? reference? archiveHistory"},
    {"archiveHistory", "archiveEvent+"},
    {"archiveEvent", "annotation? revision? revisionAction participant date"},
    {"participant", "orcid? name? institution?"},
    {"license", "annotation? licenseName? licenseURI embargoEndDate? acknowledgments?"},
    {"acknowledgments", "annotation? citation* templateText?"},
    {"fundingReferences", "annotation? fundingReference+"},
    {"fundingReference", "annotation? funderName awardTitle? awardNumber?"},
    {"physics", "annotation? size action observables?"},
    {"size", "annotation? x y z t"},
    {"action", "annotation? gluon photon? quark?"},
    {"gluon",
     "plaquetteGluonAction|treelevelSymanzikGluonAction|treelevelSymanzikOpenBCGluonAction|iwasakiRGGluonAction|"
     "DBW2GluonAction|tpLuescherWeiszGluonAction"},
    {"plaquetteGluonAction", "annotation? glossary gluonField beta"},
    {"treelevelSymanzikGluonAction", "annotation? glossary gluonField beta normalisation c0 c1 c2 c3"},
    {"treelevelSymanzikOpenBCGluonAction", "annotation? glossary gluonField beta normalisation c0 c1 c2 c3 cG"},
    {"iwasakiRGGluonAction", "annotation? glossary gluonField beta normalisation c0 c1 c2 c3"},
    {"DBW2GluonAction", "annotation? glossary gluonField beta normalisation c0 c1 c2 c3"},
    {"tpLuescherWeiszGluonAction", "annotation? glossary gluonField beta normalisation c0 c1 c2 c3 u0"},
    {"gluonField", "annotation? gaugeGroup representation boundaryCondition"},
    {"boundaryCondition", "x y z t"},
    {"quark", "(asqTadQuarkAction|hisqQuarkAction)+"},
    {"asqTadQuarkAction",
     "annotation? glossary quarkField numberOfFlavours linkSmearing? mass cNaik c1Link c3Link c5LinkChair c7LinkTwist "
     "cLepage u0"},
    {"hisqQuarkAction", "annotation? glossary quarkField numberOfFlavours linkSmearing? mass LinkTreatment"},
    {"quarkField", "annotation? normalisation boundaryCondition"},
    {"linkSmearing", "apeLinkBlocking linkUnitarization numSmear"},
    {"apeLinkBlocking", "rho0 rho1"},
    {"LinkTreatment", "fat7QuarkLinkTreatment projectGroupLinkTreatment asqTadQuarkLinkTreatment"},
    {"fat7QuarkLinkTreatment", "glossary c1Link c3Link c5LinkChair c7LinkTwist u0"},
    {"projectGroupLinkTreatment", "glossary group?"},
    {"asqTadQuarkLinkTreatment", "glossary epsilon? cNaik c1Link c3Link c5LinkChair c7LinkTwist cLepage u0"},
    {"epsilon", "method value"},
    {"markovChain/algorithm", "annotation? name glossary reference exact reweightingNeeded parameters?"},
    {"gaugeConfiguration/algorithm", "annotation? parameters?"},
    {"parameters", "parameter+"},
    {"parameter", "annotation? name value"},
    {"additionalInfo", "annotation"},
    {"implementation", "annotation? machine code"},
    {"machine", "annotation? name institution machineType"},
    {"code", "annotation? name version date"},
    {"markovSequence", "annotation? markovChainURI series markovStep+"},
    {"markovStep", "annotation? update record+"},
    {"record", "field crcCheckSum avePlaquette"},
};

// Texts that are not free.
const std::map<std::string, std::string> texts{
    {"markovChainURI", "mc://.+"},
    {"dataLFN", "lfn://.+"},
    {"date", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)"},
    {"revision", "\\d+"},
    {"revisionAction", "generate|add"},
    {"numberOfFlavours", "\\d+"},
    {"numSmear", "\\d+"},
    {"group", "U\\(3\\)"},
    {"gaugeGroup", "SU\\(3\\)"},
    {"normalisation", "cs_sum_to_one|c0_is_one|1"},
    {"exact", "true|false"},
    {"reweightingNeeded", "true|false"},
    {"parameter/name", "[A-Za-z_:][A-Za-z0-9_:.-]*"},
    {"markovChain/algorithm/name", "[A-Za-z_:][A-Za-z0-9_:.-]*"},
    {"crcCheckSum", "\\d{1,10}"},
    {"precision", "single|double|mixed"},
    {"field", "su3gauge"},
    {"linkUnitarization", "stout"},
    {"boundaryCondition/t", "periodic|antiperiodic|open"},
};

std::string pattern_of(const std::string& model) {
  std::string pattern;
  std::istringstream words(model);
  for (std::string word; words >> word;) {
    std::string often;
    if (word.ends_with('?') || word.ends_with('*') || word.ends_with('+')) {
      often = word.back();
      word.pop_back();
    }
    if (word.starts_with('(')) word = word.substr(1, word.size() - 2);
    std::string either;
    std::istringstream names(word);
    for (std::string name; std::getline(names, name, '|');) either += (either.empty() ? "" : "|") + name + " ";
    pattern += "(" + either + ")" + often;
  }
  return pattern;
}

// The entry for the longest ending of the path.
template <class Map>
const std::string* find_for(const Map& map, std::string path) {
  for (;;) {
    if (const auto found = map.find(path); found != map.end()) return &found->second;
    const auto slash = path.find('/');
    if (slash == std::string::npos) return nullptr;
    path.erase(0, slash + 1);
  }
}

void expect_valid(const pugi::xml_node& node, const std::string& path) {
  std::string children;
  for (const auto& child : node.children())
    if (child.type() == pugi::node_element) {
      children += std::string(child.name()) + " ";
      expect_valid(child, path + "/" + child.name());
    }
  if (const auto* model = find_for(content, path)) {
    EXPECT_TRUE(std::regex_match(children, std::regex(pattern_of(*model)))) << path << ": " << children;
    return;
  }
  EXPECT_EQ(children, "") << path;
  const std::string text = node.child_value();
  EXPECT_NE(text, "") << path;
  if (const auto* pattern = find_for(texts, path)) {
    EXPECT_TRUE(std::regex_match(text, std::regex(*pattern))) << path << ": " << text;
  }
}

// The document, after these checks.
pugi::xml_document valid(const std::string& xml, const std::string& schema) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(xml.c_str())) << xml;
  expect_valid(document.document_element(), document.document_element().name());
  if (const char* const folder = std::getenv("TRELLIS_QCDML_SCHEMAS")) {
    const io::TemporaryFolder own;
    std::ofstream(own / "x.xml") << xml;
    const auto command = "xmllint --noout --schema " + (std::filesystem::path(folder) / schema).string() + " " +
                         (own / "x.xml").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << xml;
  }
  return document;
}

pugi::xml_document ensemble(const RunInput& input, const Publication& publication) {
  return valid(ensemble_xml(input, publication), "QCDmlEnsemble2.0.0.xsd");
}

std::string at(const pugi::xml_document& document, const std::string& path) {
  const auto found = document.select_nodes(("//*" + path).c_str());
  EXPECT_EQ(found.size(), 1U) << path;
  return found.empty() ? "" : found[0].node().child_value();
}
std::string at(const pugi::xml_document& document, const char* element, const char* child) {
  return at(document, "[local-name()='" + std::string(element) + "']/*[local-name()='" + child + "']");
}

const std::string chain_section = "[chain]\ntrajectories = 5\nseed = 3\n";

RunInput input(const std::string& action, const std::string& more = "", const std::string& lattice = "") {
  return parse_run_input("[lattice]\nsize = [4, 6, 8, 10]\n" + lattice + "[action]\n" + action + chain_section + more,
                         "x.toml");
}

Publication publication(const std::string& more = "") {
  return parse_publication(
      "[publication]\ngrid = \"ldg\"\ncollaboration = \"Us\"\nproject = \"quenched\"\nlabel = \"b6.0\"\nlicense = "
      "\"https://creativecommons.org/licenses/by/4.0/\"\n" +
          more +
          "[publication.participant]\nname = \"A & B\"\ninstitution = \"<C>\"\n[publication.machine]\nname = "
          "\"m\"\ninstitution = \"i\"\ntype = \"t\"\n",
      "p.toml");
}

TEST(Qcdml, GaugeActions) {
  auto xml = ensemble(input("beta = 6.0\n"), publication());
  EXPECT_EQ(at(xml, "plaquetteGluonAction", "beta"), "6");
  EXPECT_EQ(at(xml, "size", "z"), "8");
  EXPECT_EQ(at(xml, "size", "t"), "10");
  EXPECT_EQ(at(xml, "participant", "name"), "A & B");
  EXPECT_EQ(at(xml, "markovChain", "markovChainURI"), "mc://ldg/Us/quenched/b6.0");
  EXPECT_EQ(at(xml, "algorithm", "name"), "HMC");
  EXPECT_TRUE(xml.select_nodes("//*[local-name()='quark']").empty());

  xml = ensemble(input("name = \"symanzik\"\nbeta = 4.0\n"), publication());
  EXPECT_EQ(at(xml, "treelevelSymanzikGluonAction", "normalisation"), "cs_sum_to_one");
  EXPECT_DOUBLE_EQ(std::stod(at(xml, "treelevelSymanzikGluonAction", "c0")), 5.0 / 3);
  EXPECT_DOUBLE_EQ(std::stod(at(xml, "treelevelSymanzikGluonAction", "c1")), -1.0 / 12);

  xml = ensemble(input("name = \"iwasaki\"\nbeta = 2.6\n"), publication());
  EXPECT_DOUBLE_EQ(std::stod(at(xml, "iwasakiRGGluonAction", "c0")), 3.648);
  xml = ensemble(input("name = \"dbw2\"\nbeta = 0.9\n"), publication());
  EXPECT_DOUBLE_EQ(std::stod(at(xml, "DBW2GluonAction", "c1")), -1.4088);

  // W = beta of plaquettes, -beta / (20 u0^2) of rectangles without quarks' and one-loop terms at u0 = 1.
  xml = ensemble(input("name = \"one_loop_symanzik\"\nbeta = 7.0\nu0 = 1.0\nhisq_flavours = 0\n"), publication());
  EXPECT_EQ(at(xml, "tpLuescherWeiszGluonAction", "normalisation"), "c0_is_one");
  EXPECT_DOUBLE_EQ(std::stod(at(xml, "tpLuescherWeiszGluonAction", "c1")), -0.05);
  EXPECT_EQ(std::stod(at(xml, "tpLuescherWeiszGluonAction", "c3")), 0);

  EXPECT_THROW(ensemble_xml(input("c1 = -0.1\nbeta = 4.0\n"), publication()), InputError);
}

TEST(Qcdml, Boundaries) {
  const std::string open = "boundary = \"open\"\n";
  auto xml = ensemble(input("name = \"symanzik\"\nbeta = 4.0\n", "", open), publication());
  EXPECT_EQ(at(xml, "treelevelSymanzikOpenBCGluonAction", "cG"), "1");
  EXPECT_EQ(at(xml, "boundaryCondition", "t"), "open");
  xml = ensemble(input("beta = 6.0\nc_G = 0.8\n", "", open), publication());
  EXPECT_NE(at(xml, "plaquetteGluonAction", "annotation").find("c_G = 0.8"), std::string::npos);
  EXPECT_THROW(ensemble_xml(input("beta = 6.0\n", "",
                                  "boundary = \"schroedinger_functional\"\ntime_extent = 9\nphi = [0.0, 0.0]\n"
                                  "phi_prime = [0.0, 0.0]\n"),
                            publication()),
               InputError);
  // 60 plaquettes of a site's column of 10 slices, of which 3 do not exist.
  EXPECT_DOUBLE_EQ(plaquette_that_exists(input("beta = 6.0\n", "", open), 0.57), 0.6);
  EXPECT_EQ(plaquette_that_exists(input("beta = 6.0\n"), 0.57), 0.57);
}

const std::string flavours_section =
    "[[flavours]]\nname = \"l\"\nmass = 0.01\ntastes = 2\n[[flavours]]\nname = \"s\"\nmass = 0.05\n";

TEST(Qcdml, Quarks) {
  auto xml = ensemble(input("beta = 6.0\n", flavours_section + "naik_epsilon = -0.3\n[smearing]\nkind = \"hisq\"\n"),
                      publication());
  EXPECT_EQ(xml.select_nodes("//*[local-name()='hisqQuarkAction']").size(), 2U);
  EXPECT_EQ(at(xml, "[local-name()='hisqQuarkAction'][1]/*[local-name()='numberOfFlavours']"), "2");
  EXPECT_EQ(at(xml, "[local-name()='hisqQuarkAction'][2]/*[local-name()='mass']"), "0.05");
  EXPECT_EQ(at(xml, "epsilon", "value"), "-0.3");
  EXPECT_EQ(at(xml, "[local-name()='hisqQuarkAction'][1]//*[local-name()='cLepage']"), "-0.125");
  EXPECT_EQ(at(xml, "algorithm", "name"), "RHMC");

  // Readers divide a path of n links by u0^(n-1) themselves.
  xml = ensemble(
      input("beta = 6.0\n", "[[flavours]]\nname = \"l\"\nmass = 0.01\n[smearing]\nkind = \"asqtad\"\nu0 = 0.9\n"),
      publication());
  EXPECT_EQ(at(xml, "asqTadQuarkAction", "c1Link"), "0.625");
  EXPECT_EQ(at(xml, "asqTadQuarkAction", "cLepage"), "-0.0625");
  EXPECT_EQ(at(xml, "asqTadQuarkAction", "u0"), "0.9");

  for (const auto* kind : {"naik", "fat7"})
    ensemble(input("beta = 6.0\n", flavours_section + "[smearing]\nkind = \"" + kind + "\"\n"), publication());

  xml = ensemble(input("beta = 6.0\n",
                       "[[flavours]]\nname = \"l\"\nmass = 0.01\nimaginary_mu = 0.5\ncharge = 2.0\n"
                       "[smearing]\nkind = \"stout\"\nrho = 0.15\nlevels = 2\n[background]\nbz = 3.0\n"
                       "[boundary]\ntime = \"periodic\"\n"),
                 publication());
  EXPECT_EQ(at(xml, "apeLinkBlocking", "rho1"), "0.15");
  EXPECT_EQ(at(xml, "linkSmearing", "numSmear"), "2");
  EXPECT_EQ(at(xml, "asqTadQuarkAction", "c1Link"), "1");
  EXPECT_EQ(at(xml, "asqTadQuarkAction", "cNaik"), "0");
  EXPECT_EQ(at(xml, "[local-name()='quarkField']/*[local-name()='boundaryCondition']/*[local-name()='t']"), "periodic");
  EXPECT_NE(at(xml, "asqTadQuarkAction", "annotation").find("imaginary chemical potential 0.5"), std::string::npos);
  EXPECT_NE(at(xml, "physics", "annotation").find("bz: 3 flux quanta"), std::string::npos);
}

TEST(Qcdml, Algorithms) {
  auto xml = ensemble(input("beta = 6.0\n", "[algorithm]\nkind = \"heatbath\"\n"), publication());
  EXPECT_EQ(at(xml, "[local-name()='markovChain']/*[local-name()='algorithm']/*[local-name()='name']"),
            "heatbathOverrelaxation");
  xml = ensemble(input("beta = 6.0\n", "[tempering]\nlength = 2\nreplicas = 3\n"), publication());
  EXPECT_EQ(at(xml, "[local-name()='markovChain']/*[local-name()='algorithm']/*[local-name()='name']"),
            "parallelTemperedHMC");
  EXPECT_EQ(at(xml, "algorithm", "reweightingNeeded"), "false");
  xml =
      ensemble(input("beta = 6.0\n", "[topological_potential]\nform = \"quadratic\"\nstrength = 0.1\n"), publication());
  EXPECT_EQ(at(xml, "algorithm", "reweightingNeeded"), "true");
  EXPECT_NE(at(xml, "additionalInfo", "annotation").find("strength = 0.1"), std::string::npos);
}

TEST(Qcdml, Configurations) {
  const auto in = input("beta = 6.0\n");
  const auto xml = valid(configuration_xml(in, publication("generated = \"2026-01-30T11:00:00Z\"\n"),
                                           {"lfn://ldg/x", "trellis 0.1.0", "2026-01-01T00:00:00+01:00",
                                            "2026-01-30T11:00:00Z", "3", 100, 930766865, 0.5936}),
                         "QCDmlConfig2.0.0.xsd");
  EXPECT_EQ(at(xml, "code", "name"), "trellis");
  EXPECT_EQ(at(xml, "code", "version"), "0.1.0");
  EXPECT_EQ(at(xml, "markovStep", "update"), "100");
  EXPECT_EQ(at(xml, "record", "crcCheckSum"), "930766865");
  EXPECT_EQ(at(xml, "record", "avePlaquette"), "0.5936");
  EXPECT_EQ(at(xml, "gaugeConfiguration", "precision"), "double");
}

TEST(Publication, EveryKey) {
  const auto p = publication(
      "alias = \"a\"\nreference = \"arXiv:1\"\nlicense_name = \"CC\"\nembargo_until = \"2030-01-31\"\nacknowledgment = "
      "\"thanks\"\ndate = \"2026-01-31T12:00:00Z\"\ncode_date = \"2026-01-31T12:00:00+02:00\"\nseries = \"s\"\n"
      "funding = [{ funder = \"f\", title = \"t\", number = \"n\" }, { funder = \"g\" }]\n");
  const auto xml = ensemble(input("beta = 6.0\n"), p);
  EXPECT_EQ(at(xml, "license", "embargoEndDate"), "2030-01-31");
  EXPECT_EQ(at(xml, "acknowledgments", "templateText"), "thanks");
  EXPECT_EQ(xml.select_nodes("//*[local-name()='fundingReference']").size(), 2U);
  EXPECT_EQ(p.logical_file_name("c.ildg"), "lfn://ldg/Us/quenched/b6.0/c.ildg");
  EXPECT_EQ(date_text(0), "1970-01-01T00:00:00Z");
}

TEST(Publication, TheTemplateCanBeRead) {
  const auto p = parse_publication(publication_template(), "template");
  ensemble(input("beta = 6.0\n"), p);
  // With every line that may stay out; a participant may have both.
  std::string all = publication_template();
  for (auto n = all.find("\n# "); n != std::string::npos; n = all.find("\n# ", n)) all.erase(n + 1, 2);
  EXPECT_EQ(parse_publication(all, "template").funding.size(), 1U);
}

TEST(Publication, Refusals) {
  const auto refuses = [](const std::string& more, const std::string& part) {
    try {
      publication(more);
      ADD_FAILURE() << more;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refuses("date = \"yesterday\"\n", "publication.date: found 'yesterday', expected a date with time and zone");
  refuses("embargo_until = \"2030-13-31\"\n", "expected a date");
  refuses("licence = \"x\"\n", "did you mean 'license'");
  refuses("alias = \"\"\n", "empty");
  refuses("alias = \"a\\nb\"\n", "line break");
  EXPECT_THROW(parse_publication("[publication]\ngrid = \"l dg\"\n", "p.toml"), InputError);
  EXPECT_THROW(parse_publication("", "p.toml"), InputError);
}

}  // namespace
}  // namespace trellis::app
