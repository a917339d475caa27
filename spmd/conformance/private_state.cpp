// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Private data that lives across barriers: arrays, structs, unions, variables whose address is taken.
#include <array>
#include <cstring>
#include <utility>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

// A kernel that makes State from an input number and runs three phases of it with a barrier after each. expect() calls
// the state's own methods for all work-items in turn.
template <class State, bool ForFission = true>
struct Phases {
  static constexpr bool for_fission = ForFission;
  static constexpr Index largest = 1024;
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[2][1024]>();
          const Index l = item.local_id(), n = item.local_range();
          State state(input(in, item));
          for (u32 k = 0; k < 3; ++k) {
            t[k % 2][l] = state.give(k);
            item.barrier();
            state.take(k, t[k % 2][(l + 1) % n]);
          }
          out[item.global_id()] = state.give(3);
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      std::vector<State> states;
      states.reserve(n);
      all_items(d.size, [&](auto l) { states.emplace_back(input(d, g, l)); });
      for (u32 k = 0; k < 3; ++k) {
        Numbers t = numbers(d.size);
        all_items(d.size, [&](auto l) { t[l] = states[l].give(k); });
        all_items(d.size, [&](auto l) { states[l].take(k, t[(l + 1) % n]); });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = states[l].give(3); });
    }
  }
};

struct Array {
  explicit Array(u32 x) {
    for (u32 k = 0; k < 16; ++k) a[k] = x * k;
  }
  u32 give(u32 k) const { return a[(a[k] + k) % 16]; }
  void take(u32 k, u32 x) {
    a[x % 16] += x;
    a[(x + k) % 16] ^= a[k];
  }
  u32 a[16];
};

struct Mixed {
  explicit Mixed(u32 x) : c(static_cast<unsigned char>(x)), d(x % 1000), s(static_cast<short>(x)), w(x), flags{} {
    flags[x % 5] = true;
  }
  u32 give(u32 k) const {
    return c + static_cast<u32>(d) + static_cast<u32>(s) + static_cast<u32>(w >> 7) + (flags[k % 5] ? 1000 : 0);
  }
  void take(u32 k, u32 x) {
    c = static_cast<unsigned char>(c + x);
    d = d / 2 + static_cast<double>(x % 100);
    s = static_cast<short>(s ^ static_cast<short>(x));
    w = w * 0x100000001b3U + x;
    flags[(k + x) % 5] = !flags[(k + x) % 5];
  }
  unsigned char c;
  double d;
  short s;
  std::uint64_t w;
  bool flags[5];
};

struct Union {
  explicit Union(u32 x) { u.word = x; }
  u32 give(u32 k) const {
    u32 word;
    std::memcpy(&word, &u, sizeof word);
    return word + k;
  }
  void take(u32, u32 x) {
    unsigned char bytes[4];
    std::memcpy(bytes, &u, 4);
    std::swap(bytes[x % 4], bytes[(x / 4) % 4]);
    bytes[x % 3] = static_cast<unsigned char>(bytes[x % 3] + 1);
    std::memcpy(&u, bytes, 4);
  }
  union {
    u32 word;
    float number;
    unsigned char bytes[4];
  } u;
};

struct Volatile {
  explicit Volatile(u32 x) : v(x) {}
  Volatile(const Volatile& other) : v(other.v) {}
  u32 give(u32) const { return v; }
  void take(u32, u32 x) { v = v * 3 + x; }
  volatile u32 v;
};

struct alignas(64) Aligned {
  explicit Aligned(u32 x) : a{x, 2 * x, 3 * x} {}
  u32 give(u32 k) const { return a[k % 3] + static_cast<u32>(reinterpret_cast<std::uintptr_t>(this) % 64); }
  void take(u32 k, u32 x) { a[k] ^= x; }
  u32 a[3];
};

struct Standard {
  explicit Standard(u32 x) : a{{x, x + 1}}, p{x, 0.5F} {}
  u32 give(u32 k) const { return a[k % 2] + p.first + static_cast<u32>(p.second); }
  void take(u32 k, u32 x) {
    std::swap(a[0], a[1]);
    a[k % 2] += x;
    p = {x, p.second + 1};
  }
  std::array<u32, 2> a;
  std::pair<u32, float> p;
};

struct Nodes {  // pointing to one another
  explicit Nodes(u32 x) : first(nullptr) {
    for (u32 k = 0; k < 5; ++k) nodes[(k * 3 + x) % 5] = {x + k, nullptr};
    for (u32 k = 0; k < 5; ++k) push(nodes[(k * 2 + x) % 5]);
  }
  Nodes(const Nodes& other) : first(nullptr) { *this = other; }
  Nodes& operator=(const Nodes& other) {
    for (u32 k = 0; k < 5; ++k) {
      nodes[k].value = other.nodes[k].value;
      const Node* const next = other.nodes[k].next;
      nodes[k].next = next == nullptr ? nullptr : nodes + (next - other.nodes);
    }
    first = nodes + (other.first - other.nodes);
    return *this;
  }
  u32 give(u32 k) const {
    u32 sum = k;
    for (const Node* n = first; n != nullptr; n = n->next) sum = 3 * sum + n->value;
    return sum;
  }
  void take(u32, u32 x) {  // moves the x-th to the front
    Node** at = &first;
    for (u32 k = 0; k < x % 5; ++k) at = &(*at)->next;
    Node* const moved = *at;
    *at = moved->next;
    moved->value += x;
    push(*moved);
  }

