// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadron_correlators.hpp"

#include <algorithm>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/baryon_kernel.hpp"
#include "trellis/measure/hadrons/correlator_parts.hpp"
#include "trellis/measure/hadrons/correlators_of_quarks.hpp"

namespace trellis::measure {

namespace {

constexpr char axes[] = "xyzt";

// f(columns of the tile, numbers of the tile) for all tiles.
template <class F, int W>
SiteNumbers<W> contract(Kernel kernel, const FullSpinors<double, W>& propagator, int count, const F& f) {
  require_columns(propagator);
  const SiteNumbers<W> numbers(propagator.lattice(), count);
  kernel.bytes = bytes_of(propagator.part[0]) + 4.0 * count * double(propagator.lattice().local_volume());
  for (const int parity : {0, 1}) {
    const auto from = propagator.part[parity].access();
    const auto to = numbers.access();
    const int first = propagator.part[parity].first_tile();
    for_each_half_tile(
        kernel, propagator.lattice(),
        TRELLIS_KERNEL(int tile) { f(PropagatorAt<W>{from, tile}, to.at(first + tile)); });
  }
  return numbers;
}

template <int W>
struct MesonContraction {
  const MesonWeights* weights;
  int count;
  bool needed[4];  // by flip

  TRELLIS_INLINE void operator()(const PropagatorAt<W>& quark, double* numbers) const {
    using S = lanes_t<double, W>;
    for (int n = 0; n < count; ++n) store_lanes(numbers + n * W, S(0.0));
    for (int m = 0; m < 4; ++m)
      if (needed[m]) add_meson_pairs<W>(quark, m, weights, count, numbers);
  }
};

template <int W>
struct ProtonContraction {
  TRELLIS_INLINE void operator()(const PropagatorAt<W>& quark, double* numbers) const {
    const auto traces = proton_traces<W>(quark);
    store_lanes(numbers, traces.one.re);
    store_lanes(numbers + W, traces.one.im);
    store_lanes(numbers + 2 * W, traces.gamma4.re);
    store_lanes(numbers + 3 * W, traces.gamma4.im);
  }
};

// The correlators of the meson channels, by name.
template <int W>
std::vector<Correlator> mesons(const FullSpinors<double, W>& propagator, const std::vector<std::string>& names,
                               const SinkParameters& p) {
  if (names.empty()) return {};
  std::vector<SpinMatrix> gammas;
  for (const auto& name : names) gammas.push_back(find_meson(name)->gamma);
  const auto sums = time_slice_sums(meson_contractions(propagator, std::span<const SpinMatrix>(gammas)),
                                    {.origin = p.source, .momenta = p.momenta, .winding_over_pi = {}});
  return split(sums, static_cast<int>(names.size()));
}

// The proton and its negative-parity partner.
template <int W>
std::array<Correlator, 2> protons(const FullSpinors<double, W>& propagator, const SinkParameters& p) {
  auto winding = p.boundary_angle_over_pi;
  for (auto& w : winding) w *= 3;
  const auto sums = split(time_slice_sums(proton_contractions(propagator),
                                          {.origin = p.source, .momenta = p.momenta, .winding_over_pi = winding}),
                          4);
  std::array<Correlator, 2> both;
  constexpr std::complex<double> i(0, 1);
  for (std::size_t t = 0; t < sums[0].size(); ++t) {
    const auto one = sums[0][t] + i * sums[1][t], gamma4 = sums[2][t] + i * sums[3][t];
    both[0].push_back((gamma4 + one) / 2.0);
    both[1].push_back((gamma4 - one) / 2.0);
  }
  return both;
}

}  // namespace

const std::vector<MesonChannel>& meson_channels() {
  static const std::vector<MesonChannel> all = [] {
    using namespace spin_matrices;
    std::vector<MesonChannel> channels{{"scalar", one}};
    for (int mu = 0; mu < 4; ++mu) channels.push_back({std::string("vector_") + axes[mu], gamma[mu]});
    channels.push_back({"pseudoscalar", gamma5});
    for (int mu = 0; mu < 4; ++mu) channels.push_back({std::string("axial_") + axes[mu], gamma[mu] * gamma5});
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = mu + 1; nu < 4; ++nu)
        channels.push_back({std::string("tensor_") + axes[mu] + axes[nu], sigma(mu, nu)});
    return channels;
  }();
  return all;
}

