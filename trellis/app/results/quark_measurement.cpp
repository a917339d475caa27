// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/quark_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/run/chain_setup.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::app {
namespace {

const char* plane_name(int plane) { return BackgroundInput::names[static_cast<std::size_t>(plane)]; }

bool has_products(const measure::QuarkSelection& s) { return s.exact || s.noise_vectors > 1; }

// f(column, value) for all columns of a measurement; without a measurement the values are empty.
template <class F>
void for_each_column(const QuarkJob& job, const measure::QuarkMeasurement* m, F&& f) {
  const auto& s = job.selection;
  const auto real = [&](const std::string& name, auto&& value) { f(name, m ? io::CsvCell(value()) : io::CsvCell()); };
  for (std::size_t i = 0; i < job.flavours.size(); ++i) {
    const auto& name = job.flavours[i].name;
    const measure::FlavourMeasurement* q = m ? &m->flavours[i] : nullptr;
    real("condensate_" + name, [&] { return q->mean.condensate.real(); });
    if (has_products(s)) real("chiral_disconnected_" + name, [&] { return *q->chiral_disconnected; });
    if (s.number()) real("quark_number_" + name, [&] { return q->mean.quark_number.imag(); });
    if (s.susceptibilities) {
      real("susceptibility_connected_" + name, [&] { return q->connected; });
      real("susceptibility_disconnected_" + name, [&] { return *q->disconnected; });
    }
    for (const int plane : s.planes)
      real(fmt::format("magnetisation_{}_{}", plane_name(plane), name),
           [&] { return q->mean.magnetisation[plane].real(); });
  }
  std::size_t pair = 0;
  for (std::size_t second = 0; second < job.flavours.size(); ++second)
    for (std::size_t first = 0; first < second; ++first, ++pair) {
      const auto names = job.flavours[first].name + "." + job.flavours[second].name;
      real("chiral_mixed_" + names, [&] { return m->mixed[pair].chiral; });
      if (s.susceptibilities) real("susceptibility_mixed_" + names, [&] { return m->mixed[pair].disconnected; });
    }
}

// f(name, value) for the complex estimates that are selected.
template <class F>
void for_each_estimate(const measure::QuarkSelection& s, const measure::QuarkEstimate& e, F&& f) {
  f("condensate", e.condensate);
  if (s.number()) f("quark_number", e.quark_number);
  if (s.susceptibilities) {
    f("second_derivative", e.second_derivative);
    f("bubble", e.bubble);
  }
  for (const int plane : s.planes) f(fmt::format("magnetisation_{}", plane_name(plane)), e.magnetisation[plane]);
}

}  // namespace

std::vector<measure::QuarkFlavour> measured_flavours(const QuarkInput& quarks, const std::vector<std::string>& names) {
  std::vector<measure::QuarkFlavour> flavours;
  for (const auto& flavour : quarks.flavours)
    if (std::find(names.begin(), names.end(), flavour.name) != names.end())
      flavours.push_back({.name = flavour.name,
                          .mass = flavour.mass,
                          .tastes = static_cast<double>(flavour.tastes),
                          .phases = phases_of(quarks, flavour),
                          .naik_epsilon = flavour.naik_epsilon});
  return flavours;
}

std::optional<QuarkJob> quark_job(const MeasureSection& section, const QuarkInput& quarks) {
  if (!section.quarks) return std::nullopt;
  const auto& input = *section.quarks;
  QuarkJob job;
  job.smearing = quarks.smearing;
  job.flavours = measured_flavours(quarks, input.flavours);
  auto& s = job.selection;
  for (const auto& name : input.observables)
    named("quark observable", measure::quark_observables, name).select(job.flavours, s);
  s.exact = input.noise == "exact";
  s.noise_vectors = s.exact ? 1 : static_cast<int>(input.noise_vectors);
  s.inverse.residual = input.residual;
  return job;
}

std::vector<std::string> QuarkJob::columns() const {
  std::vector<std::string> names;
  for_each_column(*this, nullptr, [&](const std::string& name, const io::CsvCell&) { names.push_back(name); });
  return names;
}

std::vector<io::CsvCell> QuarkJob::cells(const std::optional<measure::QuarkMeasurement>& m) const {
  std::vector<io::CsvCell> cells;
  for_each_column(*this, m ? &*m : nullptr,
                  [&](const std::string&, const io::CsvCell& value) { cells.push_back(value); });
  return cells;
}

