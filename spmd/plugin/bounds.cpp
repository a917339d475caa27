// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/bounds.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "spmd/plugin/report.hpp"
#include "spmd/plugin/work_item_loop.hpp"

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::CmpInst, llvm::Instruction, llvm::Value;
using namespace llvm::PatternMatch;

// id + offset, where that cannot wrap under the comparison's signedness: as it appears in the kernel.
struct Shifted {
  Value* offset = nullptr;  // nullptr: 0
  bool is_signed = true, is_unsigned = true;
  llvm::Type* type = nullptr;
};

class Bounds {
 public:
  explicit Bounds(const WorkItemLoop& loop) : loop_(loop), builder_(loop.before->getTerminator()) {}

  // True if anything became a bound.
  bool run() {
    BasicBlock* header = loop_.loop->getHeader();
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    if (!branch || !branch->isConditional() || header == loop_.latch || !loop_.exit->phis().empty()) return false;
    // One side does nothing, and nothing is done before the branch.
    unsigned work = 2;
    for (unsigned side : {0u, 1u})
      if (leads_to_latch(branch->getSuccessor(side))) work = 1 - side;
    if (work == 2 || !is_pure(*header) || !is_pure(*loop_.latch) || !llvm::isa<llvm::PHINode>(header->front()) ||
        std::distance(header->phis().begin(), header->phis().end()) != 1)
      return false;
    begin_ = loop_.start();
    end_ = loop_.end;
    Value* rest = take(branch->getCondition(), work == 0);
    if (rest == branch->getCondition()) return false;
    finish();
    llvm::IRBuilder<> at(branch);
    if (!rest)
      branch->setCondition(at.getInt1(work == 0));
    else
      branch->setCondition(rest);
    return true;
  }

 private:
  bool leads_to_latch(BasicBlock* block) const {
    while (block != loop_.latch && &block->front() == block->getTerminator() && block->getSingleSuccessor())
      block = block->getSingleSuccessor();
    if (block != loop_.latch) return false;
    return block->phis().empty();
  }

  static bool is_pure(const BasicBlock& block) {
    return llvm::none_of(block, [](const Instruction& one) { return !one.isTerminator() && one.mayHaveSideEffects(); });
  }

  // Removes from a condition what can become a bound; returns the rest, nullptr if nothing is left.
  Value* take(Value* condition, bool holds) {
    Value *a = nullptr, *b = nullptr;
    if (match(condition, m_Not(m_Value(a)))) {
      Value* rest = take(a, !holds);
      return rest == a ? condition
             : !rest   ? nullptr
                       : llvm::IRBuilder<>(loop_.loop->getHeader()->getTerminator()).CreateNot(rest);
    }
    const bool all = holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                           : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (all) {
      Value *left = take(a, holds), *right = take(b, holds);
      if (left == a && right == b) return condition;
      if (!left) return right;
      if (!right) return left;
      llvm::IRBuilder<> at(loop_.loop->getHeader()->getTerminator());
      return holds ? at.CreateLogicalAnd(left, right) : at.CreateLogicalOr(left, right);
    }
    if (loop_.loop->isLoopInvariant(condition)) {
      // A part that may be poison was only evaluated second; here it is computed anyway.
      Value* always = builder_.CreateFreeze(condition);
      if (!holds) always = builder_.CreateNot(always);
      end_ = builder_.CreateSelect(always, end_, begin_);
      return nullptr;
    }
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    return compare && take_comparison(*compare, holds) ? nullptr : condition;
  }

