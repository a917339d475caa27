// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/new/new_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "trellis/app/input/input.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/new/constant_physics.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/action_names.hpp"

namespace trellis::app {
namespace {

struct Flavour {
  std::string name;
  double mass = 0;
  std::int64_t tastes = 1;
};

double number_in(const std::string& text, const std::string& option, const char* expected) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || !std::isfinite(value))
    fail_input("{}: found '{}', expected {}", option, text, expected);
  return value;
}

// "l=0.05:2"
Flavour flavour_of(const std::string& text) {
  constexpr const char* form = "NAME=MASS or NAME=MASS:TASTES, for instance l=0.05:2";
  const auto equals = text.find('='), colon = text.find(':');
  if (equals == std::string::npos || equals == 0) fail_input("--flavours: found '{}', expected {}", text, form);
  Flavour flavour{.name = text.substr(0, equals)};
  const auto mass = text.substr(equals + 1, colon == std::string::npos ? colon : colon - equals - 1);
  flavour.mass = number_in(mass, "--flavours", form);
  if (colon != std::string::npos) {
    const double tastes = number_in(text.substr(colon + 1), "--flavours", form);
    if (tastes != std::floor(tastes)) fail_input("--flavours: found '{}', expected {}", text, form);
    flavour.tastes = std::llround(tastes);
  }
  return flavour;
}

// What is known of the physics, and the comments that go with it.
struct Physics {
  std::string action;
  double beta = 0;
  std::vector<Flavour> flavours;
  std::string comment;  // lines that begin with "#"
};

Physics constant_physics(const NewInput& choices) {
  if (!choices.action.empty() && choices.action != "symanzik")
    fail_input("--action {}: the line of constant physics is that of the tree-level Symanzik action", choices.action);
  if (choices.beta.has_value() == choices.spacing.has_value())
    fail_input("--pion-mass: give --spacing, or --beta, along the line of constant physics");
  const auto physical =
      choices.spacing ? physical_point_at_spacing(*choices.spacing) : physical_point_at_beta(*choices.beta);
  const auto point = with_pion(physical, *choices.pion_mass);
  Physics physics{
      .action = "symanzik", .beta = std::stod(fmt::format("{:.4f}", point.beta)), .flavours = {}, .comment = ""};
  physics.flavours = {{"l", std::stod(fmt::format("{:.4g}", point.light)), 2},
                      {"s", std::stod(fmt::format("{:.4g}", point.strange)), 1}};
  physics.comment = fmt::format(
      "# QCD with 2+1 flavours of staggered quarks: a = {:.4f} fm (to 2 or 3 %), m_pi = {:g} MeV, m_s physical.\n"
      "# Line of constant physics: Aoki et al., JHEP 06 (2009) 088, and Borsanyi et al., JHEP 11 (2010) 077, with the\n"
      "# parameters of Bonati et al., JHEP 03 (2016) 155, interpolated; m_s / m_l = {} at the physical point.\n",
      point.spacing, *choices.pion_mass, mass_ratio);
  if (*choices.pion_mass > physical_pion)
    physics.comment +=
        "# The light mass is that of the physical point times (m_pi / 135 MeV)^2: leading order, good to about 5 %.\n";
  return physics;
}

Physics own_physics(const NewInput& choices) {
  const bool has_quarks = !choices.flavours.empty();
  Physics physics{.action = choices.action.empty() ? (has_quarks ? "symanzik" : "wilson") : choices.action,
                  .beta = choices.beta.value_or(0),
                  .flavours = {},
                  .comment = ""};
  const auto known = gauge::named_actions();
  if (std::none_of(known.begin(), known.end(), [&](const auto& one) { return one.name == physics.action; }))
    fail_input("--action: found '{}', expected wilson, symanzik, iwasaki or dbw2", physics.action);
  for (const auto& text : choices.flavours) physics.flavours.push_back(flavour_of(text));
  if (choices.spacing) {
    if (has_quarks)
      fail_input(
          "--spacing: for quarks of given masses it is not known; give --beta, or --pion-mass instead of --flavours");
    if (physics.action != "wilson")
      fail_input("--spacing: without quarks it is known for the Wilson action only; give --beta for {}",
                 physics.action);
    if (choices.beta) fail_input("--spacing: give it or --beta, not both");
    physics.beta = std::stod(fmt::format("{:.4f}", quenched_beta(*choices.spacing)));
    physics.comment = fmt::format(
        "# Pure gauge theory: a = {:.4f} fm, from r0 = 0.5 fm and r0 / a of Necco and Sommer, Nucl. Phys. B 622 (2002) "
        "328.\n",
        quenched_spacing(physics.beta));
    return physics;
  }
  if (!choices.beta) fail_input("--beta: missing; give it, or --spacing");
  physics.comment = has_quarks ? "# QCD with staggered quarks.\n" : "# Pure gauge theory.\n";
  return physics;
}

std::string real(double value) { return write_toml_value({value, {}}); }

std::string quark_sections(const Physics& physics) {
  std::string text = "\n[smearing] # of the links that quarks see: stout\nrho = 0.15\nlevels = 2\n";
  double heaviest = 0;
  for (const auto& one : physics.flavours) heaviest = std::max(heaviest, one.mass);
  for (const auto& one : physics.flavours) {
    text +=
        fmt::format("\n[[flavours]]\nname = \"{}\"\nmass = {}{}\ntastes = {} # of the four that the determinant has\n",
                    one.name, real(one.mass), one.tastes == 2 ? " # two flavours with the same mass" : "", one.tastes);
    // The small, expensive force is integrated with fewer steps.
    if (one.mass < heaviest / 4)
      text += fmt::format("split_masses = [{0}] # the determinant as det({1}) / det({0}) and det({0})\n",
                          real(heaviest), real(one.mass));
  }
  return text;
}

