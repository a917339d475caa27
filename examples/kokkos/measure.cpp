// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/kokkos/measure.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "examples/comparison.hpp"
#include "examples/kokkos/kernels.hpp"
#include "examples/kokkos/native.hpp"
#include "trellis/core/error.hpp"

namespace examples::kokkos {
namespace {

constexpr double r = 0.1;
constexpr int dispatches = 1000;  // per timed call

struct Lines {
  explicit Lines(Index n) : a("a", n), b("b", n), c("c", n) {
    trellis::deep_copy(b, 0.2);
    trellis::deep_copy(c, 0.3);
  }
  Line a, b, c;
};

struct Grids {
  explicit Grids(Index side) : h(1 / double(side - 1)), u("u", side, side, side), next("next", side, side, side) {
    const auto host = trellis::create_mirror_view(u);
    for (Index i = 1; i < side - 1; ++i)
      for (Index j = 1; j < side - 1; ++j)
        for (Index k = 1; k < side - 1; ++k) host(i, j, k) = wave(1, i) * wave(2, j) * wave(3, k);
    trellis::deep_copy(u, host);
  }
  double wave(int m, Index i) const { return std::sin(m * std::numbers::pi * h * double(i)); }

  double h;
  Grid u, next;
};

void require_near(const char* version, const char* loop, double found, double expected, double tolerance) {
  if (!(std::fabs(found - expected) <= tolerance)) {
    trellis::fail("{}: {} gave {}, expected {}; the allowed deviation is {}", version, loop, found, expected,
                  tolerance);
  }
}

template <class Version>
void check(const char* version, const Lines& lines, const Grids& grids) {
  trellis::deep_copy(lines.a, 0.0);
  Version::triad(lines.a, lines.b, lines.c);
  Exec{}.fence();
  const auto a = trellis::create_mirror_view_and_copy(lines.a);
  for (Index i = 0; i < a.size(); ++i) require_near(version, "triad", a(i), 0.2 + scalar * 0.3, 1e-15);
  const double expected = 0.2 * 0.3 * double(a.size());
  require_near(version, "dot", Version::dot(lines.b, lines.c), expected, 1e-8 * expected);

  trellis::deep_copy(grids.next, 0.0);
  Version::stencil(grids.u, grids.next, r);
  Exec{}.fence();
  double factor = 1;
  for (const int m : {1, 2, 3}) factor -= 4 * r * std::pow(std::sin(m * std::numbers::pi * grids.h / 2), 2);
  const auto u = trellis::create_mirror_view_and_copy(grids.u), next = trellis::create_mirror_view_and_copy(grids.next);
  const Index side = u.extent(0);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j)
      for (Index k = 0; k < side; ++k) require_near(version, "stencil", next(i, j, k), factor * u(i, j, k), 1e-14);
}

template <class Ours>
void add_rows(Result& result, const std::string& space, const Lines& lines, const Grids& grids, int repetitions) {
  const auto row = [&](const char* loop, const char* unit, double work, const auto& ours, const auto& native) {
    const auto fenced = [](const auto& f) {
      return [&f] {
        f();
        Exec{}.fence();
      };
    };
    result.rows.push_back(
        rate_row(fmt::format("{}, {}", loop, space), unit, work, compare(repetitions, fenced(ours), fenced(native))));
  };
  const double n = double(lines.a.size()), points = std::pow(double(grids.u.extent(0) - 2), 3);
  row(
      "triad", "GB/s", 24e-9 * n, [&] { Ours::triad(lines.a, lines.b, lines.c); },
      [&] { Native::triad(lines.a, lines.b, lines.c); });
  double sum = 0;
  row(
      "dot", "GB/s", 16e-9 * n, [&] { sum += Ours::dot(lines.b, lines.c); },
      [&] { sum -= Native::dot(lines.b, lines.c); });
  row(
      "stencil", "GB/s", 16e-9 * points, [&] { Ours::stencil(grids.u, grids.next, r); },
      [&] { Native::stencil(grids.u, grids.next, r); });
  row(
      "nothing", "M/s", 1e-6 * dispatches,
      [&] {
        for (int call = 0; call < dispatches; ++call) Ours::nothing();
      },
      [&] {
        for (int call = 0; call < dispatches; ++call) Native::nothing();
      });
}

}  // namespace

Result measure(const Settings& settings) {
  const Lines lines(settings.size);
  const Grids grids(settings.side);
  Result result{.program = "kokkos"};
  check<Native>("Kokkos", lines, grids);
  check<Trellis<Exec>>("Trellis through Kokkos", lines, grids);
  add_rows<Trellis<Exec>>(result, "through Kokkos", lines, grids, settings.repetitions);
  if constexpr (Memory::host_reaches) {
    check<Trellis<trellis::Serial>>("Trellis in Serial", lines, grids);
    add_rows<Trellis<trellis::Serial>>(result, "Serial", lines, grids, settings.repetitions);
  }
  return result;
}

}  // namespace examples::kokkos
