// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/emit_loops.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "spmd/plugin/loop_nest.hpp"
#include "spmd/plugin/report.hpp"
#include "spmd/plugin/variables.hpp"

namespace trellis::spmd {
namespace {

using llvm::AllocaInst, llvm::BasicBlock, llvm::Instruction, llvm::Value;

const llvm::RemapFlags remap_flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;

class Emitter {
 public:
  Emitter(const Kernel& kernel, const Regions& regions, const Context& context)
      : kernel_(kernel), regions_(regions), context_(context), prologue_(kernel.begin->getParent()) {}

  void run() {
    llvm::LLVMContext& llvm_context = kernel_.function->getContext();
    BasicBlock* first = regions_.all.front().start;
    BasicBlock* last_of_prologue = first->getSinglePredecessor();
    for (std::size_t i = 0; i < regions_.all.size(); ++i)
      heads_.push_back(BasicBlock::Create(llvm_context, "spmd.region" + std::to_string(i), kernel_.function));
    end_ = BasicBlock::Create(llvm_context, "spmd.end", kernel_.function);
    llvm::ReturnInst::Create(llvm_context, end_);
    local_slots_ = context_.slots();
    find_shared_variables();
    for (const Region& region : regions_.all) region.control ? emit_control(region) : emit(region);
    last_of_prologue->getTerminator()->replaceSuccessorWith(first, heads_.front());
    skip_empty_groups();
    llvm::removeUnreachableBlocks(*kernel_.function);
    llvm::DominatorTree dominators(*kernel_.function);
    std::vector<AllocaInst*> promotable;
    for (AllocaInst* slot : local_slots_)
      if (llvm::isAllocaPromotable(slot)) promotable.push_back(slot);
    llvm::PromoteMemToReg(promotable, dominators);
  }

 private:
  // The state while one region becomes a loop nest.
  struct Work {
    const Region* region = nullptr;
    BasicBlock* head = nullptr;  // before the loops
    LoopNest nest;
    llvm::ValueToValueMapTy map;
    llvm::DenseMap<Instruction*, Value*> entry;  // live values, as they are when a work-item starts
    llvm::DenseMap<Value*, Value*> loaded;       // loaded live values, and the arrays they came from
    std::vector<BasicBlock*> clones;
    AllocaInst* next = nullptr;  // the region that follows, if there are several
    Value* stack = nullptr;      // restored after each work-item
  };

  BasicBlock* head_of(BasicBlock* start) const { return start ? heads_[regions_.of_start.find(start)->second] : end_; }

  AllocaInst* new_slot(llvm::Type* type, const llvm::Twine& name) {
    auto* slot = new AllocaInst(type, 0, name, kernel_.function->getEntryBlock().getFirstInsertionPt());
    local_slots_.push_back(slot);
    return slot;
  }

  // The branch of a control region: executed once, on a uniform condition.
  void emit_control(const Region& region) {
    BasicBlock* head = head_of(region.start);
    Instruction* branch = region.start->getTerminator()->clone();
    branch->insertInto(head, head->end());
    for (llvm::Use& operand : branch->operands())
      if (auto* value = llvm::dyn_cast<Instruction>(operand.get()))
        if (const Place* place = context_.place(value); place && place->slot)
          operand.set(new llvm::LoadInst(value->getType(), place->slot, "", branch->getIterator()));
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) branch->setSuccessor(i, head_of(branch->getSuccessor(i)));
  }

  void emit(const Region& region) {
    Work work;
    work.region = &region;
    work.head = head_of(region.start);
    work_accesses_ = llvm::MDNode::getDistinct(kernel_.function->getContext(), {});
    work.nest = make_loop_nest(kernel_, work.head, work_accesses_);
    if (region.exits.size() > 1)
      work.next = new_slot(llvm::Type::getInt32Ty(kernel_.function->getContext()), "spmd.next");
    clone_blocks(work);
    map_entry_values(work);
    rewrite(work);
    leave(work);
  }

  void clone_blocks(Work& work) {
    for (BasicBlock* block : work.region->blocks) {
      BasicBlock* clone = llvm::CloneBasicBlock(block, work.map, ".wi", kernel_.function);
      work.map[block] = clone;
      work.clones.push_back(clone);
    }
    // Edges into the region's blocks from elsewhere are not in this copy.
    llvm::SmallPtrSet<BasicBlock*, 16> inside(work.region->blocks.begin(), work.region->blocks.end());
    for (BasicBlock* clone : work.clones)
      for (llvm::PHINode& phi : llvm::make_early_inc_range(clone->phis())) {
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
          if (!inside.contains(phi.getIncomingBlock(i)) || Regions::behind_cut(*phi.getIncomingBlock(i)))
            phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
      }
  }

