// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lanes.hpp"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "spmd/plugin/lane_loop.hpp"
#include "spmd/plugin/lane_rows.hpp"
#include "spmd/plugin/loop_nest.hpp"
#include "spmd/plugin/masked_loops.hpp"
#include "spmd/plugin/report.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Instruction, llvm::Loop, llvm::Value;

constexpr unsigned long_body = 48;  // number of operations above which lanes pay for a body without loops
constexpr unsigned most_lanes = 32;
constexpr unsigned gather_cost = 6;   // relative to other operations
constexpr unsigned most_vectors = 8;  // per value, in lanes of several rows

bool marked(const Loop& loop, const char* name) { return llvm::findOptionMDForLoop(&loop, name) != nullptr; }

// All accesses are independent accesses of work-items.
bool independent(const Loop& loop) {
  const llvm::MDNode* option = llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses");
  if (!option || option->getNumOperands() < 2) return false;
  const llvm::Metadata* group = option->getOperand(1);
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& one : *block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(one)) continue;
      const llvm::MDNode* groups = one.getMetadata(llvm::LLVMContext::MD_access_group);
      if (!groups) return false;
      if (groups != group && !llvm::is_contained(groups->operands(), group)) return false;
    }
  return true;
}

// The cost and benefit of lanes, by counting.
struct Estimate {
  unsigned operations = 0, gathers = 0;  // weighted by the depth of inner loops
  unsigned loops = 0;
  unsigned widest = 8;  // bits
  unsigned held = 0;    // vectors that inner loops hold in registers
};

// Where lanes leave a loop one by one, many are idle: `uneven`, if it is not yet rewritten for that.
Estimate estimate(Loop& loop, const LaneShapes& shapes, llvm::LoopInfo& loops, const Loop* uneven = nullptr) {
  Estimate result;
  result.loops = unsigned(loop.getSubLoopsVector().size());
  const llvm::DataLayout& layout = loop.getHeader()->getModule()->getDataLayout();
  llvm::SmallPtrSet<const Value*, 16> held;
  for (BasicBlock* block : loop.blocks()) {
    const Loop* inner = loops.getLoopFor(block);
    const unsigned weight = inner == &loop ? 1 : 16;
    const bool some_idle =
        inner != &loop &&
        (inner == uneven || llvm::any_of(*inner->getHeader(), [](const auto& one) { return is_any(&one); }));
    for (const Instruction& one : *block) {
      if (one.isTerminator()) continue;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one);
      const llvm::Type* type = store ? store->getValueOperand()->getType() : one.getType();
      if (!store && shapes.stride(&one)) continue;
      result.operations += weight;
      if (type->isFloatingPointTy() || store || llvm::isa<llvm::LoadInst>(one))
        result.widest = std::max(result.widest, unsigned(layout.getTypeSizeInBits(const_cast<llvm::Type*>(type))));
      if (const Value* pointer = llvm::getLoadStorePointerOperand(&one)) {
        const auto stride = shapes.stride(pointer);
        const auto size = std::int64_t(layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue());
        if (!stride || (*stride != size && *stride != 0)) result.gathers += some_idle ? 2 * weight : weight;
      }
      if (inner == &loop) continue;
      if (llvm::isa<llvm::PHINode>(one)) held.insert(&one);
      for (const Value* operand : one.operands()) {
        const auto* before = llvm::dyn_cast<Instruction>(operand);
        if (before && loop.contains(before) && loops.getLoopFor(before->getParent()) == &loop && !shapes.stride(before))
          held.insert(before);
      }
    }
  }
  result.held = unsigned(held.size());
  return result;
}

// True if a good part of what is loaded is the same in all rows.
bool rows_share(const Loop& loop, const LaneShapes& shapes, llvm::LoopInfo& loops) {
  unsigned shared = 0, all = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& one : *block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&one);
      if (!pointer || shapes.uniform(pointer)) continue;
      const unsigned weight = loops.getLoopFor(block) == &loop ? 1 : 16;
      all += weight;
      if (llvm::isa<llvm::LoadInst>(one) && !shapes.of_rows(&one)) shared += weight;
    }
  return 4 * shared >= all && shared > 0;
}

// Lanes in several rows at once, if these have enough in common; returns what was done, for the remark.
std::string make_rows(const WorkItemLoop& found, llvm::LoopInfo& loops, llvm::PostDominatorTree& post_dominators,
                      unsigned native, unsigned held, unsigned registers) {
  std::optional<RowNest> nest = RowNest::of(found);
  if (!nest) return {};
  const LaneShapes shapes(*found.loop, *found.id, loops, post_dominators, &nest->of_rows());
  if (!shapes.refused().empty() || !rows_share(*found.loop, shapes, loops)) return {};
  for (const BasicBlock* block : found.loop->blocks())
    for (const Instruction& one : *block)
      if (no_lanes(one, shapes)) return {};
  std::string done;
  if (held * most_vectors > registers) return done;
  for (unsigned lanes = most_lanes; lanes >= native && lanes >= 8; lanes /= 2) {
    const unsigned rows = most_vectors * native / lanes;
    if (rows < 2) continue;
    nest->write(shapes, lanes, rows);
    done += (done.empty() ? "" : ", ") + std::to_string(rows) + " x " + std::to_string(lanes);
  }
  return done;
}

