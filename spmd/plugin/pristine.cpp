// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/pristine.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <vector>

#include "spmd/plugin/inline_calls.hpp"
#include "spmd/plugin/kernel.hpp"

namespace trellis::spmd {
namespace {

using llvm::Function;

constexpr const char* attribute = "trellis-spmd-pristine";
constexpr const char* ending = ".spmd.pristine";

bool for_fission(const llvm::CallBase& begin) {
  const auto* way = begin.arg_size() > 1 ? llvm::dyn_cast<llvm::ConstantInt>(begin.getArgOperand(1)) : nullptr;
  return way && Way(way->getZExtValue()) != Way::continuations;
}

}  // namespace

void forget_lifetimes(Function& kernel) {
  std::vector<llvm::Instruction*> marks;
  bool fission = false;
  for (llvm::Instruction& one : llvm::instructions(kernel)) {
    if (one.isLifetimeStartOrEnd()) marks.push_back(&one);
    if (is_begin(&one)) fission = for_fission(llvm::cast<llvm::CallBase>(one));
  }
  if (!fission) return;
  for (llvm::Instruction* mark : marks) mark->eraseFromParent();
}

void keep_pristine_kernels(llvm::Module& module) {
  for (Function* kernel : kernels_of(module, for_fission)) {
    llvm::ValueToValueMapTy map;
    Function* copy = llvm::CloneFunction(kernel, map);
    copy->setName(kernel->getName() + ending);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    if (!inline_calls(*copy)) {
      copy->eraseFromParent();
      continue;
    }
    copy->addFnAttr(llvm::Attribute::OptimizeNone);
    copy->addFnAttr(llvm::Attribute::NoInline);
    copy->addFnAttr(attribute);
    // Neither may be removed or get other arguments.
    llvm::appendToCompilerUsed(module, {kernel, copy});
  }
}

bool is_pristine(const Function& function) { return function.hasFnAttribute(attribute); }

Function* pristine_of(const Function& kernel) {
  Function* copy = kernel.getParent()->getFunction((kernel.getName() + ending).str());
  return copy && is_pristine(*copy) && !copy->isDeclaration() && copy->getFunctionType() == kernel.getFunctionType()
             ? copy
             : nullptr;
}

void take_pristine_body(Function& kernel, Function& pristine) {
  const llvm::GlobalValue::LinkageTypes linkage = kernel.getLinkage();
  llvm::Comdat* comdat = kernel.getComdat();
  kernel.deleteBody();
  kernel.setLinkage(linkage);
  kernel.setComdat(comdat);
  kernel.splice(kernel.begin(), &pristine);
  for (unsigned i = 0; i < kernel.arg_size(); ++i) pristine.getArg(i)->replaceAllUsesWith(kernel.getArg(i));
  if (pristine.hasPersonalityFn()) kernel.setPersonalityFn(pristine.getPersonalityFn());
  kernel.setSubprogram(pristine.getSubprogram());
  pristine.setSubprogram(nullptr);
}

void drop_pristine_kernels(llvm::Module& module) {
  std::vector<Function*> copies;
  llvm::SmallPtrSet<llvm::Constant*, 16> used;
  for (Function& function : module) {
    if (!is_pristine(function)) continue;
    copies.push_back(&function);
    used.insert(&function);
    if (Function* kernel = module.getFunction(function.getName().drop_back(llvm::StringRef(ending).size())))
      used.insert(kernel);
  }
  if (copies.empty()) return;
  llvm::removeFromUsedLists(module, [&](llvm::Constant* one) { return used.contains(one->stripPointerCasts()); });
  for (Function* copy : copies) copy->eraseFromParent();
}

}  // namespace trellis::spmd
