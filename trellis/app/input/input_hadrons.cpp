// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_hadrons.hpp"

#include <algorithm>
#include <set>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/measure/hadrons.hpp"

namespace trellis::app {
namespace {

constexpr IntegerRange kLevels{.min = 0, .max = 100};
constexpr RealRange kRho{.min = 0, .max = 0.5}, kClover{.min = 0, .max = 10}, kKappa{.min = 0, .max = 1, .open = true};

constexpr std::size_t kMostQuarks = 8, kMostFixedSinks = 64;

// Everything but "mesons", which expands to the sixteen.
std::vector<std::string> read_channels(const Table& table, bool of_quarks, bool of_noise) {
  auto words = of_quarks ? measure::channels_of_quarks() : measure::hadron_names();
  words.emplace_back("mesons");
  const auto given =
      table.choices("channels", words,
                    of_noise ? std::vector<std::string>{"pion"} : std::vector<std::string>{"pion", "rho", "proton"});
  if (given.empty()) table.wrong("channels", "is empty; expected some of {}", joined(words, ", "));
  std::vector<std::string> channels;
  for (const auto& word : given) {
    if (word != "mesons") {
      channels.push_back(word);
      continue;
    }
    for (const auto& channel : measure::meson_channels())
      if (std::find(given.begin(), given.end(), channel.name) == given.end()) channels.push_back(channel.name);
  }
  table.resolve_as("channels", channels);
  return channels;
}

// Returns the quark that the current acts on.
HadronQuarkInput read_current(const Table& table, const HadronInput& h, HadronQuarkInput& quark) {
  quark.from = table.text("from");
  std::vector<std::string> names, matrices;
  for (const auto& one : h.quarks) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), quark.from);
  if (found == names.end())
    table.wrong("from", "found \"{}\", expected the name of an earlier quark{}{}", quark.from.substr(0, 60),
                names.empty() ? "" : ": ", joined(names, ", "));
  for (const auto& channel : measure::meson_channels()) matrices.push_back(channel.name);
  quark.current = table.choice("current", matrices);
  quark.current_momentum = table.integers("current_momentum", 3, {.min = -10000, .max = 10000}, quark.current_momentum);
  if (table.has("current_time")) quark.current_time = table.integer("current_time", {.min = 0, .max = 65535});
  return h.quarks[std::size_t(found - names.begin())];
}

