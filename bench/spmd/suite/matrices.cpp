// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices: without local memory (gemm, 2mm, 3mm), and with tiles of both factors there (syrk, syr2k,
// covariance, correlation).
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr float alpha = 1.5f, beta = 0.75f;

int matrix_side(int group, Index items) {
  return static_cast<int>(whole_groups(static_cast<Index>(std::sqrt(double(items))), side_of(group)));
}
Work product_work(int n, int products, int matrices) {
  const double size = double(n) * n;
  return {Index(n) * n * products, 2 * size * n * products, 4 * size * matrices};
}

// out = alpha A B + beta C, an element for each work-item.
template <class Way>
void multiply(Way way, int size, int side, float a_factor, const float* a, const float* b, float c_factor,
              const float* c, float* out) {
  const Index n = size;
  parallel_for(
      "gemm", nd_range<2>{{n, n}, {side, side}}.by(way), TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
        const Index column = item.global_id(0), row = item.global_id(1);
        float sum = 0;
        for (Index k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
        out[row * n + column] = a_factor * sum + c_factor * c[row * n + column];
      });
}

// `products` matrices in a row: alpha A B + beta C, times D, times E.
std::unique_ptr<Problem> chain(int products, int group, Index items) {
  const int n = matrix_side(group, items), side = side_of(group);
  const Index size = Index(n) * n;
  std::vector<Numbers1D<float>> factors;
  for (int k = 0; k <= products; ++k) factors.push_back(random_numbers<float>(size, 30 + std::uint64_t(k)));
  const auto c = random_numbers<float>(size, 29);
  const Numbers1D<float> out("out", size), middle("middle", size);
  const auto each = [=](const auto& product, float* last) {
    for (int k = 0; k < products; ++k)
      product(k == 0                    ? factors[0].data()
              : (products - k) % 2 == 1 ? middle.data()
                                        : last,
              factors[std::size_t(k) + 1].data(), k == 0 ? beta : 0.0f, (products - k) % 2 == 1 ? last : middle.data());
  };
  return make_case(
      product_work(n, products, products + 3), out, 1e-5,
      [=](auto way) {
        each([&](const float* a, const float* b, float c_factor,
                 float* to) { multiply(way, n, side, alpha, a, b, c_factor, c.data(), to); },
             out.data());
      },
      [=](float* p) {
        each([&](const float* a, const float* b, float c_factor,
                 float* to) { plain::gemm(n, alpha, a, b, c_factor, c.data(), to); },
             p);
      });
}

std::unique_ptr<Problem> syrk(int group, Index items) {
  const int side = side_of(group), size = matrix_side(group, items);
  const auto a = random_numbers<float>(Index(size) * size, 34), c = random_numbers<float>(Index(size) * size, 35);
  const Numbers1D<float> out("out", Index(size) * size);
  return make_case(
      product_work(size, 1, 3), out, 1e-5,
      [=](auto way) {
        const float *const of_a = a.data(), *const of_c = c.data();
        float* const to = out.data();
        const Index n = size;
        LocalMemory memory;
        const auto rows = memory.array<float>(side * side), columns = memory.array<float>(side * side);
        parallel_for(
            "syrk", nd_range<2>{{n, n}, {side, side}}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              float *const s = item.local(rows), *const t = item.local(columns);
              const Index x = item.local_id(0), y = item.local_id(1), tile = item.local_range(0);
              const Index row = item.global_id(1), column = item.global_id(0), first = item.group_id(0) * tile;
              float sum = 0;
              for (Index k = 0; k < n; k += tile) {
                s[y * tile + x] = of_a[row * n + k + x];
                t[x * tile + y] = of_a[(first + y) * n + k + x];
                item.barrier();
                for (Index i = 0; i < tile; ++i) sum += s[y * tile + i] * t[i * tile + x];
                item.barrier();
              }
              to[row * n + column] = alpha * sum + beta * of_c[row * n + column];
            });
      },
      [=](float* p) { plain::syrk(size, alpha, a.data(), beta, c.data(), p); });
}

