// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Shapes of loops that compilers of work-group kernels have got wrong: nested loops with barriers at several depths,
// prefix sums whose loops never ended, iterations with sums over the group until they converge.
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// Barriers before, in and after the inner loop; its bounds depend on the outer one's turn and on the group, and a value
// of the outer turn is used after it.
struct LoopsInLoops : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (u32 a = 0; a < 4; ++a) {
            const u32 before = x;
            t[l] = x;
            item.barrier();
            u32 sum = t[(l + a) % n];
            for (u32 b = a; b < 3 + item.group_id() % 2; ++b) {
              item.barrier();
              t[l] = sum + b;
              item.barrier();
              sum += 3 * t[n - 1 - l];
              if (b % 2 == 0) continue;
              item.barrier();
              t[l] ^= sum;
              for (u32 c = b; c-- > a;) {
                item.barrier();
                sum += t[(l + c + 1) % n];
              }
            }
            item.barrier();
            x = sum ^ (before >> a);
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size), t = x, sum = x, before = x;
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (u32 a = 0; a < 4; ++a) {
        all_items(d.size, [&](auto l) { before[l] = t[l] = x[l]; });
        all_items(d.size, [&](auto l) { sum[l] = t[(l + a) % n]; });
        for (u32 b = a; b < 3 + g % 2; ++b) {
          all_items(d.size, [&](auto l) { t[l] = sum[l] + b; });
          all_items(d.size, [&](auto l) { sum[l] += 3 * t[n - 1 - l]; });
          if (b % 2 == 0) continue;
          all_items(d.size, [&](auto l) { t[l] ^= sum[l]; });
          for (u32 c = b; c-- > a;) all_items(d.size, [&](auto l) { sum[l] += t[(l + c + 1) % n]; });
        }
        all_items(d.size, [&](auto l) { x[l] = sum[l] ^ (before[l] >> a); });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

// The inner loop ends when the group's numbers are used up, which only memory says; the outer one is left from within
// it.
struct LeavesBothLoops : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          auto& left = item.local<u32, 1>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (u32 a = 0; a < 5; ++a) {
            if (l == n - 1) left = x % 4;
            item.barrier();
            while (left > 0) {
              t[l] = x;
              item.barrier();
              x += 5 * t[(l + 1) % n];
              if (l == 0) --left;
              item.barrier();
            }
            if (a > 0 && t[0] % 8 == 1) break;
            item.barrier();
            t[l] = x + a;
            item.barrier();
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size), t = x;
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      for (u32 a = 0; a < 5; ++a) {
        for (u32 left = x[n - 1] % 4; left > 0; --left) {
          t = x;
          all_items(d.size, [&](auto l) { x[l] += 5 * t[(l + 1) % n]; });
        }
        if (a > 0 && t[0] % 8 == 1) break;
        all_items(d.size, [&](auto l) { t[l] = x[l] + a; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

inline void expect_prefix_sums(const Data& d, bool inclusive) {
  for (Index g = 0; g < d.groups; ++g) {
    u32 sum = 0;
    all_items(d.size, [&](auto l) {
      const u32 x = input(d, g, l);
      output(d, g, l) = inclusive ? sum + x : sum;
      sum += x;
    });
  }
}

// Doubling distances, two barriers a turn; the distance changes between work-items' reading and writing.
struct PrefixSumsByDoubling : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          t[l] = input(in, item);
          Index distance = 1;
          while (distance < n) {
            item.barrier();
            u32 add = 0;
            if (l >= distance) add = t[l - distance];
            distance <<= 1;
            item.barrier();
            t[l] += add;
          }
          out[item.global_id()] = t[l];
        });
  }
  static void expect(const Data& d) { expect_prefix_sums(d, true); }
};

