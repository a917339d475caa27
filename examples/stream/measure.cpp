// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/stream/measure.hpp"

#include <cmath>
#include <limits>

#include "examples/comparison.hpp"
#include "examples/stream/by_hand.hpp"
#include "examples/stream/kernels.hpp"
#include "examples/stream/streaming_kernels.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace examples::stream {
namespace {

// The hand-written counterpart of Plain in kernels.hpp.
struct PlainByHand {
  template <class T>
  static void copy(const Arrays<T>& x) {
    by_hand::copy<T>(x.a.data(), x.c.data(), long(x.a.size()));
  }
  template <class T>
  static void mul(const Arrays<T>& x) {
    by_hand::mul<T>(x.b.data(), x.c.data(), T(scalar), long(x.a.size()));
  }
  template <class T>
  static void add(const Arrays<T>& x) {
    by_hand::add<T>(x.a.data(), x.b.data(), x.c.data(), long(x.a.size()));
  }
  template <class T>
  static void triad(const Arrays<T>& x) {
    by_hand::triad<T>(x.a.data(), x.b.data(), x.c.data(), T(scalar), long(x.a.size()));
  }
  template <class T>
  static T dot(const Arrays<T>& x) {
    return by_hand::dot<T>(x.a.data(), x.b.data(), long(x.a.size()));
  }
};

struct StreamingByHand {
  template <class T>
  static void copy(const Arrays<T>& x) {
    by_hand::streaming::copy<T>(x.a.data(), x.c.data(), long(x.a.size()));
  }
  template <class T>
  static void mul(const Arrays<T>& x) {
    by_hand::streaming::mul<T>(x.b.data(), x.c.data(), T(scalar), long(x.a.size()));
  }
  template <class T>
  static void add(const Arrays<T>& x) {
    by_hand::streaming::add<T>(x.a.data(), x.b.data(), x.c.data(), long(x.a.size()));
  }
  template <class T>
  static void triad(const Arrays<T>& x) {
    by_hand::streaming::triad<T>(x.a.data(), x.b.data(), x.c.data(), T(scalar), long(x.a.size()));
  }
  template <class T>
  static T dot(const Arrays<T>& x) {
    return PlainByHand::dot(x);
  }
};

template <class T>
void check_array(const char* version, const View<T*>& array, double expected) {
  const auto host = trellis::create_mirror_view_and_copy(array);
  double deviation = 0;
  for (Index i = 0; i < host.size(); ++i) deviation += std::fabs(double(host(i)) - expected);
  deviation /= double(host.size());
  const double tolerance = 100 * double(std::numeric_limits<T>::epsilon());
  if (!(deviation <= tolerance)) {
    trellis::fail("{}: array {} should hold {}; its mean deviation is {}, allowed is {}", version, array.label(),
                  expected, deviation, tolerance);
  }
}

template <class Kernels, class T>
void check(const char* version, const Arrays<T>& x) {
  constexpr int rounds = 5;
  start(x);
  T sum = 0, a = T(0.1), b = T(0.2), c = 0;
  for (int round = 0; round < rounds; ++round) {
    Kernels::copy(x);
    Kernels::mul(x);
    Kernels::add(x);
    Kernels::triad(x);
    sum = Kernels::dot(x);
    c = a;
    b = T(scalar) * c;
    c = a + b;
    a = b + T(scalar) * c;
  }
  trellis::fence();
  check_array(version, x.a, double(a));
  check_array(version, x.b, double(b));
  check_array(version, x.c, double(c));
  const double expected = double(a) * double(b) * double(x.a.size());
  const double deviation = std::fabs(double(sum) - expected) / expected;
  const double tolerance = std::is_same_v<T, double> ? 1e-8 : 1e-3;
  if (!(deviation <= tolerance)) {
    trellis::fail("{}: the dot product is {}, expected {}: a relative deviation of {}, allowed is {}", version, sum,
                  expected, deviation, tolerance);
  }
}

template <class Ours, class ByHand, class T>
void compare_stores(Result& result, const std::string& suffix, const Arrays<T>& x, int repetitions) {
  const auto row = [&](const char* name, int numbers, const auto& ours, const auto& by_hand) {
    result.rows.push_back(
        rate_row(name + suffix, "GB/s", 1e-9 * x.bytes(numbers), compare(repetitions, ours, by_hand)));
  };
  row("copy", 2, [&] { Ours::copy(x); }, [&] { ByHand::copy(x); });
  row("mul", 2, [&] { Ours::mul(x); }, [&] { ByHand::mul(x); });
  row("add", 3, [&] { Ours::add(x); }, [&] { ByHand::add(x); });
  row("triad", 3, [&] { Ours::triad(x); }, [&] { ByHand::triad(x); });
}

}  // namespace

template <class T>
Result measure(const Settings& settings) {
  if (settings.size % (64 / Index(sizeof(T))) != 0) {
    trellis::fail_input("--size {}: an array must be a multiple of {} numbers, a cache line", settings.size,
                        64 / sizeof(T));
  }
  const Arrays<T> x(settings.size);
  Result result{.program = "stream"};
  check<Plain>("Trellis", x);
  check<PlainByHand>("by hand", x);
  compare_stores<Plain, PlainByHand>(result, "", x, settings.repetitions);
  T sum = 0;
  const auto dot = compare(settings.repetitions, [&] { sum += Plain::dot(x); }, [&] { sum += PlainByHand::dot(x); });
  result.rows.push_back(rate_row("dot", "GB/s", 1e-9 * x.bytes(2), dot));
  if constexpr (trellis::kernels_on_host) {
    check<Streaming>("Trellis, streaming", x);
    check<StreamingByHand>("by hand, streaming", x);
    compare_stores<Streaming, StreamingByHand>(result, ", streaming", x, settings.repetitions);
  }
  return result;
}

template Result measure<float>(const Settings&);
template Result measure<double>(const Settings&);

}  // namespace examples::stream
