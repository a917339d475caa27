// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/staggered_data.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr int W = staggered_lanes;

Lattice lattice_for(Index items) {
  const bool large = items >= 8 * 8 * 8 * 4 * staggered_vectors;
  const int length = large ? 8 : 4;
  const Index plane = Index(length) * length * length / 2 * staggered_vectors;
  return Lattice({length, length, length, large ? int(items / plane / 4) * 4 : 8}, W);
}

GaugeField<double, W> random_links(const Lattice& lattice) {
  const GaugeField<double, W> u(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  return u;
}

}  // namespace

StaggeredData::StaggeredData(Index items)
    : lattice(lattice_for(items)),
      links(random_links(lattice)),
      table(lattice, dirac::staggered_coefficient({}, lattice.size())),
      in(lattice, 1, staggered_vectors),
      out(lattice, 0, staggered_vectors),
      expected(lattice, 0, staggered_vectors) {
  double* const numbers = in.view().data();
  for (Index k = 0; k < in.view().size(); ++k) numbers[k] = 0.001 * double(k * 7919 % 2003 - 1001);
  dirac::apply_hops(links, table, in, expected);
}

void StaggeredData::run_production() const { dirac::apply_hops(links, table, in, out); }

void StaggeredData::spoil() const {
  std::fill_n(out.view().data(), out.view().size(), std::numeric_limits<double>::quiet_NaN());
}

std::string StaggeredData::check() const {
  const double *const found = out.view().data(), *const right = expected.view().data();
  for (Index k = 0; k < Index(out.tiles()) * staggered_vectors * 6 * W; ++k)
    if (std::memcmp(found + k, right + k, sizeof(double)) != 0)
      return fmt::format("number {} is {}, not {}", k, found[k], right[k]);
  return {};
}

std::vector<int> staggered_groups() {
  std::vector<int> groups;
  for (int group = 32; group <= 1024; group *= 2)
    if (group >= W * staggered_vectors / staggered_each) groups.push_back(group);
  return groups;
}

}  // namespace trellis::bench::spmd
