// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in functions called by kernels: nested, templates, members, lambdas, destructors; calls without barriers.
#include <cmath>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

using Tile = u32[1024];

u32 neighbours(const nd_item<1>& item, Tile& t, u32 x) noexcept {
  t[item.local_id()] = x;
  item.barrier();
  const u32 y = t[(item.local_id() + 1) % item.local_range()];
  item.barrier();
  return y;
}
[[gnu::noinline]] u32 twice(const nd_item<1>& item, Tile& t, u32 x) noexcept {
  const u32 y = neighbours(item, t, x);
  return 3 * x + neighbours(item, t, y + x);
}
template <int Times, class Item>
u32 often(const Item& item, Tile& t, u32 x) noexcept {
  if constexpr (Times > 0) {
    x = often<Times - 1>(item, t, x);
    return x + twice(item, t, x);
  }
  return x;
}

// The effect of these on the whole group.
Numbers neighbours(const Numbers& x) {
  Numbers y = x;
  for (std::size_t l = 0; l < x.size(); ++l) y[l] = x[(l + 1) % x.size()];
  return y;
}
Numbers twice(const Numbers& x) {
  Numbers y = neighbours(x);
  for (std::size_t l = 0; l < x.size(); ++l) y[l] += x[l];
  y = neighbours(y);
  for (std::size_t l = 0; l < x.size(); ++l) y[l] += 3 * x[l];
  return y;
}
template <class F>
void expect_numbers(const Data& d, const F& f) {
  for (Index g = 0; g < d.groups; ++g) {
    Numbers x = numbers(d.size);
    all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
    f(g, x);
    all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
  }
}

struct NestedCalls : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          u32 x = twice(item, t, input(in, item));
          if (item.group_id() % 2 == 0) x += twice(item, t, x);
          out[item.global_id()] = often<3>(item, t, x);
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index g, Numbers& x) {
      x = twice(x);
      for (int k = 0; k < (g % 2 == 0 ? 4 : 3); ++k) {
        const Numbers y = twice(x);
        for (std::size_t l = 0; l < x.size(); ++l) x[l] += y[l];
      }
    });
  }
};

struct Member {  // state of one work-item, and a reference to the group's memory
  const nd_item<1>& item;
  Tile& t;
  u32 x;
  void step() noexcept { x += neighbours(item, t, x); }
  template <class F>
  void repeat(int times, const F& f) noexcept {
    for (int k = 0; k < times; ++k) {
      step();
      f(*this, k);
    }
  }
};

struct MembersAndLambdas : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          Member m{item, t, input(in, item)};
          const auto generic = [&t](const auto& it, auto x) {
            const auto inner = [&](u32 y) { return neighbours(it, t, x + y); };
            return inner(5) + inner(7);
          };
          m.repeat(3, [&](Member& self, int k) {
            if (k == 1) self.step();
            self.x ^= static_cast<u32>(k);
          });
          out[item.global_id()] = m.x + generic(item, m.x);
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index, Numbers& x) {
      const auto step = [&] {
        const Numbers y = neighbours(x);
        for (std::size_t l = 0; l < x.size(); ++l) x[l] += y[l];
      };
      for (u32 k = 0; k < 3; ++k) {
        step();
        if (k == 1) step();
        for (auto& y : x) y ^= k;
      }
      const Numbers y = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) x[l] += 2 * y[l] + 12;
    });
  }
};

struct AtTheEnd {  // its destructor waits
  const nd_item<1>& item;
  u32& x;
  u32* t;
  ~AtTheEnd() {
    item.barrier();
    x += t[0];
    item.barrier();
  }
};

struct Destructors : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          u32 x = input(in, item);
          for (int k = 0; k < 3; ++k) {
            const AtTheEnd end{item, x, t};
            t[item.local_id()] = 3 * x;
            if (item.group_id() == k) continue;
            x ^= 15;
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index g, Numbers& x) {
      for (int k = 0; k < 3; ++k) {
        const u32 first = 3 * x[0];
        for (auto& y : x) y = (g == k ? y : y ^ 15) + first;
      }
    });
  }
};

// A function that some work-items leave before others, called before the last barrier.
u32 steps(u32 x) noexcept {
  for (u32 k = 0; k < 20; ++k) {
    if (x % 7 == k % 7) return k;
    x = 3 * x + 1;
  }
  return x;
}
struct EarlyReturnOfCallee : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          const u32 x = steps(input(in, item));
          out[item.global_id()] = neighbours(item, t, x) + steps(x);
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index, Numbers& x) {
      for (auto& y : x) y = steps(y);
      const Numbers t = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) x[l] = t[l] + steps(x[l]);
    });
  }
};

