// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How many turns of z <- z^2 + c a point needs to leave a circle, at most 64: a loop whose length depends on the work
// itself. No barriers.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global int* turns, int most, int width) {
  const int i = get_global_id(0);
  const float x = -2 + 2.5f / width * (i % width), y = -1 + 2.0f / width * (i / width % width);
  float re = 0, im = 0;
  int n = 0;
  while (n < most && re * re + im * im < 4) {
    const float next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    ++n;
  }
  turns[i] = n;
})";

constexpr int most = 64;
constexpr int width = 512;

TRELLIS_INLINE int turns(float x, float y) {
  float re = 0, im = 0;
  int n = 0;
  while (n < most && re * re + im * im < 4) {
    const float next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    ++n;
  }
  return n;
}

class Mandelbrot : public Problem {
 public:
  Mandelbrot(int group, Index items) : group_(group), items_(whole_groups(items, group)), turns_("turns", items_) {}

  Work work() const override { return {items_, 0, 4.0 * double(items_)}; }

  static TRELLIS_INLINE float x_of(Index i) { return -2 + 2.5f / width * static_cast<float>(i % width); }
  static TRELLIS_INLINE float y_of(Index i) { return -1 + 2.0f / width * static_cast<float>(i / width % width); }

  void run(WorkItems way) override {
    int* const out = turns_.data();
    with_way(way, [&](auto its_way) {
      parallel_for(
          "mandelbrot", nd_range<1>{items_, group_}.by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index i = item.global_id();
            out[i] = turns(x_of(i), y_of(i));
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "mandelbrot",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(turns_), value(most), value(width)}};
  }

  void spoil() override { fill_with(turns_, -1); }
  std::string check() const override {
    return compare(items_, turns_, [&](Index i) { return turns(x_of(i), y_of(i)); }, 0);
  }

 private:
  int group_;
  Index items_;
  View<int*, HostSpace> turns_;
};

}  // namespace

KernelEntry variant::mandelbrot_kernel() {
  return {"mandelbrot",
          "turns until a point escapes, float",
          false,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Mandelbrot>(group, items); },
          Index(width) * width,
          /*replicated=*/256};
}

}  // namespace trellis::bench::spmd
