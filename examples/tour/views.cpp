// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Arrays: what a View is, how its layout arranges elements in memory, subviews, and copies between host and device.
#include <span>
#include <vector>

#include "examples/tour/tour.hpp"
#include "trellis/core/extents.hpp"
#include "trellis/core/layout.hpp"
#include "trellis/core/mdspan.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/subview.hpp"
#include "trellis/core/view.hpp"

using namespace trellis;

namespace {

// A layout is a type: the same index, four places in memory. For 8 sites of 3 components each.
void layouts() {
  using Sites = Extents<dynamic_extent, 3>;  // what double*[3] means: one extent known at run time, then 3
  const Sites sites{{8}};
  const LayoutRight::Mapping<Sites> right{sites};     // the components of a site are adjacent
  const LayoutLeft::Mapping<Sites> left{sites};       // all sites of one component are adjacent
  const LayoutTiled<4>::Mapping<Sites> tiled{sites};  // four sites fill a SIMD register, then comes the next component
  fmt::print("element (5, 2) is at {} (right), {} (left), {} (tiles of 4)\n", right(5, 2), left(5, 2), tiled(5, 2));
  tour::expect(right(5, 2) == 5 * 3 + 2, "LayoutRight: the last index runs fastest");
  tour::expect(left(5, 2) == 5 + 2 * 8, "LayoutLeft: the first index runs fastest");
  tour::expect(tiled(5, 2) == (1 * 3 + 2) * 4 + 1, "LayoutTiled: tile 1, component 2, lane 1");
}

void sharing_and_copying() {
  const HostView<double* [3]> a("a", 8);  // zeros
  a(5, 2) = 7;
  const HostView<const double* [3]> same = a;  // a View is a handle: this one shares the memory, read-only
  const auto clone = create_mirror(a);
  deep_copy(clone, a);  // data are copied here and nowhere else
  a(5, 2) = 8;
  tour::expect(same(5, 2) == 8 && clone(5, 2) == 7, "Views share memory, deep_copy copies it");

  const auto site = subview(a, 5, ALL);  // one index fixed: a View of rank 1
  const auto column = subview(a, Range{4, 8}, 2);
  tour::expect(site(2) == 8 && column(1) == 8 && site.size() == 3 && column.size() == 4, "parts share memory too");

  std::vector<double> numbers(6, 1.0);  // memory owned by something else
  const HostView<double**> matrix(std::span<double>(numbers), 2, 3);
  matrix(1, 2) = 5;
  tour::expect(numbers[5] == 5, "a View of a std::span writes to the memory of the span");
#if defined(__cpp_lib_mdspan)
  const auto span = to_mdspan(matrix);  // with C++23, Views convert to and from std::mdspan
  tour::expect(span[1, 2] == 5, "std::mdspan of a View");
#endif
}

// In a CUDA build the default space is a GPU. The host then cannot access its memory, which the compiler checks. A
// mirror is a View of the same shape that the host can access; if there is only one memory, it is the View itself.
void mirrors() {
  const View<double*> there("numbers", 100);
  const auto here = create_mirror_view(there);
  for (Index i = 0; i < 100; ++i) here(i) = double(i);
  deep_copy(there, here);
  const auto back = create_mirror_view_and_copy(HostSpace{}, there);
  fmt::print("kernels run in {}, on {} thread(s) at a time\n", DefaultExecutionSpace::name, concurrency());
  tour::expect(back(99) == 99, "the numbers went there and back");
}

}  // namespace

int main() {
  return tour::run([] {
    layouts();
    sharing_and_copying();
    mirrors();
    try {
      deep_copy(HostView<double*>("three", 3), HostView<double*>("four", 4));
      tour::expect(false, "extents must agree");
    } catch (const Error& error) {
      fmt::print("errors name the arrays involved: {}\n", error.what());
    }
  });
}
