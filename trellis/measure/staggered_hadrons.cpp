// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_hadrons.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/measure/staggered/spin_taste.hpp"
#include "trellis/measure/staggered/staggered_hadron_kernel.hpp"

namespace trellis::measure {

namespace {

using Correlator = std::vector<std::complex<double>>;
constexpr int local_mesons = 4, noise_batch = 8, most_noise = 10000;

const std::string& nucleon() { return staggered_hadron_names().back(); }

// Mesons by their weights on the sites where the coordinates of these bits (OddSteps) are odd.
struct Mesons {
  double weight[local_mesons][16];
  int count = 0;

  // The local ones among the channels.
  explicit Mesons(const std::vector<std::string>& channels) {
    const auto& names = staggered_hadron_names();
    for (const auto& channel : channels) {
      const auto place = std::find(names.begin(), names.end(), channel) - names.begin();
      if (place >= local_mesons) continue;
      for (std::uint32_t odd = 0; odd < 16; ++odd) weight[count][odd] = local_meson_weight(int(place), odd);
      ++count;
    }
  }
  explicit Mesons(SpinTaste what) : count(1) {
    for (int odd = 0; odd < 16; ++odd) weight[0][odd] = (meson_signs(what) >> odd & 1) != 0 ? -1 : 1;
  }
};

// [meson][re], or [meson][re, im] for different flavours: those of one flavour are real.
template <int W>
SiteNumbers<W> meson_numbers(const Mesons& mesons, const OddSteps& odd, bool same, const FullVectors<double, W>& first,
                             const FullVectors<double, W>& second) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = first.lattice();
  const SiteNumbers<W> numbers(lattice, same ? mesons.count : 2 * mesons.count);
  const auto sites = lattice.tile_sites();
  for (const int parity : {0, 1}) {
    const auto a = first.part[parity].access(), b = second.part[parity].access();
    const auto to = numbers.access();
    const int first_tile = first.part[parity].first_tile();
    for_each_half_tile(
        {"staggered mesons", 2 * bytes_of(first.part[parity])}, lattice, TRELLIS_KERNEL(int tile) {
          const complex<S> product = propagator_product<W>(a, b, tile);
          const LaneSites own = sites(first_tile + tile);
          double* out = to.at(first_tile + tile);
          for (int m = 0; m < mesons.count; ++m) {
            S weight(0.0);
            for (const int l : own_lanes<S>()) set_lane(weight, l, mesons.weight[m][odd(std::uint64_t(own[l]))]);
            store_lanes(out, weight * product.re);
            out += W;
            if (same) continue;
            store_lanes(out, weight * product.im);
            out += W;
          }
        });
  }
  return numbers;
}

// [re, im] of the nucleon; zero where it has no operator.
template <int W>
SiteNumbers<W> nucleon_numbers(const OddSteps& odd, bool alternating, const FullVectors<double, W>& quark) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = quark.lattice();
  const SiteNumbers<W> numbers(lattice, 2);
  const auto sites = lattice.tile_sites();
  for (const int parity : {0, 1}) {
    const auto from = quark.part[parity].access();
    const auto to = numbers.access();
    const int first_tile = quark.part[parity].first_tile();
    for_each_half_tile(
        {"staggered nucleon", bytes_of(quark.part[parity])}, lattice, TRELLIS_KERNEL(int tile) {
          const complex<S> determinant = propagator_determinant<W>(from, tile);
          const LaneSites own = sites(first_tile + tile);
          S sign(0.0);
          for (const int l : own_lanes<S>()) {
            const std::uint32_t bits = odd(std::uint64_t(own[l]));
            if ((bits & odd_in_space) == 0) set_lane(sign, l, alternating && (bits & 8) != 0 ? -1.0 : 1.0);
          }
          store_lanes(to.at(first_tile + tile), sign * determinant.re);
          store_lanes(to.at(first_tile + tile) + W, sign * determinant.im);
        });
  }
  return numbers;
}

// With boundaries in time nothing goes around the lattice.
double angle_in_time(const QuarkFlavour& flavour) {
  return flavour.phases.antiperiodic_time && flavour.phases.boundary.is_periodic() ? 1 : 0;
}

bool is_point_split(const std::string& channel) {
  const auto& all = point_split_pions();
  return std::any_of(all.begin(), all.end(), [&](const auto& pion) { return pion.name == channel; });
}

bool has_point_split(const std::vector<std::string>& channels) {
  return std::any_of(channels.begin(), channels.end(), is_point_split);
}

// The work for one source.
template <int W>
class SourceMeasurement {
  using Vectors = FullVectors<double, W>;