// Calls without barriers: to another file, to the C library, to itself, through a pointer.
[[gnu::noinline]] u32 fibonacci(u32 n) noexcept { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
u32 plus_one(u32 x) noexcept { return x + 1; }
struct Big {
  u32 numbers[12];
};
[[gnu::noinline]] Big spread(Big b, u32 x) noexcept {
  for (u32 k = 0; k < 12; ++k) b.numbers[k] += x * k;
  return b;
}

struct PlainCalls : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    u32 (*const function)(u32) noexcept = d.groups > 0 ? &plus_one : nullptr;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          u32 x = outside(input(in, item), 3);
          Big b{};
          b = spread(b, x);
          x = neighbours(item, t, x);
          b = spread(b, x);
          const double root = std::sqrt(static_cast<double>(x)), power = std::pow(1.0 + x % 3, 5.0);
          x = neighbours(item, t, outside(x, static_cast<u32>(root))) + static_cast<u32>(power);
          x = function(x) + fibonacci(x % 9);
          out[item.global_id()] = neighbours(item, t, x) + b.numbers[x % 12];
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index, Numbers& x) {
      for (auto& y : x) y = outside(y, 3);
      const Numbers first = x;
      const Numbers second = x = neighbours(x);
      Numbers power = x;
      for (std::size_t l = 0; l < x.size(); ++l) {
        const double roots = std::sqrt(static_cast<double>(x[l]));
        power[l] = static_cast<u32>(std::pow(1.0 + x[l] % 3, 5.0));
        x[l] = outside(x[l], static_cast<u32>(roots));
      }
      x = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) {
        x[l] += power[l] + 1;
        x[l] += fibonacci((x[l] - 1) % 9);
      }
      const Numbers y = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) x[l] = y[l] + (first[l] + second[l]) * (x[l] % 12);
    });
  }
};

// Results of calls that read private data, across barriers; such calls once counted as the same for all work-items.
struct CallsThatReadPrivates : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          u32 x = input(in, item);
          const u32 kept = read_outside(&x);
          t[item.local_id()] = kept;
          item.barrier();
          x = t[(item.local_id() + 1) % item.local_range()];
          const u32 other = read_outside(&x);
          item.barrier();
          out[item.global_id()] = 3 * kept + other;
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index, Numbers& x) {
      const Numbers t = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) x[l] = 3 * x[l] + t[l];
    });
  }
};

#if !defined(TRELLIS_SPMD_PLUGIN)
// Thrown and caught between barriers: only in the library's ways.
[[gnu::noinline]] u32 half(u32 x) {
  if (x % 2 == 1) throw x;
  return x / 2;
}
struct CaughtExceptions : Fission {
  static constexpr Index largest = 33;
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<Tile>();
          u32 x = input(in, item);
          for (int k = 0; k < 2; ++k) {
            try {
              x = half(x);
            } catch (u32 odd) {
              x = 3 * odd + 1;
            }
            x += neighbours(item, t, x);
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    expect_numbers(d, [](Index, Numbers& x) {
      for (int k = 0; k < 2; ++k) {
        for (auto& y : x) y = y % 2 == 1 ? 3 * y + 1 : y / 2;
        const Numbers t = neighbours(x);
        for (std::size_t l = 0; l < x.size(); ++l) x[l] += t[l];
      }
    });
  }
};

const bool caught_added = add<CaughtExceptions>("CaughtExceptions");
#endif

// A kernel that is a struct, with an array in it.
struct Functor {
  const u32* in;
  u32* out;
  u32 weights[7];
  void operator()(const nd_item<1>& item) const noexcept {
    auto& t = item.local<Tile>();
    const u32 x = input(in, item);
    out[item.global_id()] = neighbours(item, t, weights[x % 7] * x) + weights[item.local_id() % 7];
  }
};
struct FunctorKernel : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const Functor f{d.in, d.out, {1, 2, 3, 5, 7, 11, 13}};
    launch<Way>(d, f);
  }
  static void expect(const Data& d) {
    static constexpr u32 weights[] = {1, 2, 3, 5, 7, 11, 13};
    expect_numbers(d, [](Index, Numbers& x) {
      for (auto& y : x) y *= weights[y % 7];
      x = neighbours(x);
      for (std::size_t l = 0; l < x.size(); ++l) x[l] += weights[l % 7];
    });
  }
};

const bool added = add<NestedCalls>("NestedCalls") && add<MembersAndLambdas>("MembersAndLambdas") &&
                   add<Destructors>("Destructors") && add<EarlyReturnOfCallee>("EarlyReturnOfCallee") &&
                   add<PlainCalls>("PlainCalls") && add<CallsThatReadPrivates>("CallsThatReadPrivates") &&
                   add<FunctorKernel>("FunctorKernel");

}  // namespace
}  // namespace trellis::conformance
