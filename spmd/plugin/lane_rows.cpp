// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lane_rows.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include "spmd/plugin/lane_writer.hpp"

namespace trellis::spmd {

using llvm::BasicBlock, llvm::Instruction, llvm::PHINode, llvm::Value;
using namespace llvm::PatternMatch;

std::optional<RowNest> RowNest::of(const WorkItemLoop& row) {
  RowNest nest(row);
  if (!nest.read()) return {};
  return nest;
}

// Instructions around the inner loop of which each row can have a copy.
bool RowNest::can_copy(const Instruction& one) const {
  if (llvm::isa<PHINode>(one) || one.isTerminator() || one.mayHaveSideEffects()) return false;
  // Independent loads of work-items may be done for all rows first.
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one);
  if (load ? !load->isSimple() || !load->getMetadata(llvm::LLVMContext::MD_access_group) : one.mayReadOrWriteMemory())
    return false;
  return llvm::none_of(one.operands(), [&](const llvm::Use& operand) {
    const auto* instruction = llvm::dyn_cast<Instruction>(operand.get());
    return instruction && row_.loop->contains(instruction);
  });
}

bool RowNest::read() {
  llvm::Loop* around = row_.loop->getParentLoop();
  if (!around || around->getSubLoops().size() != 1 || !row_.exit->phis().empty()) return false;
  const auto outer = work_item_loop_of(*around, row_loop);
  if (!outer || !outer->exit->phis().empty()) return false;
  outer_ = *outer;
  if (!around->isLoopInvariant(row_.end) || !around->isLoopInvariant(row_.start())) return false;
  for (PHINode& phi : around->getHeader()->phis()) {
    Value *next = phi.getIncomingValueForBlock(outer_.latch), *step = nullptr;
    if (!match(next, m_c_Add(m_Specific(&phi), m_Value(step))) || !around->isLoopInvariant(step)) return false;
    inductions_.push_back({&phi, step});
    of_rows_.insert(&phi);
  }
  // Nothing is skipped, since everything is done in the inner loop, which always runs.
  for (BasicBlock* block : around->blocks()) {
    if (row_.loop->contains(block)) continue;
    if (block != outer_.latch && !block->getSingleSuccessor()) return false;
    for (Instruction& one : *block)
      if (!one.isTerminator() && !(llvm::isa<PHINode>(one) && block == around->getHeader()) && !can_copy(one))
        return false;
  }
  llvm::SmallPtrSet<Instruction*, 16> seen;
  for (BasicBlock* block : row_.loop->blocks())
    for (Instruction& one : *block)
      for (Value* operand : one.operands()) {
        auto* from = llvm::dyn_cast<Instruction>(operand);
        if (from && around->contains(from) && !row_.loop->contains(from) && seen.insert(from).second)
          used_.push_back(from);
      }
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : around->blocks()) {
      if (row_.loop->contains(block)) continue;
      for (Instruction& one : *block)
        if (!of_rows_.contains(&one) &&
            llvm::any_of(one.operands(), [&](const llvm::Use& operand) { return of_rows_.contains(operand); }))
          changed = of_rows_.insert(&one).second;
    }
  }
  return true;
}

Value* RowNest::in_row(Value* value, unsigned row, std::vector<llvm::DenseMap<Value*, Value*>>& known,
                       llvm::IRBuilderBase& builder) const {
  auto* one = llvm::dyn_cast<Instruction>(value);
  if (!one || !outer_.loop->contains(one)) return value;
  if (!of_rows_.contains(value)) row = 0;
  if (Value* copy = known[row].lookup(value)) return copy;
  Instruction* copy = one->clone();
  for (llvm::Use& operand : copy->operands()) operand.set(in_row(operand, row, known, builder));
  builder.Insert(copy, one->getName());
  return known[row][value] = copy;
}

