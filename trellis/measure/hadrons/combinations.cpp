// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/combinations.hpp"

#include <algorithm>
#include <set>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"

namespace trellis::measure {

std::vector<QuarkCombination> all_combinations(const std::vector<ValenceQuark>& quarks,
                                               const std::vector<std::string>& channels) {
  const int count = static_cast<int>(quarks.size());
  std::vector<QuarkCombination> all;
  const auto add = [&](const QuarkCombination& one) {
    if (std::any_of(channels.begin(), channels.end(), [&](const auto& channel) { return has_channel(one, channel); }))
      all.push_back(one);
  };
  for (int i = 0; i < count; ++i)
    for (int j = i; j < count; ++j) add({i, j});
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) add({i, i, j});
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k) add({i, j, k});
  return all;
}

std::string name_of(const std::vector<ValenceQuark>& quarks, const QuarkCombination& combination) {
  std::vector<std::string> names;
  for (const int n : combination) names.push_back(quarks[std::size_t(n)].name);
  return joined(names, ".");
}

QuarkCombination combination_of(const std::vector<ValenceQuark>& quarks, const std::string& name) {
  QuarkCombination combination;
  for (std::size_t begin = 0; begin <= name.size();) {
    const auto end = std::min(name.find('.', begin), name.size());
    const auto one = name.substr(begin, end - begin);
    const auto found = std::find_if(quarks.begin(), quarks.end(), [&](const auto& quark) { return quark.name == one; });
    if (found == quarks.end()) {
      std::vector<std::string> known;
      for (const auto& quark : quarks) known.push_back(quark.name);
      fail_input("\"{}\": there is no quark \"{}\"; expected two or three of {}, joined by dots", name, one,
                 joined(known, ", "));
    }
    combination.push_back(static_cast<int>(found - quarks.begin()));
    begin = end + 1;
  }
  if (combination.size() < 2 || combination.size() > 3)
    fail_input("\"{}\": found {} quarks, expected two or three, joined by dots", name, combination.size());
  return combination;
}

bool has_channel(const QuarkCombination& q, const std::string& channel) {
  if (q.size() == 2 || !is_baryon(channel)) return q.size() == 2 && !is_baryon(channel);
  if (channel.starts_with("proton")) return q[0] == q[1];
  if (channel.starts_with("lambda")) return q[0] != q[1] || q[1] != q[2];
  return true;
}

std::vector<HadronOfQuarks> hadrons_of_quarks(const std::vector<ValenceQuark>& quarks,
                                              const std::vector<QuarkCombination>& combinations,
                                              const std::vector<std::string>& channels) {
  std::vector<HadronOfQuarks> all;
  for (const auto& combination : combinations)
    for (const auto& channel : channels)
      if (has_channel(combination, channel)) all.push_back({name_of(quarks, combination), combination, channel});
  return all;
}

const std::vector<std::string>& channels_of_quarks() {
  static const std::vector<std::string> names = [] {
    auto all = hadron_names();
    for (const auto& name : baryons_of_quarks())
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    return all;
  }();
  return names;
}

void require_valid(const std::vector<ValenceQuark>& quarks, const std::vector<QuarkCombination>& combinations,
                   const std::vector<std::string>& channels) {
  std::set<std::string> names;
  for (const auto& quark : quarks) {
    dirac::require_valid(quark.parameters);
    if (!names.insert(quark.name).second) fail_input("hadrons: two quarks have the name \"{}\"", quark.name);
    if (quark.parameters.boundary_angle_over_pi != quarks[0].parameters.boundary_angle_over_pi)
      fail_input("hadrons: the quarks {} and {} have different boundaries", quarks[0].name, quark.name);
  }
  for (const auto& combination : combinations) {
    if (combination.size() < 2 || combination.size() > 3)
      fail_input("hadrons: found {} quarks, expected two for mesons or three for baryons", combination.size());
    for (const int n : combination)
      if (n < 0 || n >= static_cast<int>(quarks.size()))
        fail_input("hadrons: there is no quark {}; expected 0 to {}", n, quarks.size() - 1);
    if (std::none_of(channels.begin(), channels.end(), [&](const auto& c) { return has_channel(combination, c); }))
      fail_input("hadrons: the quarks {} form none of {}", name_of(quarks, combination), joined(channels, ", "));
  }
  const auto& known = channels_of_quarks();
  for (const auto& channel : channels) {
    if (std::find(known.begin(), known.end(), channel) == known.end())
      fail_input("hadrons: there is no channel \"{}\"; expected some of {}", channel, joined(known, ", "));
    if (std::none_of(combinations.begin(), combinations.end(), [&](const auto& c) { return has_channel(c, channel); }))
      fail_input("hadrons: no combination of quarks forms \"{}\"", channel);
  }
  if (channels.empty()) fail_input("hadrons: channels: at least one is needed");
}

}  // namespace trellis::measure
