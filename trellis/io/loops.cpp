// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/loops.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/io/formats/link_algebra.hpp"

namespace trellis::io {
namespace {

// Two consecutive time slices.
struct Slices {
  Coordinate size;
  const double* now;
  const double* next;

  const double* link(Coordinate x, int mu, int shift) const {  // U_mu(x + shift)
    const double* slice = now;
    if (shift == 3) {
      slice = next;
    } else if (shift >= 0) {
      const auto s = static_cast<std::size_t>(shift);
      x[s] = (x[s] + 1) % size[s];
    }
    const std::ptrdiff_t site = x[0] + static_cast<std::ptrdiff_t>(size[0]) * (x[1] + std::ptrdiff_t{size[1]} * x[2]);
    return slice + site * 72 + mu * 18;
  }

  double plaquette(const Coordinate& x, int mu, int nu) const {  // Re tr
    Matrix a, b;
    multiply(link(x, mu, -1), link(x, nu, mu), a.data());
    multiply(link(x, nu, -1), link(x, mu, nu), b.data());
    double sum = 0;
    for (std::size_t i = 0; i < 18; ++i) sum += a[i] * b[i];
    return sum;
  }
};

// Sums of Re tr over one time slice.
Loops sum_slice(const Slices& slices) {
  Loops sum;
  Coordinate x{};
  for (x[2] = 0; x[2] < slices.size[2]; ++x[2]) {
    for (x[1] = 0; x[1] < slices.size[1]; ++x[1]) {
      for (x[0] = 0; x[0] < slices.size[0]; ++x[0]) {
        for (int mu = 0; mu < 4; ++mu) {
          const double* u = slices.link(x, mu, -1);
          sum.link_trace += u[0] + u[8] + u[16];
          for (int nu = mu + 1; nu < 4; ++nu) {
            (nu == 3 ? sum.plaquette_temporal : sum.plaquette_spatial) += slices.plaquette(x, mu, nu);
          }
        }
      }
    }
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
  const auto fetch = [&](int t) {
    std::vector<double> slice(static_cast<std::size_t>(slice_sites) * 72);
    source(slice_sites * t, slice);
    return slice;
  };
  const auto first = fetch(0);
  auto now = first;
  Loops total;
  for (int t = 0; t < size[3]; ++t) {
    auto next = t + 1 < size[3] ? fetch(t + 1) : first;
    const auto sum = sum_slice({size, now.data(), next.data()});
    total.plaquette_spatial += sum.plaquette_spatial;
    total.plaquette_temporal += sum.plaquette_temporal;
    total.link_trace += sum.link_trace;
    now = std::move(next);
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
