// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/fixed_sink.hpp"

#include <algorithm>

#include "trellis/core/complex.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/hadrons/axis_factors.hpp"
#include "trellis/measure/hadrons/baryon_terms.hpp"
#include "trellis/measure/hadrons/correlator_parts.hpp"
#include "trellis/measure/hadrons/sequential_kernel.hpp"

namespace trellis::measure {

namespace {

// exp(-i q_j (x_j - x0_j)), q_j = (2 pi n_j + pi w_j) / L_j, for each x_x, then x_y and x_z; then the phase of the
// boundary for the sink's time, zero for others.
HostView<complex<double>*> factors_of(const FixedSink& sink, const SinkParameters& p, int quarks,
                                      const Coordinate& size) {
  const HostView<complex<double>*> table("factors of a fixed sink", size[0] + size[1] + size[2] + size[3]);
  complex<double>* next = table.data();
  const auto winding = [&](std::size_t mu) { return quarks * p.boundary_angle_over_pi[mu]; };
  for (std::size_t j = 0; j < 3; ++j)
    for (int x = 0; x < size[j]; ++x) {
      const auto phase = phase_of(-(2.0 * sink.momentum[j] + winding(j)) * (x - p.source[j]) / size[j]);
      *next++ = {phase.real(), phase.imag()};
    }
  const int time = p.source[3] + sink.time;
  const auto phase = phase_of(time >= size[3] ? winding(3) : 0.0);
  for (int t = 0; t < size[3]; ++t)
    *next++ = t == time % size[3] ? complex<double>{phase.real(), phase.imag()} : complex<double>{0, 0};
  return table;
}

// Calls f(tile, site) where some lane is on the sink's slice, and then turns D into gamma_5 conj(factor D).
template <int W, class F>
void fill_slice(const Kernel& kernel, const ParityField<double, 24, W>& b, int time, const AxisFactors& factors,
                const F& derivative) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = b.lattice();
  const auto sites = lattice.tile_sites();
  const auto to = b.access();
  const int first_tile = b.first_tile();
  const std::int64_t slice = lattice.volume() / lattice.size(3);
  for_each_half_tile(
      kernel, lattice, TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(first_tile + tile);
        bool here = false;
        for (const int l : own_lanes<S>()) here = here || own[l] / slice == time;
        if (!here) return;
        const DerivativeAt<W> d{to, tile};
        derivative(tile, d);
        const complex<S> factor = factors.of<S>(own);
        for (int column = 0; column < 12; ++column)
          for (int k = 0; k < 12; ++k) {
            const auto value = factor * load_complex<S>(to.at(tile, column), k);
            const S sign(k < 6 ? 1.0 : -1.0);
            store_complex(to.at(tile, column), k, complex<S>{sign * value.re, -(sign * value.im)});
          }
      });
}

// dC/dS_{ab} = -[Gammabar gamma_5 S_2^dagger gamma_5 Gamma]_{ba}
template <int W>
struct MesonDerivative {
  ParityAccess<double, 24, W> antiquark;
  SpinRows left[3], right[3];  // Gammabar gamma_5, gamma_5 Gamma
  int count;

  TRELLIS_INLINE void operator()(int tile, const DerivativeAt<W>& d) const {
    using S = lanes_t<double, W>;
    const PropagatorAt<W> s{antiquark, tile};
    for (int n = 0; n < count; ++n)
      for (int spin = 0; spin < 4; ++spin)
        for (int source = 0; source < 4; ++source) {
          const int row = spin ^ right[n].flip;
          auto m = baryon_detail::colours<W>(s, row, source ^ left[n].flip);
          for (auto& line : m.e)
            for (auto& value : line) value = complex<S>{value.re, -value.im};
          d.add(m, spin, source, (2 + left[n].phase[source] + right[n].phase[row]) % 4, 1.0 / count);
        }
  }
};

template <int W>
struct BaryonDerivative {
  ParityAccess<double, 24, W> quarks[3];
  const BaryonTerm* terms;
  const BaryonSpins* spins;
  const BaryonProjector* projectors;  // by spins
  int term_count, place;

  TRELLIS_INLINE void operator()(int tile, const DerivativeAt<W>& d) const {
    for (int k = 0; k < term_count; ++k) {
      const BaryonTerm& term = terms[k];
      const auto at = [&](int n) { return PropagatorAt<W>{quarks[term.quarks[n]], tile}; };
      for (int n = 0; n < 3; ++n)
        if (term.quarks[n] == place)
          add_baryon_derivative<W>(at(0), at(1), at(2), spins[term.spins], projectors[term.spins], term.direct,
                                   term.exchange, n, d);
    }
  }
};