// A tree: sums upwards, then the sum of all to the left downwards (G. E. Blelloch, CMU-CS-90-190), padded to a power of
// two. Fewer work-items are active in each turn.
struct PrefixSumsByTree : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    Index padded = 1;
    while (padded < d.size) padded *= 2;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          t[l] = input(in, item);
          for (Index k = n + l; k < padded; k += n) t[k] = 0;
          Index step = 1;
          for (Index active = padded / 2; active > 0; active /= 2) {
            item.barrier();
            if (l < active) t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
            step *= 2;
          }
          item.barrier();
          if (l == 0) t[padded - 1] = 0;
          for (Index active = 1; active < padded; active *= 2) {
            step /= 2;
            item.barrier();
            if (l < active) {
              const Index a = step * (2 * l + 1) - 1, b = step * (2 * l + 2) - 1;
              const u32 kept = t[a];
              t[a] = t[b];
              t[b] += kept;
            }
          }
          item.barrier();
          out[item.global_id()] = t[l];
        });
  }
  static void expect(const Data& d) { expect_prefix_sums(d, false); }
};

// Conjugate gradients over the integers modulo a prime, so that sums have no rounding and convergence is exact. The
// matrix is diagonal plus 3 in every element; it has few different eigenvalues, so that there are few turns.
constexpr std::uint64_t prime = 2147483647;

TRELLIS_INLINE u32 product(std::uint64_t a, std::uint64_t b) { return static_cast<u32>(a * b % prime); }
TRELLIS_INLINE u32 total(std::uint64_t a, std::uint64_t b) { return static_cast<u32>((a + b) % prime); }
TRELLIS_INLINE u32 difference(std::uint64_t a, std::uint64_t b) { return static_cast<u32>((a + prime - b) % prime); }
TRELLIS_INLINE u32 inverse(u32 a) {  // a^(prime - 2)
  u32 result = 1;
  for (u32 exponent = prime - 2; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, a);
    a = product(a, a);
  }
  return result;
}
TRELLIS_INLINE u32 diagonal(Index group, Index l) { return static_cast<u32>(1 + l % (2 + group % 4)); }

// dot(a, b) is the sum of the products over the group.
template <class Dot>
TRELLIS_INLINE u32 conjugate_gradients(const nd_item<1>& item, u32 right, const Dot& dot) {
  const u32 own = diagonal(item.group_id(), item.local_id());
  u32 x = 0, r = right, p = r;
  u32 rr = dot(r, r);
  while (rr != 0) {
    const u32 q = total(product(own, p), product(3, dot(p, 1)));
    const u32 step = product(rr, inverse(dot(p, q)));
    x = total(x, product(step, p));
    r = difference(r, product(step, q));
    const u32 now = dot(r, r);
    p = total(r, product(now, product(inverse(rr), p)));
    rr = now;
  }
  return x;
}

// The solution in closed form (Sherman and Morrison).
inline void expect_solution(const Data& d) {
  for (Index g = 0; g < d.groups; ++g) {
    u32 of_right = 0, of_ones = 0;
    all_items(d.size, [&](auto l) {
      const u32 scale = inverse(diagonal(g, static_cast<Index>(l)));
      of_right = total(of_right, product(scale, input(d, g, l) % prime));
      of_ones = total(of_ones, scale);
    });
    const u32 common = product(product(3, of_right), inverse(total(1, product(3, of_ones))));
    all_items(d.size, [&](auto l) {
      const u32 scale = inverse(diagonal(g, static_cast<Index>(l)));
      output(d, g, l) = product(scale, difference(input(d, g, l) % prime, common));
    });
  }
}

struct ConjugateGradients : Continuations {  // sums by a tree in memory: nothing shows that they are everyone's
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
          out[item.global_id()] = conjugate_gradients(item, input(in, item) % prime, [&](u32 a, u32 b) {
            t[l] = product(a, b);
            for (Index s = half; s > 0; s /= 2) {
              item.barrier();
              if (l < s && l + s < n) t[l] = total(t[l], t[l + s]);
            }
            item.barrier();
            const u32 sum = t[0];
            item.barrier();
            return sum;
          });
        });
  }
  static void expect(const Data& d) { expect_solution(d); }
};

