// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"

#include <algorithm>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/baryon_kernel.hpp"
#include "trellis/measure/hadrons/baryon_terms.hpp"
#include "trellis/measure/hadrons/correlator_parts.hpp"

namespace trellis::measure {

namespace {

template <int W>
struct MixedMesons {
  ParityAccess<double, 24, W> quark, antiquark;
  const MesonWeights* weights;
  int count;
  bool needed[4];  // by flip

  TRELLIS_INLINE void operator()(int tile, double* numbers) const {
    using S = lanes_t<double, W>;
    for (int n = 0; n < 2 * count; ++n) store_lanes(numbers + n * W, S(0.0));
    for (int m = 0; m < 4; ++m)
      if (needed[m])
        add_meson_pairs<W>(PropagatorAt<W>{quark, tile}, PropagatorAt<W>{antiquark, tile}, m, weights, count, numbers);
  }
};

// Re and Im of both traces for each baryon.
template <int W>
struct Baryons {
  ParityAccess<double, 24, W> quarks[3];
  const BaryonTerm* terms;
  const BaryonSpins* spins;
  int term_count, count;

  TRELLIS_INLINE void operator()(int tile, double* numbers) const {
    using S = lanes_t<double, W>;
    for (int n = 0; n < 4 * count; ++n) store_lanes(numbers + n * W, S(0.0));
    for (int k = 0; k < term_count; ++k) {
      const BaryonTerm& term = terms[k];
      const auto at = [&](int n) { return PropagatorAt<W>{quarks[term.quarks[n]], tile}; };
      const auto traces = baryon_traces<W>(at(0), at(1), at(2), spins[term.spins], term.direct, term.exchange);
      const S parts[4] = {traces.one.re, traces.one.im, traces.gamma4.re, traces.gamma4.im};
      for (int n = 0; n < 4; ++n) {
        double* sum = numbers + (4 * term.baryon + n) * W;
        store_lanes(sum, load_lanes<S>(sum) + parts[n]);
      }
    }
  }
};

// `count` numbers on each site, by of_parity[parity](tile, numbers of the tile). Any propagator of the contraction says
// where tiles are.
template <class F, int W>
SiteNumbers<W> contract_on_sites(const Kernel& kernel, const FullSpinors<double, W>& propagator, int count,
                                 const std::array<F, 2>& of_parity) {
  const SiteNumbers<W> numbers(propagator.lattice(), count);
  for (const std::size_t parity : {0, 1}) {
    const F f = of_parity[parity];
    const auto to = numbers.access();
    const int first = propagator.part[parity].first_tile();
    for_each_half_tile(kernel, propagator.lattice(), TRELLIS_KERNEL(int tile) { f(tile, to.at(first + tile)); });
  }
  return numbers;
}

Correlator with_imaginary_part(const Correlator& re, const Correlator& im) {
  Correlator sum = re;
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += std::complex<double>(0, 1) * im[k];
  return sum;
}

[[noreturn]] void fail_name(const std::string& name, const std::vector<std::string>& known) {
  fail_input("hadron correlators: there is no channel \"{}\"; expected one of {}", name, joined(known, ", "));
}

}  // namespace

const std::vector<std::string>& baryons_of_quarks() {
  static const std::vector<std::string> names{"proton",          "proton_negative", "lambda",
                                              "lambda_negative", "decuplet",        "decuplet_negative"};
  return names;
}

template <int W>
std::vector<Correlator> meson_correlators(const FullSpinors<double, W>& quark, const FullSpinors<double, W>& antiquark,
                                          std::span<const std::string> names, const SinkParameters& p) {
  require_columns(quark);
  require_columns(antiquark);
  std::vector<std::string> needed;  // among the sixteen
  for (const auto& name : names) {
    if (name != "rho" && find_meson(name) == nullptr) fail_name(name, hadron_names());
    for (const auto& part : name == "rho" ? parts_of_rho() : std::vector<std::string>{find_meson(name)->name})
      if (std::find(needed.begin(), needed.end(), part) == needed.end()) needed.push_back(part);
  }
  if (needed.empty()) return {};
  const int count = static_cast<int>(needed.size());
  const HostView<MesonWeights*> weights("weights of mesons", count);
  MixedMesons<W> mesons{quark.part[0].access(), antiquark.part[0].access(), nullptr, count, {}};
  for (int n = 0; n < count; ++n) {
    weights(n) = MesonWeights(find_meson(needed[std::size_t(n)])->gamma);
    mesons.needed[weights(n).flip] = true;
  }
  const auto table = in_field_memory(weights);
  mesons.weights = table.data();
  const double sites = double(quark.lattice().local_parity_volume());
  const Kernel kernel{"mesons of two quarks", 2 * bytes_of(quark.part[0]) + 16.0 * count * sites, sites * 16 * 4 * 72};
  const auto of_parity = [&](std::size_t parity) {
    auto here = mesons;
    here.quark = quark.part[parity].access();
    here.antiquark = antiquark.part[parity].access();
    return here;
  };
  const auto numbers = contract_on_sites(kernel, quark, 2 * count, std::array{of_parity(0), of_parity(1)});
  const auto sums =
      split(time_slice_sums(numbers, {.origin = p.source, .momenta = p.momenta, .winding_over_pi = {}}), 2 * count);
  const auto meson = [&](const std::string& name) {
    const auto n = std::size_t(std::find(needed.begin(), needed.end(), name) - needed.begin());
    return with_imaginary_part(sums[2 * n], sums[2 * n + 1]);
  };
  std::vector<Correlator> result;
  for (const auto& name : names) {
    if (name != "rho") {
      result.push_back(meson(find_meson(name)->name));
      continue;
    }
    std::vector<Correlator> parts;
    for (const auto& part : parts_of_rho()) parts.push_back(meson(part));
    result.push_back(mean(parts));
  }
  return result;
}

template <int W>
std::vector<Correlator> baryon_correlators(std::span<const FullSpinors<double, W>> propagators,
                                           const std::array<int, 3>& quarks, std::span<const std::string> names,
                                           const SinkParameters& p) {
  std::vector<std::string> needed;
  for (const auto& name : names) {
    if (!is_baryon(name)) fail_name(name, baryons_of_quarks());
    if (std::find(needed.begin(), needed.end(), without_parity(name)) == needed.end())
      needed.push_back(without_parity(name));
  }
  if (needed.empty()) return {};
  for (const int n : quarks) require_columns(propagators[std::size_t(n)]);
  const auto list = baryon_terms(quarks, needed);
  const int count = static_cast<int>(needed.size());
  const HostView<BaryonTerm*> host_terms("terms of baryons", static_cast<Index>(list.terms.size()));
  const HostView<BaryonSpins*> host_spins("spins of baryons", static_cast<Index>(list.spins.size()));
  std::copy(list.terms.begin(), list.terms.end(), host_terms.data());
  std::copy(list.spins.begin(), list.spins.end(), host_spins.data());
  const auto terms = in_field_memory(host_terms);
  const auto spins = in_field_memory(host_spins);
  const auto& first = propagators[std::size_t(quarks[0])];
  const double sites = double(first.lattice().local_parity_volume()), term_count = double(list.terms.size());
  const Kernel kernel{"baryons", 3 * bytes_of(first.part[0]) + 32.0 * count * sites, sites * term_count * 21000};
  const auto of_parity = [&](std::size_t parity) {
    const auto access = [&](std::size_t n) { return propagators[std::size_t(quarks[n])].part[parity].access(); };
    return Baryons<W>{
        {access(0), access(1), access(2)}, terms.data(), spins.data(), static_cast<int>(list.terms.size()), count};
  };
  const auto numbers = contract_on_sites(kernel, first, 4 * count, std::array{of_parity(0), of_parity(1)});
  auto winding = p.boundary_angle_over_pi;
  for (auto& w : winding) w *= 3;
  const auto sums = split(
      time_slice_sums(numbers, {.origin = p.source, .momenta = p.momenta, .winding_over_pi = winding}), 4 * count);
  std::vector<Correlator> result;
  for (const auto& name : names) {
    const auto n = std::size_t(std::find(needed.begin(), needed.end(), without_parity(name)) - needed.begin());
    const auto one = with_imaginary_part(sums[4 * n], sums[4 * n + 1]),
               gamma4 = with_imaginary_part(sums[4 * n + 2], sums[4 * n + 3]);
    const double sign = name == without_parity(name) ? 1 : -1;
    Correlator c = gamma4;
    for (std::size_t t = 0; t < c.size(); ++t) c[t] = (gamma4[t] + sign * one[t]) / 2.0;
    result.push_back(std::move(c));
  }
  return result;
}

#define TRELLIS_INSTANTIATE(W)                                                                                     \
  template std::vector<Correlator> meson_correlators(const FullSpinors<double, W>&, const FullSpinors<double, W>&, \
                                                     std::span<const std::string>, const SinkParameters&);         \
  template std::vector<Correlator> baryon_correlators(std::span<const FullSpinors<double, W>>,                     \
                                                      const std::array<int, 3>&, std::span<const std::string>,     \
                                                      const SinkParameters&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
