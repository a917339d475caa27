// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/masked_loops.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::Constant, llvm::Instruction, llvm::PHINode, llvm::Value;

constexpr const char* any_name = "trellis_spmd_any";

llvm::FunctionCallee any_of(llvm::Module& module) {
  llvm::Type* boolean = llvm::Type::getInt1Ty(module.getContext());
  llvm::FunctionCallee any = module.getOrInsertFunction(any_name, boolean, boolean);
  auto* function = llvm::cast<llvm::Function>(any.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return any;
}

// The branch before a loop that some work-items do not enter: between it and the loop there are only blocks that
// follow one another.
struct Guard {
  BasicBlock* block = nullptr;
  BasicBlock* past = nullptr;  // where the others go
  llvm::SmallVector<BasicBlock*, 4> between;
};

class Masking {
 public:
  Masking(llvm::Loop& loop, const llvm::DominatorTree& dominators) : loop_(loop), dominators_(dominators) {}

  bool possible(bool entered_by_all) {
    header_ = loop_.getHeader();
    preheader_ = loop_.getLoopPreheader();
    latch_ = loop_.getLoopLatch();
    exit_ = loop_.getUniqueExitBlock();
    if (!preheader_ || !latch_ || !exit_ || !loop_.getSubLoops().empty() || !loop_.isLCSSAForm(dominators_))
      return false;
    for (const BasicBlock* from : llvm::predecessors(exit_))
      if (!loop_.contains(from)) return false;
    for (BasicBlock* block : loop_.blocks())
      if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block->getTerminator())) return false;
    return entered_by_all || find_guard();
  }

  void run() {
    context_ = &header_->getContext();
    builder_.emplace(*context_);
    if (guard_.block) meet_before();
    make_blocks();
    split_ends();
    make_phis();
    if (guard_.block) part_behind();
  }

 private:
  bool find_guard() {
    BasicBlock* at = preheader_;
    for (int steps = 0; steps < 8; ++steps) {
      guard_.between.push_back(at);
      BasicBlock* from = at->getSinglePredecessor();
      if (!from) return false;
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
      if (!branch) return false;
      if (!branch->isConditional()) {
        at = from;
        continue;
      }
      guard_.block = from;
      guard_.past = branch->getSuccessor(branch->getSuccessor(0) == at ? 1 : 0);
      if (guard_.past == at || guard_.past == exit_ || loop_.contains(guard_.past)) return false;
      // Whoever goes past and whoever has been through the loop meet there.
      BasicBlock* behind = exit_;
      for (int more = 0; more < 8 && behind && behind != guard_.past; ++more) behind = behind->getSingleSuccessor();
      return behind == guard_.past;
    }
    return false;
  }

  static bool may_run_for_all(const Instruction& one) {
    return !one.mayReadOrWriteMemory() && !llvm::isa<PHINode>(one) && llvm::isSafeToSpeculativelyExecute(&one);
  }

  // A block before the loop that everyone reaches. What was computed for those who enter is computed for all, or is 0
  // for the others.
  void meet_before() {
    BasicBlock* meet = BasicBlock::Create(*context_, "spmd.meet", header_->getParent(), header_);
    preheader_->getTerminator()->replaceSuccessorWith(header_, meet);
    guard_.block->getTerminator()->replaceSuccessorWith(guard_.past, meet);
    llvm::BranchInst::Create(header_, meet);
    header_->replacePhiUsesWith(preheader_, meet);
    llvm::SmallPtrSet<const BasicBlock*, 4> between(guard_.between.begin(), guard_.between.end());
    for (BasicBlock* block : llvm::reverse(guard_.between))
      for (Instruction& one : llvm::make_early_inc_range(*block)) {
        if (one.isTerminator() || !may_run_for_all(one)) continue;
        const bool ready = llvm::none_of(one.operands(), [&](const Value* operand) {
          const auto* part = llvm::dyn_cast<Instruction>(operand);
          return part && between.contains(part->getParent());
        });
        if (!ready) continue;
        one.moveBefore(guard_.block->getTerminator());
        one.dropPoisonGeneratingFlags();
        one.dropUBImplyingAttrsAndMetadata();
      }
    builder_->SetInsertPoint(meet, meet->begin());
    const auto join = [&](Value* entered, Value* past, const llvm::Twine& name) {
      PHINode* phi = builder_->CreatePHI(entered->getType(), 2, name);
      phi->addIncoming(entered, preheader_);
      phi->addIncoming(past, guard_.block);
      return phi;
    };
    entered_ = join(builder_->getTrue(), builder_->getFalse(), "spmd.entered");
    for (BasicBlock* block : guard_.between)
      for (Instruction& one : *block) {
        if (one.getType()->isVoidTy()) continue;
        llvm::SmallVector<llvm::Use*, 8> outside;
        for (llvm::Use& use : one.uses())
          if (!between.contains(llvm::cast<Instruction>(use.getUser())->getParent())) outside.push_back(&use);
        if (outside.empty()) continue;
        PHINode* phi = join(&one, Constant::getNullValue(one.getType()), one.getName());
        for (llvm::Use* use : outside) use->set(phi);
      }
    preheader_ = meet;
  }

  // turn: any lane left?  part: this one?  -> the loop's blocks -> turned -> turn
  void make_blocks() {
    llvm::Function* function = header_->getParent();
    turn_ = BasicBlock::Create(*context_, "spmd.turn", function, header_);
    part_ = BasicBlock::Create(*context_, "spmd.part", function, header_);
    turned_ = BasicBlock::Create(*context_, "spmd.turned", function, header_);
    preheader_->getTerminator()->replaceSuccessorWith(header_, turn_);
    while (auto* phi = llvm::dyn_cast<PHINode>(&header_->front())) {
      phi->moveBefore(*turn_, turn_->end());
      of_loop_.push_back(phi);
    }
    builder_->SetInsertPoint(turn_);
    active_ = builder_->CreatePHI(builder_->getInt1Ty(), 2, "spmd.active");
    for (PHINode& phi : exit_->phis()) {
      of_exit_.push_back(&phi);
      results_.push_back(builder_->CreatePHI(phi.getType(), 2, phi.getName()));
    }
    Value* any = builder_->CreateCall(any_of(*function->getParent()), {active_}, "spmd.any");
    builder_->CreateCondBr(any, part_, exit_);
    builder_->SetInsertPoint(part_);
    builder_->CreateCondBr(active_, header_, turned_);
    builder_->SetInsertPoint(turned_);
    builder_->CreateBr(turn_);
  }

  // Each edge out of the loop, and the one back, gets a block of its own.
  void split_ends() {
    const auto end = [&](BasicBlock* from, unsigned successor, const char* name) {
      BasicBlock* block = BasicBlock::Create(*context_, name, header_->getParent(), turned_);
      llvm::BranchInst::Create(turned_, block);
      from->getTerminator()->setSuccessor(successor, block);
      return block;
    };
    for (BasicBlock* block : loop_.blocks()) {
      Instruction* terminator = block->getTerminator();
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
        if (terminator->getSuccessor(i) == exit_) {
          ends_.emplace_back(end(block, i, "spmd.leaves"), block);
        } else if (terminator->getSuccessor(i) == header_) {
          back_.push_back(end(block, i, "spmd.stays"));
        }
      }
    }
  }

  // A variable that changes by the same amount in each turn: it may go on changing for those who have left, and remains
  // contiguous.
  Instruction* step_of(PHINode& phi, Value* next) const {
    auto* step = llvm::dyn_cast<Instruction>(next);
    if (!step || !loop_.contains(step->getParent())) return nullptr;
    if (step->getOpcode() != Instruction::Add && step->getOpcode() != Instruction::Sub &&
        step->getOpcode() != Instruction::GetElementPtr)
      return nullptr;
    if (step->getOperand(0) != &phi && (step->getOpcode() != Instruction::Add || step->getOperand(1) != &phi))
      return nullptr;
    for (const Value* operand : step->operands()) {
      const auto* part = llvm::dyn_cast<Instruction>(operand);
      if (operand != &phi && part && (loop_.contains(part->getParent()) || part->getParent() == turn_)) return nullptr;
    }
    return step;
  }

  void make_phis() {
    builder_->SetInsertPoint(turned_, turned_->begin());
    const auto merge = [&](llvm::Type* type, llvm::function_ref<Value*(BasicBlock*)> at_end, Value* back, Value* idle) {
      PHINode* phi = builder_->CreatePHI(type, 4);
      for (const auto& [end, from] : ends_) phi->addIncoming(at_end(from), end);
      for (BasicBlock* stays : back_) phi->addIncoming(back, stays);
      phi->addIncoming(idle, part_);
      return phi;
    };
    Value* entered = entered_ ? static_cast<Value*>(entered_) : builder_->getTrue();
    active_->addIncoming(entered, preheader_);
    active_->addIncoming(merge(
                             builder_->getInt1Ty(), [&](BasicBlock*) { return builder_->getFalse(); },
                             builder_->getTrue(), builder_->getFalse()),
                         turned_);
    for (std::size_t i = 0; i < of_exit_.size(); ++i) {
      PHINode* result = results_[i];
      result->addIncoming(Constant::getNullValue(result->getType()), preheader_);
      result->addIncoming(
          merge(
              result->getType(), [&](BasicBlock* from) { return of_exit_[i]->getIncomingValueForBlock(from); }, result,
              result),
          turned_);
    }
    for (std::size_t i = 0; i < of_exit_.size(); ++i) {
      while (of_exit_[i]->getNumIncomingValues() > 0) of_exit_[i]->removeIncomingValue(0u, false);
      of_exit_[i]->addIncoming(results_[i], turn_);
    }
    for (PHINode* phi : of_loop_) {
      Value* next = phi->getIncomingValueForBlock(latch_);
      if (Instruction* step = step_of(*phi, next)) {
        step->moveBefore(part_->getTerminator());
        step->dropPoisonGeneratingFlags();
      } else {
        next = merge(phi->getType(), [&](BasicBlock*) { return phi; }, next, phi);
      }
      // With several edges from the latch there are as many equal values.
      while (phi->getBasicBlockIndex(latch_) >= 0) phi->removeIncomingValue(latch_, false);
      phi->addIncoming(next, turned_);
    }
  }

  // Who did not enter goes past what follows the loop.
  void part_behind() {
    BasicBlock* behind = BasicBlock::Create(*context_, "spmd.behind", header_->getParent(), exit_);
    turn_->getTerminator()->replaceSuccessorWith(exit_, behind);
    exit_->replacePhiUsesWith(turn_, behind);
    guard_.past->replacePhiUsesWith(guard_.block, behind);
    builder_->SetInsertPoint(behind);
    builder_->CreateCondBr(entered_, exit_, guard_.past);
  }

  llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  llvm::LLVMContext* context_ = nullptr;
  std::optional<llvm::IRBuilder<>> builder_;
  Guard guard_;
  BasicBlock *header_ = nullptr, *preheader_ = nullptr, *latch_ = nullptr, *exit_ = nullptr;
  BasicBlock *turn_ = nullptr, *part_ = nullptr, *turned_ = nullptr;
  PHINode *active_ = nullptr, *entered_ = nullptr;
  llvm::SmallVector<PHINode*, 8> of_loop_, of_exit_, results_;
  llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> ends_;  // and the block that it comes from
  llvm::SmallVector<BasicBlock*, 2> back_;
};

}  // namespace

bool is_any(const Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == any_name;
}

bool mask_loop(llvm::Loop& loop, const llvm::DominatorTree& dominators, bool entered_by_all) {
  Masking masking(loop, dominators);
  if (!masking.possible(entered_by_all)) return false;
  masking.run();
  return true;
}

void drop_any(llvm::Function& function) {
  llvm::Function* any = function.getParent()->getFunction(any_name);
  if (!any) return;
  for (Instruction& one : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_any(&one)) {
      one.replaceAllUsesWith(one.getOperand(0));
      one.eraseFromParent();
    }
  if (any->use_empty()) any->eraseFromParent();
}

}  // namespace trellis::spmd
