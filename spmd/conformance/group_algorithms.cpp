// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Group and sub-group algorithms, which contain barriers, in sequence, in loops and as loop conditions.
#include <algorithm>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

struct Reductions : Fission {
  struct Best {
    u32 value, where;
  };
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const u32 x = input(in, item);
          u32 sum = item.reduce(x);
          sum = 3 * sum + item.reduce(x, Minimum{});
          sum = 3 * sum + item.reduce(x, Maximum{});
          sum = 3 * sum + static_cast<u32>(item.reduce(static_cast<std::uint64_t>(x) << 20) >> 20);
          sum = 3 * sum + static_cast<u32>(item.reduce(static_cast<double>(x % 1000)));
          sum = 3 * sum + item.reduce(x, [](u32 a, u32 b) { return a ^ b; });
          const Best best =
              item.reduce(Best{x % 50, static_cast<u32>(item.local_id())}, [](const Best& a, const Best& b) {
                return a.value < b.value || (a.value == b.value && a.where < b.where) ? a : b;
              });
          out[item.global_id()] = 3 * sum + best.where;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      u32 sum = 0, least = ~0U, most = 0, thousands = 0, parity = 0, best = 50, where = 0;
      std::uint64_t wide = 0;
      all_items(d.size, [&](auto l) {
        const u32 x = input(d, g, l);
        sum += x;
        least = std::min(least, x);
        most = std::max(most, x);
        wide += static_cast<std::uint64_t>(x) << 20;
        thousands += x % 1000;
        parity ^= x;
        if (x % 50 < best) best = x % 50, where = static_cast<u32>(l);
      });
      for (const u32 next : {least, most, static_cast<u32>(wide >> 20), thousands, parity, where}) sum = 3 * sum + next;
      all_items(d.size, [&](auto l) { output(d, g, l) = sum; });
    }
  }
};

struct ScansAndBroadcasts : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const Index n = item.local_range();
          u32 x = input(in, item);
          x = 3 * x + item.inclusive_scan(x);
          x = 3 * x + item.exclusive_scan(x);
          x = 3 * x + item.inclusive_scan(x, Maximum{});
          x = 3 * x + item.exclusive_scan(x, Minimum{});
          for (Index k = 0; k < 3; ++k) x = 3 * x + item.broadcast(x, (k * 5) % n);
          x += item.any(x % 64 == 0) ? 1 : 0;
          x += item.all(x % 64 != 1) ? 2 : 0;
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      const auto scan = [&](bool inclusive, u32 first, const auto& op) {
        u32 sum = first;
        for (auto& y : x) {
          const u32 before = sum;
          sum = op(sum, y);
          y = 3 * y + (inclusive ? sum : before);
        }
      };
      const auto plus = [](u32 a, u32 b) { return a + b; };
      scan(true, 0, plus);
      scan(false, 0, plus);
      scan(true, 0, [](u32 a, u32 b) { return std::max(a, b); });
      scan(false, ~0U, [](u32 a, u32 b) { return std::min(a, b); });
      for (std::size_t k = 0; k < 3; ++k) {
        const u32 given = x[(k * 5) % x.size()];
        for (auto& y : x) y = 3 * y + given;
      }
      const bool any = std::any_of(x.begin(), x.end(), [](u32 y) { return y % 64 == 0; });
      for (auto& y : x) y += any ? 1 : 0;
      const bool all = std::all_of(x.begin(), x.end(), [](u32 y) { return y % 64 != 1; });
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l] + (all ? 2 : 0); });
    }
  }
};

struct SubGroups : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const auto sub = item.sub_group();
          u32 x = input(in, item);
          x = 3 * x + sub.reduce(x);
          x = 3 * x + sub.exclusive_scan(x);
          x = 3 * x + sub.inclusive_scan(x, Maximum{});
          x = 3 * x + sub.broadcast(x, sub.local_range() - 1);
          x += sub.any(x % 16 == 0) ? 1 : 0;
          x += sub.all(x % 16 != 1) ? 2 : 0;
          sub.barrier();
          out[item.global_id()] =
              x + static_cast<u32>(sub.local_id() + 100 * sub.group_id() + 1000 * sub.group_range());
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      for (Index first = 0; first < d.size; first += 32) {
        Numbers x = numbers(std::min<Index>(32, d.size - first));
        for (std::size_t l = 0; l < x.size(); ++l) x[l] = input(d, g, l, first);
        u32 sum = 0;
        for (const u32 y : x) sum += y;
        for (auto& y : x) y = 3 * y + sum;
        sum = 0;
        for (auto& y : x) {
          const u32 before = sum;
          sum += y;
          y = 3 * y + before;
        }
        u32 most = 0;
        for (auto& y : x) {
          most = std::max(most, y);
          y = 3 * y + most;
        }
        const u32 last = x.back();
        for (auto& y : x) y = 3 * y + last;
        const bool any = std::any_of(x.begin(), x.end(), [](u32 y) { return y % 16 == 0; });
        for (auto& y : x) y += any ? 1 : 0;
        const bool all = std::all_of(x.begin(), x.end(), [](u32 y) { return y % 16 != 1; });
        for (std::size_t l = 0; l < x.size(); ++l) {
          const auto count = static_cast<u32>((d.size + 31) / 32);
          output(d, g, l + static_cast<std::size_t>(first)) =
              x[l] + (all ? 2 : 0) + static_cast<u32>(l) + 100 * static_cast<u32>(first / 32) + 1000 * count;
        }
      }
    }
  }
};

struct UntilNobodyWants : Continuations {  // a loop whose condition is an algorithm
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item) % 8, turns = 0;
          while (item.any(x > 0)) {
            t[l] = x;
            item.barrier();
            if (x > 0) x -= 1 + t[(l + 1) % n] % x % 2;
            ++turns;
          }
          if (item.reduce(turns, Maximum{}) == turns) turns += item.reduce(turns);
          out[item.global_id()] = turns;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size);
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l) % 8; });
      u32 turns = 0;
      while (std::any_of(x.begin(), x.end(), [](u32 y) { return y > 0; })) {
        const Numbers t = x;
        all_items(d.size, [&](auto l) {
          if (x[l] > 0) x[l] -= 1 + t[(l + 1) % n] % x[l] % 2;
        });
        ++turns;
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = turns + turns * static_cast<u32>(n); });
    }
  }
};

const bool added = add<Reductions>("Reductions") && add<ScansAndBroadcasts>("ScansAndBroadcasts") &&
                   add<SubGroups>("SubGroups") && add<UntilNobodyWants>("UntilNobodyWants");

}  // namespace
}  // namespace trellis::conformance
