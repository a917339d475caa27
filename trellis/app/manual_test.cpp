// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// docs/manual.md names exactly the keys that the inputs know, with their defaults.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/metadata/publication.hpp"
#include "trellis/app/plan/machine_file.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/gauge/action_names.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/hmc/solver_precision.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/measure/hadrons.hpp"
#include "trellis/measure/loops/wilson_loops.hpp"
#include "trellis/measure/observable.hpp"
#include "trellis/measure/quark_observables.hpp"
#include "trellis/measure/smoothing.hpp"

namespace trellis::app {
namespace {

// "[table]" and key, and the default given there.
using Keys = std::map<std::pair<std::string, std::string>, std::string>;

Keys keys_of_manual() {
  std::ifstream file(TRELLIS_MANUAL);
  const std::regex heading("### `(\\[+[a-z._]+\\]+)`"), row("\\| `([A-Za-z_0-9]+)` \\| ([^|]*) \\|.*");
  std::string section;
  Keys keys;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (line.starts_with("#")) section.clear();
    if (std::regex_match(line, match, heading)) section = match[1];
    if (!section.empty() && std::regex_match(line, match, row)) keys[{section, match[1]}] = match[2];
  }
  return keys;
}

void collect(const TomlEntries& table, const std::string& path, bool in_array, Keys& keys) {
  for (const auto& [key, value, position] : table) {
    const auto inner = path.empty() ? key : path + "." + key;
    if (const auto* entries = std::get_if<TomlEntries>(&value.content)) {
      collect(*entries, inner, false, keys);
      continue;
    }
    const auto* array = std::get_if<TomlArray>(&value.content);
    if (array != nullptr && !array->empty() && std::holds_alternative<TomlEntries>((*array)[0].content)) {
      for (const auto& element : *array) collect(std::get<TomlEntries>(element.content), inner, true, keys);
    } else {
      keys[{in_array ? "[[" + path + "]]" : "[" + path + "]", key}] = write_toml_value(value);
    }
  }
}

// The keys of a kind of smearing, in a measurement.
void collect_smearing(const std::string& kind, Keys& keys) {
  collect(parse_measure_input("[configurations]\nfiles = [\"x\"]\n[[flavours]]\nname = \"l\"\nmass = 0.1\nnaik_epsilon "
                              "= 0.0\n[smearing]\nkind = "
                              "\"" +
                                  kind + "\"\n[measure.quarks]\n",
                              "m.toml")
              .resolved,
          "", false, keys);
}

const char* const kQuarks =
    "[[flavours]]\nname = \"l\"\nmass = 0.1\nnaik_epsilon = 0.0\nspace_angles_over_pi = [0.0, 0.0, "
    "0.0]\n[smearing]\nkind = "
    "\"stout\"\n[solver]\nheatbath_precision = \"double\"\nmetropolis_precision = "
    "\"double\"\n[measure.cooling]\n[measure.stout]\n[measure.ape]\ndimensions = 4\n[measure.hyp]\nalpha1 = "
    "0.75\nalpha2 = 0.6\nalpha3 = 0.3\ndimensions = 4\n[measure.quarks]\nnoise = "
    "\"random\"\n"
    "[measure.wilson_loops]\ntime_links = \"hyp\"\nboundary_distance = 0\n[measure.glueballs]\n"
    "[measure.hadrons]\nkappas = [0.1]\npropagators = \"p\"\nstout_directions = \"all\"\nsource = "
    "\"gaussian\"\n[measure.staggered_hadrons]\nsource = "
    "\"z2_wall\"\n";
const char* const kLattice =
    "[lattice]\nsize = [8, 8, 8, 8]\n[chain]\ntrajectories = 5\nstop_file = \"halt\"\n[action]\nbeta = 6.0\n";

// Boundaries in time, whose keys are not in a resolved input without them; and the same of the flow.
const char* const kOpen =
    "[lattice]\nsize = [4, 4, 4, 4]\nboundary = \"open\"\n[chain]\ntrajectories = 5\n[action]\nbeta = 6.0\n";
const char* const kOpenQuarks = "[measure.hadrons]\nkappas = [0.1]\nc_F = 1.0\nsource_positions = [[0, 0, 0, 1]]\n";
const char* const kPeriodic =
    "[lattice]\nsize = [4, 4, 4, 4]\nboundary = \"periodic\"\n[chain]\ntrajectories = 5\n[action]\nbeta = 6.0\n"
    "[measure.flow]\nintegrator = \"third_order\"\nslices = false\n";
const char* const kFunctional =
    "[lattice]\nsize = [4, 4, 4, 4]\nboundary = \"schroedinger_functional\"\ntime_extent = 3\nphi = [0.0, 0.0]\n"
    "phi_prime = [0.0, 0.0]\n[chain]\ntrajectories = 5\n[action]\nbeta = 6.0\n";

// Keys of rectangles at the boundaries, in an input and with measured files; those that follow know their defaults.
void collect_functional(Keys& keys) {
  const std::string weighted = "c1 = -0.1\nboundary_rectangles = \"weighted\"\n",
                    files =
                        "[configurations]\nfiles = [\"x\"]\nboundary = \"schroedinger_functional\"\ntime_extent = 4\n";
  for (const auto& more : {weighted, std::string("c1 = -0.1\n"), std::string()})
    collect(parse_run_input(kFunctional + more, "i.toml").resolved, "", false, keys);
  for (const auto& more : {weighted + "c_G_rectangles = 1.4\nphi_prime = [0.0, 0.0]\n", std::string("c1 = -0.1\n"),
                           std::string("c_G = 1.0\n")})
    collect(parse_measure_input(files + more + "[measure]\nobservables = [\"energy\"]\n", "m.toml").resolved, "", false,
            keys);
}

const char* const kAutomatic = "[algorithm]\nkind = \"auto\"\nprecision = \"double\"\n";
const char* const kTempering = "[ensemble]\nchains = 3\n[tempering]\nlength = 2\nreplicas = 4\nbox_margins = [1]\n";
const char* const kJoined =
    "[[flavours]]\nname = \"l\"\nmass = 0.1\nsplit_masses = [0.5]\njoins = \"s\"\n[[flavours]]\nname = \"s\"\nmass = "
    "0.5\n";

const char* const kNamedQuarks =
    "[configurations]\nfiles = [\"x\"]\n[measure.hadrons]\ncombinations = [\"l.l\", \"l.l.l\", \"v.l\"]\nquarks = [{ "
    "name = "
    "\"l\", kappa = 0.1 }, { name = \"s\", mass = 0.1 }, { name = \"v\", from = \"l\", current = \"scalar\", "
    "current_time = 1 "
    "}]\nfixed_sinks = [{ name = \"f\", quarks = \"l.l.s\", channel = \"proton\", sink_time = 1, "
    "max_momentum_squared = 0 }, { name = \"g\", quarks = \"l.l.s\", channel = \"proton\", sink_time = 1 }]\n";

const char* const kNoise =
    "[configurations]\nfiles = [\"x\"]\n[measure.hadrons]\nkappas = [0.1]\nsource = \"z2_wall\"\n";

const char* const kStopWhen = "[chain.stop_when]\nobservable = \"plaquette\"\nerror_below = 1\n";

const char* const kMachine =
    "[node]\nname = \"n\"\n[device]\nname = \"d\"\nmemory_bytes = 1.0\narray_bytes = [1.0]\ntriad = [1.0]\n"
    "single_flops = 1.0\ndouble_flops = 1.0\nkernels = [{ name = \"k\", of_floor = 1.0 }]\n[links]\n"
    "inside_latency = 0.0\ninside_bandwidth = 1.0\nlatency = 0.0\nbandwidth = 1.0\n";

const char* const kPublication =
    "[publication]\ngrid = \"g\"\ncollaboration = \"c\"\nproject = \"p\"\nlabel = \"l\"\nlicense = \"https://l\"\n"
    "participant = { name = \"n\", institution = \"i\" }\nmachine = { name = \"m\", institution = \"i\", type = \"t\" "
    "}\n"
    "funding = [{ funder = \"f\" }]\n";

// Inputs that together contain every key, with its default if there is one.
Keys keys_of_inputs() {
  Keys keys;
  const std::string lattice = kLattice;
  for (const auto& text :
       {lattice + "c1 = -0.1\n[start]\nkind = \"file\"\nfile = \"x\"\ntrajectory = 3\naccept_damage = "
                  "false\n[measure.flow]\nc1 = 0.1\n",
        lattice + "c1 = -0.1\n[[algorithm.levels]]\nterms = [\"plaquette\", \"rectangle\"]\n", lattice + kStopWhen,
        lattice + "name = \"one_loop_symanzik\"\nu0 = 0.9\nhisq_flavours = 4\n", lattice + kTempering,
        lattice + "[tempering]\nlength = 2\ncouplings = [1, 0]\n",
        lattice + "[topological_potential]\nform = \"periodic\"\nstrength = 1\n",
        lattice + "[topological_potential]\nform = \"table\"\nspacing = 1\nvalues = [0, 1]\n",
        lattice + "[algorithm]\nkind = \"heatbath\"\n", lattice + kAutomatic, lattice + "[measure.flow]\n",
        lattice + kQuarks, lattice + kJoined, std::string(kOpen) + kOpenQuarks, std::string(kFunctional),
        std::string(kPeriodic)})
    collect(parse_run_input(text, "input.toml").resolved, "", false, keys);
  collect(
      parse_measure_input(
          "[configurations]\nfiles = [\"x\"]\nsize = [4, 4, 4, 4]\naccept_damage = true\n"
          "[measure.flow]\n"
          "[measure.hadrons]\nkappas = [0.1]\nmax_momentum_squared = 1\nsource = \"gaussian\"\nsmearing_width = 1.0\n"
          "smearing_links = \"ape\"\n"
          "[gauge_fixing]\ngauge = \"landau\"\n[[flavours]]\nname = \"l\"\nmass = 0.1\n"
          "[measure.staggered_hadrons]\nmax_momentum_squared = 1\n[measure.eigenvalues]\n",
          "m.toml")
          .resolved,
      "", false, keys);
  for (const auto* text : {kNamedQuarks, kNoise})
    collect(parse_measure_input(text, "m.toml").resolved, "", false, keys);
  collect_functional(keys);
  for (const auto& kind : gauge::smearings()) {
    collect_smearing(kind.name, keys);
    if (!kind.in_su3) continue;
    collect(
        parse_measure_input("[configurations]\nfiles = [\"x\"]\n[measure.hadrons]\nkappas = [0.1]\nsmearing.kind = \"" +
                                kind.name + "\"\n",
                            "m.toml")
            .resolved,
        "", false, keys);
  }
  collect(resolved_machine_file(kMachine, "m.toml"), "", false, keys);
  collect(resolved_publication(kPublication, "p.toml"), "", false, keys);
  return keys;
}

TEST(Manual, NamesExactlyTheKeysThatThereAre) {
  const auto manual = keys_of_manual(), inputs = keys_of_inputs();
  EXPECT_GT(manual.size(), 70U);
  for (const auto& [key, value] : inputs)
    EXPECT_TRUE(manual.contains(key)) << "missing in the manual: " << key.first << " " << key.second;
  for (const auto& [key, value] : manual)
    EXPECT_TRUE(inputs.contains(key)) << "in the manual, but no key: " << key.first << " " << key.second;
}

TEST(Manual, DefaultsAreTrue) {
  Keys defaults;
  // Those that follow know better what the defaults of kind and of its keys are.
  for (const auto& kind : gauge::smearings()) collect_smearing(kind.name, defaults);
  collect_functional(defaults);
  for (const auto* text : {kOpen, kPeriodic}) collect(parse_run_input(text, "i.toml").resolved, "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + kAutomatic, "i.toml").resolved, "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + "[algorithm]\nkind = \"heatbath\"\n", "i.toml").resolved, "", false,
          defaults);
  collect(parse_run_input(std::string(kLattice) + "[[algorithm.levels]]\nterms = [\"plaquette\"]\n", "i.toml").resolved,
          "", false, defaults);
  collect(
      parse_run_input(std::string(kLattice) + "[tempering]\nlength = 2\nreplicas = 4\nbox_margins = [1]\n", "i.toml")
          .resolved,
      "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + "[measure.flow]\n", "i.toml").resolved, "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + kQuarks, "i.toml").resolved, "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + kStopWhen, "i.toml").resolved, "", false, defaults);
  for (const auto* text : {kNamedQuarks, kNoise})
    collect(parse_measure_input(text, "m.toml").resolved, "", false, defaults);
  collect(
      parse_run_input(std::string(kLattice) + "[topological_potential]\nform = \"quadratic\"\nstrength = 1\n", "i.toml")
          .resolved,
      "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + "[measure.wilson_loops]\n", "i.toml").resolved, "", false, defaults);
  collect(parse_run_input(std::string(kLattice) + "[measure.hadrons]\nkappas = [0.1]\n", "i.toml").resolved, "", false,
          defaults);  // its source, once the others know the smearing keys
  collect(parse_run_input(
              std::string(kLattice) + "[[flavours]]\nname = \"l\"\nmass = 0.1\n[measure.staggered_hadrons]\n", "i.toml")
              .resolved,
          "", false, defaults);  // likewise
  collect(parse_measure_input("[configurations]\nfiles = [\"x\"]\n[gauge_fixing]\ngauge = \"landau\"\n[[flavours]]\n"
                              "name = \"l\"\nmass = 0.1\n[measure.eigenvalues]\n",
                              "m.toml")
              .resolved,
          "", false, defaults);
  collect(resolved_machine_file(kMachine, "m.toml"), "", false, defaults);
  int compared = 0;
  for (const auto& [key, text] : keys_of_manual()) {
    if (!text.starts_with("`")) continue;
    ASSERT_TRUE(defaults.contains(key)) << key.first << " " << key.second;
    EXPECT_EQ(text, "`" + defaults[key] + "`") << key.first << " " << key.second;
    ++compared;
  }
  EXPECT_GT(compared, 55);
}

TEST(Manual, NamesWhatMayBeChosen) {
  std::ifstream file(TRELLIS_MANUAL);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The first row of a key.
  const auto row = [&](const std::string& key) {
    const auto begin = text.find("\n| `" + key + "` |") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  for (const auto& name : names_of(gauge::named_actions()))
    EXPECT_NE(row("name").find("`\"" + name + "\"`"), std::string::npos) << name;
  EXPECT_NE(row("name").find("`\"one_loop_symanzik\"`"), std::string::npos);
  for (const auto& name : names_of(hmc::integrators()))
    EXPECT_NE(row("integrator").find("`\"" + name + "\"`"), std::string::npos) << name;
  // If a key has several rows, each name is in at least one.
  const auto in_a_row = [&](const std::string& key, const std::string& name) {
    for (auto at = text.find("\n| `" + key + "` |"); at != text.npos; at = text.find("\n| `" + key + "` |", at + 1))
      if (text.substr(at + 1, text.find('\n', at + 1) - at).find("`\"" + name + "\"`") != text.npos) return true;
    return false;
  };
  for (const auto& [key, names] : {std::pair{"kind", names_of(gauge::smearings())},
                                   {"observables", names_of(measure::quark_observables)},
                                   {"source", names_of(measure::quark_sources)},
                                   {"sinks", names_of(measure::quark_sinks)},
                                   {"projector", names_of(measure::sink_projectors)},
                                   {"noise_dilution", names_of(measure::noise_dilutions)},
                                   {"solver", names_of(measure::wilson_solvers)},
                                   {"precision", names_of(measure::solver_precisions)},
                                   {"directions", names_of(measure::loop_directions())},
                                   {"form", names_of(hmc::charge_potential_forms)},
                                   {"heatbath_precision", names_of(hmc::solver_precisions)},
                                   {"molecular_dynamics_precision", names_of(hmc::molecular_dynamics_precisions)},
                                   {"metropolis_precision", names_of(hmc::solver_precisions)}})
    for (const auto& name : names) EXPECT_TRUE(in_a_row(key, name)) << key << " " << name;
  for (const auto& observable : measure::observables()) {
    EXPECT_NE(row("observables").find("`\"" + observable.name + "\"`"), std::string::npos) << observable.name;
    for (const auto& column : observable.columns)
      EXPECT_NE(text.find("`" + column.name + "`"), std::string::npos) << column.name;
  }
  for (const auto& smoothing : measure::smoothings())
    for (const auto& what : {"### `[measure." + smoothing.name + "]`", "`charge_" + smoothing.name + "`"})
      EXPECT_NE(text.find(what), std::string::npos) << what;
  for (const auto& format : io::file_formats()) {
    EXPECT_NE(text.find(format.title), std::string::npos) << format.title;
    EXPECT_TRUE(format.write == nullptr || text.find("`" + format.name + "`") != std::string::npos) << format.name;
  }
}

TEST(Manual, NamesTheKeysThatMayChange) {
  std::ifstream file(TRELLIS_MANUAL);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto paragraph = text.substr(text.find("these keys may differ"));
  const auto list = paragraph.substr(0, paragraph.find("Any other change"));
  for (auto key : free_keys()) {
    if (key == "output" || key == "machine") key = "[" + key + "]";
    if (key.starts_with("chain.") || key.starts_with("algorithm.")) key = key.substr(key.find('.') + 1);
    EXPECT_NE(list.find("`" + key + "`"), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace trellis::app
