// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/report.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

namespace trellis::spmd {
namespace {

constexpr const char* pass_name = "trellis-spmd";

// The location of an instruction or of a neighbour: optimisation drops some.
llvm::DebugLoc location_of(const llvm::Instruction& at) {
  if (at.getDebugLoc()) return at.getDebugLoc();
  for (const llvm::Instruction* one = at.getPrevNode(); one; one = one->getPrevNode())
    if (one->getDebugLoc()) return one->getDebugLoc();
  for (const llvm::Instruction* one = at.getNextNode(); one; one = one->getNextNode())
    if (one->getDebugLoc()) return one->getDebugLoc();
  return {};
}

llvm::DiagnosticLocation location_of(const llvm::Function& function, const llvm::Instruction* at) {
  if (at)
    if (const llvm::DebugLoc location = location_of(*at)) return llvm::DiagnosticLocation(location);
  return llvm::DiagnosticLocation(function.getSubprogram());
}

template <class Remark>
void remark(const llvm::Function& function, const llvm::Instruction* at, const std::string& message) {
  llvm::OptimizationRemarkEmitter emitter(&function);
  const llvm::BasicBlock* block = at ? at->getParent() : &function.getEntryBlock();
  emitter.emit(Remark(pass_name, "SPMD", location_of(function, at), block) << message);
}

}  // namespace

void report_error(const llvm::Function& function, const llvm::Twine& message) {
  const llvm::DiagnosticInfoUnsupported error(function, "SPMD kernel: " + message,
                                              llvm::DiagnosticLocation(function.getSubprogram()));
  function.getContext().diagnose(error);
}

void report_error(const llvm::Instruction& at, const llvm::Twine& message) {
  const llvm::Function& function = *at.getFunction();
  const llvm::DiagnosticInfoUnsupported error(function, "SPMD kernel: " + message, location_of(function, &at));
  function.getContext().diagnose(error);
}

void remark_done(const llvm::Function& function, const llvm::Instruction* at, const std::string& message) {
  remark<llvm::OptimizationRemark>(function, at, message);
}
void remark_missed(const llvm::Function& function, const llvm::Instruction* at, const std::string& message) {
  remark<llvm::OptimizationRemarkMissed>(function, at, message);
}
void remark_found(const llvm::Function& function, const llvm::Instruction* at, const std::string& message) {
  remark<llvm::OptimizationRemarkAnalysis>(function, at, message);
}

void internal_error(const llvm::Function& function, const std::string& what) {
  llvm::report_fatal_error(llvm::Twine("trellis-spmd: internal error in kernel ") + llvm::demangle(function.getName()) +
                           ": " + what);
}

std::string line_of(const llvm::Instruction& at) {
  const llvm::DebugLoc location = location_of(at);
  if (!location) return {};
  return location->getFilename().str() + ":" + std::to_string(location.getLine());
}

bool without(const char* step) {
  const char* list = std::getenv("TRELLIS_SPMD_WITHOUT");
  if (!list) return false;
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(list).split(names, ',');
  return llvm::is_contained(names, step);
}

void dump(const llvm::Function& function, const char* stage) {
  const char* folder = std::getenv("TRELLIS_SPMD_DUMP");
  if (!folder || !*folder) return;
  llvm::sys::fs::create_directories(folder);
  // Names of templates are longer than names of files may be.
  std::string name = function.getName().substr(0, 160).str();
  if (name.size() < function.getName().size())
    name += "." + std::to_string(llvm::hash_value(function.getName()) % 1000000);
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name + "." + stage + ".ll");
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) function.print(file);
}

}  // namespace trellis::spmd
