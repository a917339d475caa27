// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels of the suites that the study cites (docs/spmd.md has the list), as functions: each gives a Case for a group
// size and about a number of work-items. plain.hpp has the same as plain loops, which are the oracle and the yardstick.

#include "bench/spmd/problem_tools.hpp"
#include "bench/spmd/suite/plain.hpp"

namespace trellis::bench::spmd {

template <class T>
using Numbers1D = View<T*, HostSpace>;

// run(its_way) launches kernels that write `out`; plain(p) writes the same numbers to p. Both own the data that they
// read.
template <class T, class Run, class Plain>
class Case final : public Problem {
 public:
  Case(const Work& work, const Numbers1D<T>& out, double tolerance, Run run, Plain plain)
      : work_(work), out_(out), tolerance_(tolerance), run_(std::move(run)), plain_(std::move(plain)) {}

  Work work() const override { return work_; }
  void run(WorkItems way) override { with_way(way, run_); }
  bool has_by_hand() const override { return true; }
  void run_by_hand() override { plain_(out_.data()); }
  void spoil() override { fill_with(out_, T(12345678)); }
  std::string check() const override {
    if (!expected_.is_allocated()) {
      expected_ = Numbers1D<T>("expected", out_.extent(0));
      plain_(expected_.data());
    }
    return compare(out_.extent(0), out_, expected_, tolerance_);
  }

 private:
  Work work_;
  Numbers1D<T> out_;
  double tolerance_;
  Run run_;
  Plain plain_;
  mutable Numbers1D<T> expected_;
};

template <class T, class Run, class Plain>
std::unique_ptr<Problem> make_case(const Work& work, const Numbers1D<T>& out, double tolerance, Run run, Plain plain) {
  return std::make_unique<Case<T, Run, Plain>>(work, out, tolerance, std::move(run), std::move(plain));
}

// Numbers in [-1, 1), another sequence for each seed.
template <class T>
Numbers1D<T> random_numbers(Index count, std::uint64_t seed) {
  const Numbers1D<T> numbers("numbers", count);
  fill(numbers, seed);
  return numbers;
}
// Integers from 0 to below - 1.
inline Numbers1D<int> random_integers(Index count, int below, std::uint64_t seed) {
  const Numbers1D<int> integers("integers", count);
  Numbers numbers(seed);
  for (Index i = 0; i < count; ++i) integers(i) = static_cast<int>((numbers.next() + 1) / 2 * below);
  return integers;
}

// The side of a square group of 64, 256 or 1024.
inline int side_of(int group) { return group == 64 ? 8 : group == 256 ? 16 : 32; }

inline const std::vector<int> all_groups = {32, 64, 128, 256, 512, 1024};
inline const std::vector<int> square_groups = {64, 256, 1024};

}  // namespace trellis::bench::spmd
