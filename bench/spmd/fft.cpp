// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The Fourier transform of each group's 2 n complex numbers, n the size of the group: radix 2, self-sorting (Stockham),
// alternating between two halves of local memory.
#include <complex>
#include <numbers>

#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
kernel void fft(global const float* re, global const float* im, global const float* cosines, global const float* sines,
                global float* out_re, global float* out_im, local float* both) {
  const int id = get_local_id(0), n = get_local_size(0);
  local float* from = both;
  local float* to = from + 4 * n;
  const int first = get_group_id(0) * 2 * n;
  for (int k = id; k < 2 * n; k += n) {
    from[k] = re[first + k];
    from[2 * n + k] = im[first + k];
  }
  for (int done = 1; done <= n; done *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int within = id & (done - 1), turn = within * (n / done);
    const float c = cosines[turn], s = sines[turn];
    const float a = from[id], b = from[2 * n + id], x = from[n + id], y = from[3 * n + id];
    const float p = x * c - y * s, q = x * s + y * c;
    const int at = 2 * id - within;
    to[at] = a + p;
    to[2 * n + at] = b + q;
    to[at + done] = a - p;
    to[2 * n + at + done] = b - q;
    local float* const old = from;
    from = to;
    to = old;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = id; k < 2 * n; k += n) {
    out_re[first + k] = from[k];
    out_im[first + k] = from[2 * n + k];
  }
})";

using Complex = std::complex<double>;

// For the check: a transform by recursion.
std::vector<Complex> transform(const std::vector<Complex>& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<Complex> even(n / 2), odd(n / 2), result(n);
  for (std::size_t i = 0; i < n / 2; ++i) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
  even = transform(even);
  odd = transform(odd);
  for (std::size_t i = 0; i < n / 2; ++i) {
    const Complex turned = std::polar(1.0, -2 * std::numbers::pi * double(i) / double(n)) * odd[i];
    result[i] = even[i] + turned;
    result[i + n / 2] = even[i] - turned;
  }
  return result;
}

class Fft : public Problem {
 public:
  Fft(int group, Index items)
      : group_(group),
        items_(whole_groups(items, group)),
        re_("re", 2 * items_),
        im_("im", 2 * items_),
        out_re_("out_re", 2 * items_),
        out_im_("out_im", 2 * items_),
        cos_("cos", group),
        sin_("sin", group) {
    fill(re_, 19);
    fill(im_, 20);
    for (int i = 0; i < group; ++i) {
      cos_(i) = static_cast<float>(std::cos(std::numbers::pi * i / group));
      sin_(i) = static_cast<float>(-std::sin(std::numbers::pi * i / group));
    }
  }

  Work work() const override { return {items_, 10 * std::log2(2.0 * group_) * double(items_), 32.0 * double(items_)}; }

  void run(WorkItems way) override {
    const float *const re = re_.data(), *const im = im_.data(), *const cosines = cos_.data(),
                       *const sines = sin_.data();
    float *const out_re = out_re_.data(), *const out_im = out_im_.data();
    LocalMemory memory;
    const auto both = memory.array<float>(8 * group_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "fft", nd_range<1>{items_, group_}.with(memory).by(its_way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
            const Index id = item.local_id(), n = item.local_range();
            float* from = item.local(both);  // 2 n real parts, 2 n imaginary ones
            float* to = from + 4 * n;
            const Index first = item.group_id() * 2 * n;
            for (Index k = id; k < 2 * n; k += n) {
              from[k] = re[first + k];
              from[2 * n + k] = im[first + k];
            }
            for (Index done = 1; done <= n; done *= 2) {  // transforms of this length are there
              item.barrier();
              const Index within = id & (done - 1), turn = within * (n / done);
              const float c = cosines[turn], s = sines[turn];
              const float a = from[id], b = from[2 * n + id], x = from[n + id], y = from[3 * n + id];
              const float p = x * c - y * s, q = x * s + y * c;
              const Index at = 2 * id - within;
              to[at] = a + p;
              to[2 * n + at] = b + q;
              to[at + done] = a - p;
              to[2 * n + at + done] = b - q;
              float* const old = from;
              from = to;
              to = old;
            }
            item.barrier();
            for (Index k = id; k < 2 * n; k += n) {
              out_re[first + k] = from[k];
              out_im[first + k] = from[2 * n + k];
            }
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "fft",
            "",
            1,
            {std::size_t(items_), 1, 1},
            {std::size_t(group_), 1, 1},
            {buffer(re_), buffer(im_), buffer(cos_), buffer(sin_), buffer(out_re_), buffer(out_im_),
             local_memory(8 * sizeof(float) * std::size_t(group_))}};
  }

  void spoil() override {
    fill_with(out_re_, std::numeric_limits<float>::quiet_NaN());
    fill_with(out_im_, std::numeric_limits<float>::quiet_NaN());
  }
  std::string check() const override {
    if (expected_.empty()) {
      for (Index first = 0; first < 2 * items_; first += 2 * group_) {
        std::vector<Complex> x;
        for (Index i = first; i < first + 2 * group_; ++i) x.emplace_back(re_(i), im_(i));
        x = transform(x);
        expected_.insert(expected_.end(), x.begin(), x.end());
      }
    }
    const std::string real =
        compare(2 * items_, out_re_, [&](Index i) { return expected_[std::size_t(i)].real(); }, 1e-5);
    if (!real.empty()) return "real part: " + real;
    return compare(2 * items_, out_im_, [&](Index i) { return expected_[std::size_t(i)].imag(); }, 1e-5);
  }

 private:
  int group_;
  Index items_;
  View<float*, HostSpace> re_, im_, out_re_, out_im_, cos_, sin_;
  mutable std::vector<Complex> expected_;
};

}  // namespace

KernelEntry variant::fft_kernel() {
  return {"fft",
          "Fourier transform of a group in local memory, radix 2, float",
          true,
          {32, 64, 128, 256, 512, 1024},
          [](int group, Index items) { return std::make_unique<Fft>(group, items); },
          Index(1) << 16,
          /*replicated=*/128};
}

}  // namespace trellis::bench::spmd
