// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/noise_source.hpp"

#include <numbers>

#include "trellis/core/complex.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/hadrons/axis_factors.hpp"

namespace trellis::measure {

namespace {

// exp(i p_j y_j) where y is in the part, zero elsewhere, for each y_x, then y_y and y_z; then 1 for the source's time.
HostView<complex<double>*> factors_of(const NoiseParameters& noise, int part, int time, const Momentum& momentum,
                                      const Coordinate& size) {
  const HostView<complex<double>*> table("factors of a noise source", size[0] + size[1] + size[2] + size[3]);
  complex<double>* next = table.data();
  for (std::size_t j = 0; j < 3; ++j) {
    const int offset = part % noise.spacing[j];
    part /= noise.spacing[j];
    for (int y = 0; y < size[j]; ++y) {
      const auto phase = phase_of(2.0 * momentum[j] * y / size[j]);
      *next++ = y % noise.spacing[j] == offset ? complex<double>{phase.real(), phase.imag()} : complex<double>{0, 0};
    }
  }
  for (int t = 0; t < size[3]; ++t) *next++ = {t == time ? 1.0 : 0.0, 0.0};
  return table;
}

struct Draw {
  RandomStream stream;
  NoiseKind kind;

  template <class S>
  TRELLIS_INLINE complex<S> operator()(const LaneSites& sites, std::uint32_t number) const {
    S re(0.0), im(0.0), angle(0.0);
    for (const int l : own_lanes<S>()) {
      const auto words = stream.words(std::uint64_t(sites[l]), number);
      if (kind == NoiseKind::u1) {
        set_lane(angle, l, 2 * RandomStream::to_unit(words[0], words[1]));
        continue;
      }
      const double size = kind == NoiseKind::z4 ? std::numbers::sqrt2 / 2 : 1.0;
      set_lane(re, l, (words[0] & 1) != 0 ? size : -size);
      if (kind == NoiseKind::z4) set_lane(im, l, (words[0] & 2) != 0 ? size : -size);
    }
    if (kind == NoiseKind::u1) sincospi(angle, im, re);
    return {re, im};
  }
};

}  // namespace

int column_count(NoiseDilution dilution) {
  return (dilution == NoiseDilution::spin || dilution == NoiseDilution::spin_colour ? 4 : 1) *
         (dilution == NoiseDilution::colour || dilution == NoiseDilution::spin_colour ? 3 : 1);
}

std::vector<int> propagator_columns(NoiseDilution dilution) {
  std::vector<int> own(std::size_t(column_count(dilution)));
  for (std::size_t n = 0; n < own.size(); ++n) own[n] = int(n) * (dilution == NoiseDilution::spin ? 3 : 1);
  return own;
}

void require_valid(const NoiseParameters& noise, const Coordinate& size) {
  if (noise.vectors < 1 || noise.vectors > most_quark_noise)
    fail_input("noise sources: {} vectors; expected 1 to {}", noise.vectors, most_quark_noise);
  for (std::size_t j = 0; j < 3; ++j)
    if (noise.spacing[j] < 1 || size[j] % noise.spacing[j] != 0)
      fail_input("noise sources: a spacing of {} does not divide an extent of {}", noise.spacing[j], size[j]);
}

template <int W>
void noise_source(const NoiseParameters& noise, int vector, int part, int time, const Momentum& momentum,
                  const FullSpinors<double, W>& b) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = b.lattice();
  require_valid(noise, lattice.size());
  if (b.count() != column_count(noise.dilution))
    fail("noise sources: {} columns; expected {}", b.count(), column_count(noise.dilution));
  const auto host = factors_of(noise, part, time, momentum, lattice.size());
  const auto memory = in_field_memory(host);
  const AxisFactors factors(lattice, memory.data());
  const Draw draw{{noise.seed, noise.trajectory, quark_noise_purpose}, noise.kind};
  const auto first = std::uint32_t(12 * vector);
  const bool by_spin = noise.dilution == NoiseDilution::spin || noise.dilution == NoiseDilution::spin_colour;
  const bool by_colour = noise.dilution == NoiseDilution::colour || noise.dilution == NoiseDilution::spin_colour;
  const auto sites = lattice.tile_sites();
  b.set_zero();
  for (const auto& field : b.part) {
    const auto to = field.access();
    const int first_tile = field.first_tile();
    for_each_vector(
        {"noise source", bytes_of(field)}, lattice, b.count(), TRELLIS_KERNEL(int tile, int column) {
          const LaneSites own = sites(first_tile + tile);
          const complex<S> factor = factors.of<S>(own);
          const int own_spin = by_colour ? column / 3 : column, own_colour = column % 3;
          for (int spin = 0; spin < 4; ++spin)
            for (int colour = 0; colour < 3; ++colour) {
              if ((by_spin && spin != own_spin) || (by_colour && colour != own_colour)) continue;
              const int number = (by_spin ? 0 : 3 * spin) + (by_colour ? 0 : colour);
              store_complex(to.at(tile, column), 3 * spin + colour,
                            factor * draw.template operator()<S>(own, first + std::uint32_t(number)));
            }
        });
  }
}

#define TRELLIS_INSTANTIATE(W) \
  template void noise_source(const NoiseParameters&, int, int, int, const Momentum&, const FullSpinors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