void require_name(const Table& table, const std::string& name) {
  if (name.empty() || name.size() > 60 ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    table.wrong("name", "found \"{}\", expected up to 60 lower-case letters, digits and _", name.substr(0, 60));
}

HadronQuarkInput read_quark(const Table& table, const HadronInput& h) {
  HadronQuarkInput quark{.name = table.text("name")};
  require_name(table, quark.name);
  HadronQuarkInput other{.name = "", .clover = h.clover, .clover_temporal = h.clover_temporal};
  if (table.has("from")) {
    other = read_current(table, h, quark);
  } else {
    for (const auto* key : {"current", "current_momentum", "current_time"}) table.refuse(key, "without from");
  }
  if (table.has("mass")) {
    table.refuse("kappa", "together with mass");
    const double mass = table.real("mass", {.min = -10, .max = 1000});
    quark.kappa = 1 / (2 * mass + 2 + 6 * h.spatial_hopping);
    if (!(quark.kappa > 0 && quark.kappa <= 1))
      table.wrong("mass",
                  "found {}, which makes kappa = 1 / (2 mass + 2 + 6 spatial_hopping) = {}; expected above 0, to 1",
                  mass, quark.kappa);
  } else {
    quark.kappa = quark.from.empty() ? table.real("kappa", kKappa) : table.real("kappa", kKappa, other.kappa);
  }
  const bool own = table.has("clover");
  quark.clover = table.real("clover", kClover, other.clover);
  quark.clover_temporal = table.real("clover_temporal", kClover, own ? quark.clover : other.clover_temporal);
  return quark;
}

void read_quark_list(const Table& table, HadronInput& h) {
  const auto tables = table.tables("quarks");
  if (tables.size() > kMostQuarks) table.wrong("quarks", "found {}, expected at most {}", tables.size(), kMostQuarks);
  std::set<std::string> names;
  for (const auto& one : tables) {
    h.quarks.push_back(read_quark(one, h));
    if (!names.insert(h.quarks.back().name).second)
      one.wrong("name", "\"{}\" is already the name of another quark", h.quarks.back().name);
  }
}

// Also checks that there is a combination for each channel.
void read_combinations(const Table& table, HadronInput& h) {
  const auto quarks = valence_quarks(h, {});
  std::vector<std::string> all;
  for (const auto& one : measure::all_combinations(quarks, h.channels)) all.push_back(measure::name_of(quarks, one));
  h.combinations = table.texts("combinations", all);
  if (h.combinations.empty()) table.wrong("combinations", "is empty; expected at least one");
  if (std::set(h.combinations.begin(), h.combinations.end()).size() < h.combinations.size())
    table.wrong("combinations", "one is listed twice");
  try {
    std::vector<measure::QuarkCombination> combinations;
    for (const auto& name : h.combinations) combinations.push_back(measure::combination_of(quarks, name));
    measure::require_valid(quarks, combinations, h.channels);
  } catch (const InputError& error) {
    table.wrong("combinations", "{}", error.what());
  }
}

FixedSinkInput read_fixed_sink(const Table& table, const HadronInput& h) {
  FixedSinkInput sink;
  sink.name = table.text("name");
  require_name(table, sink.name);
  std::vector<std::string> names, matrices;
  for (const auto& one : h.quarks) names.push_back(one.name);
  for (const auto& channel : measure::meson_channels()) matrices.push_back(channel.name);
  sink.quarks = table.text("quarks");
  measure::QuarkCombination quarks;
  try {
    quarks = measure::combination_of(valence_quarks(h, {}), sink.quarks);
  } catch (const InputError& error) {
    table.wrong("quarks", "{}", error.what());
  }
  sink.current_on = table.integer("current_on", {.min = 1, .max = quarks.size() == 2 ? 1 : 3}, sink.current_on);
  const auto& from = h.quarks[std::size_t(quarks[std::size_t(sink.current_on - 1)])];
  sink.to = table.choice("to", names, from.name);
  for (const auto& one : h.quarks)
    if (!one.from.empty() && (one.name == sink.to || std::ranges::any_of(quarks, [&](int n) {
                                return h.quarks[std::size_t(n)].name == one.name;
                              })))
      table.wrong("quarks", "the quark {} has a current; expected those without one", one.name);
  sink.channel = table.choice("channel", measure::channels_of_quarks());
  if (!measure::has_channel(valence_quarks(h, {}), quarks, sink.channel))
    table.wrong("channel", "the quarks {} form no \"{}\"", sink.quarks, sink.channel);
  if (sink.channel.starts_with("proton") || sink.channel.starts_with("lambda"))
    sink.projector = table.choice("projector", names_of(measure::sink_projectors), sink.projector);
  else
    table.refuse("projector", "with this channel; proton and lambda have it");
  sink.sink = table.choice("sink", names_of(measure::quark_sinks), sink.sink);
  sink.sink_momentum = table.integers("sink_momentum", 3, {.min = -10000, .max = 10000}, sink.sink_momentum);
  sink.sink_time = table.integer("sink_time", {.min = 0, .max = 65535});
  sink.currents = table.choices("currents", matrices, matrices);
  if (sink.currents.empty()) table.wrong("currents", "is empty; expected some of {}", joined(matrices, ", "));
  sink.momenta = read_momenta(table, sink.momenta);
  return sink;
}

void read_fixed_sinks(const Table& table, HadronInput& h) {
  if (!table.has("fixed_sinks")) return;
  if (h.quarks.empty()) table.refuse("fixed_sinks", "without [[measure.hadrons.quarks]]");
  const auto tables = table.tables("fixed_sinks");
  if (tables.size() > kMostFixedSinks)
    table.wrong("fixed_sinks", "found {}, expected at most {}", tables.size(), kMostFixedSinks);
  std::set<std::string> names;
  for (const auto& one : tables) {
    h.fixed_sinks.push_back(read_fixed_sink(one, h));
    if (!names.insert(h.fixed_sinks.back().name).second)
      one.wrong("name", "\"{}\" is already the name of another fixed sink", h.fixed_sinks.back().name);
  }
}

void read_noise(const Table& table, HadronInput& h) {
  const auto source = named("source", measure::quark_sources, h.source).value;
  if (source != measure::QuarkSourceKind::noise) {
    for (const auto* key : {"noise_vectors", "noise_dilution", "noise_spacing"})
      table.refuse(key, "without noise; it belongs to source = \"z2_wall\", \"z4_wall\" or \"u1_wall\"");
    return;
  }
  h.noise_vectors = table.integer("noise_vectors", {.min = 1, .max = measure::most_quark_noise}, h.noise_vectors);
  h.noise_dilution = table.choice("noise_dilution", names_of(measure::noise_dilutions), h.noise_dilution);
  h.noise_spacing = table.integers("noise_spacing", 3, {.min = 1, .max = 65536}, h.noise_spacing);
}

// What noise sources cannot make; spacings are compared with the lattice later.
void require_noise_channels(const Table& table, const HadronInput& h) {
  if (named("source", measure::quark_sources, h.source).value != measure::QuarkSourceKind::noise) return;
  for (const auto& quark : h.quarks)
    if (!quark.from.empty())
      table.wrong("source", "found \"{}\", which cannot be combined with the current of the quark {}", h.source,
                  quark.name);
  if (!h.fixed_sinks.empty())
    table.wrong("source", "found \"{}\", which cannot be combined with fixed_sinks", h.source);
  for (const auto& channel : h.channels) {
    if (measure::is_baryon(channel))
      table.wrong("channels", "found \"{}\", expected mesons: noise sources make no baryons", channel);
    if (h.noise_dilution.starts_with("spin") || channel == "pion" || channel == "pseudoscalar") continue;
    table.wrong("channels", "found \"{}\", which needs noise_dilution = \"spin\" or \"spin_colour\"", channel);
  }
}

void read_quark_links(const Table& table, HadronInput& h) {
  if (table.has("smearing")) {
    for (const auto* key : {"stout_rho", "stout_levels", "stout_directions"})
      table.refuse(key, "together with [measure.hadrons.smearing]");
    h.smearing = read_wilson_smearing(table.table("smearing"));
    return;
  }
  h.stout_rho = table.real("stout_rho", kRho, h.stout_rho);
  h.stout_levels = table.integer("stout_levels", kLevels, h.stout_levels);
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("stout_directions"))
    h.stout_directions = table.choice("stout_directions", {"all", "spatial"}, h.stout_directions);
}

