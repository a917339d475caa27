// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tune/chosen_input.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TomlEntry* find(TomlEntries& table, const std::string& key) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const TomlEntry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}
void set(TomlEntries& table, const std::string& key, TomlValue value) {
  if (TomlEntry* const entry = find(table, key))
    entry->value = std::move(value);
  else
    table.push_back({key, std::move(value), {}});
}

template <class T>
TomlValue array_of(const std::vector<T>& values) {
  TomlArray array;
  for (const T& value : values) array.push_back({value, {}});
  return {array, {}};
}

// The flavours of a resolved input.
std::vector<TomlEntries*> flavour_tables(TomlEntries& document) {
  std::vector<TomlEntries*> tables;
  if (TomlEntry* const flavours = find(document, "flavours"))
    for (TomlValue& table : std::get<TomlArray>(flavours->value.content))
      tables.push_back(&std::get<TomlEntries>(table.content));
  return tables;
}

// The keys of [algorithm] that are no part of a choice.
void set_unchosen(TomlEntries& algorithm, const RunInput& input) {
  set(algorithm, "reversibility_every", {input.algorithm.reversibility_every, {}});
  set(algorithm, "certify", {input.algorithm.certify, {}});
}

RunInput parsed(const TomlEntries& document) { return parse_run_input(write_toml(document), "the chosen input"); }

}  // namespace

std::vector<Splitting> splittings_to_try(const std::vector<FlavourInput>& flavours) {
  std::vector<Splitting> all{{"as in the input", flavours}};
  double heaviest = 0;
  for (const FlavourInput& flavour : flavours) {
    if (!flavour.split_masses.empty()) return all;
    heaviest = std::max(heaviest, flavour.mass);
  }
  // Splitting pays where the force of light quarks is expensive.
  constexpr double light = 0.1, much_lighter = 1.0 / 3;
  const auto attempt = [&](const std::string& name, double below, const auto& masses) {
    auto split = flavours;
    bool any = false;
    for (FlavourInput& flavour : split) {
      if (!(flavour.mass < below)) continue;
      flavour.split_masses = masses(flavour.mass);
      any = true;
    }
    if (any) all.push_back({name, split});
  };
  const auto between = [](double mass, double fraction) { return std::pow(mass, 1 - fraction); };
  attempt("light quarks split at the heaviest mass", std::min(light, heaviest * much_lighter),
          [&](double) { return std::vector<double>{heaviest}; });
  if (all.size() > 1) {
    // The factors that are left are the heaviest flavour's determinant, if all see the same phases.
    auto joined = all.back();
    joined.name += ", and joined with that quark";
    const auto heavy =
        std::find_if(flavours.begin(), flavours.end(), [&](const auto& one) { return one.mass == heaviest; });
    std::int64_t tastes = heavy->tastes;
    for (FlavourInput& flavour : joined.flavours) {
      if (flavour.split_masses.empty() || !flavour.sees_links_of(*heavy) ||
          flavour.pseudofermions != heavy->pseudofermions || tastes + flavour.tastes > 4 * heavy->pseudofermions)
        continue;
      flavour.joins = heavy->name;
      tastes += flavour.tastes;
    }
    if (tastes > heavy->tastes) all.push_back(joined);
  }
  attempt("light quarks split once", light, [&](double mass) { return std::vector<double>{between(mass, 0.5)}; });
  attempt("light quarks split twice", light * light,
          [&](double mass) { return std::vector<double>{between(mass, 1.0 / 3), between(mass, 2.0 / 3)}; });
  return all;
}

RunInput with_algorithm(const RunInput& input, const std::vector<FlavourInput>& flavours,
                        const hmc::HmcParameters& parameters) {
  TomlEntries document = input.resolved, algorithm;
  set(algorithm, "kind", {std::string("hmc"), {}});
  set(algorithm, "trajectory_length", {parameters.length, {}});
  set_unchosen(algorithm, input);
  if (input.algorithm.precision != "double") set(algorithm, "precision", {input.algorithm.precision, {}});
  TomlArray levels;
  for (const hmc::Level& level : parameters.levels) {
    TomlEntries table;
    set(table, "integrator", {level.scheme.name, {}});
    set(table, "steps", {std::int64_t{level.steps}, {}});
    if (hmc::integrator_by_name(level.scheme.name).lambda != 0)
      set(table, "lambda", {level.scheme.steps.front().coefficient, {}});
    set(table, "terms", array_of(level.terms));
    levels.push_back({table, {}});
  }
  set(algorithm, "levels", {levels, {}});
  set(document, "algorithm", {algorithm, {}});
  const auto tables = flavour_tables(document);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    set(*tables[i], "split_masses", array_of(flavours.at(i).split_masses));
    if (!flavours[i].joins.empty()) set(*tables[i], "joins", {flavours[i].joins, {}});
  }
  return parsed(document);
}

RunInput with_algorithm_of(const RunInput& input, const TomlEntries& other) {
  TomlEntries document = input.resolved, source = other;
  const TomlEntry* const found = find(source, "algorithm");
  if (found == nullptr) fail_input("the algorithm of the chain is not known: its input has no table [algorithm]");
  auto algorithm = std::get<TomlEntries>(found->value.content);
  // Where the length was no part of the choice, it is the input's, and so is what it says of precision.
  if (!(input.algorithm.longest_trajectory_length > input.algorithm.trajectory_length))
    set(algorithm, "trajectory_length", {input.algorithm.trajectory_length, {}});
  std::erase_if(algorithm, [](const TomlEntry& entry) { return entry.key == "precision"; });
  if (input.algorithm.precision != "double") set(algorithm, "precision", {input.algorithm.precision, {}});
  set_unchosen(algorithm, input);
  set(document, "algorithm", {algorithm, {}});
  const auto to = flavour_tables(document), from = flavour_tables(source);
  if (to.size() != from.size())
    fail_input("{} flavours instead of {}: the algorithm was chosen for another action", to.size(), from.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (const auto& own = input.quarks.flavours.at(i).split_masses; !own.empty()) {  // which the user split
      const TomlEntry* const entry = find(*from[i], "split_masses");
      const auto there = entry == nullptr ? std::string("none") : write_toml_value(entry->value);
      if (there != write_toml_value(array_of(own)))
        fail_input(
            "flavours[{}].split_masses is {}, but the chain that is there has {}: another splitting is another chain",
            i, write_toml_value(array_of(own)), there);
    }
    for (const char* key : {"split_masses", "joins"})
      if (const TomlEntry* const entry = find(*from[i], key)) set(*to[i], key, entry->value);
  }
  return parsed(document);
}

TomlEntries with_own_results(const RunInput& input, const std::filesystem::path& file) {
  TomlEntries document = input.resolved, output;
  const auto name = file.stem().string();
  const auto before =
      input.output.directory.has_filename() ? input.output.directory : input.output.directory.parent_path();
  auto directory = before.parent_path() / (name + "-results");
  if (directory.lexically_normal() == before.lexically_normal())
    directory = before.parent_path() / (name + "-tuned-results");
  if (const TomlEntry* const found = find(document, "output")) output = std::get<TomlEntries>(found->value.content);
  set(output, "directory", {directory.string(), {}});
  set(output, "name", {name, {}});
  set(document, "output", {output, {}});
  return document;
}

}  // namespace trellis::app
