// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/loop_nest.hpp"

#include <llvm/IR/MDBuilder.h>

namespace trellis::spmd {
namespace {

using llvm::BasicBlock, llvm::MDNode;

// `short_rows`: no more than one vector at a time, so that a single row is not left to a loop over single work-items.
MDNode* loop_metadata(llvm::LLVMContext& context, MDNode* accesses, const char* name, bool short_rows) {
  MDNode* parallel = MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), accesses});
  MDNode* ours = MDNode::get(context, {llvm::MDString::get(context, name)});
  MDNode* progress = MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.mustprogress")});
  llvm::SmallVector<llvm::Metadata*, 5> options = {nullptr, parallel, ours, progress};
  if (short_rows)
    options.push_back(MDNode::get(
        context, {llvm::MDString::get(context, "llvm.loop.interleave.count"),
                  llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))}));
  MDNode* self = MDNode::getDistinct(context, options);
  self->replaceOperandWith(0, self);
  return self;
}

}  // namespace

LoopNest make_loop_nest(const Kernel& kernel, BasicBlock* before, MDNode* accesses) {
  static constexpr const char* names[] = {"spmd.x", "spmd.y", "spmd.z"};
  llvm::LLVMContext& context = kernel.function->getContext();
  llvm::Type* index = llvm::Type::getInt64Ty(context);
  const auto zero = llvm::ConstantInt::get(index, 0), one = llvm::ConstantInt::get(index, 1);
  LoopNest nest;
  BasicBlock *header[3] = {}, *latch[3] = {};
  llvm::PHINode *id[3] = {}, *row[3] = {};
  const unsigned dimensions = kernel.dimensions;
  for (unsigned d = 0; d < 3; ++d) nest.id[d] = zero;
  for (unsigned d = dimensions; d-- > 0;) header[d] = BasicBlock::Create(context, names[d], kernel.function);
  for (unsigned d = 0; d < dimensions; ++d)
    latch[d] = BasicBlock::Create(context, std::string(names[d]) + ".next", kernel.function);
  nest.done = BasicBlock::Create(context, "spmd.done", kernel.function);

  llvm::IRBuilder<> builder(before);
  builder.CreateBr(header[dimensions - 1]);
  // `row`: the linear index of the first work-item in the part that the loop has not reached yet.
  for (unsigned d = dimensions; d-- > 0;) {
    BasicBlock* from = d + 1 == dimensions ? before : header[d + 1];
    builder.SetInsertPoint(header[d]);
    id[d] = builder.CreatePHI(index, 2, names[d]);
    id[d]->addIncoming(zero, from);
    if (d > 0) {
      row[d] = builder.CreatePHI(index, 2, "spmd.row");
      row[d]->addIncoming(d + 1 == dimensions ? llvm::cast<llvm::Value>(zero) : row[d + 1], from);
      builder.CreateBr(header[d - 1]);
    }
    nest.id[d] = id[d];
  }
  nest.linear = dimensions == 1 ? id[0] : builder.CreateAdd(row[1], id[0], "spmd.linear", true, true);
  for (unsigned d = 0; d < dimensions; ++d) {
    builder.SetInsertPoint(latch[d]);
    llvm::Value* next = builder.CreateAdd(id[d], one, std::string(names[d]) + ".up", true, true);
    id[d]->addIncoming(next, latch[d]);
    if (d > 0) {
      llvm::Value* step = kernel.size[0];
      if (d == 2) step = builder.CreateMul(step, kernel.size[1], "", true, true);
      row[d]->addIncoming(builder.CreateAdd(row[d], step, "", true, true), latch[d]);
    }
    BasicBlock* out = d + 1 < dimensions ? latch[d + 1] : nest.done;
    auto* branch = builder.CreateCondBr(builder.CreateICmpEQ(next, kernel.size[d]), out, header[d]);
    if (d < 2)
      branch->setMetadata(
          llvm::LLVMContext::MD_loop,
          loop_metadata(context, accesses, d == 0 ? work_item_loop : row_loop, d == 0 && dimensions > 1));
  }
  nest.row = header[1];
  nest.body = header[0];
  nest.latch = latch[0];
  return nest;
}

}  // namespace trellis::spmd
