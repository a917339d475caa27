// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether ghosts hold the values of their sites: every site looks along every path of up to three steps that ghosts
// cover, and must find the number of the site at its end.

#include <gtest/gtest.h>

#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/halo/ghosts.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::testing {

// A number that names site, direction and component; exact in single precision for small lattices.
inline double name_of(const Lattice& lattice, const Coordinate& x, int mu, int k) {
  return double(lattice.lexicographic(x) * 4 + mu) + (k == 0 ? 0.25 : 0.0);
}

template <class F>
void for_each_own_site(const Lattice& lattice, const F& f) {
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    if (lattice.owns(lattice.coordinate(n))) f(lattice.coordinate(n));
}

inline Coordinate moved(const Lattice& lattice, Coordinate x, int step) {
  const int mu = step % 4;
  x[mu] = (x[mu] + (step < 4 ? 1 : lattice.size(mu) - 1)) % lattice.size(mu);
  return x;
}

// The same for a lexicographic number after some steps, for kernels.
struct Named {
  Coordinate size;
  TRELLIS_INLINE double operator()(std::int64_t site, int mu, int k) const {
    return double(site * 4 + mu) + (k == 0 ? 0.25 : 0.0);
  }
  TRELLIS_INLINE std::int64_t moved(std::int64_t site, int step) const {
    std::int64_t stride = 1;
    for (int mu = 0; mu < step % 4; ++mu) stride *= size[mu];
    const std::int64_t extent = size[step % 4], x = site / stride % extent;
    const std::int64_t to = (x + (step < 4 ? 1 : extent - 1)) % extent;
    return site + (to - x) * stride;
  }
};

template <class T, int W>
GaugeField<T, W> named_links(const Lattice& lattice) {
  using S = lanes_t<T, W>;
  const GaugeField<T, W> u(lattice);
  const auto links = u.access();
  const TileSites sites = lattice.tile_sites();
  const Named name{lattice.size()};
  for_each_tile(
      "names", lattice, TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(tile);
        for (int mu = 0; mu < 4; ++mu)
          for (int k = 0; k < 9; ++k) {
            S re = S(T(0)), im = S(T(0));
            for (const int l : own_lanes<S>()) {
              set_lane(re, l, T(name(own[l], mu, 2 * k)));
              set_lane(im, l, T(name(own[l], mu, 2 * k + 1)));
            }
            links.store_complex(tile, 9 * mu + k, complex<S>{re, im});
          }
      });
  return u;
}

// How many numbers at path ends differ from those of the sites there.
template <class T, int W>
double errors_at(const GaugeField<T, W>& u, std::span<const int> steps) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const Lattice& lattice = u.lattice();
  const auto links = u.access();
  const TileSites sites = lattice.tile_sites();
  const Named name{lattice.size()};
  const int count = int(steps.size()), a = steps[0], b = count > 1 ? steps[1] : 0, c = count > 2 ? steps[2] : 0;
  const auto sums = sum_over_tiles<D, 1>(
      "look", lattice, TRELLIS_KERNEL(int tile, ExactAccumulator<D>* errors) {
        Hop hop = links.neighbours(tile, a);
        if (count > 1) hop = links.neighbours(hop, b);
        if (count > 2) hop = links.neighbours(hop, c);
        const LaneSites own = sites(tile);
        D wrong(0.0);
        for (int mu = 0; mu < 4; ++mu) {
          const Matrix<S> link = links.link(hop, mu);
          for (const int l : own_lanes<S>()) {
            std::int64_t site = name.moved(own[l], a);
            if (count > 1) site = name.moved(site, b);
            if (count > 2) site = name.moved(site, c);
            const bool same =
                lane(link.e[0][0].re, l) == T(name(site, mu, 0)) && lane(link.e[2][2].im, l) == T(name(site, mu, 17));
            set_lane(wrong, l, lane(wrong, l) + (same ? 0.0 : 1.0));
          }
        }
        errors[0].add(wrong);
      });
  return sums[0];
}

template <class T, int W>
void expect_path(const GaugeField<T, W>& u, std::span<const int> steps) {
  EXPECT_EQ(errors_at(u, steps), 0) << "steps " << ::testing::PrintToString(std::vector(steps.begin(), steps.end()));
}

template <class T, int W>
void expect_ghosts_of_links(const Lattice& lattice) {
  const GaugeField<T, W> u = named_links<T, W>(lattice);
  u.exchange();
  std::vector<std::vector<int>> paths;
  for (int a = 0; a < 8; ++a) {
    paths.push_back({a});
    for (int b = 0; b < 8; ++b) {
      paths.push_back({a, b});
      for (int c = 0; c < 8; ++c) paths.push_back({a, b, c});
    }
  }
  for (const auto& path : paths) {
    Coordinate steps{};
    bool covered = true;  // at each of the path's points
    for (const int step : path) {
      steps[step % 4] += step < 4 ? 1 : -1;
      covered = covered && (steps == Coordinate{} || lattice_detail::reach_of(steps) > 0);
    }
    if (covered) expect_path(u, path);
    if (::testing::Test::HasFailure()) return;
  }
}

template <class T, int W>
void expect_ghosts_of_vectors(const Lattice& lattice, int count) {
  for (const int parity : {0, 1}) {
    const ColourVectorField<T, W> in(lattice, parity, count), out(lattice, 1 - parity, count);
    for_each_own_site(lattice, [&](const Coordinate& x) {
      if ((x[0] + x[1] + x[2] + x[3]) % 2 != parity) return;
      for (int n = 0; n < count; ++n) {
        std::array<double, 6> numbers;
        for (int k = 0; k < 6; ++k) numbers[std::size_t(k)] = name_of(lattice, x, n % 4, k) + 5 * k;
        in.set(x, numbers, n);
      }
    });
    const auto from = in.access(), to = out.access();
    const Neighbours next = lattice.neighbours();
    const int origin = in.first_tile(), own = out.first_tile();
    for (int step = 0; step < 8; ++step) {
      // A step of vectors without arithmetic. Inner tiles run before messages arrive.
      for_each_batch_of_stencil<1>(
          "look", in.halo_parts(), lattice, 1 - parity, count, TRELLIS_KERNEL(int tile, int first, int last) {
            using S = lanes_t<arithmetic_t<T>, W>;
            const Hop hop = next(own + tile, step);
            for (int n = first; n < last; ++n) {
              S numbers[6], moved_numbers[6];
              from.load(hop.tile - origin, n, numbers);
              for (int k = 0; k < 6; ++k) moved_numbers[k] = permute(numbers[k], next.permutation(hop.shift));
              to.store(tile, n, moved_numbers);
            }
          });
      for_each_own_site(lattice, [&](const Coordinate& x) {
        if ((x[0] + x[1] + x[2] + x[3]) % 2 == parity) return;
        for (int n = 0; n < count; ++n) {
          const Coordinate y = moved(lattice, x, step);
          const auto found = out.at(x, n);
          for (int k = 0; k < 6; ++k) {
            const double expected = name_of(lattice, y, n % 4, k) + 5 * k;
            const double tolerance = is_fixed_point<T> ? expected * 1e-4 + 0.1 : 0;
            ASSERT_NEAR(found[std::size_t(k)], expected, tolerance) << "step " << step << " vector " << n;
          }
        }
      });
    }
  }
}

}  // namespace trellis::testing
