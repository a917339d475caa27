// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0

// The plugin's entry point: clang -fpass-plugin=, or opt -load-pass-plugin= -passes=trellis-spmd.

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "spmd/plugin/convergence.hpp"
#include "spmd/plugin/pipeline.hpp"

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {
      LLVM_PLUGIN_API_VERSION, "TrellisSpmd", LLVM_VERSION_STRING, [](llvm::PassBuilder& builder) {
        builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
          passes.addPass(trellis::spmd::ConvergencePass(level));
        });
        builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
          passes.addPass(trellis::spmd::SpmdPass(level));
        });
        builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                   llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
          if (name != "trellis-spmd") return false;
          passes.addPass(trellis::spmd::SpmdPass(llvm::OptimizationLevel::O3));
          return true;
        });
      }};
}
