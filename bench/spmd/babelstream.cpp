// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The five kernels of BabelStream (T. Deakin, J. Price, M. Martineau, S. McIntosh-Smith, Int. J. Comput. Sci. Eng. 17
// (2018) 247): c = a, b = s c, c = a + b, a = b + s c without barriers, and a . b with a tree in local memory.
#include "bench/spmd/by_hand.hpp"
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr double scale = 0.4;
constexpr int numbers_each = 16;  // of a work-item, in the dot product

constexpr const char* open_cl_source = R"(
kernel void copy(global const double* a, global const double* b, global double* r, double scale) {
  const int i = get_global_id(0);
  r[i] = a[i];
}
kernel void mul(global const double* a, global const double* b, global double* r, double scale) {
  const int i = get_global_id(0);
  r[i] = scale * a[i];
}
kernel void add(global const double* a, global const double* b, global double* r, double scale) {
  const int i = get_global_id(0);
  r[i] = a[i] + b[i];
}
kernel void triad(global const double* a, global const double* b, global double* r, double scale) {
  const int i = get_global_id(0);
  r[i] = a[i] + scale * b[i];
}
kernel void dot_product(global const double* a, global const double* b, global double* sums, local double* tree,
                        int count) {
  const int id = get_local_id(0);
  double sum = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) sum += a[i] * b[i];
  tree[id] = sum;
  for (int distance = get_local_size(0) / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < distance) tree[id] += tree[id + distance];
  }
  if (id == 0) sums[get_group_id(0)] = tree[0];
})";

enum class Operation { copy, mul, add, triad };
constexpr const char* names[] = {"copy", "mul", "add", "triad"};

// The result, from the one or two numbers that an operation reads.
template <Operation Which>
TRELLIS_INLINE double result_of(double x, [[maybe_unused]] double y) {
  if constexpr (Which == Operation::copy) return x;
  if constexpr (Which == Operation::mul) return scale * x;
  if constexpr (Which == Operation::add) return x + y;
  if constexpr (Which == Operation::triad) return x + scale * y;
}

template <Operation Which>
class Stream : public Problem {
  static constexpr bool reads_two = Which == Operation::add || Which == Operation::triad;

 public:
  Stream(int group, Index items)
      : group_(group), items_(whole_groups(items, group)), a_("a", items_), b_("b", items_), result_("result", items_) {
    fill(a_, 11);
    fill(b_, 12);
  }

  Work work() const override {
    const double flops = Which == Operation::copy ? 0 : Which == Operation::triad ? 2 : 1;
    return {items_, flops * double(items_), (reads_two ? 24.0 : 16.0) * double(items_)};
  }

  void run(WorkItems way) override {
    const double *const a = a_.data(), *const b = b_.data();
    double* const result = result_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          names[int(Which)], nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index i = item.global_id();
            result[i] = result_of<Which>(a[i], reads_two ? b[i] : 0);
          });
    });
  }

  bool has_hierarchical() const override { return true; }
  void run_hierarchical() override {
    const double *const a = a_.data(), *const b = b_.data();
    double* const result = result_.data();
    parallel_for_work_group(
        names[int(Which)], nd_range<1>{items_, group_}, TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
          group.parallel_for_work_item([&](const h_item<1>& item) {
            const Index i = item.global_id();
            result[i] = result_of<Which>(a[i], reads_two ? b[i] : 0);
          });
        });
  }

  bool has_by_hand() const override { return true; }
  void run_by_hand() override {
    if constexpr (Which == Operation::copy) by_hand::copy(items_, a_.data(), result_.data());
    if constexpr (Which == Operation::mul) by_hand::mul(items_, scale, result_.data(), a_.data());
    if constexpr (Which == Operation::add) by_hand::add(items_, a_.data(), b_.data(), result_.data());
    if constexpr (Which == Operation::triad) by_hand::triad(items_, scale, result_.data(), a_.data(), b_.data());
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            names[int(Which)],
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(a_), buffer(b_), buffer(result_), value(scale_)}};
  }

  void spoil() override { fill_with(result_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    return compare(items_, result_, [&](Index i) { return result_of<Which>(a_(i), b_(i)); }, 1e-15);
  }

 private:
  int group_;
  Index items_;
  double scale_ = scale;
  View<double*, HostSpace> a_, b_, result_;
};

class Dot : public Problem {
 public:
  Dot(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        count_(static_cast<int>(items_ * numbers_each)),
        a_("a", count_),
        b_("b", count_),
        sums_("sums", items_ / group) {
    fill(a_, 13);
    fill(b_, 14);
  }

  Work work() const override { return {items_, 2.0 * count_, 16.0 * count_}; }

  void run(WorkItems way) override {
    const double *const a = a_.data(), *const b = b_.data();
    double* const sums = sums_.data();
    const Index count = count_;
    LocalMemory memory;
    const auto array = memory.array<double>(group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "dot", nd_range<1>{items_, group_}.with(memory).by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            double* const tree = item.local(array);
            const Index id = item.local_id();
            double sum = 0;
            for (Index i = item.global_id(); i < count; i += item.global_range()) sum += a[i] * b[i];
            tree[id] = sum;
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
    const double *const a = a_.data(), *const b = b_.data();
    double* const sums = sums_.data();
    LocalMemory memory;
    const auto array = memory.array<double>(group_);
    parallel_for_work_group(
        "dot", nd_range<1>{items_, group_}.with(memory), TRELLIS_LAMBDA(const work_group<1>& group) noexcept {
          double* const tree = group.local(array);
          group.parallel_for_work_item([&](const h_item<1>& item) {
            double sum = 0;
            for (int k = 0; k < numbers_each; ++k) {
              const Index i = item.global_id() + k * item.global_range();
              sum += a[i] * b[i];
            }
            tree[item.local_id()] = sum;
          });
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
  void run_by_hand() override {
    fill_with(sums_, 0.0);
    sums_(0) = by_hand::dot(count_, a_.data(), b_.data());
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "dot_product",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(a_), buffer(b_), buffer(sums_), local_memory(sizeof(double) * std::size_t(group_)), value(count_)}};
  }

  // The numbers are multiples of 2^-12: all sums are exact.
  void spoil() override { fill_with(sums_, std::numeric_limits<double>::quiet_NaN()); }
  std::string check() const override {
    double expected = 0, found = 0;
    for (Index i = 0; i < count_; ++i) expected += a_(i) * b_(i);
    for (Index g = 0; g < sums_.extent(0); ++g) found += sums_(g);
    return compare(1, [&](Index) { return found; }, [&](Index) { return expected; }, 0);
  }

 private:
  int group_;
  Index items_;
  int count_;
  View<double*, HostSpace> a_, b_, sums_;
};

template <Operation Which>
KernelEntry stream_kernel(const char* what) {
  return {names[int(Which)],
          what,
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Stream<Which>>(group, items); },
          Index(1) << 20};
}

}  // namespace

KernelEntry variant::copy_kernel() { return stream_kernel<Operation::copy>("BabelStream: c = a, double"); }
KernelEntry variant::mul_kernel() { return stream_kernel<Operation::mul>("BabelStream: b = s c, double"); }
KernelEntry variant::add_kernel() { return stream_kernel<Operation::add>("BabelStream: c = a + b, double"); }
KernelEntry variant::triad_kernel() { return stream_kernel<Operation::triad>("BabelStream: a = b + s c, double"); }
KernelEntry variant::dot_kernel() {
  return {"dot",
          "BabelStream: a . b, tree in local memory, double",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Dot>(group, items); },
          Index(1) << 16};
}

}  // namespace trellis::bench::spmd
