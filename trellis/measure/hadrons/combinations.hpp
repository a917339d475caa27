// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which hadrons quarks with names form: a combination of two quarks makes mesons, quark first, one of three baryons.
// Its name is that of its quarks joined by dots, "l.s" and "l.l.s". Channels of a combination
// (correlators_of_quarks.hpp):
//   two quarks     all mesons
//   three quarks   decuplet; proton if the first two are the same; lambda unless all three are
// A quark may be another one with a current (current.hpp): it counts as the same, and makes three-point functions.

#include <optional>
#include <string>
#include <vector>

#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/measure/hadrons/current.hpp"

namespace trellis::measure {

struct ValenceQuark {
  std::string name;
  dirac::WilsonParameters parameters;
  std::optional<QuarkCurrent> current = {};  // its propagator continues that of an earlier quark
};

using QuarkCombination = std::vector<int>;  // numbers of two or three quarks

struct HadronOfQuarks {
  std::string quarks;  // "l.s"
  QuarkCombination combination;
  std::string channel;
  bool has_current = false;
};

// All pairs (i, j), i <= j; and all (i, i, j) and (i, j, k), i < j < k, of quarks without a current. Only those that
// have one of the channels.
std::vector<QuarkCombination> all_combinations(const std::vector<ValenceQuark>& quarks,
                                               const std::vector<std::string>& channels);
std::string name_of(const std::vector<ValenceQuark>& quarks, const QuarkCombination& combination);
// From such a name. InputError for an unknown quark, and unless there are two or three.
QuarkCombination combination_of(const std::vector<ValenceQuark>& quarks, const std::string& name);
bool has_channel(const std::vector<ValenceQuark>& quarks, const QuarkCombination& combination,
                 const std::string& channel);

// Channel by channel for each combination.
std::vector<HadronOfQuarks> hadrons_of_quarks(const std::vector<ValenceQuark>& quarks,
                                              const std::vector<QuarkCombination>& combinations,
                                              const std::vector<std::string>& channels);

// hadron_names() and those of different quarks.
const std::vector<std::string>& channels_of_quarks();

// InputError unless all quarks have the same boundary and another name each, currents are those of earlier quarks,
// every channel is known and is that of a combination, and every quark with a current is in one.
void require_valid(const std::vector<ValenceQuark>& quarks, const std::vector<QuarkCombination>& combinations,
                   const std::vector<std::string>& channels);

}  // namespace trellis::measure
