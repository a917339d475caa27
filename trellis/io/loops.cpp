// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/loops.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/simd.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::io {
namespace {

// Sites that are looked at side by side in registers, and those of a task: constants, so that sums have the same bits
// on any machine.
constexpr int loop_lanes = 8;
constexpr std::int64_t summed_sites_a_task = 256;
using LoopNumbers = simd<double, loop_lanes>;
using LoopColours = trellis::Matrix<LoopNumbers>;

// Two consecutive time slices.
struct Slices {
  Coordinate size;
  const double* now;
  const double* next;

  // Where U_mu(x + shift) is, of the site with this number in the slice; shift = -1 is none.
  const double* link(std::int64_t site, int mu, int shift) const {
    if (shift < 0) return now + site * 72 + mu * 18;
    if (shift == 3) return next + site * 72 + mu * 18;
    std::int64_t stride = 1;
    for (int nu = 0; nu < shift; ++nu) stride *= size[static_cast<std::size_t>(nu)];
    const std::int64_t extent = size[static_cast<std::size_t>(shift)];
    const bool at_end = site / stride % extent == extent - 1;
    return now + (site + (at_end ? stride * (1 - extent) : stride)) * 72 + mu * 18;
  }

  // Those of `count` sites from this one on; the last one again in lanes that are left.
  LoopColours links(std::int64_t site, int count, int mu, int shift) const {
    alignas(64) double numbers[18][loop_lanes];
    for (int lane = 0; lane < loop_lanes; ++lane) {
      const double* u = link(site + std::min(lane, count - 1), mu, shift);
      for (int k = 0; k < 18; ++k) numbers[k][lane] = u[k];
    }
    LoopColours u;
    for (int k = 0; k < 9; ++k)
      u.e[k / 3][k % 3] = {LoopNumbers::load(numbers[2 * k]), LoopNumbers::load(numbers[2 * k + 1])};
    return u;
  }
};

double sum_of(const LoopNumbers& numbers, int count) {
  double sum = 0;
  for (int lane = 0; lane < count; ++lane) sum += numbers[lane];
  return sum;
}

// Re tr (a b^+)
LoopNumbers real_trace(const LoopColours& a, const LoopColours& b) {
  LoopNumbers sum(0.0);
  for (int k = 0; k < 9; ++k) {
    const auto &x = a.e[k / 3][k % 3], &y = b.e[k / 3][k % 3];
    sum = sum + (x.re * y.re + x.im * y.im);
  }
  return sum;
}

// Sums of Re tr over up to that many sites.
void add_sites(const Slices& slices, std::int64_t site, int count, Loops& sum) {
  LoopColours u[4];
  for (int mu = 0; mu < 4; ++mu) {
    u[mu] = slices.links(site, count, mu, -1);
    sum.link_trace += sum_of(u[mu].e[0][0].re + u[mu].e[1][1].re + u[mu].e[2][2].re, count);
  }
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      const auto one = u[mu] * slices.links(site, count, nu, mu), other = u[nu] * slices.links(site, count, mu, nu);
      (nu == 3 ? sum.plaquette_temporal : sum.plaquette_spatial) += sum_of(real_trace(one, other), count);
    }
}

// Sums of Re tr over one time slice.
Loops sum_slice(const Slices& slices) {
  const std::int64_t sites = std::int64_t{slices.size[0]} * slices.size[1] * slices.size[2];
  const std::int64_t tasks = (sites + summed_sites_a_task - 1) / summed_sites_a_task;
  std::vector<Loops> parts(static_cast<std::size_t>(tasks));
  parallel_for({"plaquettes of a file", double(sites) * 576}, RangePolicy<DefaultHostExecutionSpace>(0, tasks),
               [&](Index task) {
                 const std::int64_t end = std::min<std::int64_t>((task + 1) * summed_sites_a_task, sites);
                 Loops sum;
                 for (std::int64_t site = task * summed_sites_a_task; site < end; site += loop_lanes)
                   add_sites(slices, site, static_cast<int>(std::min<std::int64_t>(loop_lanes, end - site)), sum);
                 parts[static_cast<std::size_t>(task)] = sum;
               });
  Loops sum;
  for (const auto& part : parts) {
    sum.link_trace += part.link_trace;
    sum.plaquette_spatial += part.plaquette_spatial;
    sum.plaquette_temporal += part.plaquette_temporal;
  }
  return sum;
}

// All links in memory.
struct AllLinks {
  Coordinate size;
  const double* links;

  const double* at(Coordinate x, std::size_t mu) const {
    for (std::size_t nu = 0; nu < 4; ++nu) x[nu] %= size[nu];
    const std::ptrdiff_t site =
        x[0] + std::ptrdiff_t{size[0]} * (x[1] + std::ptrdiff_t{size[1]} * (x[2] + std::ptrdiff_t{size[2]} * x[3]));
    return links + site * 72 + static_cast<std::ptrdiff_t>(mu) * 18;
  }

