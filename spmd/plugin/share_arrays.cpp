// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/share_arrays.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

namespace trellis::spmd {

using llvm::Instruction;

std::vector<std::vector<Instruction*>> share_arrays(const std::vector<Instruction*>& values,
                                                    llvm::function_ref<bool(Instruction*, Instruction*)> kept_together,
                                                    llvm::function_ref<std::uint64_t(const Instruction&)> bytes) {
  std::vector<std::vector<Instruction*>> groups;
  llvm::DenseMap<Instruction*, std::size_t> group_of;
  for (Instruction* value : values) {
    group_of[value] = groups.size();
    groups.push_back({value});
  }
  const auto join = [&](std::size_t a, std::size_t b) {
    if (a == b || groups[a].empty() || groups[b].empty() || bytes(*groups[a].front()) != bytes(*groups[b].front()))
      return;
    for (Instruction* one : groups[a])
      for (Instruction* other : groups[b])
        if (kept_together(one, other)) return;
    for (Instruction* one : groups[b]) group_of[one] = a;
    groups[a].insert(groups[a].end(), groups[b].begin(), groups[b].end());
    groups[b].clear();
  };
  for (Instruction* value : values)
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value))
      for (llvm::Value* incoming : phi->incoming_values())
        if (auto* one = llvm::dyn_cast<Instruction>(incoming); one && group_of.count(one))
          join(group_of[phi], group_of[one]);
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = a + 1; b < groups.size(); ++b) join(a, b);
  llvm::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace trellis::spmd
