// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in branches and in switches.
#include "spmd/conformance/passes.hpp"

namespace trellis::conformance {
namespace {

struct Branch : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      if (item.group_id() % 2 == 0) {
        pass(3);
        x ^= 5;
      } else {
        x += 7;
        pass(5);
        pass(9);
      }
      pass(1);
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      if (g % 2 == 0) {
        pass(3);
        for (auto& y : x) y ^= 5;
      } else {
        for (auto& y : x) y += 7;
        pass(5);
        pass(9);
      }
      pass(1);
    });
  }
};

struct NestedBranches : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const Index groups = d.groups;
    run_passes<Way>(d, [groups](const nd_item<1>& item, u32& x, const auto& pass) {
      const Index g = item.group_id();
      if (groups > 1) {
        if (g < 3) {
          if (g == 1) pass(11);
          x += 3;
        } else if (g == 3) {
          pass(2);
        }
      } else {
        pass(4);
      }
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      if (d.groups == 1) return pass(4);
      if (g == 1) pass(11);
      if (g == 3) pass(2);
      if (g < 3) {
        for (auto& y : x) y += 3;
      }
    });
  }
};

struct BarrierInSomeTurns : Fission {  // a conditional barrier in a loop
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>&, u32& x, const auto& pass) {
      for (u32 k = 0; k < 6; ++k) {
        x = 3 * x + k;
        if (k % 2 == 1) pass(k);
        if (k > 3) continue;
        x ^= 9;
      }
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index, Numbers& x, const auto& pass) {
      for (u32 k = 0; k < 6; ++k) {
        for (auto& y : x) y = 3 * y + k;
        if (k % 2 == 1) pass(k);
        for (auto& y : x) y ^= k > 3 ? 0 : 9;
      }
    });
  }
};

struct Switch : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      for (int k = 0; k < 2; ++k) {
        switch (item.group_id()) {
          case 0:
            pass(3);
            break;
          case 1:
            x += 1;
            [[fallthrough]];
          case 2:
            pass(5);
            [[fallthrough]];
          case 7:
            pass(7);
            x *= 3;
            break;
          case 3:
            x -= 9;
            break;
          default:
            pass(9);
        }
      }
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      for (int k = 0; k < 2; ++k) {
        if (g == 0) pass(3);
        if (g == 1) {
          for (auto& y : x) y += 1;
        }
        if (g == 1 || g == 2) {
          pass(5);
          pass(7);
          for (auto& y : x) y *= 3;
        }
        if (g == 3) {
          for (auto& y : x) y -= 9;
        }
        if (g > 3) pass(9);
      }
    });
  }
};

struct DivergentBetween : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      if (x % 3 == 0) x /= 3;
      pass(3);
      switch (x % 5) {
        case 0:
          x += 11;
          break;
        case 1:
          x *= x;
          [[fallthrough]];
        case 2:
          x -= 2;
          break;
        default:
          if (item.local_id() > 4 && x % 2 == 0) x ^= 0xff;
      }
      pass(5);
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index, Numbers& x, const auto& pass) {
      for (auto& y : x) y = y % 3 == 0 ? y / 3 : y;
      pass(3);
      all_items(d.size, [&](auto l) {
        u32& y = x[l];
        const u32 m = y % 5;
        if (m == 0) y += 11;
        if (m == 1) y *= y;
        if (m == 1 || m == 2) y -= 2;
        if (m > 2 && l > 4 && y % 2 == 0) y ^= 0xff;
      });
      pass(5);
    });
  }
};

struct ConditionOfMemory : Continuations {  // the same for all work-items, but not visibly so
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    run_passes<Way>(d, [in](const nd_item<1>& item, u32& x, const auto& pass) {
      if (in[item.group_id()] % 2 == 0) {
        pass(3);
      } else if (item.local_id() < item.local_range()) {  // always
        x += 3;
        pass(5);
      }
      if (in[1] / 2 <= in[1]) pass(7);
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      if (d.in[g] % 2 == 0) {
        pass(3);
      } else {
        for (auto& y : x) y += 3;
        pass(5);
      }
      pass(7);
    });
  }
};

// Assigned only where it is used later, under the same condition: the assignment dominates nothing.
struct Undominated : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    run_passes<Way>(d, [](const nd_item<1>& item, u32& x, const auto& pass) {
      const bool odd = item.group_id() % 2 == 1;
      u32 varying = 0, uniform = 0;
      if (odd) {
        varying = 3 * x + static_cast<u32>(item.local_id());
        uniform = static_cast<u32>(item.group_id()) * 9;
      }
      pass(3);
      if (odd) x ^= varying + uniform;
      pass(5);
      for (int k = 0; k < 2; ++k) {
        u32 late;
        if (k == 1) {
          late = x + varying;
          pass(2);
          x -= late;
        }
      }
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      Numbers varying = numbers(d.size);
      if (g % 2 == 1) all_items(d.size, [&](auto l) { varying[l] = 3 * x[l] + static_cast<u32>(l); });
      pass(3);
      if (g % 2 == 1) all_items(d.size, [&](auto l) { x[l] ^= varying[l] + static_cast<u32>(g) * 9; });
      pass(5);
      Numbers late = numbers(d.size);
      all_items(d.size, [&](auto l) { late[l] = x[l] + varying[l]; });
      pass(2);
      all_items(d.size, [&](auto l) { x[l] -= late[l]; });
    });
  }
};

struct ShortCircuit : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const Index groups = d.groups;
    run_passes<Way>(d, [groups](const nd_item<1>& item, u32& x, const auto& pass) {
      const Index g = item.group_id();
      if ((g > 0 && groups / g > 1) || g == groups - 1) pass(3);
      const bool both = x % 2 == 0 && (item.local_id() == 0 || 100 / item.local_id() > 7);
      pass(both ? 5 : 7);
      x += both ? 1 : 0;
    });
  }
  static void expect(const Data& d) {
    expect_passes(d, [&](Index g, Numbers& x, const auto& pass) {
      if ((g > 0 && d.groups / g > 1) || g == d.groups - 1) pass(3);
      const auto n = x.size();
      Numbers both = x, t = x;
      all_items(d.size, [&](auto l) { both[l] = x[l] % 2 == 0 && (l == 0 || 100 / l > 7) ? 1 : 0; });
      all_items(d.size, [&](auto l) { t[l] = x[l] * (both[l] != 0 ? 5 : 7); });
      all_items(d.size, [&](auto l) { x[l] += t[(l + 1) % n] + both[l]; });
    });
  }
};

const bool added = add<Branch>("Branch") && add<NestedBranches>("NestedBranches") &&
                   add<BarrierInSomeTurns>("BarrierInSomeTurns") && add<Switch>("Switch") &&
                   add<DivergentBetween>("DivergentBetween") && add<ConditionOfMemory>("ConditionOfMemory") &&
                   add<Undominated>("Undominated") && add<ShortCircuit>("ShortCircuit");

}  // namespace
}  // namespace trellis::conformance
