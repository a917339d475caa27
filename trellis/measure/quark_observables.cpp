// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/quark_observables.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

// In the number of a draw, a noise vector's number within its flavour has 14 bits, the flavour 10.
constexpr int most_noise_vectors = 1 << 14, most_flavours = 1 << 10;

void require_valid(const QuarkSelection& s, const std::vector<QuarkFlavour>& flavours, std::int64_t volume) {
  if (s.exact && volume > most_exact_sites)
    fail_input("quark observables: exact traces on {} sites; expected at most {}", volume, most_exact_sites);
  if (s.noise_vectors < 1 || s.noise_vectors > most_noise_vectors)
    fail_input("quark observables: {} noise vectors; expected 1 to {}", s.noise_vectors, most_noise_vectors);
  if (s.susceptibilities && !s.exact && s.noise_vectors < 2)
    fail_input(
        "quark observables: susceptibilities are products of different noise vectors; {} is too few, expected "
        "at least 2",
        s.noise_vectors);
  if (static_cast<int>(flavours.size()) > most_flavours)
    fail_input("quark observables: {} flavours; at most {}", flavours.size(), most_flavours);
  for (const auto& flavour : flavours) {
    if (!(flavour.mass > 0))
      fail_input("quark observables: the mass of \"{}\" is {}; it must be positive", flavour.name, flavour.mass);
    if (!(flavour.tastes > 0))
      fail_input("quark observables: \"{}\" has {} tastes; expected more than 0", flavour.name, flavour.tastes);
  }
}

// How many sites have quarks.
double sites_with_quarks(const dirac::LinkPhases& phases, const Lattice& lattice) {
  const auto& size = lattice.size();
  return double(lattice.volume()) / size[3] * dirac::staggered_slices(phases.boundary, size).count(size);
}

// b = 0 where a flavour has no quarks.
template <int W>
void clear_without_quarks(const dirac::LinkPhases& phases, const FullVectors<double, W>& b) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = b.lattice();
  const auto slices = dirac::staggered_slices(phases.boundary, lattice.size());
  if (slices.count(lattice.size()) == lattice.size(3)) return;
  const gauge::TimeSlice with_quarks(lattice, slices.first, slices.last);
  for (const auto& part : b.part) {
    const auto access = part.access();
    const int origin = part.first_tile();
    for_each_vector(
        {"noise on slices with quarks", 2 * bytes_of(part)}, lattice, part.count(), TRELLIS_KERNEL(int tile, int n) {
          const mask_t<S> here = with_quarks.template lanes_of<S>(origin + tile);
          ColourVector<S> v = access.vector(tile, n);
          for (auto& x : v.e) x = select(here, x, complex<S>{S(0.0), S(0.0)});
          access.set_vector(tile, n, v);
        });
  }
}

// The estimates from a flavour's sources, batch by batch.
template <int W>
class Estimator {
  using Vectors = FullVectors<double, W>;
  using Table = dirac::HopTable<double, W>;

 public:
  Estimator(const QuarkSelection& selection, const QuarkFlavour& flavour, const dirac::StaggeredLinks<double, W>& links)
      : selection_(selection),
        flavour_(flavour),
        links_(links),
        d_(links, flavour.phases, flavour.mass),
        factor_(flavour.tastes / 4 / sites_with_quarks(flavour.phases, links.lattice())) {
    const auto& size = links.lattice().size();
    if (selection.number())
      first_.emplace(links.lattice(), dirac::chemical_potential_derivative(flavour.phases, size), links.pattern());
    if (selection.susceptibilities)
      second_.emplace(links.lattice(), dirac::chemical_potential_second_derivative(flavour.phases, size),
                      links.pattern());
    for (const int plane : selection.planes)
      magnetic_.emplace_back(links.lattice(), dirac::flux_derivative(flavour.phases, plane, size), links.pattern());
  }