  // The value of a live instruction where a work-item starts this region.
  Value* at_entry(Work& work, Instruction* value) {
    if (const auto known = work.entry.find(value); known != work.entry.end()) return known->second;
    llvm::IRBuilder<> builder(work.nest.body);
    const llvm::StringRef name = value->getName();
    Value* result = value;
    const Place* place = context_.place(value);
    if (const int dimension = local_id_dimension(value); dimension >= 0) {
      result = work.nest.id[dimension];
    } else if (place && (place->kept == Kept::uniform || place->kept == Kept::linear)) {
      llvm::IRBuilder<> before(work.head->getTerminator());
      result = before.CreateLoad(value->getType(), place->slot, name);
      if (place->kept == Kept::linear) result = add_ids(builder, result, *place, work.nest, 1);
    } else if (place && place->kept == Kept::row) {
      // Before any work-item of the row changes it.
      llvm::IRBuilder<> row(work.nest.row->getTerminator());
      llvm::Type* kept = Context::kept_type(value->getType());
      auto* load = row.CreateLoad(kept, row_element(row, kept, *place, work.nest), name);
      load->setMetadata(llvm::LLVMContext::MD_access_group, work_accesses_);
      result = load;
      if (kept != value->getType()) result = row.CreateTrunc(result, value->getType());
    } else if (place && place->array) {
      if (place->kept == Kept::replicated_variable) {
        Value* offset = builder.CreateMul(work.nest.linear, builder.getInt64(Context::bytes(*value)), "", true, true);
        result = builder.CreateInBoundsGEP(builder.getInt8Ty(), place->array, offset, name);
      } else {
        llvm::Type* kept = Context::kept_type(value->getType());
        result = builder.CreateInBoundsGEP(kept, place->array, work.nest.linear);
        auto* load = builder.CreateLoad(kept, result, name);
        load->setMetadata(llvm::LLVMContext::MD_access_group, work_accesses_);
        work.loaded[load] = place->array;
        result = kept == value->getType() ? llvm::cast<Value>(load) : builder.CreateTrunc(load, value->getType());
      }
    } else if (!kernel_.in_prologue(value)) {
      Instruction* copy = value->clone();
      for (llvm::Use& operand : copy->operands())
        if (auto* part = llvm::dyn_cast<Instruction>(operand.get())) operand.set(at_entry(work, part));
      copy->insertInto(work.nest.body, work.nest.body->end());
      copy->setName(name);
      result = copy;
    }
    work.entry[value] = result;
    return result;
  }

  Value* row_element(llvm::IRBuilder<>& builder, llvm::Type* kept, const Place& place, const LoopNest& nest) {
    Value* row = builder.CreateAdd(nest.id[1], builder.CreateMul(nest.id[2], kernel_.size[1], "", true, true),
                                   "spmd.row", true, true);
    return builder.CreateInBoundsGEP(kept, place.array, row);
  }

  // base + sign * (strides . ids)
  Value* add_ids(llvm::IRBuilder<>& builder, Value* base, const Place& place, const LoopNest& nest, int sign) {
    Value* offset = builder.getInt64(0);
    for (unsigned d = 0; d < 3; ++d)
      if (place.strides[d])
        offset = builder.CreateAdd(
            offset, builder.CreateMul(nest.id[d], builder.getInt64(std::uint64_t(sign * place.strides[d]))));
    if (base->getType()->isPointerTy()) return builder.CreateGEP(builder.getInt8Ty(), base, offset);
    return builder.CreateAdd(base, builder.CreateSExtOrTrunc(offset, base->getType()));
  }

  void map_entry_values(Work& work) {
    llvm::SmallPtrSet<BasicBlock*, 16> inside(work.region->blocks.begin(), work.region->blocks.end());
    bool grows = false;
    for (BasicBlock* block : work.region->blocks)
      for (Instruction& one : *block) {
        grows |= llvm::isa<AllocaInst>(one);
        for (Value* operand : one.operands()) {
          auto* value = llvm::dyn_cast<Instruction>(operand);
          if (!value) continue;
          const Place* place = context_.place(value);
          const bool variable = place && place->kept == Kept::replicated_variable;
          if (!variable && !work.region->live.contains(value)) continue;
          if (variable || !inside.contains(value->getParent())) work.map[value] = at_entry(work, value);
        }
      }
    if (grows) {
      llvm::IRBuilder<> builder(work.nest.body);
      work.stack = builder.CreateStackSave();
    }
  }

