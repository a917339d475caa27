// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fat and long links as HISQ makes them, with numbers of the same size but random, and the operator with them as a
// naive sum on the oracle's fields.

#include "reference/gauge.hpp"
#include "reference/staggered.hpp"

namespace trellis::test {

// one_step is in U(3) and three_steps the product of three of them, times -1/24; fat is no multiple of a unitary
// matrix.
struct NaikLinks {
  explicit NaikLinks(const reference::Site& size, std::uint64_t seed = 11)
      : fat(reference::hot_configuration(size, seed)),
        three_steps(size),
        one_step(reference::hot_configuration(size, seed + 1)) {
    const auto other = reference::hot_configuration(size, seed + 2);
    for (std::size_t n = 0; n < fat.links.size(); ++n) {
      const auto phase = std::polar(1.0, 0.1 * double(n % 61));
      for (std::size_t k = 0; k < 9; ++k) {
        fat.links[n][k] += 0.3 * other.links[n][k];
        one_step.links[n][k] *= phase;
      }
    }
    for (int n = 0; n < fat.volume(); ++n)
      for (int mu = 0; mu < 4; ++mu) {
        const auto x = fat.site(n);
        auto& u = three_steps.link(x, mu);
        u = one_step.link(x, mu) * one_step.link(reference::shift(x, mu), mu) *
            one_step.link(reference::shift(x, mu, 2), mu);
        for (auto& c : u) c *= -1.0 / 24;
      }
  }

  reference::GaugeConfiguration fat, three_steps, one_step;
};

// D psi of dirac/staggered/staggered.hpp, written literally; theta are the angles of the phases of links.
inline reference::ColourField naive_naik_d(const NaikLinks& u, const reference::LinkPhases& theta,
                                           const reference::ColourField& psi) {
  using reference::Complex, reference::shift;
  reference::ColourField out(psi.size(), reference::ColourVector{});
  for (int n = 0; n < u.fat.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu)
      for (const int distance : {1, 3}) {
        const auto& links = distance == 1 ? u.fat : u.three_steps;
        const auto x = u.fat.site(n), back = shift(x, mu, -distance);
        const auto phase = [&](const reference::Site& from) {
          Complex product = 1;
          for (int step = 0; step < distance; ++step)
            product *= std::polar(1.0, theta[std::size_t(4 * u.fat.index(shift(from, mu, step)) + mu)]);
          return product;
        };
        const auto& ahead = psi[std::size_t(u.fat.index(shift(x, mu, distance)))];
        const auto& behind = psi[std::size_t(u.fat.index(back))];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const auto forwards = phase(x) * links.link(x, mu)[std::size_t(3 * i + j)] * ahead[std::size_t(j)];
            const auto backwards =
                std::conj(phase(back) * links.link(back, mu)[std::size_t(3 * j + i)]) * behind[std::size_t(j)];
            out[std::size_t(n)][std::size_t(i)] += 0.5 * reference::eta(x, mu) * (forwards - backwards);
          }
      }
  return out;
}

}  // namespace trellis::test
