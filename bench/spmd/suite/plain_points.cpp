// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/spmd/suite/plain.hpp"

namespace trellis::bench::spmd::plain {

void nearest_centres(long points, int centres, int dimensions, const float* x, const float* c, int* out) {
#pragma omp parallel for
  for (long i = 0; i < points; ++i) {
    float least = INFINITY;
    for (int k = 0; k < centres; ++k) {
      float distance = 0;
      for (int d = 0; d < dimensions; ++d) {
        const float difference = x[d * points + i] - c[k * dimensions + d];
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        out[i] = k;
      }
    }
  }
}

void regression_errors(long candidates, long points, const float* slopes, const float* intercepts, const float* x,
                       const float* y, float* out) {
#pragma omp parallel for
  for (long i = 0; i < candidates; ++i) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long k = 0; k < points; ++k) {
      const float error = slopes[i] * x[k] + intercepts[i] - y[k];
      sum += error * error;
    }
    out[i] = sum;
  }
}

void regression_lines(long items, long group, const double* x, const double* y, double* out) {
#pragma omp parallel for
  for (long g = 0; g < items / group; ++g) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (long i = g * group; i < (g + 1) * group; ++i) {
      sx += x[i];
      sy += y[i];
      sxx += x[i] * x[i];
      sxy += x[i] * y[i];
    }
    const double n = double(group);
    out[2 * g] = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    out[2 * g + 1] = (sy - out[2 * g] * sx) / n;
  }
}

void sobel(long nx, long ny, int radius, const float* image, float* out) {
  const long pitch = nx + 2 * radius;
#pragma omp parallel for
  for (long y = 0; y < ny; ++y)
    for (long x = 0; x < nx; ++x) {
      float gx = 0, gy = 0;
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
          if (dx == 0 && dy == 0) continue;
          const float value = image[(y + radius + dy) * pitch + x + radius + dx] / float(dx * dx + dy * dy);
          gx += float(dx) * value;
          gy += float(dy) * value;
        }
      out[y * nx + x] = std::sqrt(gx * gx + gy * gy);
    }
}

void median(long nx, long ny, const float* image, float* out) {
  const long pitch = nx + 2;
#pragma omp parallel for
  for (long y = 0; y < ny; ++y)
    for (long x = 0; x < nx; ++x) {
      float nine[9];
      for (int k = 0; k < 9; ++k) nine[k] = image[(y + k / 3) * pitch + x + k % 3];
      std::nth_element(nine, nine + 4, nine + 9);
      out[y * nx + x] = nine[4];
    }
}

void convolution(long nx, long ny, const float* weights, const float* image, float* out) {
  const long pitch = nx + 2;
#pragma omp parallel for
  for (long y = 0; y < ny; ++y)
    for (long x = 0; x < nx; ++x) {
      float sum = 0;
      for (int k = 0; k < 9; ++k) sum += weights[k] * image[(y + k / 3) * pitch + x + k % 3];
      out[y * nx + x] = sum;
    }
}

void convolution(long nx, long ny, long nz, const float* weights, const float* in, float* out) {
  const long pitch = nx + 2, plane = pitch * (ny + 2);
#pragma omp parallel for
  for (long z = 0; z < nz; ++z)
    for (long y = 0; y < ny; ++y)
      for (long x = 0; x < nx; ++x) {
        float sum = 0;
        for (int k = 0; k < 27; ++k) sum += weights[k] * in[(z + k / 9) * plane + (y + k / 3 % 3) * pitch + x + k % 3];
        out[(z * ny + y) * nx + x] = sum;
      }
}

