// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Conditions around barriers that are obviously the same for all work-items, until LLVM's optimisations hide it:
// fission must accept them at every optimisation level.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// All meet at a barrier and take the next one's number.
template <class Item>
u32 next_one(const Item& item, u32* t, u32 x) {
  t[item.local_id()] = x;
  item.barrier();
  x = t[(item.local_id() + 1) % item.local_range()];
  item.barrier();
  return x;
}
void next_one(Numbers& x) {
  const u32 first = x[0];
  for (std::size_t l = 0; l + 1 < x.size(); ++l) x[l] = x[l + 1];
  x.back() = first;
}
template <class F>
void expect_numbers(const Data& d, const F& phases) {
  for (Index g = 0; g < d.groups; ++g) {
    Numbers x = numbers(d.size);
    all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
    phases(x);
    all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
  }
}

// float(p) is computed on both sides of a branch where work-items part, and behind it.
struct ComputedOnBothSides : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const u32 p = static_cast<u32>(d.groups), q = p + 1;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          u32 x = input(in, item);
          float y = 0;
          if (p == 0 || in[(static_cast<u32>(item.local_id()) / 3 + q) % 5] % 2 == 0) {
            y = static_cast<float>(in[4] & 65535U) + static_cast<float>(p & 65535U);
          } else {
            y = static_cast<float>(q & 65535U);
          }
          t[item.local_id()] = static_cast<u32>(y);
          if (3 * static_cast<float>(p & 65535U) != static_cast<float>(q & 65535U)) {
            for (u32 k = 0; k < (p < q ? q : p) % 4U; ++k) {
              item.barrier();
              x = next_one(item, t, x);
            }
          }
          out[item.global_id()] = x + static_cast<u32>(y);
        });
  }
  static void expect(const Data& d) {
    const u32 p = static_cast<u32>(d.groups), q = p + 1;
    expect_numbers(d, [&](Numbers& x) {
      for (u32 k = 0; k < q % 4U; ++k) next_one(x);
      all_items(d.size, [&](auto l) {
        const bool sum = d.in[(static_cast<u32>(l) / 3 + q) % 5] % 2 == 0;
        x[l] += static_cast<u32>(sum ? static_cast<float>(d.in[4] & 65535U) + static_cast<float>(p)
                                     : static_cast<float>(q));
      });
    });
  }
};

// c ? p : q is an address to the compiler, so the captured numbers stay in memory.
struct ChosenOfCaptures : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const u32 p = static_cast<u32>(d.groups), q = p + 2, r = p % 3;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          u32 x = input(in, item);
          for (u32 k = 0; k < (r == 0 ? (p > 3 ? p : q) : (p == 1 ? q : p)) % 3 + 1; ++k) {
            if ((k == 1 ? q : (r == 2 ? p : q)) % 2 == 1) x = next_one(item, t, x) + 1;
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const u32 p = static_cast<u32>(d.groups), q = p + 2, r = p % 3;
    expect_numbers(d, [&](Numbers& x) {
      for (u32 k = 0; k < (r == 0 ? (p > 3 ? p : q) : (p == 1 ? q : p)) % 3 + 1; ++k) {
        if ((k == 1 ? q : (r == 2 ? p : q)) % 2 == 0) continue;
        next_one(x);
        for (auto& y : x) ++y;
      }
    });
  }
};

// An inner loop that work-items leave at different times uses the outer loop's counter, which decides a branch after
// it.
struct UsedInADivergentLoop : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    const u32 turns = static_cast<u32>(d.groups % 3 + 3);
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          u32 x = input(in, item), sum = 0;
          for (u32 k = 1; k < turns; k += 2) {
            for (u32 i = 0; i < (k >> (x % 3)) * x % 4; ++i) sum += in[(i + x) % inputs] + k;
            sum += in[k];
            switch (k & 3U) {
              case 1:
                x = next_one(item, t, x) + 7;
                [[fallthrough]];
              case 2:
                x = next_one(item, t, x + sum);
                break;
              default:
                x += sum;
            }
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const u32 turns = static_cast<u32>(d.groups % 3 + 3);
    expect_numbers(d, [&](Numbers& x) {
      Numbers sum = numbers(d.size);
      for (u32 k = 1; k < turns; k += 2) {
        for (std::size_t l = 0; l < x.size(); ++l) {
          for (u32 i = 0; i < (k >> (x[l] % 3)) * x[l] % 4; ++i) sum[l] += d.in[(i + x[l]) % inputs] + k;
          sum[l] += d.in[k];
        }
        if ((k & 3U) == 1) {
          next_one(x);
          for (std::size_t l = 0; l < x.size(); ++l) x[l] += 7 + sum[l];
          next_one(x);
        } else {
          for (std::size_t l = 0; l < x.size(); ++l) x[l] += sum[l];
        }
      }
    });
  }
};

const bool added = add<ComputedOnBothSides>("ComputedOnBothSides") && add<ChosenOfCaptures>("ChosenOfCaptures") &&
                   add<UsedInADivergentLoop>("UsedInADivergentLoop");

}  // namespace
}  // namespace trellis::conformance
