// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The x86-64 level of a processor, as the psABI defines it: 1 is the baseline, 2 adds SSE4.2 and POPCNT, 3 AVX2 and
// FMA, 4 AVX-512. Needs no library, so that it runs even where nothing else does.

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace trellis::backend {

#if defined(__x86_64__)
namespace processor_detail {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

// Zeros if the processor does not support the question.
inline Registers ask(unsigned leaf, unsigned part = 0) {
  Registers r;
  if (__get_cpuid_count(leaf, part, &r.a, &r.b, &r.c, &r.d) == 0) return {};
  return r;
}

constexpr bool all(unsigned word, unsigned bits) { return (word & bits) == bits; }

// Which registers the operating system saves; without that the processor's own answer is worthless.
inline unsigned saved_registers() {
  if (!all(ask(1).c, bit_OSXSAVE)) return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

}  // namespace processor_detail

inline int processor_level() {
  using namespace processor_detail;
  const auto basic = ask(1), more = ask(7), extended = ask(0x80000001);
  const unsigned saved = saved_registers();
  constexpr unsigned lahf = 1U << 0, lzcnt = 1U << 5, vectors = 0x6, masks = 0xe0;
  if (!all(basic.c, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B) ||
      !all(extended.c, lahf))
    return 1;
  if (!all(saved, vectors) || !all(basic.c, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) ||
      !all(more.b, bit_AVX2 | bit_BMI | bit_BMI2) || !all(extended.c, lzcnt))
    return 2;
  if (!all(saved, masks) || !all(more.b, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL))
    return 3;
  return 4;
}
#else
inline int processor_level() { return 0; }
#endif

}  // namespace trellis::backend