void electromagnetic_step(long nx, long ny, const float* ex, const float* ey, const float* hz, float* out) {
  const long size = nx * ny;
  float *const new_ex = out, *const new_ey = out + size, *const new_hz = out + 2 * size;
#pragma omp parallel for
  for (long y = 0; y < ny; ++y) {
    for (long at = y * nx; at < (y + 1) * nx; ++at)
      new_ex[at] = y > 0 ? ex[at] - 0.5f * (hz[at] - hz[at - nx]) : ex[at];
    new_ey[y * nx] = ey[y * nx];
    for (long at = y * nx + 1; at < (y + 1) * nx; ++at) new_ey[at] = ey[at] - 0.5f * (hz[at] - hz[at - 1]);
  }
  std::copy_n(hz, size, new_hz);
#pragma omp parallel for
  for (long y = 0; y < ny - 1; ++y)
    for (long at = y * nx; at < (y + 1) * nx - 1; ++at)
      new_hz[at] = hz[at] - 0.7f * (new_ex[at + nx] - new_ex[at] + new_ey[at + 1] - new_ey[at]);
}

void sort_groups(long items, long group, const int* in, int* out) {
#pragma omp parallel for
  for (long first = 0; first < items; first += group) {
    std::copy_n(in + first, group, out + first);
    std::sort(out + first, out + first + group);
  }
}

void segment_sums(long items, long group, const int* starts, const double* in, double* out) {
#pragma omp parallel for
  for (long first = 0; first < items; first += group) {
    double sum = 0;
    for (long i = first; i < first + group; ++i) out[i] = sum = starts[i] != 0 ? in[i] : sum + in[i];
  }
}

void scalar_products(long items, long group, const double* x, const double* y, double* out) {
#pragma omp parallel for
  for (long g = 0; g < items / group; ++g) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long i = g * group; i < (g + 1) * group; ++i) sum += x[i] * y[i];
    out[g] = sum;
  }
}

void swaps(long items, long group, int rounds, const int* in, int* out) {
#pragma omp parallel for
  for (long first = 0; first < items; first += group) {
    std::vector<int> now(in + first, in + first + group), next(now);
    for (int round = 1; round <= rounds; ++round) {
      for (long i = 0; i < group; ++i) next[std::size_t(i)] = now[std::size_t((i + round) % group)] + round;
      now.swap(next);
    }
    std::copy(now.begin(), now.end(), out + first);
  }
}

void distances(long vertices, const int* first, const int* neighbours, int most, int* out) {
  std::fill_n(out, vertices, -1);
  std::vector<int> now{0}, next;
  out[0] = 0;
  for (int distance = 1; distance <= most; ++distance) {
    next.clear();
    for (const int v : now)
      for (int k = first[v]; k < first[v + 1]; ++k)
        if (out[neighbours[k]] < 0) {
          out[neighbours[k]] = distance;
          next.push_back(neighbours[k]);
        }
    now.swap(next);
  }
}

void md5(long messages, const unsigned* words, const unsigned* sines, unsigned* out) {
  static constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
#pragma omp parallel for
  for (long n = 0; n < messages; ++n) {
    unsigned m[16] = {words[2 * n], words[2 * n + 1], 0x80};
    m[14] = 64;  // bits
    unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int i = 0; i < 64; ++i) {
      unsigned f = 0;
      int g = 0;
      if (i < 16) {
        f = (b & c) | (~b & d);
        g = i;
      } else if (i < 32) {
        f = (d & b) | (~d & c);
        g = (5 * i + 1) % 16;
      } else if (i < 48) {
        f = b ^ c ^ d;
        g = (3 * i + 5) % 16;
      } else {
        f = c ^ (b | ~d);
        g = 7 * i % 16;
      }
      f += a + sines[i] + m[g];
      a = d;
      d = c;
      c = b;
      const int by = turns[i / 16][i % 4];
      b += (f << by) | (f >> (32 - by));
    }
    out[n] = a + 0x67452301;
  }
}

void special_functions(long items, const double* x, double* out) {
#pragma omp parallel for
  for (long i = 0; i < items; ++i)
    out[i] = std::sin(x[i]) * std::exp(x[i]) + std::cos(x[i]) * std::log(x[i] + 2) + std::sqrt(x[i] + 1);
}

}  // namespace trellis::bench::spmd::plain
