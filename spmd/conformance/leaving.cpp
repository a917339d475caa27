// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Work-items that leave loops, functions and kernels at different times after the last barrier; groups that do so
// before.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

struct LoopsOfTheirOwn : Continuations {  // the study's example: all meet two barriers, then leave the loop one by one
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[2][1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          const Index turns = 2 + l % 5;
          for (Index k = 0; k < turns; ++k) {
            if (k < 2) {
              t[k][l] = x;
              item.barrier();
              x += t[k][(l + 1) % n];
            }
            x = 3 * x + static_cast<u32>(k);
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (u32 k = 0; k < 7; ++k) {
        const Numbers t = x;
        all_items(d.size, [&](auto l) {
          if (k < 2) x[l] += t[(l + 1) % n];
          if (k < 2 + l % 5) x[l] = 3 * x[l] + k;
        });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

// The same number of iterations with barriers, then breaks and returns at different times.
template <bool Return>
struct LateLeave : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          u32 k = 0;
          while (true) {
            if (k < 3) {
              item.barrier();
              t[l] = x;
              item.barrier();
              x += t[n - 1 - l];
            }
            out[item.global_id()] = x;
            if (k >= 2 && x % 3 == 0) {
              if constexpr (Return) return;
              break;
            }
            x = 5 * x + 1;
            ++k;
          }
          out[item.global_id()] = x + k;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (u32 k = 0; k < 3; ++k) {
        const Numbers t = x;
        all_items(d.size, [&](auto l) {
          x[l] += t[n - 1 - l];
          if (k < 2) x[l] = 5 * x[l] + 1;
        });
      }
      all_items(d.size, [&](auto l) {
        u32 k = 2;
        for (; x[l] % 3 != 0; ++k) x[l] = 5 * x[l] + 1;
        output(d, g, l) = Return ? x[l] : x[l] + k;
      });
    }
  }
};

struct BarrierAtTheFirstEnd : Continuations {  // of the loop's body; trip counts of 1 and more
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          const u32 turns = 1 + x % 7;
          t[l] = x;
          for (u32 k = 0; k < turns; ++k) {
            if (k > 0) x = 7 * x + t[(l + k) % n];
            if (k == 0) item.barrier();
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) { t[l] = input(d, g, l); });
      all_items(d.size, [&](auto l) {
        u32 x = t[l];
        for (u32 k = 1; k < 1 + t[l] % 7; ++k) x = 7 * x + t[(l + k) % n];
        output(d, g, l) = x;
      });
    }
  }
};

// Such a loop inside such a loop, with a group algorithm where all are together. The plugin once produced values that
// were used where they are not known.
struct NestedLoopsOfTheirOwn : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const u32 together = d.groups > 1 ? 2 : 3;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32 x = input(in, item), i = 0;
          while (i < together + x % 4) {
            ++i;
            if (i < together + 1) {
              u32 j = 0;
              while (j < together + x % 3) {
                ++j;
                if (j < together + 1) {
                  x = item.inclusive_scan(x);
                } else {
                  x = 5 * x + i;
                }
              }
            }
            x = 3 * x + 1;
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const u32 together = d.groups > 1 ? 2 : 3;
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (u32 i = 1; i <= together; ++i) {
        for (u32 j = 0; j < together; ++j) {
          for (std::size_t l = 1; l < x.size(); ++l) x[l] += x[l - 1];
        }
        for (auto& y : x) {
          for (u32 j = together; j < together + y % 3; ++j) y = 5 * y + i;
          y = 3 * y + 1;
        }
      }
      for (auto& y : x) {
        for (u32 i = together; i < together + y % 4; ++i) y = 3 * y + 1;
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

// Some work-items return between the last barrier and the end; all of a group return before the first.
struct Returns : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          if (item.group_id() == 1) return;
          t[l] = input(in, item);
          item.barrier();
          if (item.group_id() == 2) {
            out[item.global_id()] = t[0];
            return;
          }
          item.barrier();
          const u32 x = t[(l + 1) % n];
          if (x % 2 == 0) return;
          out[item.global_id()] = x;
          if (l % 3 == 0) {
            out[item.global_id()] += 1;
          } else if (x % 3 == 0) {
            return;
          }
          out[item.global_id()] *= 3;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      if (g == 1) continue;
      all_items(d.size, [&](auto l) {
        if (g == 2) return void(output(d, g, l) = input(d, g, 0));
        const u32 x = input(d, g, (l + 1) % n);
        if (x % 2 == 0) return;
        output(d, g, l) = l % 3 == 0 ? 3 * (x + 1) : x % 3 == 0 ? x : 3 * x;
      });
    }
  }
};