  // The estimates from the sources b.
  void operator()(const Vectors& b, QuarkEstimate* out) const {
    const Vectors x = b.like(), ax = b.like();
    solve(b, x, out);
    store(b, x, out, [](QuarkEstimate& e) -> auto& { return e.condensate; });
    if (second_) {
      apply_hops(links_, *second_, x, ax);
      store(b, ax, out, [](QuarkEstimate& e) -> auto& { return e.second_derivative; });
    }
    for (std::size_t i = 0; i < magnetic_.size(); ++i) {
      apply_hops(links_, magnetic_[i], x, ax);
      store(b, ax, out, [&](QuarkEstimate& e) -> auto& { return e.magnetisation[selection_.planes[i]]; });
    }
    if (!first_) return;
    apply_hops(links_, *first_, x, ax);
    store(b, ax, out, [](QuarkEstimate& e) -> auto& { return e.quark_number; });
    if (!selection_.susceptibilities) return;
    solve(ax, x, out);
    apply_hops(links_, *first_, x, ax);
    store(b, ax, out, [](QuarkEstimate& e) -> auto& { return e.bubble; });
  }

 private:
  void solve(const Vectors& b, const Vectors& x, QuarkEstimate* out) const {
    const auto report = staggered_inverse(d_, b, x, selection_.inverse, "quark observables of " + flavour_.name);
    for (int n = 0; n < b.count(); ++n) {
      out[n].residual = std::max(out[n].residual, report.residuals[n]);
      out[n].iterations += report.iterations_of[n];
    }
  }
  template <class Member>
  void store(const Vectors& b, const Vectors& ax, QuarkEstimate* out, const Member& member) const {
    const auto values = products(b, ax);
    for (int n = 0; n < b.count(); ++n) member(out[n]) = factor_ * values[n];
  }

  const QuarkSelection& selection_;
  const QuarkFlavour& flavour_;
  const dirac::StaggeredLinks<double, W>& links_;
  dirac::StaggeredOperator<double, W> d_;
  double factor_;
  std::optional<Table> first_, second_;
  std::vector<Table> magnetic_;
};

// Unit vectors number first, first + 1, ...: 3 site + colour.
template <int W>
void unit_vectors(int first, const FullVectors<double, W>& b) {
  b.set_zero();
  const Lattice& lattice = b.lattice();
  for (int n = 0; n < b.count(); ++n) {
    std::int64_t site = (first + n) / 3;
    Coordinate x{};
    for (std::size_t mu = 0; mu < 4; ++mu) {
      x[mu] = static_cast<int>(site % lattice.size(int(mu)));
      site /= lattice.size(int(mu));
    }
    if (!lattice.owns(x)) continue;
    std::array<double, 6> values{};
    values[2 * std::size_t((first + n) % 3)] = 1;
    b.set(x, values, n);
  }
}

// The mean over `count` vectors; with 1, their sum.
QuarkEstimate mean_of(const std::vector<QuarkEstimate>& estimates, std::size_t count) {
  QuarkEstimate mean;
  const double n = double(count);
  for (const auto& e : estimates) {
    mean.condensate += e.condensate / n;
    mean.quark_number += e.quark_number / n;
    for (int i = 0; i < 6; ++i) mean.magnetisation[i] += e.magnetisation[i] / n;
    mean.second_derivative += e.second_derivative / n;
    mean.bubble += e.bubble / n;
    mean.residual = std::max(mean.residual, e.residual);
    mean.iterations += e.iterations;
  }
  return mean;
}

// The mean of a_i a_j over i != j.
template <class Value>
double product_of_different(const std::vector<QuarkEstimate>& estimates, const Value& value) {
  double sum = 0, squares = 0;
  for (const auto& e : estimates) {
    sum += value(e);
    squares += value(e) * value(e);
  }
  const double n = double(estimates.size());
  return (sum * sum - squares) / (n * (n - 1));
}

}  // namespace

std::vector<double> naik_epsilons(const std::vector<QuarkFlavour>& flavours) {
  std::vector<double> all;
  for (const QuarkFlavour& flavour : flavours) all.push_back(flavour.naik_epsilon);
  return all;
}

std::vector<int> magnetised_planes(const std::vector<QuarkFlavour>& flavours) {
  std::vector<int> planes;
  for (int plane = 0; plane < 6; ++plane)
    if (std::any_of(flavours.begin(), flavours.end(), [=](const auto& f) { return f.phases.quanta[plane] != 0; }))
      planes.push_back(plane);
  if (planes.empty()) planes = {5};
  return planes;
}

