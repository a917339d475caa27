// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// One step of diffusion in a plane, with five points; a group of 32 x h points holds them and their neighbours in local
// memory.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int width = 32;
constexpr float strength = 0.125f;

// The plane has a border of one point in memory: rows have n + 2 points.
constexpr const char* open_cl_source = R"(
kernel void stencil(global const float* a, global float* b, local float* tile, int pitch, float strength) {
  const int x = get_local_id(0), y = get_local_id(1);
  const int columns = get_local_size(0), rows = get_local_size(1);
  const int line = columns + 2;
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  const int here = (y + 1) * line + x + 1;
  tile[here] = a[at];
  if (x == 0) tile[here - 1] = a[at - 1];
  if (x == columns - 1) tile[here + 1] = a[at + 1];
  if (y == 0) tile[here - line] = a[at - pitch];
  if (y == rows - 1) tile[here + line] = a[at + pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float around = tile[here - 1] + tile[here + 1] + tile[here - line] + tile[here + line];
  b[at] = fma(strength, fma(-4.0f, tile[here], around), tile[here]);
})";

class Stencil : public Problem {
 public:
  Stencil(int group, Index items)
      : rows_(group / width),
        nx_(static_cast<int>(whole_groups(static_cast<Index>(std::sqrt(double(items))), width))),
        ny_(static_cast<int>(whole_groups(items / nx_, rows_))),
        pitch_(nx_ + 2),
        a_("a", Index(pitch_) * (ny_ + 2)),
        b_("b", Index(pitch_) * (ny_ + 2)) {
    fill(a_, 8);
  }

  Work work() const override {
    const double points = double(nx_) * ny_;
    return {Index(nx_) * ny_, 7 * points, 8 * points};
  }

  void run(WorkItems way) override {
    const float* const a = a_.data();
    float* const b = b_.data();
    const Index pitch = pitch_;
    LocalMemory memory;
    const auto array = memory.array<float>((width + 2) * (rows_ + 2));
    with_way(way, [&](auto its_way) {
      parallel_for(
          "stencil", nd_range<2>{{nx_, ny_}, {width, rows_}}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
            float* const tile = item.local(array);
            const Index x = item.local_id(0), y = item.local_id(1);
            const Index columns = item.local_range(0), rows = item.local_range(1);
            const Index line = columns + 2;
            const Index at = (item.global_id(1) + 1) * pitch + item.global_id(0) + 1;
            const Index here = (y + 1) * line + x + 1;
            tile[here] = a[at];
            if (x == 0) tile[here - 1] = a[at - 1];
            if (x == columns - 1) tile[here + 1] = a[at + 1];
            if (y == 0) tile[here - line] = a[at - pitch];
            if (y == rows - 1) tile[here + line] = a[at + pitch];
            item.barrier();
            const float around = tile[here - 1] + tile[here + 1] + tile[here - line] + tile[here + line];
            b[at] = std::fma(strength, std::fma(-4.0f, tile[here], around), tile[here]);
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "stencil",
            "",
            2,
            {std::size_t(nx_), std::size_t(ny_), 1},
            {width, std::size_t(rows_), 1},
            {buffer(a_), buffer(b_), local_memory(sizeof(float) * (width + 2) * std::size_t(rows_ + 2)), value(pitch_),
             value(strength_)}};
  }

  void spoil() override { fill_with(b_, std::numeric_limits<float>::quiet_NaN()); }
  std::string check() const override {
    const auto place = [&](Index i) { return (i / nx_ + 1) * pitch_ + i % nx_ + 1; };
    return compare(
        Index(nx_) * ny_, [&](Index i) { return b_(place(i)); },
        [&](Index i) {
          const Index at = place(i);
          return a_(at) + strength * (a_(at - 1) + a_(at + 1) + a_(at - pitch_) + a_(at + pitch_) - 4 * a_(at));
        },
        1e-6);
  }

 private:
  int rows_, nx_, ny_, pitch_;
  float strength_ = strength;
  View<float*, HostSpace> a_, b_;
};

}  // namespace

KernelEntry variant::stencil_kernel() {
  return {"stencil",
          "five points, tile and halo in local memory, float",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Stencil>(group, items); },
          736 * 736};
}

}  // namespace trellis::bench::spmd