 public:
  SourceMeasurement(const StaggeredHadronSelection& selection, const std::vector<QuarkFlavour>& flavours,
                    const std::vector<dirac::StaggeredOperator<double, W>>& operators, const RandomStream& stream)
      : s_(selection), flavours_(flavours), operators_(operators), stream_(stream), mesons_(selection.channels) {
    for (const auto& flavour : flavours) {
      names_.push_back(flavour.name);
      if (has_point_split(selection.channels)) shifts_.emplace_back(operators.front().links(), flavour.phases);
    }
  }

  // Adds the correlators from source number n to m.
  void operator()(int n, const Coordinate& x0, StaggeredHadronMeasurement& m) const {
    const Lattice& lattice = operators_.front().lattice();
    const bool noise = is_noise(s_.source);
    const double corners = double(lattice.volume()) / lattice.size(3) / 8;
    const int count = noise ? s_.noise_vectors : 3, batch = s_.vectors_together();
    std::vector<double> sums(flavours_.size()), traces(flavours_.size());
    for (int first = 0; first < count; first += batch) {
      const Vectors b(lattice, std::min(batch, count - first));
      staggered_source<W>(s_.source, x0, stream_, std::uint32_t(n * most_noise + first), b);
      std::vector<Vectors> x;
      for (std::size_t f = 0; f < flavours_.size(); ++f) {
        x.push_back(solve(f, b, m));
        for (const double square : norms2(x[f])) sums[f] += square;
        for (const auto& product : products(b, x[f])) traces[f] += product.real();
      }
      const double factor = noise ? 1 / (corners * count) : 1;
      if (s_.source == StaggeredSource::even_odd_wall)
        add_walls(n, x0, b, x, m);
      else
        add(n, x0, factor, x, m);
      for (const auto& pion : point_split_pions())
        if (std::count(s_.channels.begin(), s_.channels.end(), pion.name) > 0)
          for (const auto& what : pion.operators)
            add_point_split(n, x0, factor / double(pion.operators.size()), pion.name, what, b, x, m);
    }
    for (std::size_t f = 0; f < flavours_.size(); ++f)
      m.ward_identity = std::max(m.ward_identity, std::abs(flavours_[f].mass * sums[f] / traces[f] - 1));
  }

 private:
  Vectors solve(std::size_t f, const Vectors& b, StaggeredHadronMeasurement& m) const {
    const Vectors x = b.like();
    const auto report = staggered_inverse(operators_[f], b, x, s_.inverse, "staggered hadrons of " + names_[f]);
    m.iterations += report.iterations;
    m.residual = std::max(m.residual, *std::max_element(report.residuals.begin(), report.residuals.end()));
    return x;
  }

  void add(int n, const Coordinate& x0, double factor, const std::vector<Vectors>& x,
           StaggeredHadronMeasurement& m) const {
    const auto& size = x[0].lattice().size();
    const OddSteps odd(size, x0);
    const auto length = s_.momenta.size() * std::size_t(size[3]);
    const auto all = staggered_hadrons(names_, s_.channels);
    Correlator mesons;
    std::size_t meson = 0;
    for (std::size_t h = 0; h < all.size(); ++h) {
      const auto f = all[h].first, g = all[h].second;
      const bool same = f == g, starts_pair = h == 0 || all[h].flavours != all[h - 1].flavours;
      if (starts_pair && mesons_.count > 0) {
        mesons = time_slice_sums(meson_numbers<W>(mesons_, odd, same, x[f], x[g]),
                                 slices(x0, angle_in_time(flavours_[g]) - angle_in_time(flavours_[f])));
        meson = 0;
      }
      if (is_point_split(all[h].channel)) continue;
      const auto to = m.correlators.begin() + std::ptrdiff_t((h * std::size_t(m.sources) + std::size_t(n)) * length);
      const auto add_parts = [&](const Correlator& sums, std::size_t part, bool complex) {
        const auto* re = sums.data() + part * length;
        for (std::size_t i = 0; i < length; ++i)
          to[std::ptrdiff_t(i)] += factor * (complex ? re[i] + std::complex(0.0, 1.0) * re[i + length] : re[i]);
      };
      if (is_staggered_nucleon(all[h].channel))
        add_parts(time_slice_sums(nucleon_numbers<W>(odd, (x0[0] + x0[1] + x0[2]) % 2 != 0, x[f]),
                                  slices(x0, 3 * angle_in_time(flavours_[f]))),
                  0, true);
      else
        add_parts(mesons, same ? meson++ : 2 * meson++, !same);
    }
  }

