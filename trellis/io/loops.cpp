// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/loops.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/core/error.hpp"
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

}  // namespace

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