std::unique_ptr<Problem> syr2k(int group, Index items) {
  const int side = side_of(group), size = matrix_side(group, items);
  const Index numbers = Index(size) * size;
  const auto a = random_numbers<float>(numbers, 36), b = random_numbers<float>(numbers, 37),
             c = random_numbers<float>(numbers, 38);
  const Numbers1D<float> out("out", numbers);
  Work work = product_work(size, 1, 4);
  work.flops *= 2;
  return make_case(
      work, out, 1e-5,
      [=](auto way) {
        const float *const of_a = a.data(), *const of_b = b.data(), *const of_c = c.data();
        float* const to = out.data();
        const Index n = size;
        LocalMemory memory;
        const auto array = memory.array<float>(4 * side * side);
        parallel_for(
            "syr2k", nd_range<2>{{n, n}, {side, side}}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              const Index x = item.local_id(0), y = item.local_id(1), tile = item.local_range(0);
              const Index row = item.global_id(1), column = item.global_id(0), first = item.group_id(0) * tile;
              float* const a_rows = item.local(array);
              float *const b_rows = a_rows + tile * tile, *const a_columns = b_rows + tile * tile,
                           *const b_columns = a_columns + tile * tile;
              float sum = 0;
              for (Index k = 0; k < n; k += tile) {
                a_rows[y * tile + x] = of_a[row * n + k + x];
                b_rows[y * tile + x] = of_b[row * n + k + x];
                a_columns[x * tile + y] = of_a[(first + y) * n + k + x];
                b_columns[x * tile + y] = of_b[(first + y) * n + k + x];
                item.barrier();
                for (Index i = 0; i < tile; ++i)
                  sum +=
                      a_rows[y * tile + i] * b_columns[i * tile + x] + b_rows[y * tile + i] * a_columns[i * tile + x];
                item.barrier();
              }
              to[row * n + column] = alpha * sum + beta * of_c[row * n + column];
            });
      },
      [=](float* p) { plain::syr2k(size, alpha, a.data(), b.data(), beta, c.data(), p); });
}

// Of as many observations as variables: their means and scales, a variable for each work-item, and then the products.
std::unique_ptr<Problem> covariance(bool correlation, int group, Index items) {
  const int side = side_of(group), size = matrix_side(group, items);
  const auto data = random_numbers<float>(Index(size) * size, 39);
  const Numbers1D<float> out("out", Index(size) * size), means("means", size), scales("scales", size);
  Work work = product_work(size, 1, 2);
  work.items += size;
  return make_case(
      work, out, 1e-5,
      [=](auto way) {
        const float* const d = data.data();
        float *const to = out.data(), *const mean = means.data(), *const scale = scales.data();
        const Index n = size;
        parallel_for(
            "means", nd_range<1>{n, side}.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              const Index j = item.global_id();
              float sum = 0, squares = 0;
              for (Index k = 0; k < n; ++k) sum += d[k * n + j];
              const float m = sum / float(n);
              if (correlation)
                for (Index k = 0; k < n; ++k) squares += (d[k * n + j] - m) * (d[k * n + j] - m);
              else
                squares = float(n - 1);
              mean[j] = m;
              scale[j] = 1 / std::sqrt(squares);
            });
        LocalMemory memory;
        const auto array = memory.array<float>(2 * side * side);
        parallel_for(
            "covariance", nd_range<2>{{n, n}, {side, side}}.with(memory).by(way),
            TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
              const Index x = item.local_id(0), y = item.local_id(1), tile = item.local_range(0);
              const Index i = item.global_id(1), j = item.global_id(0), own = item.group_id(1) * tile + x;
              float* const s = item.local(array);
              float* const t = s + tile * tile;
              float sum = 0;
              for (Index k = 0; k < n; k += tile) {
                s[y * tile + x] = (d[(k + y) * n + own] - mean[own]) * scale[own];
                t[y * tile + x] = (d[(k + y) * n + j] - mean[j]) * scale[j];
                item.barrier();
                for (Index l = 0; l < tile; ++l) sum += s[l * tile + y] * t[l * tile + x];
                item.barrier();
              }
              to[i * n + j] = sum;
            });
      },
      [=](float* p) { plain::covariance(size, size, data.data(), correlation, p); });
}

template <class Make>
KernelEntry square_entry(const char* name, const char* what, bool has_barriers, Make make) {
  return {name, what, has_barriers, square_groups, make, 160 * 160, 1024, 1024};
}

}  // namespace

std::vector<KernelEntry> matrix_kernels() {
  return {
      square_entry("syrk", "alpha A A^T + beta C, tiles in local memory, float", true, syrk),
      square_entry("syr2k", "alpha (A B^T + B A^T) + beta C, tiles in local memory, float", true, syr2k),
      square_entry("covariance", "of each two variables, tiles in local memory, float", true,
                   [](int group, Index items) { return covariance(false, group, items); }),
      square_entry("correlation", "of each two variables, tiles in local memory, float", true,
                   [](int group, Index items) { return covariance(true, group, items); }),
      square_entry("gemm", "alpha A B + beta C, float", false,
                   [](int group, Index items) { return chain(1, group, items); }),
      square_entry("2mm", "two products of matrices, float", false,
                   [](int group, Index items) { return chain(2, group, items); }),
      square_entry("3mm", "three products of matrices, float", false,
                   [](int group, Index items) { return chain(3, group, items); }),
  };
}

}  // namespace trellis::bench::spmd
