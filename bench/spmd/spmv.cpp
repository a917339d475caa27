// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// y = A x for a sparse matrix stored by rows, one row per work-item: loops whose lengths differ between work-items, and
// numbers of x that are anywhere. No barriers.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void spmv(global const int* first, global const int* columns, global const double* values,
                 global const double* x, global double* y) {
  const int row = get_global_id(0);
  double sum = 0;
  for (int k = first[row]; k < first[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
})";

constexpr int most_in_row = 32;

class Spmv : public Problem {
 public:
  Spmv(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        first_("first", items_ + 1),
        columns_("columns", items_ * most_in_row),
        values_("values", items_ * most_in_row),
        x_("x", items_),
        y_("y", items_) {
    Numbers numbers(16);
    const auto below = [&](double n) { return static_cast<int>((numbers.next() + 1) / 2 * n); };
    fill(x_, 17);
    int at = 0;
    for (Index row = 0; row < items_; ++row) {
      first_(row) = at;
      for (int end = at + 1 + below(most_in_row); at < end; ++at) {
        columns_(at) = below(double(items_));
        values_(at) = numbers.next();
      }
    }
    first_(items_) = at;
  }

  Work work() const override {
    const double stored = first_(items_);
    return {items_, 2 * stored, 12 * stored + 20.0 * double(items_)};
  }

  void run(WorkItems way) override {
    const int *const first = first_.data(), *const columns = columns_.data();
    const double *const values = values_.data(), *const x = x_.data();
    double* const y = y_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "spmv", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index row = item.global_id();
            double sum = 0;
            for (int k = first[row]; k < first[row + 1]; ++k) sum += values[k] * x[columns[k]];
            y[row] = sum;
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "spmv",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(first_), buffer(columns_), buffer(values_), buffer(x_), buffer(y_)}};
  }

  // The numbers are multiples of 2^-12: all sums are exact.
  void spoil() override { fill_with(y_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    return compare(
        items_, y_,
        [&](Index row) {
          double sum = 0;
          for (int k = first_(row); k < first_(row + 1); ++k) sum += values_(k) * x_(columns_(k));
          return sum;
        },
        0);
  }

 private:
  int group_;
  Index items_;
  View<int*, HostSpace> first_, columns_;
  View<double*, HostSpace> values_, x_, y_;
};

}  // namespace

KernelEntry variant::spmv_kernel() {
  return {"spmv",
          "sparse matrix by rows of 1 to 32 numbers, double",
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Spmv>(group, items); },
          Index(1) << 14};
}

}  // namespace trellis::bench::spmd
