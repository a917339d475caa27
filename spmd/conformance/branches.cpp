// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in branches, in switches and in control flow made of jumps.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// A kernel with a number x of each work-item's own, and pass(), which adds the neighbour's to it: two barriers.
template <WorkItems Way, class Body>
void run_passes(const Data& d, const Body& body) {
  const u32* const in = d.in;
  u32* const out = d.out;
  launch<Way>(
      d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        auto& t = item.local<u32[1024]>();
        const Index l = item.local_id(), n = item.local_range();
        u32 x = input(in, item);
        const auto pass = [&](u32 factor) {
          t[l] = factor * x;
          item.barrier();
          x += t[(l + 1) % n];
          item.barrier();
        };
        body(item, x, pass);
        out[item.global_id()] = x;
      });
}

// The same for expect(): body(group, x, pass), where x are all work-items'.
template <class Body>
void expect_passes(const Data& d, const Body& body) {
  for (Index g = 0; g < d.groups; ++g) {
    const auto n = static_cast<std::size_t>(d.size);
    Numbers x = numbers(d.size);
    all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
    body(g, x, [&](u32 factor) {
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) { t[l] = factor * x[l]; });
      all_items(d.size, [&](auto l) { x[l] += t[(l + 1) % n]; });
    });
    all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
  }
}

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

struct ConditionOfMemory : Continuations {  // the same for all work-items, but not to be seen
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

// Given a value only where it is used later, under the same condition: it dominates nothing.
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

const bool added =
    add<Branch>("Branch") && add<NestedBranches>("NestedBranches") && add<BarrierInSomeTurns>("BarrierInSomeTurns") &&
    add<Switch>("Switch") && add<DivergentBetween>("DivergentBetween") && add<ConditionOfMemory>("ConditionOfMemory") &&
    add<IrreducibleLoop>("IrreducibleLoop") && add<DivergentIrreducibleLoop>("DivergentIrreducibleLoop") &&
    add<JumpIntoLoop>("JumpIntoLoop") && add<Undominated>("Undominated") && add<ShortCircuit>("ShortCircuit");

}  // namespace
}  // namespace trellis::conformance
