// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Sorts each group's numbers by a bitonic network in local memory (K. E. Batcher, AFIPS 32 (1968) 307): two nested
// loops around a barrier.
#include <algorithm>

#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void sort(global const uint* in, global uint* sorted, local uint* t) {
  const int id = get_local_id(0), size = get_local_size(0);
  t[id] = in[get_global_id(0)];
  for (int length = 2; length <= size; length *= 2) {
    for (int distance = length / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int other = id ^ distance;
      if (other > id) {
        const uint a = t[id], b = t[other];
        if ((a > b) == ((id & length) == 0)) {
          t[id] = b;
          t[other] = a;
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sorted[get_global_id(0)] = t[id];
})";

class Sort : public Problem {
 public:
  Sort(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), in_("in", items_), sorted_("sorted", items_) {
    Numbers numbers(15);
    for (Index i = 0; i < items_; ++i) in_(i) = static_cast<unsigned>((numbers.next() + 1) * 4096);
  }

  Work work() const override { return {items_, 0, 8.0 * double(items_)}; }

  void run(WorkItems way) override {
    const unsigned* const in = in_.data();
    unsigned* const sorted = sorted_.data();
    LocalMemory memory;
    const auto array = memory.array<unsigned>(group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "sort", nd_range<1>{items_, group_}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            unsigned* const t = item.local(array);
            const Index id = item.local_id(), size = item.local_range();
            t[id] = in[item.global_id()];
            for (Index length = 2; length <= size; length *= 2) {
              for (Index distance = length / 2; distance > 0; distance /= 2) {
                item.barrier();
                const Index other = id ^ distance;
                if (other > id) {
                  const unsigned a = t[id], b = t[other];
                  if ((a > b) == ((id & length) == 0)) {
                    t[id] = b;
                    t[other] = a;
                  }
                }
              }
            }
            item.barrier();
            sorted[item.global_id()] = t[id];
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "sort",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(in_), buffer(sorted_), local_memory(sizeof(unsigned) * std::size_t(group_))}};
  }

  void spoil() override { fill_with(sorted_, 12345678u); }
  std::string check() const override {
    std::vector<unsigned> expected(in_.data(), in_.data() + items_);
    for (Index first = 0; first < items_; first += group_) {
      std::sort(expected.begin() + first, expected.begin() + first + group_);
    }
    return compare(items_, sorted_, [&](Index i) { return expected[std::size_t(i)]; }, 0);
  }

 private:
  int group_;
  Index items_;
  View<unsigned*, HostSpace> in_, sorted_;
};

}  // namespace

KernelEntry variant::sort_kernel() {
  return {"sort",
          "bitonic network of a group in local memory, unsigned",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Sort>(group, items); },
          Index(1) << 17};
}

}  // namespace trellis::bench::spmd
