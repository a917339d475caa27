// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/glueballs.hpp"

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/field_strength.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/loops/spatial_levels.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::measure {

namespace {

// Re tr P of the planes xy, xz, yz.
template <int W>
void spatial_plaquettes(const GaugeField<double, W>& u, const SiteNumbers<W>& to) {
  using S = lanes_t<double, W>;
  const auto links = u.access();
  const auto out = to.access();
  const double sites = double(u.lattice().local_volume());
  for_each_tile(
      {"spatial plaquettes", bytes_of(u) * 3 / 4 + 24 * sites, 9 * sites * product_flops}, u.lattice(),
      TRELLIS_KERNEL(int tile) {
        int plane = 0;
        for (int mu = 0; mu < 2; ++mu)
          for (int nu = mu + 1; nu < 3; ++nu) {
            const Matrix<S> one = links.link(tile, mu) * links.link(links.neighbours(tile, mu), nu);
            const Matrix<S> other = links.link(tile, nu) * links.link(links.neighbours(tile, nu), mu);
            store_lanes(out.at(tile) + plane++ * W, real_trace_adjoint(one, other));
          }
      });
}

// B_x, B_y, B_z in the places of links.
template <int W>
void magnetic_fields(const GaugeField<double, W>& u, const GaugeField<double, W>& b) {
  const auto links = u.access(), out = b.access();
  for_each_tile(
      {"magnetic fields", bytes_of(u, b) * 3 / 4, 30.0 * double(u.lattice().local_volume()) * product_flops},
      u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int i = 0; i < 3; ++i)
          out.set_link(tile, i, to_matrix(gauge::field_strength(links, tile, (i + 1) % 3, (i + 2) % 3)));
      });
  b.exchange(Reach::near);
}

// The pseudoscalar's sum over i, j, k on each site.
template <int W>
void curls(const GaugeField<double, W>& u, const GaugeField<double, W>& b, const SiteNumbers<W>& to) {
  using S = lanes_t<double, W>;
  const auto links = u.access(), fields = b.access();
  const auto out = to.access();
  for_each_tile(
      {"curls of magnetic fields", bytes_of(u, b) * 3 / 4, 12.0 * double(u.lattice().local_volume()) * product_flops},
      u.lattice(), TRELLIS_KERNEL(int tile) {
        S sum(0.0);
        for (int j = 0; j < 3; ++j) {
          const Hop next = fields.neighbours(tile, j);
          const Matrix<S> link = links.link(tile, j);
          const int k = (j + 1) % 3, i = (j + 2) % 3;  // eps_ijk = 1
          sum = sum + real_trace_adjoint(fields.link(tile, i), multiply_adjoint(link * fields.link(next, k), link));
          sum = sum - real_trace_adjoint(fields.link(tile, k), multiply_adjoint(link * fields.link(next, i), link));
        }
        store_lanes(out.at(tile), sum);
      });
}

}  // namespace

void require_valid(const GlueballSelection& selection) { require_levels("glueballs", selection.levels); }

template <int W>
std::vector<GlueballOperators> glueball_operators(const GlueballSelection& selection, const GaugeField<double, W>& u,
                                                  const gauge::Boundary& boundary) {
  require_valid(selection);
  const Lattice& lattice = u.lattice();
  const auto times = std::size_t(lattice.size(3)), last = std::size_t(boundary.last_slice(lattice.size()));
  const double norm = 3.0 * double(lattice.volume()) / lattice.size(3);
  const SiteNumbers<W> plaquettes(lattice, 3), curl(lattice, 1);
  const GaugeField<double, W> magnetic(lattice);
  std::vector<GlueballOperators> found;
  for_each_spatial_level(selection.ape_alpha, selection.levels, boundary, u,
                         [&](int level, const GaugeField<double, W>& smeared) {
                           spatial_plaquettes(smeared, plaquettes);
                           magnetic_fields(smeared, magnetic);
                           curls(smeared, magnetic, curl);
                           const auto sums = time_slice_sums(plaquettes, {}), pseudoscalar = time_slice_sums(curl, {});
                           for (std::size_t t = 0; t < times; ++t) {
                             if (t > last) {
                               found.push_back({level, int(t)});
                               continue;
                             }
                             const double xy = sums[t].real() / norm, xz = sums[times + t].real() / norm,
                                          yz = sums[2 * times + t].real() / norm;
                             found.push_back({level, int(t), (xy + xz + yz) / 3, (yz - xz) / std::sqrt(2.0),
                                              (yz + xz - 2 * xy) / std::sqrt(6.0), pseudoscalar[t].real() / norm});
                           }
                         });
  return found;
}

#define TRELLIS_INSTANTIATE(W)                                                                                       \
  template std::vector<GlueballOperators> glueball_operators(const GlueballSelection&, const GaugeField<double, W>&, \
                                                             const gauge::Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