  void rewrite(Work& work) {
    // Ids first, so that other copies use them.
    std::vector<Instruction*> ids;
    for (BasicBlock* block : work.region->blocks)
      for (Instruction& one : *block)
        if (const int dimension = local_id_dimension(&one); dimension >= 0) {
          ids.push_back(llvm::cast<Instruction>(static_cast<Value*>(work.map[&one])));
          work.map[&one] = work.nest.id[dimension];
        }
    for (BasicBlock* block : work.region->blocks)
      for (Instruction& one : *block) {
        auto* copy = llvm::cast<Instruction>(static_cast<Value*>(work.map[&one]));
        if (independent(one)) copy->setMetadata(llvm::LLVMContext::MD_access_group, work_accesses_);
      }
    for (BasicBlock* clone : work.clones)
      for (Instruction& one : *clone) llvm::RemapInstruction(&one, work.map, remap_flags);
    for (Instruction* id : ids) id->eraseFromParent();
    // Values that the region has from before and also recomputes (in a loop around its cut): either may be meant.
    // The same holds for the values from which they are rebuilt.
    llvm::SmallSetVector<Instruction*, 16> from_before = work.region->live;
    from_before.insert(context_.stored(*work.region).begin(), context_.stored(*work.region).end());
    for (Instruction* value : from_before) {
      if (!llvm::is_contained(work.region->blocks, value->getParent()) || local_id_dimension(value) >= 0) continue;
      AllocaInst* slot = new_slot(value->getType(), value->getName() + ".either");
      llvm::IRBuilder<>(work.nest.body).CreateStore(at_entry(work, value), slot);
      either(llvm::cast<Instruction>(static_cast<Value*>(work.map[value])), slot);
      current_[value] = slot;
    }
    llvm::IRBuilder<>(work.nest.body)
        .CreateBr(llvm::cast<BasicBlock>(static_cast<Value*>(work.map[work.region->start])));
  }

  // Memory that work-items of a group use independently between barriers: all but the variables with a single copy that
  // work-items use one after the other.
  void find_shared_variables() {
    for (Instruction& one : llvm::instructions(kernel_.function)) {
      auto* variable = llvm::dyn_cast<AllocaInst>(&one);
      if (!variable || context_.place(variable) || is_ours(variable) || kernel_.group_variables.contains(variable))
        continue;
      bool escapes = false;
      for (Instruction* user : users_of_variable(*variable, escapes)) users_of_shared_.insert(user);
      shared_escapes_ |= escapes;
    }
  }

  bool is_ours(const AllocaInst* variable) const {
    return llvm::is_contained(local_slots_, variable) || variable->getName().starts_with("spmd.");
  }

  bool independent(const Instruction& one) const {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AnyMemIntrinsic>(one) || one.isAtomic() || one.isVolatile())
      return false;
    return !shared_escapes_ && !users_of_shared_.contains(&one);
  }

  static void either(Instruction* value, AllocaInst* slot) {
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : value->uses()) uses.push_back(&use);
    for (llvm::Use* use : uses) {
      auto* user = llvm::cast<Instruction>(use->getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      Instruction* before = phi ? phi->getIncomingBlock(*use)->getTerminator() : user;
      use->set(new llvm::LoadInst(value->getType(), slot, value->getName(), before->getIterator()));
    }
    Instruction* behind = llvm::isa<llvm::PHINode>(value) ? &*value->getParent()->getFirstInsertionPt()
                          : value->isTerminator()         ? nullptr
                                                          : value->getNextNode();
    if (!behind) behind = &*llvm::cast<llvm::InvokeInst>(value)->getNormalDest()->getFirstInsertionPt();
    new llvm::StoreInst(value, slot, behind->getIterator());
  }

