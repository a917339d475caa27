// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/combinations.hpp"

#include <algorithm>
#include <set>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"

namespace trellis::measure {

namespace {

// The quark before any current acts on it.
int without_current(const std::vector<ValenceQuark>& quarks, int n) {
  while (quarks[std::size_t(n)].current) n = quarks[std::size_t(n)].current->quark;
  return n;
}

bool has_current(const std::vector<ValenceQuark>& quarks, const QuarkCombination& combination) {
  return std::any_of(combination.begin(), combination.end(),
                     [&](int n) { return quarks[std::size_t(n)].current.has_value(); });
}

}  // namespace

std::vector<QuarkCombination> all_combinations(const std::vector<ValenceQuark>& quarks,
                                               const std::vector<std::string>& channels) {
  const int count = static_cast<int>(quarks.size());
  std::vector<QuarkCombination> all;
  const auto add = [&](const QuarkCombination& one) {
    if (has_current(quarks, one)) return;
    if (std::any_of(channels.begin(), channels.end(),
                    [&](const auto& channel) { return has_channel(quarks, one, channel); }))
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

bool has_channel(const std::vector<ValenceQuark>& quarks, const QuarkCombination& combination,
                 const std::string& channel) {
  if (combination.size() == 2 || !is_baryon(channel)) return combination.size() == 2 && !is_baryon(channel);
  int q[3];
  for (std::size_t k = 0; k < 3; ++k) q[k] = without_current(quarks, combination[k]);
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
      if (has_channel(quarks, combination, channel))
        all.push_back({name_of(quarks, combination), combination, channel, has_current(quarks, combination)});
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
  for (std::size_t n = 0; n < quarks.size(); ++n) {
    const auto& quark = quarks[n];
    if (const auto& current = quark.current) {
      if (current->quark < 0 || std::size_t(current->quark) >= n)
        fail_input("hadrons: the current of the quark {} is not that of an earlier quark", quark.name);
      const auto& sixteen = meson_channels();
      if (std::none_of(sixteen.begin(), sixteen.end(), [&](const auto& c) { return c.name == current->channel; }))
        fail_input("hadrons: there is no current \"{}\"", current->channel);
    }
    dirac::require_valid(quark.parameters);
    if (!names.insert(quark.name).second) fail_input("hadrons: two quarks have the name \"{}\"", quark.name);
    if (quark.parameters.boundary_angle_over_pi != quarks[0].parameters.boundary_angle_over_pi ||
        quark.parameters.boundary != quarks[0].parameters.boundary)
      fail_input("hadrons: the quarks {} and {} have different boundaries", quarks[0].name, quark.name);
  }
  for (const auto& combination : combinations) {
    if (combination.size() < 2 || combination.size() > 3)
      fail_input("hadrons: found {} quarks, expected two for mesons or three for baryons", combination.size());
    for (const int n : combination)
      if (n < 0 || n >= static_cast<int>(quarks.size()))
        fail_input("hadrons: there is no quark {}; expected 0 to {}", n, quarks.size() - 1);
    if (std::none_of(channels.begin(), channels.end(),
                     [&](const auto& c) { return has_channel(quarks, combination, c); }))
      fail_input("hadrons: the quarks {} form none of {}", name_of(quarks, combination), joined(channels, ", "));
  }
  for (std::size_t n = 0; n < quarks.size(); ++n) {
    const auto is_in = [&](const auto& c) { return std::find(c.begin(), c.end(), int(n)) != c.end(); };
    // It may also serve another current.
    const bool serves = std::any_of(quarks.begin(), quarks.end(),
                                    [&](const auto& q) { return q.current && q.current->quark == int(n); });
    if (quarks[n].current && !serves && std::none_of(combinations.begin(), combinations.end(), is_in))
      fail_input("hadrons: the quark {} is in no combination", quarks[n].name);
  }
  const auto& known = channels_of_quarks();
  for (const auto& channel : channels) {
    if (std::find(known.begin(), known.end(), channel) == known.end())
      fail_input("hadrons: there is no channel \"{}\"; expected some of {}", channel, joined(known, ", "));
    if (std::none_of(combinations.begin(), combinations.end(),
                     [&](const auto& c) { return has_channel(quarks, c, channel); }))
      fail_input("hadrons: no combination of quarks forms \"{}\"", channel);
  }
  if (channels.empty()) fail_input("hadrons: channels: at least one is needed");
}

}  // namespace trellis::measure
