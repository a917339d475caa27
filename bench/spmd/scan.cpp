// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Prefix sums of each group's numbers, doubling the distance in log2(group) steps (W. D. Hillis, G. L. Steele, Commun.
// ACM 29 (1986) 1170), alternating between two halves of local memory.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void scan(global const float* a, global float* sums, local float* both) {
  const int id = get_local_id(0);
  const int size = get_local_size(0);
  local float* from = both;
  local float* to = both + size;
  from[id] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < size; distance *= 2) {
    to[id] = id >= distance ? from[id] + from[id - distance] : from[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    local float* const old = from;
    from = to;
    to = old;
  }
  sums[get_global_id(0)] = from[id];
})";

class Scan : public Problem {
 public:
  Scan(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), in_("in", items_), sums_("sums", items_) {
    fill(in_, 2);
  }

  // Results of the sequential algorithm.
  Work work() const override { return {items_, double(items_), 8.0 * double(items_)}; }

  void run(WorkItems way) override {
    const float* const a = in_.data();
    float* const sums = sums_.data();
    LocalMemory memory;
    const auto both = memory.array<float>(2 * group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "scan", nd_range<1>{items_, group_}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index id = item.local_id();
            const Index size = item.local_range();
            float* from = item.local(both);
            float* to = from + size;
            from[id] = a[item.global_id()];
            item.barrier();
            for (Index distance = 1; distance < size; distance *= 2) {
              to[id] = id >= distance ? from[id] + from[id - distance] : from[id];
              item.barrier();
              float* const old = from;
              from = to;
              to = old;
            }
            sums[item.global_id()] = from[id];
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "scan",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(in_), buffer(sums_), local_memory(2 * sizeof(float) * std::size_t(group_))}};
  }

  void spoil() override { fill_with(sums_, std::numeric_limits<float>::quiet_NaN()); }
  std::string check() const override {
    double sum = 0;
    return compare(items_, sums_, [&](Index i) { return sum = (i % group_ == 0 ? 0 : sum) + double(in_(i)); }, 0);
  }

 private:
  int group_;
  Index items_;
  View<float*, HostSpace> in_, sums_;
};

}  // namespace

KernelEntry variant::scan_kernel() {
  return {"scan",
          "prefix sums of a group, float",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Scan>(group, items); },
          Index(1) << 19};
}

}  // namespace trellis::bench::spmd
