// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_fields.hpp"

#include <array>
#include <bit>
#include <span>

#include "trellis/core/lanes.hpp"
#include "trellis/core/random.hpp"

namespace trellis::app {
namespace {

// numbers(site, coordinate, to) writes those of one site that this rank owns. The bits of other ranks' sites are zero
// here, so the sum gives the owner's bits.
template <class F>
std::vector<double> gathered(const Lattice& lattice, const NaiveLinks& shape, std::size_t per_site, const F& numbers) {
  std::vector<std::uint64_t> bits(shape.volume() * per_site);
  std::vector<double> own(per_site);
  for (std::size_t x = 0; x < shape.volume(); ++x) {
    if (!lattice.owns(shape.coordinate(x))) continue;
    numbers(shape.coordinate(x), std::span(own));
    for (std::size_t k = 0; k < per_site; ++k) bits[x * per_site + k] = std::bit_cast<std::uint64_t>(own[k]);
  }
  lattice.ranks().sum("numbers for naive loops", bits);
  std::vector<double> all(bits.size());
  for (std::size_t k = 0; k < bits.size(); ++k) all[k] = std::bit_cast<double>(bits[k]);
  return all;
}

}  // namespace

template <int W>
NaiveLinks naive_links(const GaugeField<double, W>& u) {
  NaiveLinks links(u.lattice().size());
  const auto all = gathered(u.lattice(), links, 72, [&](const Coordinate& x, std::span<double> to) {
    for (int mu = 0; mu < 4; ++mu) {
      const auto numbers = u.link(x, mu);
      std::copy(numbers.begin(), numbers.end(), to.begin() + 18 * mu);
    }
  });
  for (std::size_t x = 0; x < links.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      for (std::size_t k = 0; k < 9; ++k) {
        const auto* number = &all[x * 72 + std::size_t(mu) * 18 + 2 * k];
        links(x, mu)[k / 3][k % 3] = {number[0], number[1]};
      }
  return links;
}

template <int W>
GaugeField<double, W> gauge_field(const NaiveLinks& links, const Lattice& lattice) {
  const GaugeField<double, W> u(lattice);
  for (std::size_t x = 0; x < links.volume(); ++x) {
    if (!lattice.owns(links.coordinate(x))) continue;
    for (int mu = 0; mu < 4; ++mu) {
      std::array<double, 18> numbers{};
      for (std::size_t k = 0; k < 9; ++k) {
        numbers[2 * k] = links(x, mu)[k / 3][k % 3].real();
        numbers[2 * k + 1] = links(x, mu)[k / 3][k % 3].imag();
      }
      u.set_link(links.coordinate(x), mu, numbers);
    }
  }
  u.exchange();
  return u;
}

template <int W, int Reals>
NaiveField<std::size_t(Reals / 2)> naive_field(const measure::FullFields<double, Reals, W>& psi, int n) {
  const NaiveLinks shape(psi.lattice().size());
  const auto all = gathered(psi.lattice(), shape, Reals, [&](const Coordinate& x, std::span<double> to) {
    const auto numbers = psi.at(x, n);
    std::copy(numbers.begin(), numbers.end(), to.begin());
  });
  NaiveField<std::size_t(Reals / 2)> result(shape.volume());
  for (std::size_t x = 0; x < result.size(); ++x)
    for (std::size_t i = 0; i < std::size_t(Reals / 2); ++i)
      result[x][i] = {all[x * Reals + 2 * i], all[x * Reals + 2 * i + 1]};
  return result;
}

template <int W, std::size_t N>
measure::FullFields<double, 2 * int(N), W> full_field(const NaiveField<N>& psi, const Lattice& lattice) {
  const measure::FullFields<double, 2 * int(N), W> result(lattice);
  const NaiveLinks shape(lattice.size());
  for (std::size_t n = 0; n < psi.size(); ++n) {
    const auto x = shape.coordinate(n);
    if (!lattice.owns(x)) continue;
    std::array<double, 2 * N> numbers{};
    for (std::size_t i = 0; i < N; ++i) {
      numbers[2 * i] = psi[n][i].real();
      numbers[2 * i + 1] = psi[n][i].imag();
    }
    result.set(x, numbers);
  }
  return result;
}

template <std::size_t N>
NaiveField<N> random_naive_field(std::size_t volume, std::uint64_t seed) {
  const RandomStream stream{seed, 0, RandomPurpose::test};
  NaiveField<N> psi(volume);
  for (std::size_t n = 0; n < volume; ++n)
    for (std::uint32_t i = 0; i < N; ++i) {
      const auto [a, b] = stream.uniform(n, 1 + i);
      psi[n][i] = {2 * a - 1, 2 * b - 1};
    }
  return psi;
}

template NaiveField<3> random_naive_field<3>(std::size_t, std::uint64_t);
template NaiveField<12> random_naive_field<12>(std::size_t, std::uint64_t);

#define TRELLIS_INSTANTIATE(W)                                                                       \
  template NaiveLinks naive_links<W>(const GaugeField<double, W>&);                                  \
  template GaugeField<double, W> gauge_field<W>(const NaiveLinks&, const Lattice&);                  \
  template NaiveField<3> naive_field<W, 6>(const measure::FullFields<double, 6, W>&, int);           \
  template NaiveField<12> naive_field<W, 24>(const measure::FullFields<double, 24, W>&, int);        \
  template measure::FullFields<double, 6, W> full_field<W, 3>(const NaiveField<3>&, const Lattice&); \
  template measure::FullFields<double, 24, W> full_field<W, 12>(const NaiveField<12>&, const Lattice&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
