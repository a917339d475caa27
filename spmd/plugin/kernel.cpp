// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/kernel.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "spmd/plugin/report.hpp"

namespace trellis::spmd {
namespace {

constexpr const char* begin_name = "trellis_spmd_begin";
constexpr const char* barrier_name = "trellis_spmd_barrier";
constexpr const char* local_id_name = "trellis_spmd_local_id";
constexpr const char* local_memory_name = "trellis_spmd_local_memory";
constexpr const char* launch_memory_name = "trellis_spmd_launch_memory";
constexpr int abi_version = 1;

bool calls(const llvm::Value* value, const char* name) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name;
}

int constant_argument(const llvm::CallBase& call, unsigned argument) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return constant ? int(constant->getSExtValue()) : -1;
}

}  // namespace

llvm::SmallSetVector<llvm::Function*, 16> kernels_of(const llvm::Module& module,
                                                     llvm::function_ref<bool(const llvm::CallBase&)> wanted) {
  llvm::SmallSetVector<llvm::Function*, 16> kernels;
  const llvm::Function* begin = module.getFunction(begin_name);
  if (!begin) return kernels;
  for (const llvm::User* user : begin->users())
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && is_begin(call) && (!wanted || wanted(*call)))
      kernels.insert(const_cast<llvm::Function*>(call->getFunction()));
  return kernels;
}
llvm::Function* local_id_marker(const llvm::Module& module) { return module.getFunction(local_id_name); }
bool is_begin(const llvm::Value* value) { return calls(value, begin_name); }
bool is_barrier(const llvm::Value* value) { return calls(value, barrier_name); }
bool is_launch_memory(const llvm::Value* value) { return calls(value, launch_memory_name); }
bool is_local_memory(const llvm::Value* value) { return calls(value, local_memory_name) || is_launch_memory(value); }
bool is_marker(const llvm::Value* value) { return is_begin(value) || is_barrier(value) || calls(value, local_id_name); }

int local_id_dimension(const llvm::Value* value) {
  if (!calls(value, local_id_name)) return -1;
  const int dimension = constant_argument(*llvm::cast<llvm::CallBase>(value), 0);
  return dimension < 0 || dimension > 2 ? -2 : dimension;
}

std::optional<Kernel> read_kernel(llvm::Function& function) {
  Kernel kernel;
  kernel.function = &function;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_begin(&instruction)) {
      if (kernel.begin) {
        report_error(instruction, "a kernel begins twice: parallel_for over an nd_range inside of another one");
        return {};
      }
      kernel.begin = llvm::dyn_cast<llvm::CallInst>(&instruction);
    }
    if (local_id_dimension(&instruction) == -2) {
      report_error(instruction, "the dimension of a local id must be a constant 0, 1 or 2");
      return {};
    }
  }
  if (!kernel.begin) return {};
  if (kernel.begin->arg_size() != 6 || constant_argument(*kernel.begin, 0) != abi_version) {
    report_error(function, "the markers are of another version than the plugin (this is version 1)");
    return {};
  }
  const int way = constant_argument(*kernel.begin, 1), dimensions = constant_argument(*kernel.begin, 2);
  if (way < 1 || way > 3 || dimensions < 1 || dimensions > 3 || !function.getReturnType()->isVoidTy()) {
    report_error(function, "trellis_spmd_begin wants a way of 1 to 3, 1 to 3 dimensions, and a function of no result");
    return {};
  }
  kernel.way = Way(way);
  kernel.dimensions = unsigned(dimensions);
  for (unsigned d = 0; d < 3; ++d) kernel.size[d] = kernel.begin->getArgOperand(3 + d);
  return kernel;
}

}  // namespace trellis::spmd