void RowNest::write(const LaneShapes& shapes, unsigned lanes, unsigned rows) {
  llvm::Function& function = *outer_.before->getParent();
  llvm::LLVMContext& context = function.getContext();
  BasicBlock* header = outer_.loop->getHeader();
  LaneWriter writer(row_, shapes, lanes, rows);
  llvm::IRBuilder<>& builder = writer.builder();
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, &function, header); };
  BasicBlock *body = block("spmd.rows"), *latch = block("spmd.rows.next"), *after = block("spmd.rows.after"),
             *rest = block("spmd.rows.rest");

  // Tests that a row has a whole number of lanes, and that there are enough rows.
  Instruction* end = outer_.before->getTerminator();
  builder.SetInsertPoint(end);
  const auto whole_part = [&](Value* from, Value* to, unsigned of) {
    Value* left = builder.CreateSub(to, from, "", true, true);
    return builder.CreateAdd(from, builder.CreateAnd(left, builder.getInt64(~std::uint64_t(of - 1))), "", true, true);
  };
  Value* whole = whole_part(outer_.start(), outer_.end, rows);
  Value* fits = builder.CreateICmpEQ(whole_part(row_.start(), row_.end, lanes), row_.end);
  fits = builder.CreateAnd(fits, builder.CreateICmpNE(whole, outer_.start()), "spmd.in_rows");
  std::vector<Value*> steps;
  for (const Induction& one : inductions_) steps.push_back(one.step);
  builder.CreateCondBr(fits, body, rest);
  end->eraseFromParent();

  // The first row's values and the others'.
  builder.SetInsertPoint(body);
  std::vector<llvm::DenseMap<Value*, Value*>> known(rows);
  std::vector<PHINode*> phis;
  for (const Induction& one : inductions_) phis.push_back(builder.CreatePHI(one.phi->getType(), 2, one.phi->getName()));
  const auto advanced = [&](std::size_t i, unsigned by) {
    Value* step = builder.CreateMul(steps[i], llvm::ConstantInt::get(steps[i]->getType(), by));
    return builder.CreateAdd(phis[i], step);
  };
  for (std::size_t i = 0; i < phis.size(); ++i)
    for (unsigned row = 0; row < rows; ++row) known[row][inductions_[i].phi] = row == 0 ? phis[i] : advanced(i, row);
  for (Instruction* value : used_) {
    llvm::SmallVector<Value*, 8> in_rows;
    for (unsigned row = 0; row < (of_rows_.contains(value) ? rows : 1); ++row)
      in_rows.push_back(in_row(value, row, known, builder));
    writer.know(value, in_rows);
  }
  builder.CreateBr(latch);
  writer.write(body, latch, row_.start(), row_.end);

  builder.SetInsertPoint(latch);
  Value* next = nullptr;
  std::vector<Value*> ups;
  for (std::size_t i = 0; i < phis.size(); ++i) {
    ups.push_back(advanced(i, rows));
    phis[i]->addIncoming(inductions_[i].phi->getIncomingValueForBlock(outer_.before), outer_.before);
    phis[i]->addIncoming(ups[i], latch);
    if (inductions_[i].phi == outer_.id) next = ups[i];
  }
  builder.CreateCondBr(builder.CreateICmpEQ(next, whole), after, body);
  builder.SetInsertPoint(after);
  builder.CreateCondBr(builder.CreateICmpEQ(whole, outer_.end), outer_.exit, rest);
  builder.SetInsertPoint(rest);
  for (std::size_t i = 0; i < phis.size(); ++i) {
    PHINode* phi = inductions_[i].phi;
    PHINode* from = builder.CreatePHI(phi->getType(), 2);
    from->addIncoming(phi->getIncomingValueForBlock(outer_.before), outer_.before);
    from->addIncoming(ups[i], after);
    phi->setIncomingValueForBlock(outer_.before, from);
    phi->replaceIncomingBlockWith(outer_.before, rest);
  }
  builder.CreateBr(header);
  outer_.before = rest;
}

}  // namespace trellis::spmd