 private:
  struct Node {
    u32 value;
    Node* next;
  };
  void push(Node& n) {
    n.next = first;
    first = &n;
  }
  Node nodes[5];
  Node* first;
};

template <int Length>
struct Large {
  explicit Large(u32 x) {
    for (int k = 0; k < Length; ++k) a[k] = x + static_cast<u32>(k);
  }
  u32 give(u32 k) const { return a[a[k] % Length]; }
  void take(u32 k, u32 x) {
    a[x % Length] = x;
    a[k] += a[(x / 3) % Length];
  }
  u32 a[Length];
};

// Pointers to private numbers, chosen before a barrier and followed after it.
[[gnu::noinline]] void add_to(u32* p, u32 x) noexcept { *p += x; }

struct Pointers : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 a = input(in, item), b = a / 2, c[3] = {a, b, 1};
          u32* p = a % 2 == 0 ? &a : &b;
          u32* q = &c[a % 3];
          u32** which = a % 5 < 2 ? &p : &q;
          t[l] = *p + *q;
          item.barrier();
          add_to(*which, t[(l + 1) % n]);
          std::swap(p, q);
          item.barrier();
          t[l] = *p;
          item.barrier();
          **which ^= t[(l + 2) % n];
          out[item.global_id()] = 3 * a + 5 * b + 7 * c[0] + 11 * c[1] + 13 * c[2] + (p == &a ? 1 : 0);
        });
  }
  static void expect(const Data& d) {
    struct Item {
      u32 v[5];  // a b c
      int p, q;
      bool first;
    };
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      std::vector<Item> items(n);
      Numbers t = numbers(d.size);
      all_items(d.size, [&](auto l) {
        const u32 a = input(d, g, l);
        items[l] = {{a, a / 2, a, a / 2, 1}, a % 2 == 0 ? 0 : 1, 2 + static_cast<int>(a % 3), a % 5 < 2};
        t[l] = items[l].v[items[l].p] + items[l].v[items[l].q];
      });
      all_items(d.size, [&](auto l) {
        auto& i = items[l];
        i.v[i.first ? i.p : i.q] += t[(l + 1) % n];
        std::swap(i.p, i.q);
      });
      all_items(d.size, [&](auto l) { t[l] = items[l].v[items[l].p]; });
      all_items(d.size, [&](auto l) {
        auto& i = items[l];
        i.v[i.first ? i.p : i.q] ^= t[(l + 2) % n];
        output(d, g, l) = 3 * i.v[0] + 5 * i.v[1] + 7 * i.v[2] + 11 * i.v[3] + 13 * i.v[4] + (i.p == 0 ? 1 : 0);
      });
    }
  }
};

struct EscapedAddress : Fission {  // a private number whose address is temporarily in global memory
  static constexpr Index largest = 255;
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    std::vector<u32*> pointers(static_cast<std::size_t>(d.groups * d.size));
    u32** const kept = pointers.data();
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          u32 x = input(in, item);
          kept[item.global_id()] = &x;
          item.barrier();
          *kept[item.global_id()] *= 3;
          item.barrier();
          out[item.global_id()] = x;
        });
  }
  static void expect(const Data& d) {
    for (Index g = 0; g < d.groups; ++g) all_items(d.size, [&](auto l) { output(d, g, l) = 3 * input(d, g, l); });
  }
};

struct LifeInALoop : Fission {  // recreated in each iteration, with a barrier in its lifetime; kept only while it lives
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          u32 x = input(in, item);
          for (u32 k = 0; k < 3; ++k) {
            u32 a[8] = {x, k};
            {
              u32 b[4] = {k};
              b[x % 4] += x;
              t[l] = b[0] + b[3];
              item.barrier();
              a[x % 8] += b[k] + t[n - 1 - l];
            }
            item.barrier();
            u32 c[4] = {5};
            c[(x / 8) % 4] += a[7] + a[1];
            t[l] = c[0];
            item.barrier();
            x = a[0] + 3 * a[x % 8] + c[3] + t[(l + 1) % n];
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
      for (u32 k = 0; k < 3; ++k) {
        std::vector<std::array<u32, 8>> a(n, {0}), b(n, {0}), c(n, {5});
        all_items(d.size, [&](auto l) {
          a[l][0] = x[l];
          a[l][1] = k;
          b[l][0] = k;
          b[l][x[l] % 4] += x[l];
          t[l] = b[l][0] + b[l][3];
        });
        all_items(d.size, [&](auto l) { a[l][x[l] % 8] += b[l][k] + t[n - 1 - l]; });
        all_items(d.size, [&](auto l) { c[l][(x[l] / 8) % 4] += a[l][7] + a[l][1]; });
        all_items(d.size, [&](auto l) { x[l] = a[l][0] + 3 * a[l][x[l] % 8] + c[l][3] + c[(l + 1) % n][0]; });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = x[l]; });
    }
  }
};

const bool added = add<Phases<Array>>("PrivateArray") && add<Phases<Mixed>>("Struct") && add<Phases<Union>>("Union") &&
                   add<Phases<Volatile>>("Volatile") && add<Phases<Aligned>>("AlignedStruct") &&
                   add<Phases<Standard>>("StandardArray") && add<Phases<Nodes>>("NodesThatPointToOneAnother") &&
                   add<Phases<Large<700>>>("LargeArray") && add<Phases<Large<4000>>>("VeryLargeArray") &&
                   add<Pointers>("Pointers") && add<EscapedAddress>("EscapedAddress") &&
                   add<LifeInALoop>("LifeInALoop");

}  // namespace
}  // namespace trellis::conformance
