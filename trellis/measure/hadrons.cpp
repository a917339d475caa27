// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/hadrons.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/dirac/stencil/quark_slices.hpp"
#include "trellis/gauge/smearing/spatial_stout.hpp"
#include "trellis/measure/quark_source.hpp"

namespace trellis::measure {

bool has(const std::vector<QuarkSink>& sinks, QuarkSink sink) {
  return std::find(sinks.begin(), sinks.end(), sink) != sinks.end();
}

template <int W>
GaugeField<double, W> quark_links(const HadronSelection& s, const GaugeField<double, W>& u) {
  if (s.smearing) return gauge::smeared_links<W>(*s.smearing, u.lattice())->smear(u);
  if (s.stout_is_spatial) return gauge::spatial_stout(s.stout.rho, s.stout.levels, u, s.stout.boundary);
  return gauge::StoutLinks<double, W>(s.stout, u.lattice()).smear(u);
}

template <int W>
HadronSources<W>::HadronSources(const HadronSelection& s, const GaugeField<double, W>& u)
    : source_(s.source), links_(quark_links(s, u)) {
  const bool smeared_sink =
      has(s.sinks, QuarkSink::smeared) || std::ranges::any_of(s.fixed_sinks, [](const auto& f) { return f.smeared; });
  if (s.source == QuarkSourceKind::gaussian || smeared_sink)
    smear_.emplace(s.gaussian, s.quark.boundary_angle_over_pi, u);
}

template <int W>
void HadronSources<W>::fill(const Coordinate& x, const FullSpinors<double, W>& b) const {
  if (source_ == QuarkSourceKind::wall) return wall_source<W>(x[3], b);
  point_source<W>(x, b);
  if (source_ == QuarkSourceKind::gaussian) smear(b);
}

std::vector<Coordinate> HadronSelection::sources(int times) const {
  auto all = spread_in_time(positions, sources_in_time, times);
  if (source == QuarkSourceKind::wall || source == QuarkSourceKind::noise)
    for (auto& x : all) x = {0, 0, 0, x[3]};
  if (source != QuarkSourceKind::noise) return all;
  std::vector<Coordinate> of_vectors;
  for (const auto& x : all) of_vectors.insert(of_vectors.end(), std::size_t(noise.vectors), x);
  return of_vectors;
}

namespace {

// What noise can be combined with.
void require_valid_noise(const HadronSelection& s, const Coordinate& size) {
  require_valid(s.noise, size);
  if (!s.fixed_sinks.empty()) fail_input("hadrons: noise sources have no fixed sinks");
  for (const auto& quark : s.quarks)
    if (quark.current) fail_input("hadrons: noise sources have no currents, the quark {} has one", quark.name);
  for (const auto& channel : s.channels) {
    if (is_baryon(channel)) fail_input("hadrons: noise sources make no baryons, as \"{}\"", channel);
    const bool any_spin = channel == "pion" || channel == "pseudoscalar" || s.noise.dilution == NoiseDilution::spin ||
                          s.noise.dilution == NoiseDilution::spin_colour;
    if (!any_spin) fail_input("hadrons: \"{}\" needs noise with spin dilution: \"spin\" or \"spin_colour\"", channel);
  }
}

void require_valid_fixed_sink(const HadronSelection& s, const FixedSink& sink, const Coordinate& size) {
  const auto what = fmt::format("the fixed sink {}", sink.name);
  const auto is_quark = [&](int n) { return n >= 0 && n < static_cast<int>(s.quarks.size()); };
  if (sink.quarks.size() < 2 || sink.quarks.size() > 3 || !std::ranges::all_of(sink.quarks, is_quark) ||
      !is_quark(sink.to))
    fail_input("{}: expected two or three of the quarks, and one that goes to the sink", what);
  if (std::ranges::any_of(sink.quarks, [&](int n) { return s.quarks[std::size_t(n)].current.has_value(); }) ||
      s.quarks[std::size_t(sink.to)].current)
    fail_input("{}: a quark that has a current; expected those without one", what);
  if (!has_channel(s.quarks, sink.quarks, sink.channel))
    fail_input("{}: the quarks {} form no \"{}\"", what, name_of(s.quarks, sink.quarks), sink.channel);
  const bool meson = sink.quarks.size() == 2;
  if (sink.place < 0 || sink.place >= (meson ? 1 : 3))
    fail_input("{}: the current is on quark {}; expected {}", what, sink.place + 1,
               meson ? "the first of a meson: exchange the quarks" : "1 to 3");
  if (sink.projector != SinkProjector::unpolarised &&
      (meson || !(sink.channel.starts_with("proton") || sink.channel.starts_with("lambda"))))
    fail_input("{}: \"{}\" has no projector on a spin; proton and lambda have", what, sink.channel);
  require_on_lattice(what, {}, 1, {sink.momentum}, size);
  require_on_lattice(what, {}, 1, sink.momenta, size);
  if (sink.currents.empty() || sink.momenta.empty())
    fail_input("{}: at least one current and one momentum are needed", what);
  const auto& sixteen = meson_channels();
  for (const auto& current : sink.currents)
    if (std::ranges::none_of(sixteen, [&](const auto& c) { return c.name == current; }))
      fail_input("{}: there is no current \"{}\"", what, current);
}

// Sources, and what is at times counted from them.
void require_times_on_slices(const HadronSelection& s, const Coordinate& size) {
  const auto slices = dirac::wilson_slices(s.quark.boundary, size);
  const auto sources = s.sources(size);
  const std::string quarks = "Wilson quarks";
  require_on_slices("hadrons", sources, slices, quarks);
  for (const auto& quark : s.quarks)
    if (quark.current && quark.current->time)
      require_time_on_slices("the current of the quark " + quark.name, *quark.current->time, sources, slices, quarks,
                             size);
  for (const auto& sink : s.fixed_sinks)
    require_time_on_slices("the fixed sink " + sink.name, sink.time, sources, slices, quarks, size);
}

}  // namespace

void require_valid(const HadronSelection& s, const Coordinate& size) {
  if (s.smearing) {
    if (!named("smearing", gauge::smearings(), s.smearing->kind).in_su3)
      fail_input("hadrons: links of \"{}\" smearing are not in SU(3), as those of Wilson quarks are", s.smearing->kind);
    gauge::require_known_boundary(*s.smearing);
  }
  if (s.source == QuarkSourceKind::noise) require_valid_noise(s, size);
  if (s.quarks.empty() && !s.fixed_sinks.empty()) fail_input("hadrons: fixed sinks need quarks with names");
  for (const auto& sink : s.fixed_sinks) require_valid_fixed_sink(s, sink, size);
  if (!s.quarks.empty()) {
    require_valid(s.quarks, s.combinations, s.channels);
    if (s.positions.empty() || s.sinks.empty() || s.momenta.empty())
      fail_input("hadrons: positions of sources, sinks and momenta; at least one of each is needed");
    require_on_lattice("hadrons", s.positions, s.sources_in_time, s.momenta, size);
    for (const auto& quark : s.quarks)
      if (quark.current)
        require_on_lattice("the current of the quark " + quark.name, {}, 1, {quark.current->momentum}, size);
    require_times_on_slices(s, size);
    return;
  }
  if (s.kappas.empty() || s.positions.empty() || s.sinks.empty() || s.momenta.empty() || s.channels.empty())
    fail_input("hadrons: kappas, positions of sources, sinks, momenta and channels; at least one of each is needed");
  for (const double kappa : s.kappas) {
    auto quark = s.quark;
    quark.kappa = kappa;
    dirac::require_valid(quark);
  }
  require_on_lattice("hadrons", s.positions, s.sources_in_time, s.momenta, size);
  require_times_on_slices(s, size);
  const auto& names = hadron_names();
  for (const auto& channel : s.channels)
    if (std::find(names.begin(), names.end(), channel) == names.end())
      fail_input("hadrons: there is no channel \"{}\"; expected some of {}", channel, joined(names, ", "));
}

std::vector<Momentum> momenta_up_to(int most) {
  std::vector<Momentum> momenta;
  const auto square = [](const Momentum& n) { return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]; };
  int reach = 0;
  while ((reach + 1) * (reach + 1) <= most) ++reach;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z)
        if (square({x, y, z}) <= most) momenta.push_back({x, y, z});
  std::sort(momenta.begin(), momenta.end(),
            [&](const auto& a, const auto& b) { return std::pair(square(a), a) < std::pair(square(b), b); });
  return momenta;
}

