// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/lane_loop.hpp"

#include "spmd/plugin/lane_writer.hpp"

namespace trellis::spmd {

using llvm::BasicBlock, llvm::Value;

void write_lane_loop(const WorkItemLoop& loop, const LaneShapes& shapes, unsigned lanes) {
  llvm::Function& function = *loop.before->getParent();
  llvm::LLVMContext& context = function.getContext();
  BasicBlock* header = loop.loop->getHeader();
  LaneWriter writer(loop, shapes, lanes);
  llvm::IRBuilder<>& builder = writer.builder();

  // Branches around the chunks: past them if there is no complete one, and after them to the remainder.
  BasicBlock* enter = BasicBlock::Create(context, "spmd.lanes.before", &function, header);
  BasicBlock* after = BasicBlock::Create(context, "spmd.lanes.after", &function, header);
  BasicBlock* rest = BasicBlock::Create(context, "spmd.rest", &function, header);
  llvm::Instruction* end = loop.before->getTerminator();
  builder.SetInsertPoint(end);
  Value* start = loop.start();
  Value* left = builder.CreateSub(loop.end, start, "", true, true);
  Value* whole = builder.CreateAdd(start, builder.CreateAnd(left, builder.getInt64(~std::uint64_t(lanes - 1))),
                                   "spmd.whole", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(whole, start), rest, enter);
  end->eraseFromParent();
  llvm::BranchInst::Create(after, enter);

  writer.write(enter, after, start, whole);

  builder.SetInsertPoint(after);
  std::vector<std::pair<llvm::PHINode*, Value*>> last;
  for (llvm::PHINode& phi : loop.exit->phis())
    last.emplace_back(&phi, writer.last_lane(phi.getIncomingValueForBlock(loop.latch)));
  builder.CreateCondBr(builder.CreateICmpEQ(whole, loop.end), loop.exit, rest);
  for (auto& [phi, value] : last) phi->addIncoming(value, after);
  builder.SetInsertPoint(rest);
  llvm::PHINode* from = builder.CreatePHI(builder.getInt64Ty(), 2, "spmd.from");
  from->addIncoming(start, loop.before);
  from->addIncoming(whole, after);
  builder.CreateBr(header);
  loop.id->setIncomingValueForBlock(loop.before, from);
  for (llvm::PHINode& phi : header->phis()) phi.replaceIncomingBlockWith(loop.before, rest);
}

}  // namespace trellis::spmd
