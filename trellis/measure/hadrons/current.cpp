// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/current.hpp"

#include "trellis/core/complex.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/baryon_kernel.hpp"
#include "trellis/measure/hadrons/axis_factors.hpp"
#include "trellis/measure/hadrons/correlator_parts.hpp"

namespace trellis::measure {

namespace {

// exp(i q_j (y_j - x0_j)) for each y_x, then y_y and y_z; then 1 for the times of the current and 0 for others.
HostView<complex<double>*> factors_of(const QuarkCurrent& current, const Coordinate& source, const Coordinate& size) {
  const HostView<complex<double>*> table("factors of a current", size[0] + size[1] + size[2] + size[3]);
  complex<double>* next = table.data();
  for (std::size_t j = 0; j < 3; ++j)
    for (int y = 0; y < size[j]; ++y) {
      const auto phase = phase_of(2.0 * current.momentum[j] * (y - source[j]) / size[j]);
      *next++ = {phase.real(), phase.imag()};
    }
  for (int t = 0; t < size[3]; ++t) {
    const bool here = !current.time || (source[3] + *current.time) % size[3] == t;
    *next++ = {here ? 1.0 : 0.0, 0.0};
  }
  return table;
}

}  // namespace

template <int W>
void apply_current(const QuarkCurrent& current, const Coordinate& source, const FullSpinors<double, W>& psi,
                   const FullSpinors<double, W>& b) {
  using S = lanes_t<double, W>;
  const auto* channel = find_meson(current.channel);
  if (channel == nullptr) fail_input("quark current: there is no matrix \"{}\"", current.channel);
  if (b.count() != psi.count()) fail("quark current: {} columns of {}", b.count(), psi.count());
  const SpinRows gamma(channel->gamma);
  const Lattice& lattice = b.lattice();
  const auto host = factors_of(current, source, lattice.size());
  const auto memory = in_field_memory(host);
  const AxisFactors factors(lattice, memory.data());
  const auto sites = lattice.tile_sites();
  for (const std::size_t parity : {0, 1}) {
    const auto from = psi.part[parity].access(), to = b.part[parity].access();
    const int first_tile = b.part[parity].first_tile();
    for_each_vector(
        {"quark current", 2 * bytes_of(b.part[parity])}, lattice, b.count(), TRELLIS_KERNEL(int tile, int column) {
          const complex<S> factor = factors.of<S>(sites(first_tile + tile));
          for (int spin = 0; spin < 4; ++spin)
            for (int c = 0; c < 3; ++c) {
              const auto value = load_complex<S>(from.at(tile, column), 3 * (spin ^ gamma.flip) + c);
              store_complex(to.at(tile, column), 3 * spin + c,
                            baryon_detail::turned(factor * value, gamma.phase[spin]));
            }
        });
  }
}

#define TRELLIS_INSTANTIATE(W)                                                                       \
  template void apply_current(const QuarkCurrent&, const Coordinate&, const FullSpinors<double, W>&, \
                              const FullSpinors<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
