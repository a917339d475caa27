// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in sequence and in loops.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

struct NoBarrier : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept { out[item.global_id()] = 3 * input(in, item); });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) all_items(d.size, [&](auto l) { output(d, g, l) = 3 * input(d, g, l); });
  }
};

struct NothingButBarriers : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          item.barrier();
          item.barrier();
        });
    launch<Way>(d, TRELLIS_LAMBDA(const nd_item<1>&) noexcept {});
  }
  static void expect(const Data&) {}
};

struct Sequence : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto array = memory.array<u32>(d.size);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32* const t = item.local(array);
          const Index l = item.local_id(), n = item.local_range();
          t[l] = input(in, item);
          item.barrier();
          const u32 x = t[(l + 1) % n];
          item.barrier();
          t[l] = 3 * x + static_cast<u32>(l);
          item.barrier();
          out[item.global_id()] = t[n - 1 - l] + x;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      const auto n = static_cast<std::size_t>(d.size);
      Numbers t = numbers(d.size), x = t;
      all_items(d.size, [&](auto l) { t[l] = input(d, g, l); });
      all_items(d.size, [&](auto l) { x[l] = t[(l + 1) % n]; });
      all_items(d.size, [&](auto l) { t[l] = 3 * x[l] + static_cast<u32>(l); });
      all_items(d.size, [&](auto l) { output(d, g, l) = t[n - 1 - l] + x[l]; });
    }
  }
};

// x and t change in `turns` iterations, each of two phases; the kernel supplies the loop.
inline void expect_turns(const Data& d, Index turns(Index group)) {
  for (Index g = 0; g < d.groups; ++g) {
    const auto n = static_cast<std::size_t>(d.size);
    Numbers t = numbers(d.size), x = t;
    all_items(d.size, [&](auto l) { x[l] = t[l] = input(d, g, l); });
    for (Index k = 0; k < turns(g); ++k) {
      all_items(d.size, [&](auto l) { x[l] += 5 * t[(l + static_cast<std::size_t>(k) + 1) % n]; });
      all_items(d.size, [&](auto l) { t[l] = x[l] ^ static_cast<u32>(k); });
    }
    all_items(d.size, [&](auto l) { output(d, g, l) = x[l] + t[l]; });
  }
}

// A kernel with those iterations; loop(item, turn) calls turn(k) for k = 0, 1, ...
template <WorkItems Way, class Loop>
void run_turns(const Data& d, const Loop& loop) {
  const u32* const in = d.in;
  u32* const out = d.out;
  LocalMemory memory;
  const auto array = memory.array<u32>(d.size);
  launch<Way>(
      d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        u32* const t = item.local(array);
        const Index l = item.local_id(), n = item.local_range();
        u32 x = t[l] = input(in, item);
        item.barrier();
        loop(item, [&](Index k) {
          x += 5 * t[(l + k + 1) % n];
          item.barrier();
          t[l] = x ^ static_cast<u32>(k);
          item.barrier();
        });
        out[item.global_id()] = x + t[l];
      });
}

struct ConstantLoop : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>&, const auto& turn) {
      for (Index k = 0; k < 5; ++k) turn(k);
    });
  }
  static void expect(const Data& d) {
    expect_turns(d, [](Index) -> Index { return 5; });
  }
};

struct LoopOfGroups : Fission {  // each group has its own trip count, possibly 0
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>& item, const auto& turn) {
      for (Index k = 0; k < item.group_id() % 4; ++k) turn(k);
    });
  }
  static void expect(const Data& d) {
    expect_turns(d, [](Index g) { return g % 4; });
  }
};

struct DoWhile : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>& item, const auto& turn) {
      Index k = 0;
      do turn(k);
      while (++k < item.group_id());
    });
  }
  static void expect(const Data& d) {
    expect_turns(d, [](Index g) { return g > 1 ? g : 1; });
  }
};

struct WhileTrue : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const Index end = d.groups + 3;
    run_turns<Way>(d, [end](const nd_item<1>&, const auto& turn) {
      for (Index k = 0;; ++k) {
        if (k == 7) break;
        turn(k);
        if (k + 1 == end) break;
      }
    });
  }
  static void expect(const Data& d) {
    if (d.groups == 1) return expect_turns(d, [](Index) -> Index { return 4; });
    expect_turns(d, [](Index) -> Index { return 7; });
  }
  static constexpr Index largest = 100;  // with 1 or 5 groups
};

struct NestedLoops : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>& item, const auto& turn) {
      Index k = 0;
      for (Index a = 0; a < 3; ++a) {
        for (Index b = 0; b <= a; ++b) {
          for (Index c = 0; c < 1 + item.group_id() % 2; ++c) turn(k++);
        }
      }
    });
  }
  static void expect(const Data& d) {
    expect_turns(d, [](Index g) { return 6 * (1 + g % 2); });
  }
};

struct ManyLatches : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>& item, const auto& turn) {
      Index k = 0;
      for (Index a = 0; a < 6; ++a) {
        if (a % 3 == 0) continue;
        turn(k++);
        if (a == item.group_id()) {
          turn(k++);
          continue;
        }
        if (a == 4) continue;
        item.barrier();
        turn(k++);
      }
    });
  }
  static void expect(const Data& d) {  // a = 1, 2, 4, 5
    expect_turns(d, [](Index g) -> Index {
      Index turns = 0;
      for (const Index a : {1, 2, 4, 5}) turns += a == g || a != 4 ? 2 : 1;
      return turns;
    });
  }
};

