// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Where the time goes: a profile of kernels, your own listener, regions, and a stopwatch.
// (Without writing any code: TRELLIS_PROFILE and TRELLIS_TRACE in the environment do this for any program.)
#include <string>
#include <vector>

#include "examples/tour/tour.hpp"
#include "trellis/core/core.hpp"  // all of the programming model; the other programs include what they need
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/runtime/runtime.hpp"
#include "trellis/core/stopwatch.hpp"

using namespace trellis;

namespace {

constexpr Index n = 100000;

// A kernel states how many bytes it moves and how many flops it does, so that a profile can show GB/s and GFLOP/s.
void triad(const View<double*>& a, const View<const double*>& b, const View<const double*>& c) {
  parallel_for(Kernel("triad", 24.0 * n, 2.0 * n), n, TRELLIS_LAMBDA(Index i) { a(i) = b(i) + 0.5 * c(i); });
}

double sum(const View<const double*>& a) {
  double total;
  parallel_reduce(Kernel("sum", 8.0 * n, n), n, TRELLIS_LAMBDA(Index i, double& s) { s += a(i); }, total);
  return total;
}

}  // namespace

int main() {
  return tour::run([] {
    const Runtime runtime;  // optional: reads the environment now, and writes its profile at the end of this scope

    std::vector<std::string> labels;
    int triads = 0;
    Listener listener;  // empty hooks cost nothing
    listener.allocate = [&](const MemoryEvent& e) { labels.emplace_back(e.label); };
    listener.begin_kernel = [&](const KernelEvent& e) { triads += std::string(e.kernel.name) == "triad" ? 1 : 0; };
    listener.end_region = [](const RegionEvent& e) { fmt::print("{}: {:.3f} ms\n", e.name, 1e3 * e.seconds); };

    KernelProfile profile;
    double seconds = 0;
    {
      const Listening listening(listener);  // until the end of the scope
      const Region region("ten triads");
      const View<double*> a("a", n), b("b", n), c("c", n);
      const ActiveProfile active(profile);
      for (int repeat = 0; repeat < 10; ++repeat) timed(seconds, [&] { triad(a, b, c); });
      tour::expect(sum(a) == 0, "Views are initialised to zero");
    }
    for (const KernelTotals& kernel : profile.kernels()) {
      fmt::print("{:6} {:3} calls {:8.1f} us {:6.1f} GB/s\n", kernel.name, kernel.calls, 1e6 * kernel.seconds,
                 1e-9 * kernel.bytes / kernel.seconds);
    }
    tour::expect(profile.kernels().size() == 2, "two kernels, in the order of their first calls");
    tour::expect(profile.kernels()[0].calls == 10 && profile.kernels()[0].bytes == 240.0 * n,
                 "ten triads of 24 n bytes");
    labels.resize(3);  // on a GPU the sum may allocate, too
    tour::expect(triads == 10 && labels == std::vector<std::string>{"a", "b", "c"},
                 "the listener saw all kernels and allocations");
    tour::expect(seconds > 0, "the stopwatch accumulates time");
  });
}