  // Of walls of even and odd sites the pion's quarks both start from the sum. One of the scalar's starts from the
  // difference, which is phi(x) relative to x0.
  void add_walls(int n, const Coordinate& x0, const Vectors& b, const std::vector<Vectors>& x,
                 StaggeredHadronMeasurement& m) const {
    for (const auto& channel : s_.channels) {
      const Mesons meson(std::vector<std::string>{channel});
      const bool differ = channel != staggered_hadron_names().front();
      if (differ) staggered_source<W>(StaggeredSource::even_minus_odd_wall, x0, stream_, 0, b);
      for (std::size_t g = 0; g < flavours_.size(); ++g)
        add_pairs(n, x0, 1, channel, meson, g, x, differ ? solve(g, b, m) : x[g], m);
    }
  }

  // One operator K = phi Xi: the quark starts from K^dagger b and ends after Xi; phi is 1 where b is not zero.
  void add_point_split(int n, const Coordinate& x0, double factor, const std::string& channel, SpinTaste what,
                       const Vectors& b, const std::vector<Vectors>& x, StaggeredHadronMeasurement& m) const {
    for (std::size_t g = 0; g < flavours_.size(); ++g) {
      const auto quark = shifts_[g](what.steps(), solve(g, shifts_[g](what.steps(), b), m));
      add_pairs(n, x0, factor, channel, Mesons(what), g, x, quark, m);
    }
  }

  // A meson of flavour g's `quark` with the antiquarks x of all flavours up to g.
  void add_pairs(int n, const Coordinate& x0, double factor, const std::string& channel, const Mesons& meson,
                 std::size_t g, const std::vector<Vectors>& x, const Vectors& quark,
                 StaggeredHadronMeasurement& m) const {
    const auto& size = quark.lattice().size();
    const OddSteps odd(size, x0);
    const auto length = s_.momenta.size() * std::size_t(size[3]);
    const auto all = staggered_hadrons(names_, s_.channels);
    for (std::size_t h = 0; h < all.size(); ++h) {
      if (all[h].second != g || all[h].channel != channel) continue;
      const auto f = all[h].first;
      const auto sums = time_slice_sums(meson_numbers<W>(meson, odd, false, x[f], quark),
                                        slices(x0, angle_in_time(flavours_[g]) - angle_in_time(flavours_[f])));
      const auto to = m.correlators.begin() + std::ptrdiff_t((h * std::size_t(m.sources) + std::size_t(n)) * length);
      for (std::size_t i = 0; i < length; ++i)
        to[std::ptrdiff_t(i)] += factor * (sums[i] + std::complex(0.0, 1.0) * sums[i + length]);
    }
  }

  SliceParameters slices(const Coordinate& x0, double winding) const {
    return {.origin = x0, .momenta = s_.momenta, .winding_over_pi = {0, 0, 0, winding}};
  }

  const StaggeredHadronSelection& s_;
  const std::vector<QuarkFlavour>& flavours_;
  const std::vector<dirac::StaggeredOperator<double, W>>& operators_;
  RandomStream stream_;
  Mesons mesons_;
  std::vector<CovariantShifts<W>> shifts_;  // of the flavours, if they are needed
  std::vector<std::string> names_;
};

}  // namespace

const std::vector<std::string>& staggered_hadron_names() {
  static const auto names = [] {
    std::vector<std::string> all{"pion", "pion_scalar", "rho_tensor", "rho_axial"};
    for (const auto& pion : point_split_pions()) all.push_back(pion.name);
    all.emplace_back("nucleon");
    return all;
  }();
  return names;
}

bool is_staggered_nucleon(const std::string& channel) { return channel == nucleon(); }
bool has_oscillating_partner(const std::string& channel) {
  // The partner of spin gamma_5 is gamma_t, which makes no particle.
  for (const auto& pion : point_split_pions())
    if (pion.name == channel) return pion.operators.front().spin != 15;
  return channel != staggered_hadron_names().front();
}

int StaggeredHadronSelection::vectors_together() const {
  return is_noise(source) ? std::min(noise_batch, noise_vectors) : 3;
}

std::vector<Coordinate> StaggeredHadronSelection::sources(int times) const {
  return spread_in_time(positions, sources_in_time, times);
}

std::vector<StaggeredHadron> staggered_hadrons(const std::vector<std::string>& flavours,
                                               const std::vector<std::string>& channels) {
  std::vector<StaggeredHadron> all;
  for (std::size_t f = 0; f < flavours.size(); ++f)
    for (std::size_t g = f; g < flavours.size(); ++g)
      for (const auto& channel : channels)
        if (f == g || !is_staggered_nucleon(channel))
          all.push_back({f, g, f == g ? flavours[f] : flavours[f] + "." + flavours[g], channel});
  return all;
}