  // id in [0, 2^31) plus a loop-invariant offset.
  std::optional<Shifted> shifted(Value* value) const {
    Shifted result;
    result.type = value->getType();
    if (is_id(value)) return result;
    Value *a = nullptr, *b = nullptr;
    if (!match(value, m_Add(m_Value(a), m_Value(b))) && !match(value, m_DisjointOr(m_Value(a), m_Value(b)))) return {};
    if (is_id(b)) std::swap(a, b);
    if (!is_id(a) || !loop_.loop->isLoopInvariant(b)) return {};
    if (const auto* add = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value)) {
      result.is_signed = add->hasNoSignedWrap();
      result.is_unsigned = add->hasNoUnsignedWrap();
    }
    result.offset = b;
    return result;
  }

  bool is_id(const Value* value) const {
    Value* inner = nullptr;
    if (value == loop_.id) return true;
    return match(value, m_Trunc(m_Value(inner))) && inner == loop_.id && value->getType()->getScalarSizeInBits() >= 32;
  }

  bool take_comparison(llvm::ICmpInst& compare, bool holds) {
    Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    CmpInst::Predicate predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
    if (loop_.loop->isLoopInvariant(left)) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!loop_.loop->isLoopInvariant(right) || predicate == CmpInst::ICMP_NE || !left->getType()->isIntegerTy())
      return false;
    const auto id = shifted(left);
    if (!id) return false;
    const bool equal = predicate == CmpInst::ICMP_EQ;
    // For equality either signedness serves, since the difference is exact in both.
    const bool is_signed = equal ? id->is_signed : CmpInst::isSigned(predicate);
    if (!(is_signed ? id->is_signed : id->is_unsigned)) return false;
    // limit = right - offset as a 64-bit number, clamped to the range of ids; ids are in [begin, end), below 2^31.
    Value* limit = difference(right, id->offset, is_signed);
    Value* one = builder_.getInt64(1);
    switch (predicate) {
      case CmpInst::ICMP_SLT:
      case CmpInst::ICMP_ULT:
        end_ = smaller(end_, limit);
        break;
      case CmpInst::ICMP_SLE:
      case CmpInst::ICMP_ULE:
        end_ = smaller(end_, builder_.CreateAdd(limit, one));
        break;
      case CmpInst::ICMP_SGE:
      case CmpInst::ICMP_UGE:
        begin_ = larger(begin_, limit);
        break;
      case CmpInst::ICMP_SGT:
      case CmpInst::ICMP_UGT:
        begin_ = larger(begin_, builder_.CreateAdd(limit, one));
        break;
      case CmpInst::ICMP_EQ:
        begin_ = larger(begin_, limit);
        end_ = smaller(end_, builder_.CreateAdd(limit, one));
        break;
      default:
        return false;
    }
    return true;
  }

  // a - b, exact if it lies within -2^32 and 2^32, and otherwise still outside the range of these ids.
  Value* difference(Value* a, Value* b, bool is_signed) {
    llvm::Type* wide = builder_.getInt64Ty();
    // The part evaluated second may be poison where the first part fails.
    a = builder_.CreateFreeze(a);
    if (b) b = builder_.CreateFreeze(b);
    if (a->getType()->getIntegerBitWidth() < 64) {
      a = is_signed ? builder_.CreateSExt(a, wide) : builder_.CreateZExt(a, wide);
      if (b) b = is_signed ? builder_.CreateSExt(b, wide) : builder_.CreateZExt(b, wide);
      return cut(b ? builder_.CreateSub(a, b) : a);
    }
    if (is_signed) {
      if (b) a = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, a, b);
      return cut(a);
    }
    // Unsigned: nothing lies below the offset; a difference beyond 2^63 is beyond all ids.
    Value* most = builder_.getInt64(limit_);
    if (!b) return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, most);
    Value* below = builder_.CreateICmpULT(a, b);
    Value* apart = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, builder_.CreateSub(a, b), most);
    return builder_.CreateSelect(below, builder_.getInt64(std::uint64_t(-std::int64_t(limit_))), apart);
  }
  Value* cut(Value* value) {
    return larger(smaller(value, builder_.getInt64(limit_)), builder_.getInt64(std::uint64_t(-std::int64_t(limit_))));
  }
  Value* smaller(Value* a, Value* b) { return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b); }
  Value* larger(Value* a, Value* b) { return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b); }

  // The loop runs from begin to end, if that range is not empty.
  void finish() {
    Instruction* end = loop_.before->getTerminator();
    builder_.CreateCondBr(builder_.CreateICmpSLT(begin_, end_), loop_.loop->getHeader(), loop_.exit);
    end->eraseFromParent();
    loop_.id->setIncomingValueForBlock(loop_.before, begin_);
    loop_.compare->setOperand(loop_.compare->getOperand(0) == loop_.next ? 1 : 0, end_);
  }

  static constexpr std::uint64_t limit_ = std::uint64_t(1) << 40;
  const WorkItemLoop& loop_;
  llvm::IRBuilder<> builder_;
  Value *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses BoundsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const auto found = work_item_loop_of(*loop);
    if (!found || !Bounds(*found).run()) continue;
    changed = true;
    remark_done(function, loop->getHeader()->getFirstNonPHI(),
                "a condition on the id of work-items became a bound of their loop");
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace trellis::spmd