void leave_as_it_is(Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::SmallVector<llvm::Metadata*, 4> options = {nullptr};
  const auto add = [&](const char* name, std::optional<bool> on) {
    llvm::SmallVector<llvm::Metadata*, 2> words = {llvm::MDString::get(context, name)};
    if (on) words.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::getBool(context, *on)));
    options.push_back(llvm::MDNode::get(context, words));
  };
  add("llvm.loop.vectorize.enable", false);
  add("llvm.loop.unroll.disable", {});
  add("llvm.loop.mustprogress", {});
  llvm::MDNode* self = llvm::MDNode::getDistinct(context, options);
  self->replaceOperandWith(0, self);
  loop.setLoopID(self);
}

bool make_lanes(Loop& loop, llvm::LoopInfo& loops, llvm::PostDominatorTree& post_dominators,
                const llvm::TargetTransformInfo& target) {
  llvm::Function& function = *loop.getHeader()->getParent();
  const Instruction* at = loop.getHeader()->getFirstNonPHI();
  std::optional<WorkItemLoop> found = work_item_loop_of(loop);
  const auto missed = [&](const std::string& why) {
    if (!loop.getSubLoops().empty())
      remark_missed(function, at, "a loop inside a work-item runs for one work-item after the other: " + why);
    return false;
  };
  if (!found) return missed("the loop over work-items has no simple form");
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (&phi != found->id) return missed("work-items hand a value on to the next");
  if (!independent(loop)) return missed("its memory may be shared");
  const LaneShapes shapes(loop, *found->id, loops, post_dominators);
  if (!shapes.refused().empty()) return missed(shapes.refused());
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& one : *block)
      if (const char* why = no_lanes(one, shapes)) return missed(why);
  const Estimate work = estimate(loop, shapes, loops);
  if (work.loops == 0 && work.operations < long_body) return false;
  if (work.gathers * gather_cost > work.operations)
    return missed("most of its work is access to memory that is not contiguous");

  const unsigned bits =
      unsigned(target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  const unsigned native = std::max(2u, bits / std::max(8u, work.widest));
  // Some are reserved for values that do not live through loops.
  const unsigned registers = target.getNumberOfRegisters(target.getRegisterClassForType(true)) * 3 / 4;
  unsigned lanes = std::min(most_lanes, 4 * native);
  while (lanes > native && work.held * (lanes / native) > registers) lanes /= 2;
  const std::string rows = make_rows(*found, loops, post_dominators, native, work.held, registers);
  if (!rows.empty()) remark_done(function, at, "work-items of several rows run in lanes together: " + rows);
  std::string widths;
  for (unsigned width = lanes; width >= std::min(native, 8u) && width >= 2; width = width > native ? native
                                                                                    : width > 8    ? 8
                                                                                                   : 0) {
    write_lane_loop(*found, shapes, width);
    // What preceded the loop now precedes the remainder.
    for (const BasicBlock* from : llvm::predecessors(loop.getHeader()))
      if (!loop.contains(from)) found->before = const_cast<BasicBlock*>(from);
    widths += (widths.empty() ? "" : ", ") + std::to_string(width);
  }
  leave_as_it_is(loop);
  remark_done(function, at, "work-items run in lanes of " + widths + (work.loops ? " inside of their loops" : ""));
  return true;
}

// Whether lanes are possible but for a loop inside whose turns differ; then rewrites that loop.
bool mask_uneven_loop(Loop& loop, llvm::LoopInfo& loops, llvm::PostDominatorTree& post_dominators,
                      const llvm::DominatorTree& dominators) {
  const std::optional<WorkItemLoop> found = work_item_loop_of(loop);
  if (!found || !independent(loop)) return false;
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (&phi != found->id) return false;
  const LaneShapes shapes(loop, *found->id, loops, post_dominators, nullptr, /*despite_uneven=*/true);
  if (!shapes.uneven_loop() || !shapes.refused().empty()) return false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& one : *block)
      if (no_lanes(one, shapes)) return false;
  const Estimate work = estimate(loop, shapes, loops, shapes.uneven_loop());
  if (work.gathers * gather_cost > work.operations) return false;
  return mask_loop(*shapes.uneven_loop(), dominators, shapes.entered_by_all());
}

bool mask_uneven_loops(llvm::Function& function) {
  for (int count = 0;; ++count) {
    const llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    llvm::PostDominatorTree post_dominators(function);
    const auto masked = [&](Loop* loop) {
      return marked(*loop, work_item_loop) && mask_uneven_loop(*loop, loops, post_dominators, dominators);
    };
    if (llvm::none_of(loops.getLoopsInPreorder(), masked)) return count > 0;
  }
}

}  // namespace

llvm::PreservedAnalyses LanesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  bool changed = mask_uneven_loops(function);
  if (changed) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& post_dominators = analyses.getResult<llvm::PostDominatorTreeAnalysis>(function);
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder())
    if (marked(*loop, work_item_loop)) changed |= make_lanes(*loop, loops, post_dominators, target);
  drop_any(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace trellis::spmd
