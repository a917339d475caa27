// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of every type that live across barriers: narrow, wide, wrapping, NaN, vectors, bit-fields.
#include <cmath>
#include <cstring>
#include <limits>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

template <class T>
u32 bits_of(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x) return 12345;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof(T) < 8 ? sizeof(T) : 8);
    return static_cast<u32>(bits ^ (bits >> 32));
  } else {
    return static_cast<u32>(x) ^ static_cast<u32>(static_cast<std::uint64_t>(x) >> 32);
  }
}

// Operation is f(own number, another's, iteration), for three iterations.
template <class T, class Operation>
struct Turns : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<T[1024]>();
          const Index l = item.local_id(), n = item.local_range();
          T x = Operation::make(input(in, item));
          for (int k = 0; k < 3; ++k) {
            t[l] = x;
            item.barrier();
            const T y = t[(l + 1) % n];
            x = Operation::step(x, y, k);
            item.barrier();
            x = Operation::step(y, x, k);
          }
          out[item.global_id()] = Operation::bits(x);
        });
  }
  static void expect(const Data& d) {
    const auto n = static_cast<std::size_t>(d.size);
    for (Index g = 0; g < d.groups; ++g) {
      std::vector<T> x(n), y(n);
      all_items(d.size, [&](auto l) { x[l] = Operation::make(input(d, g, l)); });
      for (int k = 0; k < 3; ++k) {
        const std::vector<T> t = x;
        all_items(d.size, [&](auto l) {
          y[l] = t[(l + 1) % n];
          x[l] = Operation::step(x[l], y[l], k);
        });
        all_items(d.size, [&](auto l) { x[l] = Operation::step(y[l], x[l], k); });
      }
      all_items(d.size, [&](auto l) { output(d, g, l) = Operation::bits(x[l]); });
    }
  }
};

template <class T>
struct Wrapping {
  using Unsigned = std::make_unsigned_t<T>;
  static T make(u32 x) { return static_cast<T>(x * 2654435761U); }
  static T step(T x, T y, int k) {
    const auto sum =
        static_cast<T>(static_cast<std::uint64_t>(static_cast<Unsigned>(x)) * 3 + static_cast<Unsigned>(y));
    const T least = x < y ? x : y;
    const T part = static_cast<T>(sum / static_cast<T>(k + 2) + (sum % 5));
    return static_cast<T>((sum >> (k + 1)) ^ least ^ part);
  }
  static u32 bits(T x) { return bits_of(x); }
};

template <class T>
struct Floating {
  static T make(u32 x) {
    if (x % 11 == 0) return std::numeric_limits<T>::quiet_NaN();
    if (x % 13 == 0) return -std::numeric_limits<T>::infinity();
    return x % 7 == 0 ? T(-0.0) : static_cast<T>(x % 5000) / 8;
  }
  static T step(T x, T y, int k) {
    const T least = x < y ? x : y, most = std::fmax(x, y) + T(0);  // which zero fmax returns is unspecified
    const T root = std::sqrt(std::fabs(x)) + std::floor(y / 3);
    return k == 0 ? least + most / 2 : k == 1 ? std::copysign(root, x) : (std::fmin(x, y) + T(0)) * T(0.1) - least;
  }
  static u32 bits(T x) { return bits_of(x); }
};

struct Booleans {
  static bool make(u32 x) { return x % 2 == 1; }
  static bool step(bool x, bool y, int k) { return k == 1 ? x && !y : x != y; }
  static u32 bits(bool x) { return x ? 1 : 0; }
};

typedef u32 Four __attribute__((vector_size(16)));
struct Vectors {
  static Four make(u32 x) { return Four{x, x + 1, 2 * x, 3}; }
  static Four step(Four x, Four y, int k) { return x * 3 + (y ^ static_cast<u32>(k)); }
  static u32 bits(Four x) { return x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3]; }
};

struct Fields {
  unsigned a : 3, b : 7, c : 1;
  int d : 5;
};
struct BitFields {
  static Fields make(u32 x) { return {x & 7, (x >> 3) & 127, (x >> 10) & 1, static_cast<int>((x >> 11) & 15)}; }
  static Fields step(Fields x, Fields y, int k) {
    x.a = (x.a + y.b) & 7;
    x.b = (x.b ^ y.a) & 127;
    x.c = x.c != y.c;
    x.d = (y.d + k) / 2;
    return x;
  }
  static u32 bits(Fields x) { return x.a + 8 * x.b + 1024 * x.c + 2048 * static_cast<u32>(x.d); }
};

__extension__ typedef unsigned __int128 Wide;
struct Int128 {
  static Wide make(u32 x) { return (static_cast<Wide>(x) << 90) + x; }
  static Wide step(Wide x, Wide y, int k) { return x * 1000003 + (y >> (k + 60)); }
  static u32 bits(Wide x) { return static_cast<u32>(x ^ (x >> 32) ^ (x >> 64) ^ (x >> 96)); }
};

enum class Colour : unsigned char { red, green, blue };
struct Enumerations {
  static Colour make(u32 x) { return static_cast<Colour>(x % 3); }
  static Colour step(Colour x, Colour y, int k) {
    if (x == y) return static_cast<Colour>(k);
    return x == Colour::red ? y : Colour::blue;
  }
  static u32 bits(Colour x) { return static_cast<u32>(x); }
};

const bool added = add<Turns<std::int8_t, Wrapping<std::int8_t>>>("Int8") &&
                   add<Turns<std::uint8_t, Wrapping<std::uint8_t>>>("Uint8") &&
                   add<Turns<std::int16_t, Wrapping<std::int16_t>>>("Int16") &&
                   add<Turns<std::int64_t, Wrapping<std::int64_t>>>("Int64") &&
                   add<Turns<float, Floating<float>>>("Float") && add<Turns<double, Floating<double>>>("Double") &&
                   add<Turns<bool, Booleans>>("Bool") && add<Turns<Four, Vectors>>("VectorType") &&
                   add<Turns<Fields, BitFields>>("BitFields") && add<Turns<Wide, Int128>>("Int128") &&
                   add<Turns<Colour, Enumerations>>("Enumeration");

}  // namespace
}  // namespace trellis::conformance
