// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/values.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "spmd/random_kernels/operations.hpp"

namespace trellis::random_kernels {
namespace {

template <class T>
T from_bits(u64 bits) {
  T x;
  if constexpr (std::is_same_v<T, float>) {
    const u32 low = static_cast<u32>(bits);
    std::memcpy(&x, &low, sizeof x);
  } else {
    x = static_cast<T>(bits);
  }
  return x;
}
template <class T>
u64 to_bits(T x) {
  if constexpr (std::is_same_v<T, float>) {
    u32 low;
    std::memcpy(&low, &x, sizeof low);
    return low;
  } else {
    return x;
  }
}

template <class F>
auto with_type(Type type, const F& f) {
  switch (type) {
    case Type::u8:
      return f(u8{});
    case Type::u16:
      return f(u16{});
    case Type::u32:
      return f(u32{});
    case Type::u64:
      return f(u64{});
    default:
      return f(float{});
  }
}

template <class T>
u64 integers(Operation op, T a, T b) {
  switch (op) {
    case Operation::both:
      return both(a, b);
    case Operation::either:
      return either(a, b);
    case Operation::differ:
      return differ(a, b);
    case Operation::left:
      return left(a, b);
    case Operation::right:
      return right(a, b);
    case Operation::quotient:
      return quotient(a, b);
    case Operation::remainder:
      return remainder(a, b);
    case Operation::outside:
      return outside(static_cast<u32>(a), static_cast<u32>(b));
    default:
      throw std::logic_error("no operation of integers");
  }
}

template <class T>
u64 compute(Operation op, T a, T b) {
  switch (op) {
    case Operation::add:
      return to_bits(add(a, b));
    case Operation::subtract:
      return to_bits(subtract(a, b));
    case Operation::multiply:
      return to_bits(multiply(a, b));
    case Operation::lower:
      return to_bits(lower(a, b));
    case Operation::higher:
      return to_bits(higher(a, b));
    case Operation::less:
      return less(a, b);
    case Operation::equal:
      return equal(a, b);
    default:
      if constexpr (!std::is_same_v<T, float>) return integers(op, a, b);
      throw std::logic_error("no operation of floats");
  }
}

}  // namespace

u64 compute(Operation op, Type type, u64 a, u64 b) {
  return with_type(type, [&](auto t) {
    using T = decltype(t);
    return compute(op, from_bits<T>(a), from_bits<T>(b));
  });
}

u64 convert_value(Type from, Type to, u64 value) {
  return with_type(from, [&](auto f) {
    const auto x = from_bits<decltype(f)>(value);
    return with_type(to, [&](auto t) { return to_bits(convert<decltype(t)>(x)); });
  });
}

}  // namespace trellis::random_kernels
