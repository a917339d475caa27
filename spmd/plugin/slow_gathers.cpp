// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/slow_gathers.hpp"

#include <string>

namespace trellis::spmd {
namespace {

constexpr const char* no_gather = "+prefer-no-gather";
constexpr const char* no_scatter = "+prefer-no-scatter";

std::string features_of(const llvm::Function& function) {
  return function.getFnAttribute("target-features").getValueAsString().str();
}

}  // namespace

void avoid_slow_gathers(llvm::Function& function) {
  if (!function.getFnAttribute("target-cpu").getValueAsString().starts_with("znver")) return;
  std::string features = features_of(function);
  if (!features.empty()) features += ",";
  function.addFnAttr("target-features", features + no_gather + "," + no_scatter);
}

bool gathers_are_slow(const llvm::Function& function) {
  return features_of(function).find(no_gather) != std::string::npos;
}

}  // namespace trellis::spmd