HadronMeasurement no_correlators(const HadronSelection& s, const Coordinate& size) {
  return {.correlators = {},
          .sources = static_cast<int>(s.sources(size).size()),
          .momenta = static_cast<int>(s.momenta.size()),
          .times = size[3]};
}

template <int W>
HadronMeasurement measure_hadrons(const HadronSelection& s, const GaugeField<double, W>& u) {
  if (s.source == QuarkSourceKind::noise) return measure_hadrons_of_noise(s, u);
  if (!s.quarks.empty()) return measure_hadrons_of_quarks(s, u);
  const Stopwatch watch;
  const Lattice& lattice = u.lattice();
  require_valid(s, lattice.size());
  const auto sources = s.sources(lattice.size());
  HadronMeasurement m = no_correlators(s, lattice.size());
  const std::size_t length = s.momenta.size() * std::size_t(m.times), block = sources.size() * length;
  m.correlators.resize(s.kappas.size() * s.sinks.size() * s.channels.size() * block);

  const HadronSources<W> sources_of(s, u);
  const FullSpinors<double, W> b(lattice, columns), x = b.like();
  for (std::size_t k = 0; k < s.kappas.size(); ++k) {
    auto quark = s.quark;
    quark.kappa = s.kappas[k];
    const double two_kappa = 2 * quark.kappa;
    const WilsonInverse<W> inverse(sources_of.links(), quark, s.inverse);
    for (std::size_t n = 0; n < sources.size(); ++n) {
      sources_of.fill(sources[n], b);
      const auto report = inverse(b, x, fmt::format("hadrons at kappa = {}", quark.kappa));
      m.iterations += report.iterations;
      m.residual = std::max(m.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
      // Smearing is in place, so the point sink comes first.
      for (const auto sink : {QuarkSink::point, QuarkSink::smeared}) {
        const auto place = std::find(s.sinks.begin(), s.sinks.end(), sink) - s.sinks.begin();
        if (!has(s.sinks, sink)) continue;
        if (sink == QuarkSink::smeared) sources_of.smear(x);
        const auto all =
            hadron_correlators(x, std::span<const std::string>(s.channels),
                               {.source = sources[n], .momenta = s.momenta, .boundary_angle_over_pi = s.sink_angles()});
        for (std::size_t c = 0; c < s.channels.size(); ++c) {
          const double factor = two_kappa * two_kappa * (is_baryon(s.channels[c]) ? two_kappa : 1);
          const std::size_t number = (k * s.sinks.size() + std::size_t(place)) * s.channels.size() + c;
          std::transform(all[c].begin(), all[c].end(),
                         m.correlators.begin() + std::ptrdiff_t(number * block + n * length),
                         [=](const auto& value) { return factor * value; });
        }
      }
    }
  }
  m.seconds = watch.seconds();
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                      \
  template class HadronSources<W>;                                                                  \
  template GaugeField<double, W> quark_links(const HadronSelection&, const GaugeField<double, W>&); \
  template HadronMeasurement measure_hadrons(const HadronSelection&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
