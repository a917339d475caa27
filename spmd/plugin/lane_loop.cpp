// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lane_loop.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::FixedVectorType, llvm::Instruction, llvm::Type, llvm::Value;

class Writer {
 public:
  Writer(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes)
      : loop_(loop),
        shapes_(shapes),
        lanes_(lanes),
        function_(*loop.before->getParent()),
        builder_(function_.getContext()) {}

  void write() {
    frame();
    for (BasicBlock* block : shapes_.order()) {
      BasicBlock* copy = BasicBlock::Create(function_.getContext(), block->getName() + ".lanes", &function_, after_);
      copies_[block] = copy;
      originals_[copy] = block;
    }
    enter_->getTerminator()->replaceSuccessorWith(after_, copies_[loop_.loop->getHeader()]);
    for (BasicBlock* block : shapes_.order()) {
      builder_.SetInsertPoint(copies_[block]);
      if (shapes_.masked(block)) block_masks_[block] = block_mask(block);
      for (Instruction& one : *block) {
        if (one.isTerminator())
          leave(block);
        else if (&one != loop_.compare && !skipped(one))
          write(one);
      }
    }
    for (llvm::PHINode* phi : phis_) complete(*phi);
    connect();
  }

 private:
  // --- The loop over chunks, around the blocks that are to come, and its way to the rest.

  void frame() {
    llvm::LLVMContext& context = function_.getContext();
    enter_ = BasicBlock::Create(context, "spmd.lanes.before", &function_, loop_.loop->getHeader());
    after_ = BasicBlock::Create(context, "spmd.lanes.after", &function_, loop_.loop->getHeader());
    rest_ = BasicBlock::Create(context, "spmd.rest", &function_, loop_.loop->getHeader());
    Instruction* end = loop_.before->getTerminator();
    builder_.SetInsertPoint(end);
    const std::uint64_t mask = ~std::uint64_t(lanes_ - 1);
    Value* start = loop_.id->getIncomingValueForBlock(loop_.before);
    Value* left = builder_.CreateSub(loop_.end, start, "", true, true);
    whole_ = builder_.CreateAdd(start, builder_.CreateAnd(left, builder_.getInt64(mask)), "spmd.whole", true, true);
    builder_.CreateCondBr(builder_.CreateICmpEQ(whole_, start), rest_, enter_);
    end->eraseFromParent();
    llvm::BranchInst::Create(after_, enter_);
    start_ = start;
  }

  void connect() {
    // Values that are used behind the loop: those of the last lane.
    builder_.SetInsertPoint(after_);
    std::vector<std::pair<llvm::PHINode*, Value*>> last;
    for (llvm::PHINode& phi : loop_.exit->phis()) {
      Value* value = phi.getIncomingValueForBlock(loop_.latch);
      last.emplace_back(&phi, inside(value) ? last_lane(value) : value);
    }
    builder_.CreateCondBr(builder_.CreateICmpEQ(whole_, loop_.end), loop_.exit, rest_);
    for (auto& [phi, value] : last) phi->addIncoming(value, after_);
    builder_.SetInsertPoint(rest_);
    llvm::PHINode* from = builder_.CreatePHI(builder_.getInt64Ty(), 2, "spmd.from");
    from->addIncoming(start_, loop_.before);
    from->addIncoming(whole_, after_);
    builder_.CreateBr(loop_.loop->getHeader());
    loop_.id->setIncomingValueForBlock(loop_.before, from);
    for (llvm::PHINode& phi : loop_.loop->getHeader()->phis()) phi.replaceIncomingBlockWith(loop_.before, rest_);
  }

  Value* last_lane(Value* value) {
    if (const auto stride = shapes_.stride(value)) {
      if (value == loop_.next) return whole_;
      if (*stride == 0) return scalar(value);
    }
    return builder_.CreateExtractElement(vector(value), lanes_ - 1);
  }