struct ConjugateGradientsByReduce : Continuations {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          out[item.global_id()] = conjugate_gradients(item, input(in, item) % prime, [&](u32 a, u32 b) {
            return item.reduce(product(a, b), [](u32 c, u32 e) { return total(c, e); });
          });
        });
  }
  static void expect(const Data& d) { expect_solution(d); }
};

// A fixed number of turns, which fission accepts: more than any of these systems needs, the rest of them idle.
struct ConjugateGradientsInTurns : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          const auto dot = [&](u32 a, u32 b) {
            return item.reduce(product(a, b), [](u32 c, u32 e) { return total(c, e); });
          };
          const u32 own = diagonal(item.group_id(), item.local_id());
          u32 x = 0, r = input(in, item) % prime, p = r, rr = dot(r, r);
          for (int turn = 0; turn < 12; ++turn) {
            const u32 q = total(product(own, p), product(3, dot(p, 1)));
            const u32 pq = dot(p, q);
            if (rr != 0) {
              const u32 step = product(rr, inverse(pq));
              x = total(x, product(step, p));
              r = difference(r, product(step, q));
            }
            const u32 now = dot(r, r);
            if (rr != 0) p = total(r, product(now, product(inverse(rr), p)));
            rr = now;
          }
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) { expect_solution(d); }
};

// Loops between barriers that work-items leave at different times, or do not enter: by the id, by their numbers, by a
// break, with values that are used after the loop, and in a loop of everyone's.
template <class At>
u32 uneven_loops(const u32* in, u32 x, u32 l, u32 n, const At& at) {
  u32 sum = 0, last = l;
  for (u32 i = l; i < 64; i += n) sum += in[i], last = i;
  if (x % 3 == 0) {
    const u32 first = x % 7;
    u32 product = 1;
    for (u32 i = first; i < l % 11; ++i) product = product * in[i] + at(i);
    sum += product + first;
  }
  for (u32 turn = 0; turn < 3; ++turn) {
    u32 y = (x >> turn) % 1000 + 1, steps = 0;
    while (y != 1) {
      y = y % 2 == 0 ? y / 2 : 3 * y + 1;
      if (++steps == 20 + l % 5) break;
    }
    sum = sum * 5 + (y ^ steps);
    for (u32 i = 8; i-- > l % 8;) sum ^= in[i + turn] / (i - l % 8 + 1);
  }
  return sum + 13 * last;
}

struct UnevenLoops : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index id = item.local_id(), size = item.local_range();
          const u32 l = static_cast<u32>(id), n = static_cast<u32>(size), x = input(in, item);
          t[l] = x;
          item.barrier();
          const u32 sum = uneven_loops(in, x, l, n, [&](u32 i) { return t[(l + i) % n]; });
          item.barrier();
          t[l] = sum;
          item.barrier();
          out[item.global_id()] = sum + t[(l + 1) % n];
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<u32>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      Numbers x = numbers(d.size), sum = x;
      all_items(d.size, [&](auto l) { x[l] = input(d, g, l); });
      all_items(d.size, [&](auto l) {
        sum[l] = uneven_loops(d.in, x[l], static_cast<u32>(l), n, [&](u32 i) { return x[(l + i) % n]; });
      });
      all_items(d.size, [&](auto l) { output(d, g, l) = sum[l] + sum[(l + 1) % n]; });
    }
  }
};

const bool added = add<UnevenLoops>("UnevenLoops") && add<LoopsInLoops>("LoopsInLoops") &&
                   add<LeavesBothLoops>("LeavesBothLoops") && add<PrefixSumsByDoubling>("PrefixSumsByDoubling") &&
                   add<PrefixSumsByTree>("PrefixSumsByTree") && add<ConjugateGradients>("ConjugateGradients") &&
                   add<ConjugateGradientsByReduce>("ConjugateGradientsByReduce") &&
                   add<ConjugateGradientsInTurns>("ConjugateGradientsInTurns");

}  // namespace
}  // namespace trellis::conformance
