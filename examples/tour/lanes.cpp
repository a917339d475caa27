// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// SIMD lanes: one variable holds several numbers, and the same source works for registers of any width. Here they are
// CPU registers; random.cpp has a kernel that GPU threads can run, too.
#include <array>
#include <numbers>

#include "examples/tour/tour.hpp"
#include "trellis/core/complex.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/math.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/core/simd/with_lanes.hpp"

using namespace trellis;

namespace {

// exp(i pi u) by our own sine and cosine, whose bits do not depend on the C library. S may be either double or
// simd<double, W>.
template <class S>
complex<S> turn(const S& u) {
  S sine = S(0.0), cosine = S(0.0);
  sincospi(u, sine, cosine);
  return {cosine, sine};
}

// The real part of exp(i pi (u + v)) for eight angles u, W at a time.
template <class S>
std::array<double, 8> cosines(const std::array<double, 8>& u, double v) {
  alignas(64) std::array<double, 8> in = u, out{};
  for (int k = 0; k < 8; k += lane_count<S>) {
    const complex<S> product = turn(load_lanes<S>(&in[std::size_t(k)])) * turn(S(v));
    store_lanes<S>(&out[std::size_t(k)], product.re);
  }
  return out;
}

}  // namespace

int main() {
  return tour::run([] {
    using S = simd<double, 4>;
    alignas(32) const double numbers[4] = {1, 2, 3, 4};
    const S x = S::load(numbers);
    const S y = fma(x, x, S(1.0));                    // x^2 + 1, rounded once; a * b + c would round twice
    const S clipped = select(y > S(9.0), S(9.0), y);  // chosen lane by lane: there are no branches
    tour::expect(y[2] == 10 && clipped[2] == 9 && clipped[1] == 5, "lanes are independent of one another");
    const complex<S> z{x, -x};
    tour::expect((z * conj(z)).re[3] == 32 && norm(z)[3] == 32, "z conj(z) = |z|^2 in each lane");
    tour::expect_near(log(x)[2], std::log(3.0), 1e-15, "our logarithm");

    const std::array<double, 8> angles{0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
    const auto one_by_one = cosines<double>(angles, 0.125);
    tour::expect(cosines<simd<double, 2>>(angles, 0.125) == one_by_one, "two at a time give the same bits");
    tour::expect(cosines<simd<double, 8>>(angles, 0.125) == one_by_one, "and so do eight at a time");
    tour::expect_near(one_by_one[3], std::cos(std::numbers::pi * 0.875), 1e-15, "cos(a + b)");

    // Fields come with the lane counts that the library was compiled for. with_lanes turns a lane count known only at
    // run time into a compile-time constant:
    fmt::print("lane counts for doubles:");
    for (const int lanes : compiled_lane_counts<double>()) {
      const int bytes = with_lanes<double>(lanes, [&]<int W>() { return int(sizeof(double)) * W; });
      fmt::print(" {} ({} bytes)", lanes, bytes);
    }
    fmt::print("\n");
#define TRELLIS_TOUR_COUNT(W) +1
    const int counts = 0 TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_TOUR_COUNT);  // for explicit instantiation
    tour::expect(counts == int(compiled_lane_counts<float>().size()), "the macro is called once per lane count");
  });
}