void read_source_smearing(const Table& table, HadronInput& h) {
  const bool smeared = h.source == "gaussian" ||
                       std::find(h.sinks.begin(), h.sinks.end(), "smeared") != h.sinks.end() ||
                       std::ranges::any_of(h.fixed_sinks, [](const auto& f) { return f.sink == "smeared"; });
  if (!smeared) {
    for (const auto* key : {"smearing_alpha", "smearing_width", "smearing_steps", "smearing_rho", "smearing_levels",
                            "smearing_links", "smearing_links_alpha"})
      table.refuse(key, "without source = \"gaussian\" or a smeared sink");
    return;
  }
  if (table.has("smearing_width")) {
    table.refuse("smearing_alpha", "together with smearing_width");
    h.smearing_width = table.real("smearing_width", {.min = 0, .max = 1000});
  } else {
    h.smearing_alpha = table.real("smearing_alpha", {.min = 0, .max = 1000}, h.smearing_alpha);
  }
  h.smearing_steps = table.integer("smearing_steps", {.min = h.smearing_width ? 1 : 0, .max = 10000}, h.smearing_steps);
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("smearing_links"))
    h.smearing_links = table.choice("smearing_links", names_of(measure::source_links), h.smearing_links);
  if (h.smearing_links == "stout") {
    table.refuse("smearing_links_alpha", "without smearing_links = \"ape\" or \"hyp\"");
    h.smearing_rho = table.real("smearing_rho", kRho, h.smearing_rho);
  } else {
    table.refuse("smearing_rho", "with smearing_links = \"ape\" or \"hyp\"");
    const bool ape = h.smearing_links == "ape";
    h.smearing_links_alpha = table.reals("smearing_links_alpha", {.min = 0, .max = 1},
                                         ape ? std::vector<double>{0.5} : std::vector<double>{0.6, 0.3});
    if (h.smearing_links_alpha.size() != (ape ? 1 : 2))
      table.wrong("smearing_links_alpha", "found {}, expected {}",
                  plural(std::int64_t(h.smearing_links_alpha.size()), "number"),
                  ape ? "one" : "two: of staples in the time slice, and of those within them");
  }
  h.smearing_levels = table.integer("smearing_levels", kLevels, h.smearing_levels);
}

}  // namespace

std::vector<measure::ValenceQuark> valence_quarks(const HadronInput& h, const dirac::WilsonParameters& common) {
  std::vector<measure::ValenceQuark> quarks;
  for (const auto& quark : h.quarks) {
    measure::ValenceQuark one{quark.name, common};
    one.parameters.kappa = quark.kappa;
    one.parameters.clover = quark.clover;
    one.parameters.clover_temporal = quark.clover_temporal;
    if (!quark.from.empty()) {
      measure::QuarkCurrent current{.channel = quark.current};
      while (quarks[std::size_t(current.quark)].name != quark.from) ++current.quark;
      std::copy(quark.current_momentum.begin(), quark.current_momentum.end(), current.momentum.begin());
      if (quark.current_time) current.time = int(*quark.current_time);
      one.current = current;
    }
    quarks.push_back(one);
  }
  return quarks;
}

