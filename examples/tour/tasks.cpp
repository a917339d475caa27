// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How kernels run: a schedule for uneven work, one functor with several kernels (work tags), bounds for a GPU's
// registers, tasks that depend on one another, and threads that stay on their cores. No result depends on any of it.
#include "examples/tour/tour.hpp"
#include "trellis/core/config.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/policy.hpp"
#include "trellis/core/policy/policy_properties.hpp"
#include "trellis/core/runtime/binding.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/tasks/task_graph.hpp"
#include "trellis/core/view.hpp"

using namespace trellis;

namespace {

constexpr Index n = 300;
using Exec = DefaultExecutionSpace;

// The lengths of Collatz sequences differ from index to index, so threads fetch eight at a time.
struct Collatz {
  struct Steps {};
  struct Sum {};
  View<Index*> steps;

  TRELLIS_FUNCTION void operator()(Steps, Index i) const {
    Index count = 0;
    for (Index k = i + 1; k != 1; k = k % 2 == 0 ? k / 2 : 3 * k + 1) ++count;
    steps(i) = count;
  }
  TRELLIS_FUNCTION void operator()(Sum, Index i, Index& sum) const { sum += steps(i); }
};

Index collatz_steps() {
  const Collatz kernels{View<Index*>("steps", n)};
  using Uneven = RangePolicy<Exec, Collatz::Steps, Schedule<Dynamic>, LaunchBounds<128>>;
  parallel_for("steps", Uneven(0, n).set_chunk_size(8), kernels);
  Index sum = 0;
  parallel_reduce("sum", RangePolicy<Exec, Collatz::Sum>(0, n), kernels, sum);
  return sum;
}

void fill(const Exec& space, const View<double*>& a, double value) { deep_copy(space, a, value); }
void add(const Exec& space, const View<double*>& a, const View<const double*>& b) {
  parallel_for("add", RangePolicy<Exec>(space, 0, n), TRELLIS_LAMBDA(Index i) { a(i) += b(i); });
}

}  // namespace

int main() {
  return tour::run([] {
    const Index expected = [] {
      Index sum = 0;
      for (Index i = 1; i <= n; ++i)
        for (Index k = i; k != 1; k = k % 2 == 0 ? k / 2 : 3 * k + 1) ++sum;
      return sum;
    }();
    tour::expect(collatz_steps() == expected, "the sum is that of a plain loop");

    // a and b may be made at the same time; the sums come after.
    const View<double*> a("a", n), b("b", n);
    TaskGraph<> graph;
    const Task make_a = graph.add("make a", [=](const Exec& space) { fill(space, a, 1); });
    const Task make_b = graph.add("make b", [=](const Exec& space) { fill(space, b, 2); });
    const Task add_b = graph.add("a + b", [=](const Exec& space) { add(space, a, b); }, {make_a, make_b});
    graph.add("b + (a + b)", [=](const Exec& space) { add(space, b, a); }, {add_b});
    for (const TaskOrder order : {TaskOrder::one_by_one, TaskOrder::side_by_side}) {
      graph.run(order);
      tour::expect(create_mirror_view_and_copy(HostSpace{}, b)(n - 1) == 5, "2 + (1 + 2) = 5, in either order");
    }

    try {
      bind_threads(Binding::core);
      tour::expect(collatz_steps() == expected, "the sum is the same on fixed cores");
      bind_threads(Binding::none);
    } catch (const InputError& error) {
      fmt::print("{}\n", error.what());  // no hwloc in this build, or a machine that does not allow it
    }
  });
}
