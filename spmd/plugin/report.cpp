// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/plugin/report.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

namespace trellis::spmd {
namespace {

constexpr const char* pass_name = "trellis-spmd";

// Headers that do not belong to a kernel: the library's and the system's.
bool is_users(const llvm::DILocation& location) {
  const std::string path = "/" + location.getFilename().str();
  const llvm::StringRef name = path;
  const bool library = name.contains("/trellis/core/") && (name.ends_with(".hpp") || name.ends_with(".cuh"));
  return location.getLine() > 0 && !library && !name.starts_with("//usr/");
}

// The innermost location in the user's own text, among a location and those it was inlined at; nullptr if there is
// none.
const llvm::DILocation* in_users_text(const llvm::DILocation* location) {
  while (location && !is_users(*location)) location = location->getInlinedAt();
  return location;
}

// The location of an instruction or of a neighbour, since optimisation drops some: the first that is in the user's
// text, otherwise the outermost location of the first.
const llvm::DILocation* location_of(const llvm::Instruction& at) {
  const llvm::DILocation* any = nullptr;
  const auto look = [&](const llvm::Instruction& one) -> const llvm::DILocation* {
    const llvm::DILocation* location = one.getDebugLoc();
    if (location && !any) any = location;
    return in_users_text(location);
  };
  for (const llvm::Instruction* one = &at; one; one = one->getPrevNode())
    if (const auto* found = look(*one)) return found;
  for (const llvm::Instruction* one = at.getNextNode(); one; one = one->getNextNode())
    if (const auto* found = look(*one)) return found;
  for (const llvm::BasicBlock* next : llvm::successors(at.getParent()))
    for (const llvm::Instruction& one : *next)
      if (const auto* found = look(one)) return found;
  while (any && any->getInlinedAt()) any = any->getInlinedAt();
  return any;
}

llvm::DiagnosticLocation location_of(const llvm::Function& function, const llvm::Instruction* at) {
  if (at)
    if (const llvm::DILocation* location = location_of(*at)) return llvm::DiagnosticLocation(llvm::DebugLoc(location));
  return llvm::DiagnosticLocation(function.getSubprogram());
}

// The line of the kernel that led there, if it is a different one; "" otherwise.
std::string line_of_kernel(const llvm::Instruction& at) {
  const llvm::DILocation *place = location_of(at), *kernel = place;
  for (const llvm::DILocation* one = place; one; one = one->getInlinedAt())
    if (is_users(*one)) kernel = one;
  if (kernel == place) return {};
  return " (the kernel comes there at " + kernel->getFilename().str() + ":" + std::to_string(kernel->getLine()) + ")";
}

template <class Remark>
void remark(const llvm::Function& function, const llvm::Instruction* at, const std::string& message) {
  llvm::OptimizationRemarkEmitter emitter(&function);
  const llvm::BasicBlock* block = at ? at->getParent() : &function.getEntryBlock();
  emitter.emit(Remark(pass_name, "SPMD", location_of(function, at), block) << message);
}

}  // namespace

void report_error(const llvm::Function& function, const llvm::Twine& message) {
  const std::string text = ("SPMD kernel: " + message).str();  // a diagnostic only holds a reference
  const llvm::Twine words(text);
  function.getContext().diagnose(
      llvm::DiagnosticInfoUnsupported(function, words, llvm::DiagnosticLocation(function.getSubprogram())));
}

void report_error(const llvm::Instruction& at, const llvm::Twine& message) {
  const llvm::Function& function = *at.getFunction();
  const std::string text = ("SPMD kernel: " + message + line_of_kernel(at)).str();
  const llvm::Twine words(text);
  function.getContext().diagnose(llvm::DiagnosticInfoUnsupported(function, words, location_of(function, &at)));
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
  const llvm::DILocation* location = location_of(at);
  if (!location) return {};
  return location->getFilename().str() + ":" + std::to_string(location->getLine());
}

namespace {

constexpr const char* steps[] = {"cuts", "bounds", "lanes", "uniform", "contiguous"};

const llvm::cl::list<std::string> left_out("trellis-spmd-without", llvm::cl::CommaSeparated,
                                           llvm::cl::desc("Steps of the SPMD plugin to leave out"),
                                           llvm::cl::value_desc("cuts,bounds,lanes,uniform,contiguous"));

}  // namespace

bool without(const char* step) {
  llvm::SmallVector<llvm::StringRef, 8> names(left_out.begin(), left_out.end());
  if (const char* list = std::getenv("TRELLIS_SPMD_WITHOUT")) llvm::StringRef(list).split(names, ',', -1, false);
  for (const llvm::StringRef name : names)
    if (!llvm::is_contained(steps, name))
      llvm::report_fatal_error(llvm::Twine("trellis-spmd: there is no step '") + name +
                                   "' to leave out: cuts, bounds, lanes, uniform, contiguous",
                               false);
  return llvm::is_contained(names, step);
}

void dump(const llvm::Function& function, const char* stage) {
  const char* folder = std::getenv("TRELLIS_SPMD_DUMP");
  if (!folder || !*folder) return;
  llvm::sys::fs::create_directories(folder);
  // Template names can be longer than file names may be.
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