template <int W>
std::vector<QuarkEstimate> quark_estimates(const QuarkSelection& selection, const QuarkFlavour& flavour,
                                           const dirac::StaggeredLinks<double, W>& links, int count,
                                           const QuarkSource<W>& source) {
  if (selection.batch < 1 || selection.batch > maximum_sums / 2)
    fail_input("quark observables: {} vectors at once; expected 1 to {}", selection.batch, maximum_sums / 2);
  const Estimator<W> estimate(selection, flavour, links);
  std::vector<QuarkEstimate> estimates(static_cast<std::size_t>(count));
  for (int first = 0; first < count; first += selection.batch) {
    const FullVectors<double, W> b(links.lattice(), std::min(selection.batch, count - first));
    source(first, b);
    estimate(b, &estimates[first]);
  }
  return estimates;
}

template <int W>
QuarkMeasurement measure_quarks(const QuarkSelection& selection, const std::vector<QuarkFlavour>& flavours,
                                const gauge::SmearingParameters& smearing, std::uint64_t seed, std::uint32_t trajectory,
                                const GaugeField<double, W>& u) {
  require_valid(selection, flavours, u.lattice().volume());
  const Stopwatch watch;
  const double volume = flavours.empty() ? 0 : sites_with_quarks(flavours[0].phases, u.lattice());
  const auto links = dirac::packed_links<W>(smearing, u, selection.settings, naik_epsilons(flavours));
  const RandomStream stream{seed, trajectory, noise_purpose};
  const auto condensate = [](const QuarkEstimate& e) { return e.condensate.real(); };
  const auto number = [](const QuarkEstimate& e) { return e.quark_number.imag(); };

  QuarkMeasurement m;
  for (std::size_t f = 0; f < flavours.size(); ++f) {
    FlavourMeasurement out{
        .name = flavours[f].name, .estimates = {}, .mean = {}, .disconnected = {}, .chiral_disconnected = {}};
    const auto& own_links = links.of(flavours[f].naik_epsilon);
    const auto estimates = [&](int count, const auto& draw) {
      return quark_estimates<W>(selection, flavours[f], own_links, count,
                                [&](int first, const FullVectors<double, W>& b) {
                                  draw(first, b);
                                  clear_without_quarks(flavours[f].phases, b);
                                });
    };
    if (selection.exact) {
      out.estimates = {mean_of(
          estimates(int(3 * u.lattice().volume()), [](int first, const auto& b) { unit_vectors(first, b); }), 1)};
    } else {
      out.estimates = estimates(selection.noise_vectors, [&](int first, const auto& b) {
        draw_noise(stream, std::uint32_t(f * most_noise_vectors + first), b);
      });
    }
    out.mean = mean_of(out.estimates, out.estimates.size());
    out.connected = (out.mean.second_derivative - out.mean.bubble).real();
    if (selection.exact) {
      out.chiral_disconnected = volume * condensate(out.mean) * condensate(out.mean);
      if (selection.number()) out.disconnected = -volume * number(out.mean) * number(out.mean);
    } else if (selection.noise_vectors > 1) {
      out.chiral_disconnected = volume * product_of_different(out.estimates, condensate);
      if (selection.number()) out.disconnected = -volume * product_of_different(out.estimates, number);
    }
    for (std::size_t g = 0; g < f; ++g)
      m.mixed.push_back({.first = int(g),
                         .second = int(f),
                         .disconnected = -volume * number(m.flavours[g].mean) * number(out.mean),
                         .chiral = volume * condensate(m.flavours[g].mean) * condensate(out.mean)});
    m.flavours.push_back(std::move(out));
  }
  m.seconds = watch.seconds();
  return m;
}

#define TRELLIS_INSTANTIATE(W)                                                                             \
  template std::vector<QuarkEstimate> quark_estimates(const QuarkSelection&, const QuarkFlavour&,          \
                                                      const dirac::StaggeredLinks<double, W>&, int,        \
                                                      const QuarkSource<W>&);                              \
  template QuarkMeasurement measure_quarks(const QuarkSelection&, const std::vector<QuarkFlavour>&,        \
                                           const gauge::SmearingParameters&, std::uint64_t, std::uint32_t, \
                                           const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
