// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/complex_algebra_kernel.hpp"

namespace trellis::solver {

namespace algebra_detail {

namespace {

template <class Number, class Value>
void set_all(Number* numbers, std::span<const Value> values) {
  if (values.size() > maximum_sums) fail("vector algebra: {} vectors; at most {}", values.size(), maximum_sums);
  for (std::size_t n = 0; n < values.size(); ++n) numbers[n] = Number(values[n]);
}
template <class Number>
int count_not_zero(const Number* numbers) {
  return int(std::count_if(numbers, numbers + maximum_sums, [](Number v) { return v != 0; }));
}

}  // namespace

void set_numbers(float* numbers, std::span<const double> values) { set_all(numbers, values); }
void set_numbers(double* numbers, std::span<const double> values) { set_all(numbers, values); }
void set_places(int* places, std::span<const int> values) { set_all(places, values); }
int count_moving(const float* numbers) { return count_not_zero(numbers); }
int count_moving(const double* numbers) { return count_not_zero(numbers); }

Kernel vector_cost(const char* name, const Lattice& lattice, double vectors, double bytes, int reals, double flops,
                   int n, bool single) {
  const std::int64_t sites = lattice.local_parity_volume() * n;
  return {name, double(sites) * vectors * bytes, double(sites) * reals * flops, single};
}

std::vector<double> real_parts(std::span<const std::complex<double>> values) {
  std::vector<double> parts;
  for (const auto& z : values) parts.push_back(z.real());
  return parts;
}
std::vector<double> imaginary_parts(std::span<const std::complex<double>> values) {
  std::vector<double> parts;
  for (const auto& z : values) parts.push_back(z.imag());
  return parts;
}

std::vector<std::vector<double>> sums_of_groups(int count, std::span<const double> on, int each,
                                                FunctionRef<std::vector<double>(const MovingGroup&)> sums_of) {
  const int room = maximum_sums / each;
  std::vector<std::vector<double>> totals(each, std::vector<double>(count));
  for (int first = 0; first < count; first += room) {
    MovingGroup group{0, first, std::min(room, count - first), each};
    for (int n = 0; n < group.count; ++n) group.moving |= std::uint64_t(on[first + n] != 0) << n;
    if (group.moving == 0) continue;
    const std::vector<double> sums = sums_of(group);
    for (int n = 0; n < group.count; ++n)
      for (int k = 0; k < each; ++k) totals[k][first + n] = sums[n * each + k];
  }
  return totals;
}

}  // namespace algebra_detail

std::vector<std::complex<double>> as_complex(const std::vector<double>& re, const std::vector<double>& im) {
  std::vector<std::complex<double>> z;
  for (std::size_t n = 0; n < re.size(); ++n) z.emplace_back(re[n], im[n]);
  return z;
}

}  // namespace trellis::solver