std::vector<std::vector<std::int64_t>> read_momenta(const Table& table,
                                                    const std::vector<std::vector<std::int64_t>>& fallback) {
  if (table.has("max_momentum_squared")) {
    table.refuse("momenta", "together with max_momentum_squared");
    std::vector<std::vector<std::int64_t>> momenta;
    for (const auto& n :
         measure::momenta_up_to(static_cast<int>(table.integer("max_momentum_squared", {.min = 0, .max = 100}))))
      momenta.emplace_back(n.begin(), n.end());
    return momenta;
  }
  auto momenta = table.integer_rows("momenta", 3, {.min = -10000, .max = 10000}, fallback);
  if (momenta.empty()) table.wrong("momenta", "is empty; expected at least one");
  if (std::set(momenta.begin(), momenta.end()).size() < momenta.size()) table.wrong("momenta", "one is listed twice");
  return momenta;
}

std::vector<std::vector<std::int64_t>> read_source_positions(const Table& table,
                                                             const std::vector<std::vector<std::int64_t>>& fallback) {
  const auto positions = table.integer_rows("source_positions", 4, {.min = 0, .max = 65535}, fallback);
  if (positions.empty()) table.wrong("source_positions", "is empty; expected at least one");
  if (std::set(positions.begin(), positions.end()).size() < positions.size())
    table.wrong("source_positions", "one is listed twice");
  return positions;
}

HadronInput read_hadrons(const Table& table) {
  HadronInput h;
  const bool of_quarks = table.has("quarks");
  if (of_quarks) {
    table.refuse("kappas", "together with quarks");
  } else {
    h.kappas = table.reals("kappas", kKappa);
    if (h.kappas.empty()) table.wrong("kappas", "is empty; expected at least one");
    if (std::set(h.kappas.begin(), h.kappas.end()).size() < h.kappas.size())
      table.wrong("kappas", "one is listed twice");
    table.refuse("combinations", "without [[measure.hadrons.quarks]]");
  }
  h.clover = table.real("clover", kClover, h.clover);
  h.clover_temporal = table.real("clover_temporal", kClover, h.clover);
  h.spatial_hopping = table.real("spatial_hopping", {.min = 0, .max = 10, .open = true}, h.spatial_hopping);
  if (of_quarks) read_quark_list(table, h);
  h.boundary_angle_over_pi = table.reals("boundary_angle_over_pi", {.min = -2, .max = 2}, h.boundary_angle_over_pi);
  if (h.boundary_angle_over_pi.size() != 4)
    table.wrong("boundary_angle_over_pi", "found {}, expected four: x, y, z, t",
                plural(std::int64_t(h.boundary_angle_over_pi.size()), "number"));
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("c_F")) h.c_f = table.real("c_F", {.min = 0, .max = 100}, h.c_f);
  read_quark_links(table, h);
  h.source = table.choice("source", names_of(measure::quark_sources), h.source);
  h.source_positions = read_source_positions(table, h.source_positions);
  h.sources_in_time = table.integer("sources_in_time", {.min = 1, .max = 65536}, h.sources_in_time);
  read_noise(table, h);
  h.sinks = table.choices("sinks", names_of(measure::quark_sinks), h.sinks);
  if (h.sinks.empty())
    table.wrong("sinks", "is empty; expected some of {}", joined(names_of(measure::quark_sinks), ", "));
  read_fixed_sinks(table, h);
  read_source_smearing(table, h);
  h.momenta = read_momenta(table, h.momenta);
  h.channels = read_channels(table, !h.quarks.empty(), table.has("source") && h.source.ends_with("_wall"));
  if (!h.quarks.empty()) read_combinations(table, h);
  require_noise_channels(table, h);
  h.solver = table.choice("solver", names_of(measure::wilson_solvers), h.solver);
  h.precision = table.choice("precision", names_of(measure::solver_precisions), h.precision);
  h.residual = table.real("residual", {.min = 1e-15, .max = 1e-1}, h.residual);
  h.max_iterations = table.integer("max_iterations", integers_from_1, h.max_iterations);
  if (table.has("propagators")) {
    h.propagators = table.text("propagators");
    if (h.propagators.empty()) table.wrong("propagators", "is empty; expected the name of a folder");
    h.propagators_format =
        table.choice("propagators_format", names_of(measure::propagator_formats), h.propagators_format);
  } else if (table.has("propagators_format")) {
    table.wrong("propagators_format", "needs 'propagators', the folder where they are kept");
  }
  return h;
}

}  // namespace trellis::app
