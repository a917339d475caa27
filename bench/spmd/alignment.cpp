// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How well two sequences as long as the group match (S. B. Needleman, C. D. Wunsch, J. Mol. Biol. 48 (1970) 443): the
// antidiagonals of a table one after the other, each work-item one row, the last three diagonals in local memory.
#include <algorithm>

#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void alignment(global const int* first, global const int* second, global int* scores, local int* diagonals) {
  const int row = get_local_id(0) + 1, n = get_local_size(0), at = get_group_id(0) * n;
  local int* now = diagonals;
  local int* last = now + n + 1;
  local int* before = last + n + 1;
  const int own = first[at + row - 1];
  if (row == 1) {
    before[0] = 0;
    last[0] = GAP;
    last[1] = GAP;
  }
  for (int d = 2; d <= 2 * n; ++d) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int column = d - row;
    if (row == 1) now[0] = GAP * d;
    if (column == 0) now[row] = GAP * d;
    if (column >= 1 && column <= n) {
      const int two = before[row - 1] + (own == second[at + column - 1] ? MATCH : MISMATCH);
      const int one = (last[row - 1] > last[row] ? last[row - 1] : last[row]) + GAP;
      now[row] = two > one ? two : one;
    }
    local int* const oldest = before;
    before = last;
    last = now;
    now = oldest;
  }
  if (row == n) scores[get_group_id(0)] = last[n];
})";

constexpr int match = 3, mismatch = -2, gap = -4;

class Alignment : public Problem {
 public:
  Alignment(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        first_("first", items_),
        second_("second", items_),
        scores_("scores", items_ / group) {
    Numbers numbers(21);
    for (Index i = 0; i < items_; ++i) {
      first_(i) = static_cast<int>((numbers.next() + 1) * 2);
      second_(i) = numbers.next() < 0 ? first_(i) : static_cast<int>((numbers.next() + 1) * 2);
    }
  }

  Work work() const override { return {items_, 0, 8.0 * double(items_)}; }

  void run(WorkItems way) override {
    const int *const first = first_.data(), *const second = second_.data();
    int* const scores = scores_.data();
    LocalMemory memory;
    const auto diagonals = memory.array<int>(3 * (group_ + 1));
    with_way(way, [&](auto its_way) {
      parallel_for(
          "alignment", nd_range<1>{items_, group_}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index row = item.local_id() + 1, n = item.local_range(), at = item.group_id() * n;
            // Element r of a diagonal belongs to row r of the table, whose row and column 0 are multiples of the gap.
            int* now = item.local(diagonals);
            int* last = now + n + 1;
            int* before = last + n + 1;
            const int own = first[at + row - 1];
            if (row == 1) {
              before[0] = 0;
              last[0] = gap;
              last[1] = gap;
            }
            for (Index d = 2; d <= 2 * n; ++d) {
              item.barrier();
              const Index column = d - row;
              if (row == 1) now[0] = gap * static_cast<int>(d);
              if (column == 0) now[row] = gap * static_cast<int>(d);
              if (column >= 1 && column <= n) {
                const int both = before[row - 1] + (own == second[at + column - 1] ? match : mismatch);
                const int one = (last[row - 1] > last[row] ? last[row - 1] : last[row]) + gap;
                now[row] = both > one ? both : one;
              }
              int* const oldest = before;
              before = last;
              last = now;
              now = oldest;
            }
            if (row == n) scores[item.group_id()] = last[n];
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {
        open_cl_source,
        "alignment",
        fmt::format("-DMATCH={} -DMISMATCH={} -DGAP={}", match, mismatch, gap),
        1,
        {std::size_t(items_), 1, 1},
        {std::size_t(group_), 1, 1},
        {buffer(first_), buffer(second_), buffer(scores_), local_memory(3 * sizeof(int) * std::size_t(group_ + 1))}};
  }

  void spoil() override { fill_with(scores_, 1234567); }
  std::string check() const override {
    if (expected_.empty()) {
      const auto n = static_cast<std::size_t>(group_);
      for (Index at = 0; at < items_; at += group_) {
        std::vector<int> line(n + 1);
        for (std::size_t j = 0; j <= n; ++j) line[j] = gap * static_cast<int>(j);
        for (std::size_t i = 1; i <= n; ++i) {
          int before = line[0];
          line[0] = gap * static_cast<int>(i);
          for (std::size_t j = 1; j <= n; ++j) {
            const bool same = first_(at + Index(i) - 1) == second_(at + Index(j) - 1);
            const int score = std::max({before + (same ? match : mismatch), line[j] + gap, line[j - 1] + gap});
            before = line[j];
            line[j] = score;
          }
        }
        expected_.push_back(line[n]);
      }
    }
    return compare(scores_.extent(0), scores_, [&](Index g) { return expected_[std::size_t(g)]; }, 0);
  }

 private:
  int group_;
  Index items_;
  View<int*, HostSpace> first_, second_, scores_;
  mutable std::vector<int> expected_;
};

}  // namespace

KernelEntry variant::alignment_kernel() {
  return {"alignment",
          "Needleman-Wunsch of a group, antidiagonals in local memory, int",
          true,
          {32, 64, 128, 256},
          [](int group, Index items) { return std::make_unique<Alignment>(group, items); },
          Index(1) << 13,
          1024,
          /*items_of_threads=*/256};
}

}  // namespace trellis::bench::spmd
