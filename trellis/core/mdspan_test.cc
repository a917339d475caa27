// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Built by a compiler whose standard library has mdspan (core/CMakeLists.txt looks for one), which may differ from the
// one that builds Trellis. Unmanaged Views need none of core's object files except these functions, which are never
// called:
#include "trellis/core/mdspan.hpp"

#include <cstdio>
#include <cstdlib>

#if !defined(__cpp_lib_mdspan)
#error "no mdspan here"
#endif

void trellis::count_one_more(Allocation*) noexcept { std::abort(); }
void trellis::count_one_less(Allocation*) noexcept { std::abort(); }
void trellis::detail::extents_differ(const Allocation*, int, Index, Index) { std::abort(); }

namespace {

using namespace trellis;

int failures = 0;
void expect(bool right, const char* what) {
  if (!right) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}

template <class Layout, class Standard>
void round_trip() {
  double numbers[2 * 3 * 5];
  const View<double** [5], Layout, HostSpace> view(numbers, 2, 3);
  const auto span = to_mdspan(view);
  using Span = std::remove_const_t<decltype(span)>;
  static_assert(std::is_same_v<typename Span::layout_type, Standard> && Span::static_extent(2) == 5 &&
                Span::static_extent(1) == std::dynamic_extent);
  const auto back = from_mdspan(span);
  static_assert(std::is_same_v<std::remove_const_t<decltype(back)>, std::remove_const_t<decltype(view)>>);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index k = 0; k < 5; ++k) {
        expect(&span[i, j, k] == &view(i, j, k), "the span leads where the view does");
        expect(&back(i, j, k) == &view(i, j, k), "and so does what comes back");
      }
}

}  // namespace

int main() {
  round_trip<LayoutRight, std::layout_right>();
  round_trip<LayoutLeft, std::layout_left>();

  double numbers[24];
  const View<double**, LayoutRight, HostSpace> matrix(numbers, 4, 6);
  const View<const double**, LayoutStride, HostSpace> strided = matrix;
  const auto span = to_mdspan(strided);
  static_assert(std::is_same_v<decltype(span[0, 0]), const double&>);
  expect(&span[3, 2] == &numbers[20], "strides are kept");
  expect(&from_mdspan(span)(3, 2) == &numbers[20], "and come back");

  // A static extent before a run-time one becomes a run-time extent.
  const std::mdspan<double, std::extents<int, 4, std::dynamic_extent>> mixed(numbers, 6);
  static_assert(decltype(from_mdspan(mixed))::rank_dynamic == 2);
  expect(from_mdspan(mixed).extent(1) == 6 && &from_mdspan(mixed)(2, 1) == &numbers[13], "extents of any kind");
  return failures == 0 ? 0 : 1;
}
