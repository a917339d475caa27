// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions with a name, which stands for their c1 (action.hpp). A new one is a line in action_names.cpp, and one
// in the manual.

#include <span>
#include <string_view>

namespace trellis::gauge {

struct NamedAction {
  std::string_view name;
  std::string_view title;  // as in "the Wilson action"
  double c1;               // rectangle coefficient
};

std::span<const NamedAction> named_actions();

}  // namespace trellis::gauge
