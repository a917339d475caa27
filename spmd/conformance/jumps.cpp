// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in control flow made of jumps.
#include <cstdlib>

#include "spmd/conformance/passes.hpp"

namespace trellis::conformance {
namespace {

struct IrreducibleLoop : Continuations {  // a loop with barriers that is entered in two places
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      int k = 0;
      if (item.group_id() % 2 == 1) goto second;
    first:
      x = 5 * x + 1;
      pass(3);
    second:
      x ^= 77;
      pass(5);
      if (++k < 3) goto first;
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      for (int k = 0; k < 3; ++k) {
        if (k > 0 || g % 2 == 0) {
          for (auto& y : x) y = 5 * y + 1;
          pass(3);
        }
        for (auto& y : x) y ^= 77;
        pass(5);
      }
    });
  }
};

struct DivergentIrreducibleLoop : Fission {  // no barrier in it
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>&, u32& x, const auto& pass) {
      pass(3);
      u32 k = 0;
      if (x % 2 == 1) goto second;
    first:
      x = 5 * x + 1;
    second:
      x ^= 77;
      if (++k < x % 4) goto first;
      pass(5);
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index, Numbers& x, const auto& pass) {
      pass(3);
      for (auto& y : x) {
        u32 k = 0;
        bool skip = y % 2 == 1;
        do {
          if (!skip) y = 5 * y + 1;
          skip = false;
          y ^= 77;
        } while (++k < y % 4);
      }
      pass(5);
    });
  }
};

struct JumpIntoLoop : Continuations {  // Duff's device with barriers
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      int turns = 3;
      switch (item.group_id() % 3) {
        case 0:
          do {
            pass(3);
            [[fallthrough]];
            case 2:
              x += 5;
              [[fallthrough]];
            case 1:
              pass(7);
          } while (--turns > 0);
      }
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      for (int turn = 0; turn < 3; ++turn) {
        if (turn > 0 || g % 3 == 0) pass(3);
        if (turn > 0 || g % 3 != 1) {
          for (auto& y : x) y += 5;
        }
        pass(7);
      }
    });
  }
};

// The program ends in a loop between barriers, behind a condition that each work-item decides for itself: this must not
// merge the regions that could come there.
struct AbortBetweenBarriers : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (u32 k = 0; k < 6; ++k) {
            x = 3 * x + k;
            if (k % 2 == 1) {
              if (out[item.global_id()] != 0xdeadbeefU) std::abort();
              t[l] = x;
              item.barrier();
              x += t[(l + 1) % n];
              item.barrier();
            }
            if (k > 3) continue;
            x ^= 9;
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size), t = x;
      all_items(d.size, [&](std::size_t l) { x[l] = input(d, g, l); });
      for (u32 k = 0; k < 6; ++k) {
        all_items(d.size, [&](std::size_t l) { t[l] = x[l] = 3 * x[l] + k; });
        all_items(d.size, [&](std::size_t l) {
          if (k % 2 == 1) x[l] += t[(l + 1) % t.size()];
          if (k <= 3) x[l] ^= 9;
        });
      }
      all_items(d.size, [&](std::size_t l) { output(d, g, l) = x[l]; });
    }
  }
};

const bool added = add<AbortBetweenBarriers>("AbortBetweenBarriers") && add<IrreducibleLoop>("IrreducibleLoop") &&
                   add<DivergentIrreducibleLoop>("DivergentIrreducibleLoop") && add<JumpIntoLoop>("JumpIntoLoop");

}  // namespace
}  // namespace trellis::conformance
