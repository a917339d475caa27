// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Memory shared by work-items: of fixed or launch-time size, accessed as two types, read again after a barrier.
#include <cstring>

#include "spmd/conformance/suite.hpp"
#include "trellis/core/atomic.hpp"

namespace trellis::conformance {
namespace {

struct SeveralArrays : Fission {
  struct Pair {
    u32 a;
    unsigned char b;
  };
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto bytes = memory.array<unsigned char>(d.size);
    const auto doubles = memory.array<double>(d.size + 1);
    const auto pairs = memory.array<Pair>(d.size);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const Index l = item.local_id(), n = item.local_range();
          auto& fixed = item.local<u32[1024]>();
          auto& other = item.local<u32[1024], 1>();
          const u32 x = input(in, item);
          fixed[l] = x;
          other[n - 1 - l] = x + 1;
          item.local(bytes)[l] = static_cast<unsigned char>(x);
          item.local(doubles)[l] = 0.5 * (x % 1024);
          if (l == 0) item.local(doubles)[n] = 3;
          item.local(pairs)[l] = {x, static_cast<unsigned char>(x >> 8)};
          item.barrier();
          const Index r = (l + 1) % n;
          out[item.global_id()] =
              fixed[r] + 3 * other[r] + item.local(bytes)[r] + item.local(pairs)[r].a * 5 + item.local(pairs)[r].b +
              static_cast<u32>(2 * item.local(doubles)[r] + item.local(doubles)[n]) + static_cast<u32>(doubles.size());
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) {
        const auto r = (l + 1) % n;
        const u32 x = input(d, g, r);
        output(d, g, l) = x + 3 * (input(d, g, n - 1 - r) + 1) + x % 256 + x * 5 + (x >> 8) % 256 + x % 1024 + 3 +
                          static_cast<u32>(n) + 1;
      });
    }
  }
};

struct TwoViews : Fission {  // the same memory as words and as bytes
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto array = memory.array<u32>(d.size);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32* const words = item.local(array);
          auto* const bytes = reinterpret_cast<unsigned char*>(item.local(array));
          const Index l = item.local_id(), n = item.local_range();
          words[l] = input(in, item);
          const u32 first = words[l];
          item.barrier();
          for (Index k = 0; k < 4; ++k) bytes[4 * ((l + 1) % n) + k] ^= static_cast<unsigned char>(k + 1);
          item.barrier();
          u32 again;
          std::memcpy(&again, bytes + 4 * l, 4);
          out[item.global_id()] = words[l] * 3 + first + again;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) {
        const u32 x = input(d, g, l);
        output(d, g, l) = (x ^ 0x04030201U) * 4 + x;
      });
    }
  }
};

struct ReadAgain : Fission {  // what another work-item wrote between two barriers is visible
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& one = item.local<u32>();
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          if (l == 0) one = 5;
          t[l] = 7;
          item.barrier();
          const u32 first = one + t[l];
          item.barrier();
          t[n - 1 - l] = input(in, item);
          if (l == n - 1) one = 9;
          item.barrier();
          const u32 second = one + t[l];
          item.barrier();
          if (l == n / 2) one += 1;
          item.barrier();
          out[item.global_id()] = first + 3 * second + 100 * one;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) { output(d, g, l) = 12 + 3 * (9 + input(d, g, n - 1 - l)) + 1000; });
    }
  }
};

struct GlobalMemory : Fission {  // a barrier also orders it within a group
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const Index n = item.local_range(), l = item.local_id();
          u32* const mine = out + item.group_id() * n;
          mine[l] = input(in, item);
          for (int k = 0; k < 4; ++k) {
            item.barrier();
            const u32 x = mine[(l + 1) % n], y = mine[l];
            item.barrier();
            mine[l] = 3 * x + y;
          }
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) { t[l] = input(d, g, l); });
      for (int k = 0; k < 4; ++k) {
        const Numbers before = t;
        all_items(d.size, [&](auto l) { t[l] = 3 * before[(l + 1) % n] + before[l]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = t[l]; });
    }
  }
};

struct PointersToLocal : Fission {  // private pointers into shared memory, swapped in a loop
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto front = memory.array<u32>(d.size), back = memory.array<u32>(d.size);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32 *from = item.local(front), *to = item.local(back);
          const Index l = item.local_id(), n = item.local_range();
          from[l] = input(in, item);
          u32* own = from + l;
          for (u32 k = 0; k < 5; ++k) {
            item.barrier();
            to[l] = from[(l + k) % n] + *own;
            u32* const other = from;
            from = to;
            to = other;
            own = from + l;
          }
          out[item.global_id()] = *own;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) { t[l] = input(d, g, l); });
      for (u32 k = 0; k < 5; ++k) {
        const Numbers before = t;
        all_items(d.size, [&](auto l) { t[l] = before[(l + k) % n] + before[l]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = t[l]; });
    }
  }
};

struct Histogram : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& bins = item.local<u32[4]>();
          const Index l = item.local_id(), n = item.local_range();
          for (Index k = l; k < 4; k += n) bins[k] = 0;
          item.barrier();
          for (Index k = 0; k < 9; ++k) atomic_add(&bins[input(in, item, k * n) % 4], 1U);
          item.barrier();
          for (Index k = l; k < 4; k += n) out[4 * item.group_id() + k] = bins[k];
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      u32 bins[4] = {};
      all_items(d.size, [&](auto l) {
        for (Index k = 0; k < 9; ++k) ++bins[input(d, g, l, k * d.size) % 4];
      });
      for (Index k = 0; k < 4; ++k) d.out[4 * g + k] = bins[k];
    }
  }
};

struct Large : Fission {  // half a MiB
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    LocalMemory memory;
    const auto array = memory.array<std::uint64_t>(65536);
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          std::uint64_t* const t = item.local(array);
          const Index l = item.local_id(), n = item.local_range();
          for (Index k = l; k < 65536; k += n) t[k] = in[k % inputs] + static_cast<std::uint64_t>(k);
          item.barrier();
          out[item.global_id()] = static_cast<u32>(t[(input(in, item) * 31) % 65536]);
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) {
        const u32 k = (input(d, g, l) * 31) % 65536;
        output(d, g, l) = d.in[k % inputs] + k;
      });
    }
  }
};

const bool added = add<SeveralArrays>("SeveralArrays") && add<TwoViews>("TwoViews") && add<ReadAgain>("ReadAgain") &&
                   add<GlobalMemory>("GlobalMemory") && add<PointersToLocal>("PointersToLocal") &&
                   add<Histogram>("Histogram") && add<Large>("LargeLocalMemory");

}  // namespace
}  // namespace trellis::conformance