  static bool skipped(const Instruction& one) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&one);
    return call && call->isAssumeLikeIntrinsic();
  }

  // --- Values: as a scalar (that of the first lane) or as a vector of all lanes.

  bool inside(const Value* value) const {
    const auto* one = llvm::dyn_cast<Instruction>(value);
    return one && loop_.loop->contains(one);
  }

  Type* vector_type(Type* type) const { return FixedVectorType::get(type, lanes_); }

  Value* scalar(Value* value) { return inside(value) ? scalars_.find(value)->second : value; }

  Value* vector(Value* value) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), constant);
    if (Value* known = vectors_.lookup(value)) return known;
    // Made where the scalar is, so that all uses may have it.
    Value* first = scalar(value);
    const auto before = builder_.saveIP();
    auto* one = llvm::dyn_cast<Instruction>(first);
    if (!one || !originals_.count(one->getParent()))
      builder_.SetInsertPoint(enter_->getTerminator());
    else if (llvm::isa<llvm::PHINode>(one))
      builder_.SetInsertPoint(one->getParent(), one->getParent()->getFirstInsertionPt());
    else
      builder_.SetInsertPoint(one->getParent(), std::next(one->getIterator()));
    Value* result = builder_.CreateVectorSplat(lanes_, first);
    if (const std::int64_t stride = *shapes_.stride(value)) {
      const bool pointer = value->getType()->isPointerTy();
      Type* type = pointer ? builder_.getInt64Ty() : value->getType();
      llvm::SmallVector<llvm::Constant*, 32> offsets;
      for (unsigned lane = 0; lane < lanes_; ++lane)
        offsets.push_back(llvm::ConstantInt::get(type, std::uint64_t(stride * std::int64_t(lane)), true));
      Value* steps = llvm::ConstantVector::get(offsets);
      result = pointer ? builder_.CreateGEP(builder_.getInt8Ty(), first, steps) : builder_.CreateAdd(result, steps);
    }
    builder_.restoreIP(before);
    return vectors_[value] = result;
  }

  // --- Masks; nullptr is "all lanes".

  Value* both(Value* a, Value* b) { return !a ? b : !b ? a : builder_.CreateAnd(a, b); }
  Value* mask_of(const BasicBlock* block) const { return block_masks_.lookup(block); }

  // The lanes that go from one block to another; at the end of `from`.
  Value* edge_mask(BasicBlock* from, BasicBlock* to) {
    Instruction* end = from->getTerminator();
    Value* mask = nullptr;
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(end);
        branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
      mask = vector(branch->getCondition());
      if (branch->getSuccessor(1) == to) mask = builder_.CreateNot(mask);
    } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
      Value* condition = vector(choice->getCondition());
      Value *any = nullptr, *others = nullptr;
      for (const auto& one : choice->cases()) {
        Value* equal = builder_.CreateICmpEQ(condition, vector(one.getCaseValue()));
        Value*& which = one.getCaseSuccessor() == to ? any : others;
        which = which ? builder_.CreateOr(which, equal) : equal;
      }
      if (choice->getDefaultDest() == to)
        mask = others ? builder_.CreateNot(others) : nullptr;
      else
        mask = any;
    }
    return both(mask_of(from), mask);
  }

  Value* block_mask(BasicBlock* block) {
    Value* mask = nullptr;
    llvm::SmallSetVector<BasicBlock*, 4> from(llvm::pred_begin(block), llvm::pred_end(block));
    for (BasicBlock* one : from) {
      Value* edge = edge_masks_[{one, block}];
      mask = mask ? builder_.CreateOr(mask, edge) : edge;
    }
    return mask;
  }

  // The end of a block: its branch, or where there are masks the way on to the next masked block.
  void leave(BasicBlock* block) {
    Instruction* end = block->getTerminator();
    if (block == loop_.latch) {
      Value* next = builder_.CreateAdd(scalar(loop_.id), builder_.getInt64(lanes_), "spmd.chunk", true, true);
      chunk_ = next;
      builder_.CreateCondBr(builder_.CreateICmpEQ(next, whole_), after_, copies_[loop_.loop->getHeader()]);
      return;
    }
    const bool masks = shapes_.masked(block) || shapes_.divergent_branch(block);
    if (!masks) {
      Instruction* copy = builder_.Insert(end->clone());
      copy->setDebugLoc(end->getDebugLoc());
      for (llvm::Use& operand : copy->operands())
        operand.set(llvm::isa<BasicBlock>(operand) ? copies_[llvm::cast<BasicBlock>(operand)] : scalar(operand));
      return;
    }
    for (BasicBlock* next : llvm::successors(block))
      if (!edge_masks_.count({block, next})) edge_masks_[{block, next}] = edge_mask(block, next);
    builder_.CreateBr(copies_[shapes_.following(block)]);
  }

  // --- Instructions.

  void write(Instruction& one) {
    const auto stride = shapes_.stride(&one);
    builder_.SetCurrentDebugLocation(one.getDebugLoc());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&one)) return write_phi(*phi, stride);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) return write_store(*store);
    if (stride) return write_scalar(one);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&one))
      vectors_[&one] = load_lanes(*load);
    else
      vectors_[&one] = write_vector(one);
  }

  // What is the same in all lanes, or known from the first.
  void write_scalar(Instruction& one) {
    Value* mask = mask_of(one.getParent());
    Instruction* copy = one.clone();
    for (llvm::Use& operand : copy->operands()) operand.set(scalar(operand));
    if (mask) {
      copy->dropPoisonGeneratingFlags();
      copy->dropUBImplyingAttrsAndMetadata();
      if (llvm::isa<llvm::LoadInst>(copy)) {
        // No lane may be there, and the address be none: the first lane's own memory then stands in.
        copy->setOperand(0, builder_.CreateSelect(any(mask), copy->getOperand(0), dummy(one.getType())));
      } else if (one.isIntDivRem()) {
        copy->setOperand(
            1, builder_.CreateSelect(any(mask), copy->getOperand(1), llvm::ConstantInt::get(one.getType(), 1)));
      }
    }
    builder_.Insert(copy, one.getName());
    copy->setDebugLoc(one.getDebugLoc());
    scalars_[&one] = copy;
  }

  Value* any(Value* mask) { return builder_.CreateOrReduce(mask); }

  Value* dummy(Type* type) {
    BasicBlock& entry = function_.getEntryBlock();
    auto* slot = new llvm::AllocaInst(type, 0, "spmd.nothing", entry.getFirstInsertionPt());
    new llvm::StoreInst(llvm::Constant::getNullValue(type), slot, std::next(slot->getIterator()));
    return slot;
  }

  Value* write_vector(Instruction& one) {
    Value* mask = mask_of(one.getParent());
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one)) return write_call(*call);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&one)) {
      Value* condition = select->getCondition();
      condition = shapes_.uniform(condition) ? scalar(condition) : vector(condition);
      return builder_.CreateSelect(condition, vector(select->getTrueValue()), vector(select->getFalseValue()));
    }
    if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&one)) {
      llvm::SmallVector<Value*, 4> indices;
      for (Value* index : gep->indices()) indices.push_back(shapes_.uniform(index) ? scalar(index) : vector(index));
      Value* pointer = gep->getPointerOperand();
      pointer = shapes_.uniform(pointer) ? scalar(pointer) : vector(pointer);
      return builder_.CreateGEP(gep->getSourceElementType(), pointer, indices, one.getName());
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&one)) {
      Value* result = builder_.CreateCast(cast->getOpcode(), vector(cast->getOperand(0)), vector_type(one.getType()),
                                          one.getName());
      return keep_flags(result, one, mask);
    }
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&one)) {
      Value* result = builder_.CreateCmp(compare->getPredicate(), vector(compare->getOperand(0)),
                                         vector(compare->getOperand(1)), one.getName());
      return keep_flags(result, one, mask);
    }
    if (llvm::isa<llvm::FreezeInst>(one)) return builder_.CreateFreeze(vector(one.getOperand(0)));
    if (one.isUnaryOp())
      return keep_flags(builder_.CreateUnOp(llvm::Instruction::UnaryOps(one.getOpcode()), vector(one.getOperand(0))),
                        one, mask);
    Value* second = vector(one.getOperand(1));
    if (mask && one.isIntDivRem())
      second = builder_.CreateSelect(mask, second, vector(llvm::ConstantInt::get(one.getType(), 1)));
    Value* result = builder_.CreateBinOp(llvm::Instruction::BinaryOps(one.getOpcode()), vector(one.getOperand(0)),
                                         second, one.getName());
    return keep_flags(result, one, mask);
  }

  static Value* keep_flags(Value* result, const Instruction& one, Value* mask) {
    auto* copy = llvm::dyn_cast<Instruction>(result);
    if (!copy) return result;
    copy->copyIRFlags(&one);
    if (mask) copy->dropPoisonGeneratingFlags();
    return result;
  }

  Value* write_call(llvm::CallInst& call) {
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    llvm::SmallVector<Type*, 2> types;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) types.push_back(vector_type(call.getType()));
    llvm::SmallVector<Value*, 4> arguments;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      Value* argument = call.getArgOperand(i);
      argument = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i) ? scalar(argument) : vector(argument);
      arguments.push_back(argument);
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, int(i))) types.push_back(argument->getType());
    }
    llvm::Function* callee = llvm::Intrinsic::getDeclaration(function_.getParent(), id, types);
    auto* copy = builder_.CreateCall(callee, arguments, call.getName());
    if (llvm::isa<llvm::FPMathOperator>(copy)) copy->copyFastMathFlags(&call);
    return copy;
  }

  // The stride of an address in elements of this type; nothing: none that is whole.
  std::optional<std::int64_t> elements_apart(Value* pointer, Type* type) const {
    const auto stride = shapes_.stride(pointer);
    const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
    const auto size = std::int64_t(layout.getTypeStoreSize(type).getFixedValue());
    if (!stride || layout.getTypeSizeInBits(type) != layout.getTypeAllocSizeInBits(type) || *stride % size != 0)
      return {};
    return *stride / size;
  }

  Value* load_lanes(llvm::LoadInst& load) {
    Value* mask = mask_of(load.getParent());
    Type* type = load.getType();
    const llvm::Align align = load.getAlign();
    const auto apart = elements_apart(load.getPointerOperand(), type);
    Instruction* result = nullptr;
    Value* back = nullptr;
    if (apart && *apart == 1) {
      Value* first = scalar(load.getPointerOperand());
      result = mask ? builder_.CreateMaskedLoad(vector_type(type), first, align, mask)
                    : llvm::cast<Instruction>(builder_.CreateAlignedLoad(vector_type(type), first, align));
    } else if (apart && *apart > 1 && *apart <= 4 && !mask) {
      // All that lies between, up to the last lane's and no further; then every so many.
      const auto step = unsigned(*apart);
      auto* wide = builder_.CreateAlignedLoad(FixedVectorType::get(type, (lanes_ - 1) * step + 1),
                                              scalar(load.getPointerOperand()), align);
      llvm::SmallVector<int, 32> pick;
      for (unsigned lane = 0; lane < lanes_; ++lane) pick.push_back(int(lane * step));
      result = wide;
      back = builder_.CreateShuffleVector(wide, pick);
    } else {
      result = builder_.CreateMaskedGather(vector_type(type), vector(load.getPointerOperand()), align,
                                           mask ? mask : builder_.CreateVectorSplat(lanes_, builder_.getTrue()));
    }
    keep_metadata(*result, load);
    return back ? back : result;
  }

  void write_store(llvm::StoreInst& store) {
    Value* mask = mask_of(store.getParent());
    Value* value = store.getValueOperand();
    Type* type = value->getType();
    const llvm::Align align = store.getAlign();
    const auto apart = elements_apart(store.getPointerOperand(), type);
    Instruction* result = nullptr;
    if (apart && *apart == 1) {
      Value* first = scalar(store.getPointerOperand());
      result = mask ? builder_.CreateMaskedStore(vector(value), first, align, mask)
                    : llvm::cast<Instruction>(builder_.CreateAlignedStore(vector(value), first, align));
    } else if (shapes_.uniform(store.getPointerOperand()) && !mask) {
      // One place for all: the last one's stays.
      Value* last = shapes_.uniform(value) ? scalar(value) : builder_.CreateExtractElement(vector(value), lanes_ - 1);
      result = builder_.CreateAlignedStore(last, scalar(store.getPointerOperand()), align);
    } else {
      result = builder_.CreateMaskedScatter(vector(value), vector(store.getPointerOperand()), align,
                                            mask ? mask : builder_.CreateVectorSplat(lanes_, builder_.getTrue()));
    }
    keep_metadata(*result, store);
  }

  static void keep_metadata(Instruction& result, const Instruction& one) {
    result.copyMetadata(one, {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_access_group});
  }

  // --- Phis: of loops and of branches that all lanes take together they stay; where masked sides meet they are
  // choices.

  void write_phi(llvm::PHINode& phi, std::optional<std::int64_t> stride) {
    BasicBlock* block = phi.getParent();
    if (shapes_.masked(block)) {
      if (stride)
        scalars_[&phi] = scalar(phi.hasConstantValue());
      else
        vectors_[&phi] = choose(
            phi, [](BasicBlock*) { return true; }, false);
      return;
    }
    Type* type = stride ? phi.getType() : vector_type(phi.getType());
    auto* copy = llvm::PHINode::Create(type, phi.getNumIncomingValues(), phi.getName());
    copy->insertInto(copies_[block], copies_[block]->getFirstNonPHIIt());
    (stride ? scalars_ : vectors_)[&phi] = copy;
    phis_.push_back(&phi);
  }

  template <class Wanted>
  Value* choose(llvm::PHINode& phi, const Wanted& wanted, bool as_scalar) {
    Value* chosen = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      BasicBlock* from = phi.getIncomingBlock(i);
      if (!wanted(from)) continue;
      Value* value = as_scalar ? scalar(phi.getIncomingValue(i)) : vector(phi.getIncomingValue(i));
      if (chosen == value) continue;
      Value* mask = edge_masks_.lookup({from, phi.getParent()});
      // A scalar is the same on all ways that may be taken.
      if (as_scalar || !chosen || !mask)
        chosen = value;
      else
        chosen = builder_.CreateSelect(mask, value, chosen);
    }
    return chosen;
  }

  void complete(llvm::PHINode& phi) {
    BasicBlock* block = phi.getParent();
    const bool as_scalar = shapes_.stride(&phi).has_value();
    auto* copy = llvm::cast<llvm::PHINode>(as_scalar ? scalars_[&phi] : vectors_[&phi]);
    if (&phi == loop_.id) {
      copy->addIncoming(start_, enter_);
      copy->addIncoming(chunk_, copies_[loop_.latch]);
      return;
    }
    // Ways from masked blocks arrive together, from the last of them.
    llvm::SmallSetVector<BasicBlock*, 4> arrive(llvm::pred_begin(copies_[block]), llvm::pred_end(copies_[block]));
    for (BasicBlock* from_copy : arrive) {
      BasicBlock* from = originals_[from_copy];
      builder_.SetInsertPoint(from_copy->getTerminator());
      const bool masks = shapes_.masked(from) || shapes_.divergent_branch(from);
      Value* value = nullptr;
      if (masks) {
        BasicBlock* opener = shapes_.opener(from);
        value = choose(
            phi, [&](BasicBlock* one) { return shapes_.opener(one) == opener; }, as_scalar);
      } else {
        value = as_scalar ? scalar(phi.getIncomingValueForBlock(from)) : vector(phi.getIncomingValueForBlock(from));
      }
      for (BasicBlock* one : llvm::predecessors(copies_[block]))
        if (one == from_copy) copy->addIncoming(value, from_copy);
    }
  }

  const WorkItemLoop& loop_;
  const LaneShapes& shapes_;
  const unsigned lanes_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  BasicBlock *enter_ = nullptr, *after_ = nullptr, *rest_ = nullptr;
  Value *start_ = nullptr, *whole_ = nullptr, *chunk_ = nullptr;
  llvm::DenseMap<BasicBlock*, BasicBlock*> copies_;
  llvm::DenseMap<const BasicBlock*, Value*> block_masks_;
  llvm::DenseMap<std::pair<BasicBlock*, BasicBlock*>, Value*> edge_masks_;
  llvm::DenseMap<Value*, Value*> scalars_, vectors_;
  std::vector<llvm::PHINode*> phis_;
  llvm::DenseMap<BasicBlock*, BasicBlock*> originals_;
};