std::vector<std::string> QuarkJob::noise_columns(const std::string& number) const {
  std::vector<std::string> names{number, "flavour", "noise_vector"};
  for_each_estimate(selection, {}, [&](const std::string& name, const std::complex<double>&) {
    names.push_back(name + "_re");
    names.push_back(name + "_im");
  });
  names.insert(names.end(), {"residual", "iterations"});
  return names;
}

std::vector<std::vector<io::CsvCell>> QuarkJob::noise_rows(std::int64_t number,
                                                           const measure::QuarkMeasurement& m) const {
  std::vector<std::vector<io::CsvCell>> rows;
  for (const auto& flavour : m.flavours)
    for (std::size_t n = 0; n < flavour.estimates.size(); ++n) {
      const auto& e = flavour.estimates[n];
      std::vector<io::CsvCell> row{number, flavour.name, static_cast<std::int64_t>(n + 1)};
      for_each_estimate(selection, e, [&](const std::string&, const std::complex<double>& value) {
        row.emplace_back(value.real());
        row.emplace_back(value.imag());
      });
      row.emplace_back(e.residual);
      row.emplace_back(std::int64_t{e.iterations});
      rows.push_back(std::move(row));
    }
  return rows;
}

std::vector<DerivedQuantity> quark_quantities(const QuarkJob& job, const Coordinate& size) {
  const auto slices =
      job.flavours.empty() ? dirac::QuarkSlices() : dirac::staggered_slices(job.flavours[0].phases.boundary, size);
  const double volume = double(size[0]) * size[1] * size[2] * slices.count(size), time2 = double(size[3]) * size[3];
  const auto& s = job.selection;
  std::vector<DerivedQuantity> all;
  using Means = std::span<const double>;
  const auto itself = [](Means m) { return m[0]; };
  for (const auto& flavour : job.flavours) {
    const auto& f = flavour.name;
    all.push_back({"condensate " + f, {"condensate_" + f}, itself});
    if (s.number()) all.push_back({"Im quark number " + f, {"quark_number_" + f}, itself});
    for (const int plane : s.planes)
      all.push_back({fmt::format("magnetisation {} {}", plane_name(plane), f),
                     {fmt::format("magnetisation_{}_{}", plane_name(plane), f)},
                     itself});
    // The quark number is imaginary: its square is negative.
    if (s.susceptibilities)
      all.push_back({fmt::format("chi {} / T^2", f),
                     {"susceptibility_connected_" + f, "susceptibility_disconnected_" + f, "quark_number_" + f},
                     [=](Means m) { return time2 * (m[0] + m[1] + volume * m[2] * m[2]); }});
    if (has_products(s))
      all.push_back({"disconnected chi_m " + f,
                     {"chiral_disconnected_" + f, "condensate_" + f},
                     [=](Means m) { return m[0] - volume * m[1] * m[1]; },
                     true});
  }
  for (std::size_t second = 0; second < job.flavours.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) {
      const auto &f = job.flavours[first].name, &g = job.flavours[second].name;
      if (s.susceptibilities)
        all.push_back({fmt::format("chi {}.{} / T^2", f, g),
                       {fmt::format("susceptibility_mixed_{}.{}", f, g), "quark_number_" + f, "quark_number_" + g},
                       [=](Means m) { return time2 * (m[0] + volume * m[1] * m[2]); }});
      all.push_back({fmt::format("mixed chi_m {}.{}", f, g),
                     {fmt::format("chiral_mixed_{}.{}", f, g), "condensate_" + f, "condensate_" + g},
                     [=](Means m) { return m[0] - volume * m[1] * m[2]; }});
    }
  return all;
}

std::string quark_averages(const QuarkJob& job, const Coordinate& size, const SeriesOf& series) {
  std::string text;
  for (const auto& quantity : quark_quantities(job, size)) {
    std::vector<std::vector<double>> all;
    for (const auto& column : quantity.columns) all.push_back(series(column));
    if (all[0].empty()) continue;
    const auto e = analysis::gamma_method(quantity.function, all);
    const auto lack = analysis::lack_of_measurements(e);
    text += fmt::format("  {:<20} {}{}{}\n", quantity.name, analysis::with_error(e.mean, e.error),
                        lack.empty() ? "" : "  ", lack);
  }
  return text;
}

}  // namespace trellis::app