struct ReturnFromLoop : Fission {  // all work-items of a group at once
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (Index k = 0; k < 4; ++k) {
            t[l] = x;
            item.barrier();
            x += 3 * t[n - 1 - l];
            out[item.global_id()] = x;
            if (k == item.group_id()) return;
            item.barrier();
          }
          out[item.global_id()] = x + 1;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (Index k = 0; k < 4 && k <= g; ++k) {
        const Numbers t = x;
        all_items(d.size, [&](auto l) { x[l] += 3 * t[n - 1 - l]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l] + (g >= 4 ? 1 : 0); });
    }
  }
};

// Kernels whose last block is unreachable, or would never end if it were entered.
struct Unreachable : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          t[item.local_id()] = input(in, item);
          item.barrier();
          const u32 x = t[0];
          switch (item.local_id() % 2) {
            case 0:
              out[item.global_id()] = x;
              return;
            case 1:
              out[item.global_id()] = x + 1;
              return;
            default:
              __builtin_unreachable();
          }
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) { output(d, g, l) = input(d, g, 0) + static_cast<u32>(l % 2); });
    }
  }
};

struct Trap : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    u32* const out = d.out;
    const Index groups = d.groups;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          item.barrier();
          out[item.global_id()] = 5;
          if (item.local_id() > 2000) __builtin_trap();
          item.barrier();
          if (item.group_id() == groups) __builtin_trap();
          out[item.global_id()] += 5;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) all_items(d.size, [&](auto l) { output(d, g, l) = 10; });
  }
};

struct NeverEnding : Continuations {  // never entered
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const Index groups = d.groups;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          volatile u32 turns = 0;
          out[item.global_id()] = input(in, item);
          if (item.group_id() == groups) {
            while (true) {
              turns = turns + 1;
              item.barrier();
            }
          }
          item.barrier();
          out[item.global_id()] += turns;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) all_items(d.size, [&](auto l) { output(d, g, l) = input(d, g, l); });
  }
};

// The other example from the slides: the loop condition is evaluated after the barrier, and is in fact the same for
// all.
struct ExitOfMemory : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& left = item.local<u32>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          if (l == n - 1) left = 4;
          item.barrier();
          while (left > 0) {
            x = 3 * x + left;
            item.barrier();
            if (l == 0) left = left - 1;
            item.barrier();
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) {
        u32 x = input(d, g, l);
        for (u32 left = 4; left > 0; --left) x = 3 * x + left;
        output(d, g, l) = x;
      });
    }
  }
};

const bool added = add<LoopsOfTheirOwn>("LoopsOfTheirOwn") && add<NestedLoopsOfTheirOwn>("NestedLoopsOfTheirOwn") &&
                   add<LateLeave<false>>("LateBreak") && add<LateLeave<true>>("LateReturn") &&
                   add<BarrierAtTheFirstEnd>("BarrierAtTheFirstEnd") && add<Returns>("Returns") &&
                   add<ReturnFromLoop>("ReturnFromLoop") && add<Unreachable>("Unreachable") && add<Trap>("Trap") &&
                   add<NeverEnding>("NeverEnding") && add<ExitOfMemory>("ExitOfMemory");

}  // namespace
}  // namespace trellis::conformance