struct LongLoop : Fission {
  static constexpr Index largest = 33;
  template <WorkItems Way>
  static void run(const Data& d) {
    run_turns<Way>(d, [](const nd_item<1>&, const auto& turn) {
      for (unsigned char k = 0; k < 200; ++k) turn(k);
    });
  }
  static void expect(const Data& d) {
    expect_turns(d, [](Index) -> Index { return 200; });
  }
};

// The trip count is in memory: the same for all work-items, but not visibly so.
struct LoopOfMemory : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    run_turns<Way>(d, [in](const nd_item<1>& item, const auto& turn) {
      for (Index k = 0; k < in[item.group_id()] % 5; ++k) turn(k);
    });
  }
  static void expect(const Data& d) {
    static const u32* in;
    in = d.in;
    expect_turns(d, [](Index g) -> Index { return in[g] % 5; });
  }
};

struct SeveralInductionVariables : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto array = memory.array<u32>(d.size);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32* const t = item.local(array);
          const Index l = item.local_id(), n = item.local_range();
          u32 x = 0;
          const u32* p = in + l;
          unsigned short wrapping = 65000;
          for (Index i = 0, j = n - 1; i < 6;
               ++i, j = (j + n - 1) % n, p += 7, wrapping = static_cast<unsigned short>(wrapping + 200)) {
            t[l] = *p + wrapping;
            item.barrier();
            x = 3 * x + t[j] + static_cast<u32>(i);
            item.barrier();
          }
          out[item.global_id()] = x + *p + wrapping;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size), x = t;
      std::size_t j = n - 1;
      u32 wrapping = 65000;
      for (u32 i = 0; i < 6; ++i, j = (j + n - 1) % n, wrapping = (wrapping + 200) % 65536) {
        all_items(d.size, [&](auto l) { t[l] = d.in[l + 7 * i] + wrapping; });
        all_items(d.size, [&](auto l) { x[l] = 3 * x[l] + t[j] + i; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l] + d.in[l + 42] + wrapping; });
    }
  }
};

struct Tree : Fission {  // guarded by the work-item's id
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    Index half = 1;
    while (2 * half < d.size) half *= 2;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          t[l] = input(in, item);
          for (Index s = half; s > 0; s /= 2) {
            item.barrier();
            if (l < s && l + s < n) t[l] += t[l + s];
          }
          if (l == 0) out[item.group_id()] = t[0];
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      u32 sum = 0;
      all_items(d.size, [&](auto l) { sum += input(d, g, l); });
      d.out[g] = sum;
    }
  }
};

struct DivergentLoopBetween : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (int k = 0; k < 3; ++k) {
            u32 steps = 0;
            for (u32 y = x % 97 + 1; y != 1 && steps < 50; ++steps) {
              if (y % 2 == 0) {
                y /= 2;
                continue;
              }
              if (y > 1000) break;
              y = 3 * y + 1;
            }
            t[l] = steps;
            item.barrier();
            x = 17 * x + t[(l + 1) % n];
            item.barrier();
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size), x = t;
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (int k = 0; k < 3; ++k) {
        all_items(d.size, [&](auto l) {
          u32 steps = 0, y = x[l] % 97 + 1;
          while (y != 1 && steps < 50 && (y % 2 == 0 || y <= 1000)) {
            y = y % 2 == 0 ? y / 2 : 3 * y + 1;
            ++steps;
          }
          t[l] = steps;
        });
        all_items(d.size, [&](auto l) { x[l] = 17 * x[l] + t[(l + 1) % n]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

// A value from the first part of an iteration that its second part uses, and one that the next iteration uses.
struct ValuesOfTurns : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 before = 1, x = input(in, item);
          for (u32 k = 0; k < 4; ++k) {
            const u32 mine = x * 3 + before;
            u32 last = before;
            t[l] = mine;
            item.barrier();
            before = t[n - 1 - l];
            last += mine;
            item.barrier();
            x += last + (mine >> 3) + before;
          }
          out[item.global_id()] = x ^ before;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size), x = t, before = t, last = t, mine = t;
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l), before[l] = 1; });
      for (u32 k = 0; k < 4; ++k) {
        all_items(d.size, [&](auto l) { t[l] = mine[l] = x[l] * 3 + before[l], last[l] = before[l]; });
        all_items(d.size, [&](auto l) { before[l] = t[n - 1 - l], last[l] += mine[l]; });
        all_items(d.size, [&](auto l) { x[l] += last[l] + (mine[l] >> 3) + before[l]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l] ^ before[l]; });
    }
  }
};

const bool added = add<NoBarrier>("NoBarrier") && add<NothingButBarriers>("NothingButBarriers") &&
                   add<Sequence>("Sequence") && add<ConstantLoop>("ConstantLoop") &&
                   add<LoopOfGroups>("LoopOfGroups") && add<DoWhile>("DoWhile") && add<WhileTrue>("WhileTrue") &&
                   add<NestedLoops>("NestedLoops") && add<ManyLatches>("ManyLatches") && add<LongLoop>("LongLoop") &&
                   add<LoopOfMemory>("LoopOfMemory") && add<SeveralInductionVariables>("SeveralInductionVariables") &&
                   add<Tree>("Tree") && add<DivergentLoopBetween>("DivergentLoopBetween") &&
                   add<ValuesOfTurns>("ValuesOfTurns");

}  // namespace
}  // namespace trellis::conformance
