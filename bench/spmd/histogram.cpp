// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How often each of 64 values occurs among the numbers of a group, four per work-item, counted by atomics in local
// memory.
#include "bench/spmd/problem_tools.hpp"
#include "trellis/core/atomic.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int bins = 64, numbers_each = 4;

constexpr const char* open_cl_source = R"(
kernel void histogram(global const uint* values, global uint* counts) {
  local uint own[BINS];
  const int id = get_local_id(0);
  const int size = get_local_size(0);
  for (int bin = id; bin < BINS; bin += size) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int first = get_group_id(0) * size * EACH;
  #pragma unroll
  for (int k = 0; k < EACH; ++k) atomic_inc(&own[values[first + k * size + id]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = id; bin < BINS; bin += size) counts[get_group_id(0) * BINS + bin] = own[bin];
})";

class Histogram : public Problem {
 public:
  Histogram(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        values_("values", items_ * numbers_each),
        counts_("counts", items_ / group * bins) {
    Numbers numbers(7);
    for (Index i = 0; i < values_.extent(0); ++i) {
      values_(i) = static_cast<unsigned>((numbers.next() + 1) * (bins / 2));
    }
  }

  Work work() const override {
    return {items_, 0, 4.0 * numbers_each * double(items_) + 4.0 * double(counts_.extent(0))};
  }

  void run(WorkItems way) override {
    const unsigned* const values = values_.data();
    unsigned* const counts = counts_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "histogram", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            auto& own = item.local<unsigned[bins]>();
            const Index id = item.local_id();
            const Index size = item.local_range();
            for (Index bin = id; bin < bins; bin += size) own[bin] = 0;
            item.barrier();
            const Index first = item.group_id() * size * numbers_each;
            for (int k = 0; k < numbers_each; ++k) atomic_add(&own[values[first + k * size + id]], 1u);
            item.barrier();
            for (Index bin = id; bin < bins; bin += size) counts[item.group_id() * bins + bin] = own[bin];
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "histogram",
            fmt::format("-DBINS={} -DEACH={}", bins, numbers_each),
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(values_), buffer(counts_)}};
  }

  void spoil() override { fill_with(counts_, 12345u); }
  std::string check() const override {
    std::vector<unsigned> expected(static_cast<std::size_t>(counts_.extent(0)), 0);
    for (Index i = 0; i < values_.extent(0); ++i) {
      ++expected[static_cast<std::size_t>(i / (group_ * numbers_each) * bins) + values_(i)];
    }
    return compare(counts_.extent(0), counts_, [&](Index i) { return expected[std::size_t(i)]; }, 0);
  }

 private:
  int group_;
  Index items_;
  View<unsigned*, HostSpace> values_, counts_;
};

}  // namespace

KernelEntry variant::histogram_kernel() {
  return {"histogram",
          "64 bins in local memory, atomics",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Histogram>(group, items); },
          Index(1) << 18};
}

}  // namespace trellis::bench::spmd
