// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Forces between all pairs of bodies, with tiles of bodies in local memory (L. Nyland, M. Harris, J. Prins, GPU Gems 3
// (2007) chapter 31): 20 flops per pair, counting the inverse square root as 2.
#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr float softening = 1e-2f;

constexpr const char* open_cl_source = R"(
kernel void nbody(global const float4* bodies, global float* ax, global float* ay, global float* az, local float4* tile,
                  int count, float softening) {
  const int id = get_local_id(0);
  const int size = get_local_size(0);
  const float4 own = bodies[get_global_id(0)];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += size) {
    tile[id] = bodies[first + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; ++j) {
      const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      const float inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const float s = tile[j].w * inverse * inverse * inverse;
      x = fma(dx, s, x);
      y = fma(dy, s, y);
      z = fma(dz, s, z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[get_global_id(0)] = x;
  ay[get_global_id(0)] = y;
  az[get_global_id(0)] = z;
})";

struct alignas(16) Body {
  float x, y, z, mass;
};

class NBody : public Problem {
 public:
  NBody(int group, Index items)
      : group_(group),
        count_(static_cast<int>(whole_groups(items, group))),
        bodies_("bodies", 4 * count_),
        ax_("ax", count_),
        ay_("ay", count_),
        az_("az", count_) {
    fill(bodies_, 3);
    for (int i = 0; i < count_; ++i) bodies_(4 * i + 3) = 0.5f + 0.25f * bodies_(4 * i + 3);
  }

  Work work() const override { return {count_, 20.0 * double(count_) * double(count_), 4.0 * 7 * double(count_)}; }

  void run(WorkItems way) override {
    const Body* const bodies = reinterpret_cast<const Body*>(bodies_.data());
    float *const ax = ax_.data(), *const ay = ay_.data(), *const az = az_.data();
    const Index count = count_;
    LocalMemory memory;
    const auto array = memory.array<Body>(group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "nbody", nd_range<1>{count_, group_}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            Body* const tile = item.local(array);
            const Index id = item.local_id();
            const Index size = item.local_range();
            const Body own = bodies[item.global_id()];
            float x = 0, y = 0, z = 0;
            for (Index first = 0; first < count; first += size) {
              tile[id] = bodies[first + id];
              item.barrier();
              for (Index j = 0; j < size; ++j) {
                const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
                const float inverse = 1.0f / std::sqrt(std::fma(dx, dx, std::fma(dy, dy, std::fma(dz, dz, softening))));
                const float s = tile[j].mass * inverse * inverse * inverse;
                x = std::fma(dx, s, x);
                y = std::fma(dy, s, y);
                z = std::fma(dz, s, z);
              }
              item.barrier();
            }
            ax[item.global_id()] = x;
            ay[item.global_id()] = y;
            az[item.global_id()] = z;
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "nbody",
            "",
            1,
            {std::size_t(count_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(bodies_), buffer(ax_), buffer(ay_), buffer(az_), local_memory(sizeof(Body) * std::size_t(group_)),
             value(count_), value(softening_)}};
  }

  void spoil() override {
    for (const auto& a : {ax_, ay_, az_}) fill_with(a, std::numeric_limits<float>::quiet_NaN());
  }
  // Checks the first and the last bodies in double precision.
  std::string check() const override {
    const int checked = count_ < 64 ? count_ : 64;
    for (int n = 0; n < checked; ++n) {
      const int i = n % 2 == 0 ? n : count_ - n;
      double sum[3] = {}, largest = 0;
      for (int j = 0; j < count_; ++j) {
        double d[3], r2 = double(softening);
        for (int c = 0; c < 3; ++c) {
          d[c] = double(bodies_(4 * j + c)) - double(bodies_(4 * i + c));
          r2 += d[c] * d[c];
        }
        const double s = double(bodies_(4 * j + 3)) / (r2 * std::sqrt(r2));
        for (int c = 0; c < 3; ++c) sum[c] += d[c] * s;
        largest += std::sqrt(r2) * s;
      }
      const double found[3] = {ax_(i), ay_(i), az_(i)};
      for (int c = 0; c < 3; ++c) {
        if (!(std::fabs(found[c] - sum[c]) <= 1e-5 * largest)) {
          return fmt::format("the force on body {} is {}, not {}", i, found[c], sum[c]);
        }
      }
    }
    return {};
  }

 private:
  int group_, count_;
  float softening_ = softening;
  View<float*, HostSpace> bodies_, ax_, ay_, az_;
};

}  // namespace

KernelEntry variant::nbody_kernel() {
  return {"nbody",
          "gravity, tiles of bodies in local memory, float",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<NBody>(group, items < 8192 ? items : 8192); },
          Index(1) << 12};
}

}  // namespace trellis::bench::spmd
