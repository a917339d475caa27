// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Many launches in a row, from several threads, in Serial, and with the way left to the library.
#include <thread>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {
namespace {

template <WorkItems Way, class Range>
void reverse(const Range& range, const u32* in, u32* out, u32 times) {
  parallel_for(
      "reverse", range.by(work_items<Way>), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        auto& t = item.local<u32[1024]>();
        const Index l = item.local_id(), n = item.local_range();
        t[l] = times * input(in, item);
        item.barrier();
        out[item.global_id()] = t[n - 1 - l];
      });
}
void expect_reversed(const Data& d, u32 times) {
  const auto n = static_cast<std::size_t>(d.size);
  for (Index g = 0; g < d.groups; ++g) {
    all_items(d.size, [&](auto l) { output(d, g, l) = times * input(d, g, n - 1 - l); });
  }
}

struct ManyLaunches : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32 last = Way == WorkItems::threads ? 10 : 200;
    for (u32 k = 1; k <= last; ++k) {  // with other sizes in between
      if (k % 7 == 0) reverse<Way>(nd_range<1>{1, 1}, d.in, d.out, k);
      reverse<Way>(nd_range<1>{d.groups * d.size, d.size}, d.in, d.out, k % 10 + 1);
    }
  }
  static void expect(const Data& d) { expect_reversed(d, 1); }
};

struct SeveralThreads : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const Index length = d.groups * d.size;
    std::thread threads[3];
    for (u32 k = 0; k < 3; ++k) {
      threads[k] = std::thread([=] {
        for (int again = 0; again < 3; ++again) {
          reverse<Way>(nd_range<1, Serial>{length, d.size}, d.in, d.out + k * length, k + 1);
        }
      });
    }
    for (auto& t : threads) t.join();
  }
  static void expect(const Data& d) {
    for (u32 k = 0; k < 3; ++k) expect_reversed({d.groups, d.size, d.in, d.out + k * d.groups * d.size}, k + 1);
  }
};

struct Automatic : Fission {
  template <WorkItems>
  static void run(const Data& d) {
    reverse<WorkItems::automatic>(nd_range<1>{d.groups * d.size, d.size}, d.in, d.out, 3);
  }
  static void expect(const Data& d) { expect_reversed(d, 3); }
};

const bool added =
    add<ManyLaunches>("ManyLaunches") && add<SeveralThreads>("SeveralThreads") && add<Automatic>("Automatic");

}  // namespace
}  // namespace trellis::conformance
