// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/work_item_loop.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace trellis::spmd {

std::optional<WorkItemLoop> work_item_loop_of(llvm::Loop& loop, const char* name) {
  if (!llvm::findOptionMDForLoop(&loop, name)) return {};
  WorkItemLoop found;
  found.loop = &loop;
  found.before = loop.getLoopPreheader();
  found.latch = loop.getLoopLatch();
  found.exit = loop.getUniqueExitBlock();
  if (!found.before || !found.latch || !found.exit || loop.getExitingBlock() != found.latch ||
      !loop.hasDedicatedExits())
    return {};
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(found.latch->getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) != found.exit) return {};
  found.compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!found.compare || found.compare->getPredicate() != llvm::CmpInst::ICMP_EQ || !found.compare->hasOneUse())
    return {};
  for (unsigned side : {0u, 1u}) {
    auto* next = llvm::dyn_cast<llvm::BinaryOperator>(found.compare->getOperand(side));
    if (!next || next->getOpcode() != llvm::Instruction::Add || !loop.contains(next)) continue;
    auto* id = llvm::dyn_cast<llvm::PHINode>(next->getOperand(0));
    const auto* one = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
    if (!id || id->getParent() != loop.getHeader() || !one || !one->isOne()) continue;
    if (id->getIncomingValueForBlock(found.latch) != next) continue;
    found.id = id;
    found.next = next;
    found.end = found.compare->getOperand(1 - side);
  }
  if (!found.id || !loop.isLoopInvariant(found.end)) return {};
  return found;
}

}  // namespace trellis::spmd