std::string algorithm_sections(const Physics& physics, const Coordinate& size) {
  if (physics.flavours.empty())
    return "\n[algorithm]\nkind = \"heatbath\" # a sweep, then overrelaxation\noverrelaxation_steps = 4\n";
  std::vector<std::string> light, heavy;
  double heaviest = 0;
  for (const auto& one : physics.flavours) heaviest = std::max(heaviest, one.mass);
  for (const auto& one : physics.flavours) {
    const bool split = one.mass < heaviest / 4;
    if (split) light.push_back(one.name + "_1");
    heavy.push_back(split ? one.name + "_2" : one.name);
  }
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
    return text;
  };
  // Three are enough for 8^3 x 4; to keep the acceptance, steps must grow like V^(1/4) with the volume V.
  double volume = 1;
  for (const int extent : size) volume *= extent;
  const auto steps = std::max<std::int64_t>(3, std::llround(3 * std::pow(volume / 2048, 0.25)));
  std::string text =
      "\n[algorithm]\nkind = \"hmc\"\ntrajectory_length = 1.0\n# Nested, outermost first. If fewer than 70 % are "
      "accepted, take more steps.\n";
  const auto level = [&](std::int64_t count, const std::string& terms, const char* comment) {
    text += fmt::format("\n[[algorithm.levels]]\nintegrator = \"2mn\"\nsteps = {}\nterms = [{}]{}\n", count, terms,
                        comment);
  };
  if (!light.empty()) level(steps, list(light), " # the most expensive force, and the smallest");
  level(light.empty() ? steps : 1, list(heavy), light.empty() ? "" : " # per drift of the level above");
  level(4, "\"gauge\"", "");
  return text;
}

}  // namespace

std::string new_input(const NewInput& choices, const std::string& name) {
  if (choices.lattice.empty()) fail_input("--lattice: missing; give x,y,z,t");
  const auto size = parse_size(choices.lattice, "--lattice");
  if (choices.pion_mass && !choices.flavours.empty())
    fail_input("--flavours: with --pion-mass the masses follow from the line of constant physics");
  const auto physics = choices.pion_mass ? constant_physics(choices) : own_physics(choices);
  const auto trajectories = choices.trajectories.value_or(1000);
  std::string text = physics.comment + fmt::format("#\n#   trellis run --check {0}\n#   trellis run {0}\n", name);
  text += fmt::format("\n[lattice]\nsize = [{}, {}, {}, {}] # x, y, z, t: even numbers\n", size[0], size[1], size[2],
                      size[3]);
  text += fmt::format("\n[action]\nname = \"{}\"\nbeta = {}\n", physics.action, real(physics.beta));
  if (!physics.flavours.empty()) text += quark_sections(physics);
  text += "\n[start]\nkind = \"hot\" # or \"cold\", or \"file\" with file = \"...\"\n";
  text += algorithm_sections(physics, size);
  text += fmt::format(
      "\n[chain]\ntrajectories = {} # in total; raise it and run again to continue the chain\n"
      "thermalisation = {} # the first ones, left out of averages\nseed = 1\n"
      "checkpoint_every = {} # at most this much is lost if the job is killed\n"
      "save_every = {} # configurations, as ILDG\n",
      trajectories, trajectories / 5, std::clamp<std::int64_t>(trajectories / 100, 1, 10),
      std::max<std::int64_t>(trajectories / 20, 1));
  text +=
      "\n[measure]\nevery = 5\nobservables = [\"topological_charge\", \"energy\"]\n\n[measure.flow] # t0 and w0\nevery "
      "= 10\n";
  if (!physics.flavours.empty()) text += "\n[measure.quarks] # condensates\nevery = 10\n";
  static_cast<void>(parse_run_input(text, name));
  return text;
}

void ask(NewInput& choices, const Answer& answer) {
  const auto line = [&](const std::string& question, const std::string& fallback) {
    const auto given = answer(fallback.empty() ? question + ": " : fmt::format("{} [{}]: ", question, fallback));
    if (!given) fail_input("the answers ended at the question '{}'", question);
    return given->empty() ? fallback : *given;
  };
  const auto real_number = [&](const std::string& question, const std::string& fallback) {
    return number_in(line(question, fallback), question, "a number");
  };
  choices.lattice = line("Lattice size x,y,z,t", "16,16,16,32");
  const auto quarks = line("Quarks: none, physical (2+1 flavours, from a lattice spacing) or masses", "none");
  if (quarks == "physical") {
    choices.pion_mass = real_number("Pion mass in MeV, 135 to 500", "135");
    choices.spacing = real_number("Lattice spacing in fm, 0.0572 to 0.1249", "0.0989");
  } else if (quarks == "masses" || quarks == "none") {
    choices.action = line("Gauge action: wilson, symanzik, iwasaki or dbw2", quarks == "none" ? "wilson" : "symanzik");
    choices.beta = real_number("Coupling beta", quarks == "none" ? "6.0" : "3.6");
    if (quarks == "masses") {
      const auto all = line("Flavours NAME=MASS:TASTES, separated by spaces", "l=0.05:2 s=0.2:1");
      for (std::size_t begin = 0; begin < all.size();) {
        const auto end = std::min(all.find(' ', begin), all.size());
        if (end > begin) choices.flavours.push_back(all.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  } else {
    fail_input("Quarks: found '{}', expected none, physical or masses", quarks);
  }
  choices.trajectories = std::llround(real_number("Trajectories", "1000"));
}

}  // namespace trellis::app