bool has_lanes(Type* type) {
  if (type->isIntegerTy())
    return type->isIntegerTy(1) || (type->getIntegerBitWidth() % 8 == 0 && type->getIntegerBitWidth() <= 64);
  return type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isPointerTy();
}

const char* no_lanes_for_call(const llvm::CallBase& call, bool uniform) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return nullptr;
  if (!call.doesNotAccessMemory() || call.isConvergent() || !call.willReturn() || !call.doesNotThrow() ||
      call.isTerminator())
    return "it calls a function that may do anything";
  if (uniform) return nullptr;
  return intrinsic && llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())
             ? nullptr
             : "it calls a function of no vector form";
}

}  // namespace

const char* no_lanes(const Instruction& one, const LaneShapes& shapes) {
  if (one.isTerminator()) return nullptr;
  const bool uniform = shapes.stride(&one).has_value() && !llvm::isa<llvm::StoreInst>(one);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&one)) {
    if (!load->isSimple()) return "it has atomic or volatile accesses";
    return uniform || (has_lanes(load->getType()) && !load->getType()->isIntegerTy(1)) ? nullptr
                                                                                       : "it loads what is no number";
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
    const Type* type = store->getValueOperand()->getType();
    if (!store->isSimple()) return "it has atomic or volatile accesses";
    return has_lanes(store->getValueOperand()->getType()) && !type->isIntegerTy(1) ? nullptr
                                                                                   : "it stores what is no number";
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&one)) return no_lanes_for_call(*call, uniform);
  if (one.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(one))
    return "it has accesses to memory of no vector form";
  if (uniform) return nullptr;
  if (!has_lanes(one.getType())) return "it has values that are no numbers";
  for (const Value* operand : one.operands())
    if (!has_lanes(operand->getType())) return "it has values that are no numbers";
  if (llvm::isa<llvm::PHINode, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst,
                llvm::SelectInst, llvm::GetElementPtrInst, llvm::FreezeInst>(one))
    return nullptr;
  return "it has instructions of no vector form";
}

void write_lane_loop(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes) {
  Writer(loop, shapes, lanes).write();
}

}  // namespace trellis::spmd
