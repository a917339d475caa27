// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/regions.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction;

constexpr const char* cut_metadata = "trellis.spmd.cut";

void find_live(const Kernel& kernel, Regions& regions) {
  for (Instruction& value : llvm::instructions(kernel.function)) {
    if (kernel.in_prologue(&value) || value.getType()->isVoidTy()) continue;
    const auto blocks = live_in_blocks(value);
    for (Region& region : regions.all)
      if (blocks.contains(region.start)) region.live.insert(&value);
  }
}

}  // namespace

// Walks from each use up to the definition.
llvm::SmallPtrSet<BasicBlock*, 16> live_in_blocks(const Instruction& value) {
  llvm::SmallPtrSet<BasicBlock*, 16> live_in;
  llvm::SmallVector<BasicBlock*, 16> open;
  for (const llvm::Use& use : value.uses()) {
    auto* user = llvm::cast<Instruction>(use.getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      BasicBlock* from = phi->getIncomingBlock(use);
      if (from != value.getParent()) open.push_back(from);
    } else if (user->getParent() != value.getParent()) {
      open.push_back(user->getParent());
    }
  }
  while (!open.empty()) {
    BasicBlock* block = open.pop_back_val();
    if (!live_in.insert(block).second) continue;
    for (BasicBlock* from : llvm::predecessors(block))
      if (from != value.getParent()) open.push_back(from);
  }
  return live_in;
}

void split_behind_cuts(llvm::Function& function) {
  std::vector<Instruction*> cuts;
  for (Instruction& one : llvm::instructions(function)) {
    const llvm::Instruction* next = one.getNextNonDebugInstruction();
    if (cut_kind(one) &&
        !(llvm::isa<llvm::BranchInst>(next) && next->getNumSuccessors() == 1 &&
          next->getSuccessor(0)->getSinglePredecessor() && !llvm::isa<llvm::PHINode>(next->getSuccessor(0)->front())))
      cuts.push_back(&one);
  }
  for (Instruction* cut : cuts) cut->getParent()->splitBasicBlock(cut->getNextNode(), "behind");
}

void insert_cut(Instruction* before, CutKind kind) {
  llvm::Module& module = *before->getModule();
  const llvm::FunctionCallee marker =
      module.getOrInsertFunction("trellis_spmd_barrier", llvm::Type::getVoidTy(module.getContext()));
  auto* call = llvm::CallInst::Create(marker, "", before);
  const char* text = kind == CutKind::join ? "join" : "control";
  call->setMetadata(cut_metadata,
                    llvm::MDNode::get(module.getContext(), llvm::MDString::get(module.getContext(), text)));
}

std::optional<CutKind> cut_kind(const Instruction& instruction) {
  if (!is_barrier(&instruction)) return {};
  const llvm::MDNode* node = instruction.getMetadata(cut_metadata);
  if (!node) return CutKind::barrier;
  return llvm::cast<llvm::MDString>(node->getOperand(0))->getString() == "join" ? CutKind::join : CutKind::control;
}

BasicBlock* Regions::behind_cut(const BasicBlock& block) {
  const Instruction* cut = block.getTerminator()->getPrevNonDebugInstruction();
  return cut && cut_kind(*cut) ? block.getTerminator()->getSuccessor(0) : nullptr;
}

Regions form_regions(const Kernel& kernel) {
  Regions regions;
  for (const Instruction& one : llvm::instructions(kernel.function))
    regions.barriers += cut_kind(one) == CutKind::barrier;

  const auto add = [&](BasicBlock* start, bool control) {
    if (!regions.of_start.try_emplace(start, unsigned(regions.all.size())).second) return;
    regions.all.emplace_back();
    regions.all.back().start = start;
    regions.all.back().control = control;
  };
  add(kernel.first, false);
  for (std::size_t i = 0; i < regions.all.size(); ++i) {
    Region region = std::move(regions.all[i]);
    llvm::SmallSetVector<BasicBlock*, 16> blocks;
    blocks.insert(region.start);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      BasicBlock* block = blocks[b];
      if (region.control) {
        for (BasicBlock* next : llvm::successors(block)) {
          region.exits.insert(next);
          add(next, false);
        }
      } else if (BasicBlock* next = Regions::behind_cut(*block)) {
        region.exits.insert(next);
        add(next, cut_kind(*block->getTerminator()->getPrevNonDebugInstruction()) == CutKind::control);
      } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
        region.exits.insert(nullptr);
      } else {
        blocks.insert(llvm::succ_begin(block), llvm::succ_end(block));
      }
    }
    region.blocks.assign(blocks.begin(), blocks.end());
    regions.all[i] = std::move(region);
  }
  find_live(kernel, regions);
  return regions;
}

}  // namespace trellis::spmd