// i gamma_5 gamma_k, or one.
SpinMatrix spin_of(SinkProjector projector) {
  using namespace spin_matrices;
  if (projector == SinkProjector::unpolarised) return one;
  return (gamma5 * gamma[std::size_t(projector) - std::size_t(SinkProjector::polarised_x)]).times(1);
}

std::vector<SpinMatrix> gammas_of(const std::string& channel) {
  std::vector<SpinMatrix> gammas;
  for (const auto& name : channel == "rho" ? parts_of_rho() : std::vector<std::string>{channel}) {
    const auto* meson = find_meson(name);
    if (meson == nullptr) fail_input("fixed sink: there is no channel \"{}\" of these quarks", channel);
    gammas.push_back(meson->gamma);
  }
  return gammas;
}

template <int W>
void meson_source(const FixedSink& sink, const FullSpinors<double, W>& antiquark, int time, const AxisFactors& factors,
                  const FullSpinors<double, W>& b) {
  const auto gammas = gammas_of(sink.channel);
  MesonDerivative<W> d{};
  d.count = static_cast<int>(gammas.size());
  const SpinMatrix& gamma4 = spin_matrices::gamma[3];
  for (std::size_t n = 0; n < gammas.size(); ++n) {
    d.left[n] = SpinRows(gamma4 * gammas[n].adjoint() * gamma4 * spin_matrices::gamma5);
    d.right[n] = SpinRows(spin_matrices::gamma5 * gammas[n]);
  }
  for (const std::size_t parity : {0, 1}) {
    d.antiquark = antiquark.part[parity].access();
    fill_slice(Kernel{"sequential source of a meson", 2 * bytes_of(b.part[parity]) / b.lattice().size(3)},
               b.part[parity], time, factors, d);
  }
}

template <int W>
void baryon_source(const FixedSink& sink, std::span<const FullSpinors<double, W>> propagators, int time,
                   const AxisFactors& factors, const FullSpinors<double, W>& b) {
  // The quark with the current has a propagator of its own.
  std::array<int, 3> numbers{sink.quarks[0], sink.quarks[1], sink.quarks[2]};
  numbers[std::size_t(sink.place)] = -1;
  if (!is_baryon(sink.channel)) fail_input("fixed sink: there is no channel \"{}\" of these quarks", sink.channel);
  const auto list = baryon_terms(numbers, {without_parity(sink.channel)});
  const double sign = sink.channel == without_parity(sink.channel) ? 1 : -1;
  const SpinMatrix spin = spin_of(sink.projector);
  const HostView<BaryonTerm*> host_terms("terms of baryons", static_cast<Index>(list.terms.size()));
  const HostView<BaryonSpins*> host_spins("spins of baryons", static_cast<Index>(list.spins.size()));
  const HostView<BaryonProjector*> host_projectors("projectors", static_cast<Index>(list.spins.size()));
  std::copy(list.terms.begin(), list.terms.end(), host_terms.data());
  std::copy(list.spins.begin(), list.spins.end(), host_spins.data());
  for (std::size_t n = 0; n < list.spins.size(); ++n) {
    auto& p = host_projectors(static_cast<Index>(n));
    p.matrix[0] = list.spins[n].one;
    p.matrix[1] = list.spins[n].gamma4;
    if (sink.projector != SinkProjector::unpolarised) {
      p.matrix[0] = SpinRows(spin);
      p.matrix[1] = SpinRows(spin_matrices::gamma[3] * spin);
    }
    p.weight[0] = sign / 2;
    p.weight[1] = 0.5;
  }
  const auto terms = in_field_memory(host_terms);
  const auto spins = in_field_memory(host_spins);
  const auto projectors = in_field_memory(host_projectors);
  for (const std::size_t parity : {0, 1}) {
    const auto access = [&](std::size_t n) { return propagators[std::size_t(sink.quarks[n])].part[parity].access(); };
    const BaryonDerivative<W> d{{access(0), access(1), access(2)},   terms.data(), spins.data(), projectors.data(),
                                static_cast<int>(list.terms.size()), sink.place};
    const double slice = 1.0 / b.lattice().size(3);
    fill_slice(Kernel{"sequential source of a baryon", 4 * bytes_of(b.part[parity]) * slice,
                      double(b.lattice().local_parity_volume()) * slice * double(list.terms.size()) * 40000},
               b.part[parity], time, factors, d);
  }
}