  static Coordinate ahead(Coordinate x, std::size_t mu, int steps = 1) {
    x[mu] += steps;
    return x;
  }

  Matrix two(const Coordinate& x, std::size_t mu) const {
    Matrix product;
    multiply(at(x, mu), at(ahead(x, mu), mu), product.data());
    return product;
  }

  // Re tr of the two sides that go two steps in mu, then one in nu, and the other way round.
  double rectangle(const Coordinate& x, std::size_t mu, std::size_t nu, const Matrix& two_in_mu) const {
    Matrix a, b;
    multiply(two_in_mu.data(), at(ahead(x, mu, 2), nu), a.data());
    multiply(at(x, nu), two(ahead(x, nu), mu).data(), b.data());
    double sum = 0;
    for (std::size_t i = 0; i < 18; ++i) sum += a[i] * b[i];
    return sum;
  }

  double rectangles(const Coordinate& x) const {
    double sum = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const auto two_in_mu = two(x, mu);
      for (std::size_t nu = 0; nu < 4; ++nu)
        if (nu != mu) sum += rectangle(x, mu, nu, two_in_mu);
    }
    return sum;
  }

  std::complex<double> polyakov(Coordinate x) const {
    Matrix product, next;
    std::copy_n(at(x, 3), 18, product.begin());
    for (x[3] = 1; x[3] < size[3]; ++x[3]) {
      multiply(product.data(), at(x, 3), next.data());
      product = next;
    }
    return {product[0] + product[8] + product[16], product[1] + product[9] + product[17]};
  }
};

}  // namespace

LargeLoops measure_large_loops(const Coordinate& size, std::span<const double> links) {
  const auto sites = volume(size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(size));
  const AllLinks all{size, links.data()};
  // A sum for each row of sites in x, added in order.
  const std::int64_t rows = *sites / size[0];
  std::vector<double> rectangles(static_cast<std::size_t>(rows));
  std::vector<std::complex<double>> polyakov(static_cast<std::size_t>(rows / size[3]));
  parallel_for({"loops of a file", double(*sites) * 576}, RangePolicy<DefaultHostExecutionSpace>(0, rows),
               [&](Index row) {
                 const auto y = static_cast<int>(row % size[1]), z = static_cast<int>(row / size[1] % size[2]);
                 const auto t = static_cast<int>(row / size[1] / size[2]);
                 double sum = 0;
                 std::complex<double> traces = 0;
                 for (int x = 0; x < size[0]; ++x) {
                   sum += all.rectangles({x, y, z, t});
                   if (t == 0) traces += all.polyakov({x, y, z, 0});
                 }
                 rectangles[static_cast<std::size_t>(row)] = sum;
                 if (t == 0) polyakov[static_cast<std::size_t>(row)] = traces;
               });
  const double v = static_cast<double>(*sites);
  LargeLoops found;
  for (const double sum : rectangles) found.rectangle += sum;
  for (const auto& traces : polyakov) found.polyakov += traces;
  found.rectangle /= 36 * v;
  found.polyakov /= 3 * v / size[3];
  return found;
}

Loops measure_loops(const Coordinate& size, const LinkSource& source) {
  const auto sites = volume(size);
  if (!sites) fail_input("a lattice of {} is not possible", to_string(size));
  const std::int64_t slice_sites = *sites / size[3];
  // Three slices, whose memory is used again: touching new memory takes as long as the sums.
  std::vector<double> first(static_cast<std::size_t>(slice_sites) * 72), now, next(first.size());
  source(0, first);
  now = first;
  Loops total;
  for (int t = 0; t < size[3]; ++t) {
    const bool is_last = t + 1 == size[3];
    if (!is_last) source(slice_sites * (t + 1), next);
    const auto sum = sum_slice({size, now.data(), is_last ? first.data() : next.data()});
    total.plaquette_spatial += sum.plaquette_spatial;
    total.plaquette_temporal += sum.plaquette_temporal;
    total.link_trace += sum.link_trace;
    std::swap(now, next);
  }
  const double v = static_cast<double>(*sites);
  total.plaquette = (total.plaquette_spatial + total.plaquette_temporal) / (18 * v);
  total.plaquette_spatial /= 9 * v;
  total.plaquette_temporal /= 9 * v;
  total.link_trace /= 12 * v;
  return total;
}

LinkSource source_of(std::span<const double> links) {
  return [links](std::int64_t first_site, std::span<double> out) {
    const auto from = links.subspan(static_cast<std::size_t>(first_site) * 72, out.size());
    std::copy(from.begin(), from.end(), out.begin());
  };
}

}  // namespace trellis::io