  // The ends of the region: stores what is live behind, and the work-item is done.
  void leave(Work& work) {
    llvm::IRBuilder<> builder(kernel_.function->getContext());
    for (std::size_t i = 0; i < work.clones.size(); ++i) {
      BasicBlock *block = work.region->blocks[i], *clone = work.clones[i];
      BasicBlock* next = Regions::behind_cut(*block);
      Instruction* end = clone->getTerminator();
      if (!next && !llvm::isa<llvm::ReturnInst>(end)) continue;
      builder.SetInsertPoint(end);
      if (next) {
        Instruction* cut = end->getPrevNonDebugInstruction();
        store_live(work, builder, regions_.all[regions_.of_start.find(next)->second]);
        cut->eraseFromParent();
      }
      if (work.next) builder.CreateStore(number(work, next), work.next);
      if (work.stack) builder.CreateStackRestore(work.stack);
      builder.CreateBr(work.nest.latch);
      end->eraseFromParent();
    }
    builder.SetInsertPoint(work.nest.done);
    const auto& exits = work.region->exits;
    if (exits.empty()) {
      builder.CreateUnreachable();
    } else if (exits.size() == 1) {
      builder.CreateBr(head_of(exits[0]));
    } else {
      Value* next = builder.CreateLoad(builder.getInt32Ty(), work.next);
      auto* to = builder.CreateSwitch(next, head_of(exits[0]), exits.size());
      for (unsigned i = 1; i < exits.size(); ++i) to->addCase(builder.getInt32(i), head_of(exits[i]));
    }
    current_.clear();
  }

  llvm::ConstantInt* number(const Work& work, BasicBlock* next) const {
    const auto at = llvm::find(work.region->exits, next) - work.region->exits.begin();
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(kernel_.function->getContext()), std::uint64_t(at));
  }

  void store_live(Work& work, llvm::IRBuilder<>& builder, const Region& next) {
    for (Instruction* value : context_.stored(next)) {
      // What was not computed here is still stored where it was.
      if (!llvm::is_contained(work.region->blocks, value->getParent())) continue;
      const Place& place = *context_.place(value);
      Value* now = nullptr;
      if (const auto slot = current_.find(value); slot != current_.end())
        now = builder.CreateLoad(value->getType(), slot->second);
      else
        now = work.map[value];
      if (place.kept == Kept::linear) now = add_ids(builder, now, place, work.nest, -1);
      if (place.slot) {
        builder.CreateStore(now, place.slot);
      } else if (place.kept == Kept::row || !is_there(work, now, place)) {
        llvm::Type* kept = Context::kept_type(value->getType());
        if (kept != value->getType()) now = builder.CreateZExt(now, kept);
        Value* element = place.kept == Kept::row ? row_element(builder, kept, place, work.nest)
                                                 : builder.CreateInBoundsGEP(kept, place.array, work.nest.linear);
        auto* store = builder.CreateStore(now, element);
        store->setMetadata(llvm::LLVMContext::MD_access_group, work_accesses_);
      }
    }
  }

  // A phi whose array already holds its value.
  static bool is_there(const Work& work, Value* now, const Place& place) {
    while (auto* phi = llvm::dyn_cast<llvm::PHINode>(now)) {
      Value* same = phi->hasConstantValue();
      if (!same) return false;
      now = same;
    }
    return work.loaded.lookup(now) == place.array;
  }

  // Loops run at least once; a group without work-items does nothing.
  void skip_empty_groups() {
    llvm::IRBuilder<> builder(kernel_.begin);
    Value* empty = builder.getFalse();
    for (unsigned d = 0; d < kernel_.dimensions; ++d)
      if (!llvm::isa<llvm::ConstantInt>(kernel_.size[d]))
        empty = builder.CreateOr(empty, builder.CreateICmpEQ(kernel_.size[d], builder.getInt64(0)));
    if (llvm::isa<llvm::Constant>(empty)) return;
    BasicBlock* rest = prologue_->splitBasicBlock(kernel_.begin, "spmd.begin");
    prologue_->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(end_, rest, empty, prologue_);
  }

  const Kernel& kernel_;
  const Regions& regions_;
  const Context& context_;
  BasicBlock* prologue_;
  std::vector<BasicBlock*> heads_;
  BasicBlock* end_ = nullptr;
  std::vector<AllocaInst*> local_slots_;
  llvm::DenseMap<Instruction*, AllocaInst*> current_;
  llvm::MDNode* work_accesses_ = nullptr;
  llvm::SmallPtrSet<const Instruction*, 16> users_of_shared_;
  bool shared_escapes_ = false;  // any access may be to a shared variable
};

}  // namespace

void emit_loops(const Kernel& kernel, const Regions& regions, const Context& context) {
  Emitter(kernel, regions, context).run();
}

}  // namespace trellis::spmd