void require_fitting_source(const std::string& what, StaggeredSource source, const std::vector<Momentum>& momenta,
                            const std::vector<std::string>& channels) {
  for (const auto& n : momenta)
    if (n != Momentum{} && source != StaggeredSource::point)
      fail_input("{}: the momentum ({}) needs a point source; a wall has none", what, joined(n, ", "));
  const auto& names = staggered_hadron_names();
  for (const auto& channel : channels) {
    if (is_noise(source) && is_staggered_nucleon(channel))
      fail_input("{}: the nucleon needs three different quarks from its source; noise has one: take a point or a wall",
                 what);
    if (is_wall_of_parities(source) && channel != names[0] && channel != names[1])
      fail_input("{}: {} makes only {} and {}, not \"{}\"; take a corner wall or a point", what,
                 source == StaggeredSource::even_wall ? "an even wall" : "a wall of even and odd sites", names[0],
                 names[1], channel);
  }
}

void require_valid(const StaggeredHadronSelection& s, const Coordinate& size) {
  const std::string what = "staggered hadrons";
  if (s.positions.empty() || s.momenta.empty() || s.channels.empty())
    fail_input("{}: positions of sources, momenta and channels; at least one of each is needed", what);
  require_on_lattice(what, s.positions, s.sources_in_time, s.momenta, size);
  if (s.noise_vectors < 1 || s.noise_vectors > most_noise)
    fail_input("{}: {} noise vectors; expected 1 to {}", what, s.noise_vectors, most_noise);
  if (s.sources(size).size() * most_noise > 1U << 24)
    fail_input("{}: {} sources; expected at most {}", what, s.sources(size).size(), (1U << 24) / most_noise);
  require_fitting_source(what, s.source, s.momenta, s.channels);
  const auto& names = staggered_hadron_names();
  for (const auto& channel : s.channels) {
    if (std::find(names.begin(), names.end(), channel) == names.end())
      fail_input("{}: there is no channel \"{}\"; expected some of {}", what, channel, joined(names, ", "));
    if (std::count(s.channels.begin(), s.channels.end(), channel) > 1)
      fail_input("{}: the channel \"{}\" is listed twice", what, channel);
  }
}

void require_valid(const StaggeredHadronSelection& s, const std::vector<QuarkFlavour>& flavours,
                   const Coordinate& size) {
  require_valid(s, size);
  for (const auto& flavour : flavours)
    require_on_slices("staggered hadrons", s.sources(size), dirac::staggered_slices(flavour.phases.boundary, size),
                      "staggered quarks");
}

template <int W>
StaggeredHadronMeasurement measure_staggered_hadrons(const StaggeredHadronSelection& s,
                                                     const std::vector<QuarkFlavour>& flavours,
                                                     const gauge::SmearingParameters& smearing, std::uint64_t seed,
                                                     std::uint32_t trajectory, const GaugeField<double, W>& u) {
  const Stopwatch watch;
  const Lattice& lattice = u.lattice();
  require_valid(s, flavours, lattice.size());
  if (flavours.empty()) fail_input("staggered hadrons: no flavour");
  const auto sources = s.sources(lattice.size());
  StaggeredHadronMeasurement m{
      .correlators = {}, .sources = int(sources.size()), .momenta = int(s.momenta.size()), .times = lattice.size(3)};
  // D is anti-Hermitian, which mesons and the Ward identity assume, only as far as links are in SU(3): those of a file
  // in single precision are to 1e-7, and the operator rebuilds rows of each link and of its adjoint.
  const auto links = [&] {
    const auto exact = u.clone();
    gauge::reunitarise(exact);
    return dirac::packed_links<W>(smearing, exact, s.settings, naik_epsilons(flavours));
  }();
  std::vector<dirac::StaggeredOperator<double, W>> operators;
  std::vector<std::string> names;
  for (const auto& flavour : flavours) {
    operators.emplace_back(links.of(flavour.naik_epsilon), flavour.phases, flavour.mass);
    names.push_back(flavour.name);
  }
  m.correlators.resize(staggered_hadrons(names, s.channels).size() * sources.size() * s.momenta.size() *
                       std::size_t(m.times));
  const SourceMeasurement<W> measure(s, flavours, operators, {seed, trajectory, staggered_wall_purpose});
  for (std::size_t n = 0; n < sources.size(); ++n) measure(int(n), sources[n], m);
  m.seconds = watch.seconds();
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                             \
  template StaggeredHadronMeasurement measure_staggered_hadrons(                                           \
      const StaggeredHadronSelection&, const std::vector<QuarkFlavour>&, const gauge::SmearingParameters&, \
      std::uint64_t, std::uint32_t, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
