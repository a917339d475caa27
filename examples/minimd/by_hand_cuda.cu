// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The yardstick on a GPU: one thread per atom, neighbour k of the threads in a warp side by side in memory, positions
// through the read-only cache.
#include "examples/minimd/by_hand.hpp"

namespace examples::minimd::by_hand {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) forces_kernel(const ForceInput in) {
  const long i = long(blockIdx.x) * threads + threadIdx.x;
  if (i >= in.atoms) return;
  const double* __restrict__ const px = in.position;
  const double* __restrict__ const py = px + in.position_rows;
  const double* __restrict__ const pz = py + in.position_rows;
  const double x = px[i], y = py[i], z = pz[i];
  const int count = in.count[i];
  const int* __restrict__ row = in.neighbours + i;
  double fx = 0, fy = 0, fz = 0;
#pragma unroll 4
  for (int k = 0; k < count; ++k, row += in.atoms) {
    const int j = __ldg(row);
    const double dx = x - __ldg(px + j), dy = y - __ldg(py + j), dz = z - __ldg(pz + j);
    const double r2 = fma(dx, dx, fma(dy, dy, dz * dz));
    if (r2 < in.cutoff_squared) {
      const double r_2 = 1 / r2, r_6 = r_2 * r_2 * r_2;
      const double f = 48 * r_6 * r_2 * (r_6 - 0.5);
      fx = fma(f, dx, fx);
      fy = fma(f, dy, fy);
      fz = fma(f, dz, fz);
    }
  }
  in.force[i] = fx;
  in.force[in.atoms + i] = fy;
  in.force[2 * in.atoms + i] = fz;
}

}  // namespace

void forces(const ForceInput& in) {
  forces_kernel<<<static_cast<unsigned>((in.atoms + threads - 1) / threads), threads>>>(in);
}

const char* instructions() { return ""; }
void forces_omp_simd(const ForceInput&) {}  // for CPUs only

}  // namespace examples::minimd::by_hand