const std::vector<std::string>& hadron_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& channel : meson_channels()) all.push_back(channel.name);
    all.insert(all.end(), {"pion", "rho", "proton", "proton_negative"});
    return all;
  }();
  return names;
}

bool is_baryon(const std::string& name) {
  const auto& all = baryons_of_quarks();
  return std::find(all.begin(), all.end(), name) != all.end();
}

template <int W>
SiteNumbers<W> meson_contractions(const FullSpinors<double, W>& propagator, std::span<const SpinMatrix> gammas) {
  const int count = static_cast<int>(gammas.size());
  const HostView<MesonWeights*> weights("weights of mesons", count);
  MesonContraction<W> mesons{nullptr, count, {}};
  for (int n = 0; n < count; ++n) {
    weights(n) = MesonWeights(gammas[std::size_t(n)]);
    mesons.needed[weights(n).flip] = true;
  }
  const auto table = in_field_memory(weights);
  mesons.weights = table.data();
  double pairs = 0;
  for (int m = 0; m < 4; ++m) pairs += mesons.needed[m] ? (m == 0 ? 16 : 8) : 0;
  const Kernel kernel{"mesons", 0, double(propagator.lattice().local_parity_volume()) * pairs * 72};
  return contract(kernel, propagator, count, mesons);
}

template <int W>
SiteNumbers<W> proton_contractions(const FullSpinors<double, W>& propagator) {
  const Kernel kernel{"proton", 0, double(propagator.lattice().local_parity_volume()) * 21000};
  return contract(kernel, propagator, 4, ProtonContraction<W>{});
}

template <int W>
std::vector<std::vector<std::complex<double>>> hadron_correlators(const FullSpinors<double, W>& propagator,
                                                                  std::span<const std::string> names,
                                                                  const SinkParameters& parameters) {
  std::vector<std::string> needed;  // among the sixteen
  const auto need = [&](const std::string& name) {
    if (std::find(needed.begin(), needed.end(), name) == needed.end()) needed.push_back(name);
  };
  bool any_baryon = false;
  for (const auto& name : names) {
    if (name == "rho")
      for (const auto& part : parts_of_rho()) need(part);
    else if (name == "proton" || name == "proton_negative")
      any_baryon = true;
    else if (const auto* channel = find_meson(name))
      need(channel->name);
    else
      fail_input("hadron correlators: there is no channel \"{}\"; expected one of {}", name,
                 joined(hadron_names(), ", "));
  }
  require_columns(propagator);
  const auto of_mesons = mesons(propagator, needed, parameters);
  const auto meson = [&](const std::string& name) -> const Correlator& {
    return of_mesons[std::size_t(std::find(needed.begin(), needed.end(), find_meson(name)->name) - needed.begin())];
  };
  std::vector<Correlator> rho_parts;
  if (std::find(names.begin(), names.end(), "rho") != names.end())
    for (const auto& part : parts_of_rho()) rho_parts.push_back(meson(part));
  std::array<Correlator, 2> baryons;
  if (any_baryon) baryons = protons(propagator, parameters);

  std::vector<Correlator> result;
  for (const auto& name : names) {
    if (name == "rho")
      result.push_back(mean(rho_parts));
    else if (is_baryon(name))
      result.push_back(baryons[name == "proton" ? 0 : 1]);
    else
      result.push_back(meson(name));
  }
  return result;
}

#define TRELLIS_INSTANTIATE(W)                                                                            \
  template SiteNumbers<W> meson_contractions(const FullSpinors<double, W>&, std::span<const SpinMatrix>); \
  template SiteNumbers<W> proton_contractions(const FullSpinors<double, W>&);                             \
  template std::vector<std::vector<std::complex<double>>> hadron_correlators(                             \
      const FullSpinors<double, W>&, std::span<const std::string>, const SinkParameters&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
