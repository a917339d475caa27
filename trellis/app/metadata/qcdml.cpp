// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/metadata/qcdml.hpp"

#include <fmt/format.h>

#include <array>
#include <pugixml.hpp>
#include <sstream>

#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/metadata/qcdml_quarks.hpp"
#include "trellis/app/metadata/xml_elements.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/action_names.hpp"

namespace trellis::app {
namespace {

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

pugi::xml_node root_of(pugi::xml_document& document, const char* name, const char* space) {
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  auto root = document.append_child(name);
  root.append_attribute("xmlns") = space;
  return root;
}

// An entry of the history, which is also in configurations.
void add_event(pugi::xml_node history, int revision, const char* what, const Publication& p, const std::string& date) {
  auto event = history.append_child("archiveEvent");
  add(event, "revision", revision);
  add(event, "revisionAction", what);
  auto participant = event.append_child("participant");
  add_if(participant, "orcid", p.participant.orcid);
  add_if(participant, "name", p.participant.name);
  add_if(participant, "institution", p.participant.institution);
  add(event, "date", date);
}

void add_management(pugi::xml_node root, const Publication& p) {
  auto management = root.append_child("management");
  add(management, "collaboration", p.collaboration);
  add(management, "projectName", p.project);
  add(management, "ensembleLabel", p.label);
  add_if(management, "publishedAlias", p.alias);
  add_if(management, "reference", p.reference);
  add_event(management.append_child("archiveHistory"), 1, "add", p, p.date);
}

void add_license(pugi::xml_node root, const Publication& p) {
  auto license = root.append_child("license");
  add_if(license, "licenseName", p.license_name);
  add(license, "licenseURI", p.license);
  add_if(license, "embargoEndDate", p.embargo_until);
  if (!p.acknowledgment.empty()) add(license.append_child("acknowledgments"), "templateText", p.acknowledgment);
}

void add_funding(pugi::xml_node root, const Publication& p) {
  if (p.funding.empty()) return;
  auto all = root.append_child("fundingReferences");
  for (const auto& one : p.funding) {
    auto reference = all.append_child("fundingReference");
    add(reference, "funderName", one.funder);
    add_if(reference, "awardTitle", one.title);
    add_if(reference, "awardNumber", one.number);
  }
}

// An element of the schema for a gauge action, and how its coefficients are normalised.
struct GluonElement {
  const char* name;
  const char* normalisation = nullptr;  // null: plaquettes only, without coefficients
};

GluonElement gluon_element(const RunInput& input) {
  const auto& action = input.action;
  const bool open = input.boundary.kind == gauge::BoundaryKind::open;
  if (action.is_one_loop()) return {"tpLuescherWeiszGluonAction", "c0_is_one"};
  constexpr const char* sum = "cs_sum_to_one";
  const std::string name = action.name;
  if (action.c1 == 0) return {"plaquetteGluonAction"};
  if (name == "symanzik")
    return {open && input.boundary.c_g == 1 ? "treelevelSymanzikOpenBCGluonAction" : "treelevelSymanzikGluonAction",
            sum};
  if (name == "iwasaki") return {"iwasakiRGGluonAction", sum};
  if (name == "dbw2") return {"DBW2GluonAction", sum};
  std::string known;
  for (const auto& one : gauge::named_actions()) known += fmt::format(" {} ({}),", one.name, one.c1);
  known.pop_back();
  fail_input("action.c1 = {}: QCDml has elements for named actions only:{}", action.c1, known);
}

void add_gluons(pugi::xml_node action, const RunInput& input) {
  const auto [name, normalisation] = gluon_element(input);
  const bool open = input.boundary.kind == gauge::BoundaryKind::open;
  const std::string_view element = name;
  auto gluon = action.append_child("gluon").append_child(name);
  if (open && element != "treelevelSymanzikOpenBCGluonAction")
    add(gluon, "annotation",
        fmt::format("open boundaries in t: loops within the first and the last slice have the weight c_G / 2, c_G = {} "
                    "(JHEP 07 (2011) 036)",
                    input.boundary.c_g));
  add(gluon, "glossary", action_glossary(name));
  auto field = gluon.append_child("gluonField");
  add(field, "gaugeGroup", "SU(3)");
  add(field, "representation", "fundamental");
  add_boundary(field, open ? "open" : "periodic");
  add(gluon, "beta", input.action.beta);
  if (normalisation == nullptr) return;
  add(gluon, "normalisation", normalisation);
  // In units of beta: c1 of rectangles, c2 of bent ones, c3 of parallelograms.
  const auto weights = input.action.weights();
  const double beta = input.action.beta;
  const bool by_name = !input.action.is_one_loop();
  const double c1 = by_name ? input.action.c1 : beta > 0 ? weights.rectangle / beta : 0;
  add(gluon, "c0", by_name ? 1 - 8 * c1 : 1.0);
  add(gluon, "c1", c1);
  add(gluon, "c2", 0.0);
  add(gluon, "c3", by_name || beta == 0 ? 0.0 : weights.parallelogram / beta);
  if (input.action.is_one_loop()) add(gluon, "u0", input.action.u0);
  if (element == "treelevelSymanzikOpenBCGluonAction") add(gluon, "cG", 1);
}

std::string beyond_the_schema(const RunInput& input) {
  std::string text;
  if (input.topological_potential)
    text += fmt::format(
        "The action has a potential of the topological charge, of the form {}; reweight for averages without it. ",
        input.topological_potential->form);
  for (std::size_t i = 0; i < input.quarks.background.flux.size() && !input.quarks.flavours.empty(); ++i)
    if (input.quarks.background.flux[i] != 0)
      text += fmt::format("Uniform background field {}: {} flux quanta. ", BackgroundInput::names[i],
                          input.quarks.background.flux[i]);
  if (!text.empty()) text.pop_back();
  return text;
}

void add_physics(pugi::xml_node root, const RunInput& input) {
  auto physics = root.append_child("physics");
  add_if(physics, "annotation", beyond_the_schema(input));
  auto size = physics.append_child("size");
  constexpr std::array names{"x", "y", "z", "t"};
  for (std::size_t mu = 0; mu < 4; ++mu) add(size, names[mu], input.size[mu]);
  auto action = physics.append_child("action");
  add_gluons(action, input);
  if (!input.quarks.flavours.empty()) add_quarks(action.append_child("quark"), input.quarks);
}

struct AlgorithmText {
  const char *name, *reference, *doi;
};

AlgorithmText algorithm_of(const RunInput& input) {
  if (input.tempering)
    return {input.algorithm.kind == AlgorithmKind::hmc ? "parallelTemperedHMC" : "parallelTemperedHeatbath",
            "M. Hasenbusch, Phys. Rev. D 96 (2017) 054504; C. Bonanno, C. Bonati and M. D'Elia, JHEP 03 (2021) 111",
            "https://doi.org/10.1103/PhysRevD.96.054504"};
  if (input.algorithm.kind == AlgorithmKind::heatbath)
    return {"heatbathOverrelaxation", "N. Cabibbo and E. Marinari, Phys. Lett. B 119 (1982) 387",
            "https://doi.org/10.1016/0370-2693(82)90696-7"};
  if (!input.quarks.flavours.empty())
    return {"RHMC", "M. A. Clark and A. D. Kennedy, Phys. Rev. Lett. 98 (2007) 051601",
            "https://doi.org/10.1103/PhysRevLett.98.051601"};
  return {"HMC", "S. Duane, A. D. Kennedy, B. J. Pendleton and D. Roweth, Phys. Lett. B 195 (1987) 216",
          "https://doi.org/10.1016/0370-2693(87)91197-X"};
}

// A key "algorithm.levels[0].steps" as a name of XML, "algorithm.levels_0.steps".
std::string xml_name(const std::string& key) {
  std::string name;
  for (const char c : key)
    if (c != ']') name += c == '[' ? '_' : c;
  return name;
}

void add_algorithm(pugi::xml_node root, const RunInput& input) {
  const auto text = algorithm_of(input);
  auto algorithm = root.append_child("algorithm");
  add(algorithm, "name", text.name);
  add(algorithm, "glossary", text.doi);
  add(algorithm, "reference", text.reference);
  add(algorithm, "exact", "true");
  add(algorithm, "reweightingNeeded", input.topological_potential ? "true" : "false");
  auto parameters = algorithm.append_child("parameters");
  constexpr std::array sections{"algorithm.", "rational.", "solver.", "tempering.", "topological_potential."};
  for (const auto& [key, value] : flatten(physics_of(input.resolved)))
    if (std::ranges::any_of(sections, [&](const char* section) { return key.starts_with(section); })) {
      auto parameter = parameters.append_child("parameter");
      add(parameter, "name", xml_name(key));
      add(parameter, "value", value);
    }
}

// What the ensemble samples: the same for all its chains.
std::string common_input(const RunInput& input) {
  auto physics = physics_of(input.resolved);
  std::erase_if(physics, [](const TomlEntry& entry) {
    return entry.key == "chain" || entry.key == "start" || entry.key == "measure" || entry.key == "ensemble";
  });
  return write_toml(physics);
}

const char* precision_of(const RunInput& input) {
  const auto& solver = input.solver;
  const bool is_double = input.algorithm.precision == "double" &&
                         (input.quarks.flavours.empty() ||
                          (solver.heatbath_precision == "double" && solver.molecular_dynamics_precision == "double" &&
                           solver.metropolis_precision == "double"));
  return is_double ? "double" : "mixed";
}

}  // namespace

std::string ensemble_xml(const RunInput& input, const Publication& publication) {
  if (input.boundary.kind == gauge::BoundaryKind::schroedinger_functional)
    fail_input("QCDml 2.0.0 has no place for the boundary values of a Schroedinger functional");
  pugi::xml_document document;
  auto root = root_of(document, "markovChain", "http://www.lqcd.org/ildg/QCDml/ensemble2.0");
  add(root, "markovChainURI", publication.chain_uri());
  add_management(root, publication);
  add_license(root, publication);
  add_funding(root, publication);
  add_physics(root, input);
  add_algorithm(root, input);
  add(root.append_child("additionalInfo"), "annotation",
      "Input of trellis run (TOML), with every default:\n" + common_input(input));
  return text_of(document);
}

std::string configuration_xml(const RunInput& input, const Publication& publication,
                              const ConfigurationMetadata& configuration) {
  pugi::xml_document document;
  auto root = root_of(document, "gaugeConfiguration", "http://www.lqcd.org/ildg/QCDml/config2.0");
  add(root, "dataLFN", configuration.logical_file_name);
  auto history = root.append_child("management").append_child("archiveHistory");
  add_event(history, 0, "generate", publication, configuration.generated);
  add_event(history, 1, "add", publication, publication.date);
  auto implementation = root.append_child("implementation");
  auto machine = implementation.append_child("machine");
  add(machine, "name", publication.machine);
  add(machine, "institution", publication.machine_institution);
  add(machine, "machineType", publication.machine_type);
  auto code = implementation.append_child("code");
  const auto blank = configuration.program.find(' ');
  add(code, "name", configuration.program.substr(0, blank));
  add(code, "version", blank == std::string::npos ? "unknown" : configuration.program.substr(blank + 1));
  add(code, "date", configuration.code_date);
  root.append_child("algorithm");
  add(root, "precision", precision_of(input));
  auto sequence = root.append_child("markovSequence");
  add(sequence, "markovChainURI", publication.chain_uri());
  add(sequence, "series", configuration.series);
  auto step = sequence.append_child("markovStep");
  add(step, "update", configuration.update);
  auto record = step.append_child("record");
  add(record, "field", "su3gauge");
  add(record, "crcCheckSum", fmt::format("{}", configuration.posix_checksum));
  add(record, "avePlaquette", fmt::format("{:.15g}", configuration.plaquette));
  return text_of(document);
}

double plaquette_that_exists(const RunInput& input, double average_over_all) {
  if (input.boundary.kind != gauge::BoundaryKind::open) return average_over_all;
  const double slices = input.size[3];
  return average_over_all * (6 * slices) / (6 * slices - 3);
}

}  // namespace trellis::app