// P_{s s'} = sum over colours and columns of conj(X_{s}) S_{s'}, Re and Im.
template <int W>
struct SpinPairs {
  ParityAccess<double, 24, W> x, s;

  TRELLIS_INLINE void operator()(int tile, double* numbers) const {
    using S = lanes_t<double, W>;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        complex<S> sum(S(0.0));
        for (int column = 0; column < 12; ++column)
          for (int c = 0; c < 3; ++c)
            sum = fma_conj(load_complex<S>(x.at(tile, column), 3 * a + c),
                           load_complex<S>(s.at(tile, column), 3 * b + c), sum);
        store_lanes(numbers + 2 * (4 * a + b) * W, sum.re);
        store_lanes(numbers + (2 * (4 * a + b) + 1) * W, sum.im);
      }
  }
};

}  // namespace

template <int W>
void sequential_source(const FixedSink& sink, std::span<const FullSpinors<double, W>> propagators,
                       const SinkParameters& parameters, const FullSpinors<double, W>& b) {
  for (const int n : sink.quarks) require_columns(propagators[std::size_t(n)]);
  require_columns(b);
  const Coordinate& size = b.lattice().size();
  const bool baryon = sink.quarks.size() == 3;
  const auto host = factors_of(sink, parameters, baryon ? 3 : 0, size);
  const auto memory = in_field_memory(host);
  const AxisFactors factors(b.lattice(), memory.data());
  const int time = (parameters.source[3] + sink.time) % size[3];
  b.set_zero();
  if (baryon)
    baryon_source(sink, propagators, time, factors, b);
  else
    meson_source(sink, propagators[std::size_t(sink.quarks[1])], time, factors, b);
}

template <int W>
std::vector<std::complex<double>> current_insertions(const FixedSink& sink, const FullSpinors<double, W>& x,
                                                     const FullSpinors<double, W>& s, const Coordinate& source) {
  require_columns(x);
  require_columns(s);
  const SiteNumbers<W> numbers(x.lattice(), 32);
  for (const std::size_t parity : {0, 1}) {
    const SpinPairs<W> pairs{x.part[parity].access(), s.part[parity].access()};
    const auto to = numbers.access();
    const int first = x.part[parity].first_tile();
    for_each_half_tile(
        Kernel{"currents", 2 * bytes_of(x.part[parity]), double(x.lattice().local_parity_volume()) * 16 * 36 * 8},
        x.lattice(), TRELLIS_KERNEL(int tile) { pairs(tile, to.at(first + tile)); });
  }
  // The sums have exp(-i p x).
  auto momenta = sink.momenta;
  for (auto& q : momenta)
    for (int& n : q) n = -n;
  const auto sums = split(time_slice_sums(numbers, {.origin = source, .momenta = momenta, .winding_over_pi = {}}), 32);
  std::vector<std::complex<double>> result;
  for (const auto& current : sink.currents) {
    const auto* channel = find_meson(current);
    if (channel == nullptr) fail_input("fixed sink: there is no current \"{}\"", current);
    const SpinMatrix gamma = spin_matrices::gamma5 * channel->gamma;
    Correlator c(sums[0].size());
    for (std::size_t row = 0; row < 4; ++row) {
      const std::size_t pair = 2 * (4 * row + (row ^ std::size_t(gamma.flip)));
      constexpr std::complex<double> powers[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
      const auto power = powers[gamma.phase[row]];
      for (std::size_t k = 0; k < c.size(); ++k)
        c[k] += power * (sums[pair][k] + std::complex<double>(0, 1) * sums[pair + 1][k]);
    }
    result.insert(result.end(), c.begin(), c.end());
  }
  return result;
}

#define TRELLIS_INSTANTIATE(W)                                                                                      \
  template void sequential_source(const FixedSink&, std::span<const FullSpinors<double, W>>, const SinkParameters&, \
                                  const FullSpinors<double, W>&);                                                   \
  template std::vector<std::complex<double>> current_insertions(const FixedSink&, const FullSpinors<double, W>&,    \
                                                                const FullSpinors<double, W>&, const Coordinate&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
