// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a matrix and a vector, of which a group has a part in local memory. A work-item computes a number of the
// result: from a row of the matrix, where neighbours read numbers far apart, or from a column.
#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

// out = start + scale A x, or A^T x.
template <bool Transposed, class Way>
void multiply(Way way, int size, int group, float scale, const float* a, const float* x, const float* start,
              float* out) {
  const Index n = size;
  LocalMemory memory;
  const auto array = memory.array<float>(group);
  parallel_for(
      "matrix times vector", nd_range<1>{n, group}.with(memory).by(way),
      TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        float* const part = item.local(array);
        const Index i = item.global_id(), id = item.local_id(), length = item.local_range();
        float sum = 0;
        for (Index first = 0; first < n; first += length) {
          part[id] = x[first + id];
          item.barrier();
          for (Index k = 0; k < length; ++k)
            sum += (Transposed ? a[(first + k) * n + i] : a[i * n + first + k]) * part[k];
          item.barrier();
        }
        out[i] = start[i] + scale * sum;
      });
}

struct Data {
  Data(int its_group, Index items, int vectors)
      : group(its_group),
        n(static_cast<int>(whole_groups(items < 1024 ? items : 1024, its_group))),
        zero("zero", n),
        out("out", n * vectors),
        middle("middle", n) {
    for (std::uint64_t k = 0; k < 2; ++k) matrices[k] = random_numbers<float>(Index(n) * n, 40 + k);
    for (std::uint64_t k = 0; k < 4; ++k) x[k] = random_numbers<float>(n, 42 + k);
  }
  Work work(int products) const {
    const double size = double(n) * n;
    return {Index(n) * products, 2 * size * products, 4 * size * products};
  }
  const float* a(int k = 0) const { return matrices[k].data(); }
  const float* vector(int k) const { return x[k].data(); }

  int group, n;
  Numbers1D<float> matrices[2], x[4], zero, out, middle;
};

// Writes what is made of products to `to`: kernels for a way, and the plain loops.
template <class Way>
struct Kernels {
  Way way;
  const Data& data;
  template <bool Transposed>
  void product(float scale, const float* a, const float* x, const float* start, float* out) const {
    multiply<Transposed>(way, data.n, data.group, scale, a, x, start, out);
  }
  void sigmoid(float* x) const {
    parallel_for(
        "sigmoid", nd_range<1>{data.n, data.group}.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          x[item.global_id()] = 1 / (1 + std::exp(-x[item.global_id()]));
        });
  }
};
struct PlainLoops {
  const Data& data;
  template <bool Transposed>
  void product(float scale, const float* a, const float* x, const float* start, float* out) const {
    plain::multiply(data.n, Transposed, scale, a, x, start, out);
  }
  void sigmoid(float* x) const { plain::sigmoid(data.n, x); }
};

template <class Steps>
KernelEntry entry(const char* name, const char* what, int products, int vectors, Steps steps) {
  const auto make = [=](int group, Index items) {
    const Data data(group, items, vectors);
    return make_case(
        data.work(products), data.out, 1e-5,
        [=](auto way) { steps(Kernels<decltype(way)>{way, data}, data, data.out.data()); },
        [=](float* p) { steps(PlainLoops{data}, data, p); });
  };
  return {name, what, true, all_groups, make, 1024, 1024, /*items_of_threads=*/64};
}

}  // namespace

std::vector<KernelEntry> matrix_vector_kernels() {
  return {
      entry("atax", "A^T (A x), parts of x in local memory, float", 2, 1,
            [](const auto& with, const Data& d, float* out) {
              with.template product<false>(1, d.a(), d.vector(0), d.zero.data(), d.middle.data());
              with.template product<true>(1, d.a(), d.middle.data(), d.zero.data(), out);
            }),
      entry("bicg", "A p and A^T r, parts of these in local memory, float", 2, 2,
            [](const auto& with, const Data& d, float* out) {
              with.template product<false>(1, d.a(), d.vector(0), d.zero.data(), out);
              with.template product<true>(1, d.a(), d.vector(1), d.zero.data(), out + d.n);
            }),
      entry("mvt", "x + A y and z + A^T w, parts of y and w in local memory, float", 2, 2,
            [](const auto& with, const Data& d, float* out) {
              with.template product<false>(1, d.a(), d.vector(0), d.vector(2), out);
              with.template product<true>(1, d.a(), d.vector(1), d.vector(3), out + d.n);
            }),
      entry("gesummv", "alpha A x + beta B x, parts of x in local memory, float", 2, 1,
            [](const auto& with, const Data& d, float* out) {
              with.template product<false>(1.5f, d.a(0), d.vector(0), d.zero.data(), d.middle.data());
              with.template product<false>(0.75f, d.a(1), d.vector(0), d.middle.data(), out);
            }),
      entry("neural", "two layers of neurons with sigmoids, parts of their input in local memory, float", 2, 1,
            [](const auto& with, const Data& d, float* out) {
              with.template product<true>(0.1f, d.a(0), d.vector(0), d.vector(1), d.middle.data());
              with.sigmoid(d.middle.data());
              with.template product<true>(0.1f, d.a(1), d.middle.data(), d.vector(2), out);
              with.sigmoid(out);
            }),
  };
}

}  // namespace trellis::bench::spmd
