// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/instruction_set.hpp"

#include <cstdlib>

#include "trellis/core/backend/processor_level.hpp"
#include "trellis/core/error.hpp"

namespace trellis::backend {
namespace {

#if defined(__x86_64__)
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
constexpr int compiled_level = 4;
#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__) && defined(__BMI__) && defined(__BMI2__)
constexpr int compiled_level = 3;
#elif defined(__SSE4_2__) && defined(__POPCNT__)
constexpr int compiled_level = 2;
#else
constexpr int compiled_level = 1;
#endif
std::string name_of(int level) { return level == 1 ? "x86-64" : fmt::format("x86-64-v{}", level); }
#else
constexpr int compiled_level = 0;
#if defined(__aarch64__)
std::string name_of(int) { return "armv8-a"; }
#else
std::string name_of(int) { return "baseline"; }
#endif
#endif

}  // namespace

std::string compiled_instruction_set() { return name_of(compiled_level); }
std::string processor_instruction_set() { return name_of(processor_level()); }

void require_instruction_set() {
  const char* const wish = std::getenv("TRELLIS_ISA");
  if (wish == nullptr || *wish == '\0') return;
  const std::string own = compiled_instruction_set(), name = wish;
  if (name == own || "x86-64-" + name == own) return;
  fail_input("TRELLIS_ISA is '{}', but this program was built for {} alone", name, own);
}

}  // namespace trellis::backend
