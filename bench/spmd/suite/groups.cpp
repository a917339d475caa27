// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Sorting, sums and exchange within a group.
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

// Sorts the numbers of a group bit by bit: those without the bit come first, in their order, which prefix sums find.
std::unique_ptr<Problem> radix_sort(int group, Index items) {
  constexpr int bits = 12;
  const Index count = whole_groups(items, group);
  const auto numbers = random_integers(count, 1 << bits, 60);
  const Numbers1D<int> out("out", count);
  return make_case(
      Work{count, 0, 8.0 * double(count)}, out, 0,
      [=](auto way) {
        const int* const in = numbers.data();
        int* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<int>(group);
        parallel_for(
            "radix_sort", nd_range<1>{count, group}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              int* const sorted = item.local(array);
              const int id = static_cast<int>(item.local_id()), length = static_cast<int>(item.local_range());
              int own = in[item.global_id()];
              for (int bit = 0; bit < bits; ++bit) {
                const int zero = 1 - (own >> bit & 1);
                const int before = item.exclusive_scan(zero);
                const int zeros = item.broadcast(before + zero, length - 1);
                sorted[zero != 0 ? before : zeros + id - before] = own;
                item.barrier();
                own = sorted[id];
              }
              to[item.global_id()] = own;
            });
      },
      [=](int* p) { plain::sort_groups(count, group, numbers.data(), p); });
}

// Prefix sums that begin anew where a segment starts, doubling the distance.
std::unique_ptr<Problem> segmented_sum(int group, Index items) {
  const Index count = whole_groups(items, group);
  const auto numbers = random_numbers<double>(count, 61);
  const auto starts = random_integers(count, 8, 62);
  for (Index i = 0; i < count; ++i) starts(i) = i % group == 0 || starts(i) == 0 ? 1 : 0;
  const Numbers1D<double> out("out", count);
  return make_case(
      Work{count, double(count), 20.0 * double(count)}, out, 0,
      [=](auto way) {
        const double* const in = numbers.data();
        const int* const begins = starts.data();
        double* const to = out.data();
        LocalMemory memory;
        const auto sums = memory.array<double>(group);
        const auto flags = memory.array<int>(group);
        parallel_for(
            "segmented_sum", nd_range<1>{count, group}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              double* const sum = item.local(sums);
              int* const begun = item.local(flags);
              const Index id = item.local_id(), length = item.local_range();
              sum[id] = in[item.global_id()];
              begun[id] = begins[item.global_id()];
              for (Index distance = 1; distance < length; distance *= 2) {
                item.barrier();
                double more = 0;
                int flag = begun[id];
                if (id >= distance) {
                  if (flag == 0) more = sum[id - distance];
                  flag |= begun[id - distance];
                }
                item.barrier();
                sum[id] += more;
                begun[id] = flag;
              }
              to[item.global_id()] = sum[id];
            });
      },
      [=](double* p) { plain::segment_sums(count, group, starts.data(), numbers.data(), p); });
}

std::unique_ptr<Problem> scalar_product(int group, Index items) {
  const Index count = whole_groups(items, group);
  const auto x = random_numbers<double>(count, 63), y = random_numbers<double>(count, 64);
  const Numbers1D<double> out("out", count / group);
  return make_case(
      Work{count, 2.0 * double(count), 16.0 * double(count)}, out, 0,
      [=](auto way) {
        const double *const of_x = x.data(), *const of_y = y.data();
        double* const to = out.data();
        parallel_for(
            "scalar_product", nd_range<1>{count, group}.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              const double sum = item.reduce(of_x[item.global_id()] * of_y[item.global_id()]);
              if (item.local_id() == 0) to[item.group_id()] = sum;
            });
      },
      [=](double* p) { plain::scalar_products(count, group, x.data(), y.data(), p); });
}

// The work-items of a group hand their numbers on, again and again.
std::unique_ptr<Problem> hand_on(int group, Index items) {
  constexpr int rounds = 16;
  const Index count = whole_groups(items, group);
  const auto numbers = random_integers(count, 1000, 65);
  const Numbers1D<int> out("out", count);
  return make_case(
      Work{count, 0, 8.0 * double(count)}, out, 0,
      [=](auto way) {
        const int* const in = numbers.data();
        int* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<int>(group);
        parallel_for(
            "local_memory", nd_range<1>{count, group}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              int* const shared = item.local(array);
              const Index id = item.local_id(), length = item.local_range();
              shared[id] = in[item.global_id()];
              for (int round = 1; round <= rounds; ++round) {
                item.barrier();
                const int next = shared[(id + round) % length] + round;
                item.barrier();
                shared[id] = next;
              }
              to[item.global_id()] = shared[id];
            });
      },
      [=](int* p) { plain::swaps(count, group, rounds, numbers.data(), p); });
}

}  // namespace

std::vector<KernelEntry> group_kernels() {
  const Index items = Index(1) << 16;
  return {
      {"radix_sort",
       "12 bits of a group's numbers, prefix sums of the group, int",
       true,
       {32, 64, 128, 256},
       radix_sort,
       items,
       1024,
       /*items_of_threads=*/64},
      {"segmented_sum", "prefix sums of segments of a group in local memory, double", true, all_groups, segmented_sum,
       items, 1024, 1024},
      {"scalar_product", "of a group's numbers, by its algorithm for sums, double", true, all_groups, scalar_product,
       items, 1024, 1024},
      {"local_memory", "numbers handed on 16 times in local memory, int", true, all_groups, hand_on, items, 1024, 64},
  };
}

}  // namespace trellis::bench::spmd
