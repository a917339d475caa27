// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The sum of each group's numbers, by a tree in local memory.
#include "bench/spmd/by_hand.hpp"
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void reduction(global const double* a, global double* sums, local double* tree) {
  const int id = get_local_id(0);
  tree[id] = a[get_global_id(0)];
  for (int distance = get_local_size(0) / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < distance) tree[id] += tree[id + distance];
  }
  if (id == 0) sums[get_group_id(0)] = tree[0];
})";

class Reduction : public Problem {
 public:
  Reduction(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), in_("in", items_), sums_("sums", items_ / group) {
    fill(in_, 1);
  }

  Work work() const override { return {items_, double(items_), 8.0 * double(items_) * (1 + 1.0 / group_)}; }

  void run(WorkItems way) override {
    const double* const a = in_.data();
    double* const sums = sums_.data();
    LocalMemory memory;
    const auto array = memory.array<double>(group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "reduction", nd_range<1>{items_, group_}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            double* const tree = item.local(array);
            const Index id = item.local_id();
            tree[id] = a[item.global_id()];
            for (Index distance = item.local_range() / 2; distance > 0; distance /= 2) {
              item.barrier();
              if (id < distance) tree[id] += tree[id + distance];
            }
            if (id == 0) sums[item.group_id()] = tree[0];
          });
    });
  }

  bool has_hierarchical() const override { return true; }
  void run_hierarchical() override {
    const double* const a = in_.data();
    double* const sums = sums_.data();
    LocalMemory memory;
    const auto array = memory.array<double>(group_);
    parallel_for_work_group(
        "reduction", nd_range<1>{items_, group_}.with(memory), TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
          double* const tree = group.local(array);
          group.parallel_for_work_item([&](const h_item<1>& item) { tree[item.local_id()] = a[item.global_id()]; });
          for (Index distance = group.local_range() / 2; distance > 0; distance /= 2) {
            group.parallel_for_work_item([&](const h_item<1>& item) {
              const Index id = item.local_id();
              if (id < distance) tree[id] += tree[id + distance];
            });
          }
          group.once([&] { sums[group.group_id()] = tree[0]; });
        });
  }

  bool has_by_hand() const override { return true; }
  void run_by_hand() override { by_hand::reduction(items_, group_, in_.data(), sums_.data()); }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "reduction",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(in_), buffer(sums_), local_memory(sizeof(double) * std::size_t(group_))}};
  }

  void spoil() override { fill_with(sums_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    return compare(
        sums_.extent(0), sums_,
        [&](Index n) {
          double sum = 0;
          for (Index i = n * group_; i < (n + 1) * group_; ++i) sum += in_(i);
          return sum;
        },
        0);
  }

 private:
  int group_;
  Index items_;
  View<double*, HostSpace> in_, sums_;
};

}  // namespace

KernelEntry variant::reduction_kernel() {
  return {"reduction",
          "sum of a group, tree in local memory, double",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Reduction>(group, items); },
          Index(1) << 19};
}

}  // namespace trellis::bench::spmd
