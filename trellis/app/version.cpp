// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/version.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

// Empty, or the names of all the programs of a portable build: "x86-64-v2,x86-64-v3,x86-64-v4".
constexpr const char* portable_sets = TRELLIS_PORTABLE_ISAS;

// "v2, v3, v4".
std::string levels() {
  std::string text;
  for (const char c : std::string(portable_sets)) text += c == ',' ? ", " : std::string(1, c);
  for (auto at = text.find("x86-64-"); at != std::string::npos; at = text.find("x86-64-")) text.erase(at, 7);
  return text;
}

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string version_number() { return TRELLIS_VERSION; }

std::string version_text() { return "trellis " TRELLIS_VERSION; }

std::string version_line() {
  return fmt::format("{} (commit {}), backend {}, compiler {}, {}", version_text(), commit(),
                     DefaultExecutionSpace::name, compiler, backend::compiled_instruction_set());
}

bool is_portable() { return *portable_sets != '\0'; }

std::string instruction_set_text() {
  const auto own = backend::compiled_instruction_set(), best = backend::processor_instruction_set();
  if (!is_portable()) return fmt::format("{}, compiled with -march={}", own, TRELLIS_ARCH);
  const char* const wish = std::getenv("TRELLIS_ISA");
  if (own == best) return fmt::format("{}, the best that this processor has of {}", own, levels());
  return fmt::format("{} of {}{}; the best that this processor has is {}", own, levels(),
                     wish != nullptr && *wish != '\0' ? ", as TRELLIS_ISA says" : "", best);
}

}  // namespace trellis::app
