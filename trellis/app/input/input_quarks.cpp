// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_quarks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "trellis/app/input/input_sections.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/hmc/solver_precision.hpp"

namespace trellis::app {
namespace {

// Below this, doubles cannot hold a rational approximation that is exact enough.
constexpr RealRange kMass{.min = 1e-6, .max = 1000};
constexpr std::size_t most_flavours = 1000;
// Eigenvalues of -D_eo D_oe: on improved links there is no bound but by what a small tadpole factor makes of their
// paths.
constexpr double kLargestInSu3 = 16, kLargest = 1e12;
constexpr RealRange kError{.min = 1e-15, .max = 1e-2}, kResidual{.min = 1e-15, .max = 1e-1};

void read_keys(const Table& table, const gauge::Smearing& kind, gauge::SmearingParameters& smearing) {
  for (const auto& key : kind.keys)
    smearing.values[key.name] =
        key.integer
            ? double(table.integer(key.name, {.min = std::int64_t(key.minimum), .max = std::int64_t(key.maximum)},
                                   std::int64_t(key.value)))
            : table.real(key.name, {.min = key.minimum, .max = key.maximum}, key.value);
}

BackgroundInput read_background(const Table& table) {
  BackgroundInput background;
  for (std::size_t i = 0; i < 6; ++i) {
    background.flux[i] = table.real(BackgroundInput::names[i], {.min = -1e6, .max = 1e6}, 0.0);
  }
  return background;
}

std::string read_name(const Table& table) {
  auto name = table.text("name");
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
    table.wrong("name", "found \"{}\", expected lower-case letters, digits and _", shortened(name));
  }
  if (name.size() > 60)
    table.wrong("name", "found \"{}\" of {} letters, expected at most 60", shortened(name), name.size());
  for (const auto* word : {"plaquette", "rectangle", "parallelogram", "gauge", "quarks"}) {
    if (name == word) table.wrong("name", "\"{}\" already means something else in the action", name);
  }
  return name;
}

FlavourInput read_flavour(const Table& table, bool dynamical) {
  // Where one is missing, a misspelt key in its place is the better explanation.
  bool complete = true;
  for (const auto* key : {"name", "mass"}) complete = table.has(key) && complete;
  for (const auto* key : {"tastes", "charge", "imaginary_mu", "space_angles_over_pi", "naik_epsilon", "pseudofermions",
                          "split_masses", "joins"})
    static_cast<void>(table.has(key));
  if (!complete) table.finish_section();
  FlavourInput flavour;
  flavour.name = read_name(table);
  flavour.mass = table.real("mass", kMass);
  flavour.tastes = table.integer("tastes", {.min = 1, .max = 64}, 1);
  flavour.charge = table.real("charge", {.min = -1e6, .max = 1e6}, 0.0);
  flavour.imaginary_mu = table.real("imaginary_mu", {.min = -1000, .max = 1000}, 0.0);
  // Not among the keys of a resolved input unless given, as in those of earlier versions.
  if (table.has("space_angles_over_pi")) {
    const auto angles = table.reals("space_angles_over_pi", {.min = -2, .max = 2}, {});
    if (angles.size() != 3)
      table.wrong("space_angles_over_pi", "found {}, expected three: x, y, z",
                  plural(std::int64_t(angles.size()), "number"));
    std::ranges::copy(angles, flavour.space_angles_over_pi.begin());
  }
  if (table.has("naik_epsilon")) flavour.naik_epsilon = table.real("naik_epsilon", {.min = -1, .max = 1});
  if (dynamical || table.has("pseudofermions")) {
    flavour.pseudofermions = table.integer("pseudofermions", {.min = 1, .max = 16}, 1);
  }
  if (dynamical && flavour.tastes > 4 * flavour.pseudofermions) {
    table.wrong("pseudofermions",
                "with {} of them {} tastes make the exponent {}, but that of a rooted determinant is at most 1; "
                "at least {} are needed",
                flavour.pseudofermions, flavour.tastes, double(flavour.tastes) / double(4 * flavour.pseudofermions),
                (flavour.tastes + 3) / 4);
  }
  if (dynamical || table.has("split_masses")) {
    flavour.split_masses = table.reals("split_masses", kMass, std::vector<double>{});
  }
  double below = flavour.mass;
  for (const double mass : flavour.split_masses) {
    if (mass <= below) {
      table.wrong("split_masses", "found {} after {}, expected masses that increase from mass = {}", mass, below,
                  flavour.mass);
    }
    below = mass;
  }
  // Not among the keys of a resolved input unless given, as in those of earlier versions.
  if (table.has("joins")) flavour.joins = table.text("joins");
  return flavour;
}

// The last factor of one flavour may be part of the determinant of another that is the same operator.
void require_valid_joins(const std::vector<Table>& tables, const QuarkInput& quarks) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const FlavourInput& flavour = quarks.flavours[i];
    if (flavour.joins.empty()) continue;
    const auto other = std::find_if(quarks.flavours.begin(), quarks.flavours.end(),
                                    [&](const FlavourInput& one) { return one.name == flavour.joins; });
    if (other == quarks.flavours.end() || &*other == &flavour)
      tables[i].wrong("joins", "found \"{}\", expected the name of another flavour", shortened(flavour.joins));
    if (flavour.split_masses.empty() || flavour.split_masses.back() != other->mass)
      tables[i].wrong("joins",
                      "the last of split_masses must be the mass {} of \"{}\", so that both are one determinant",
                      other->mass, other->name);
    if (!other->split_masses.empty())
      tables[i].wrong("joins", "\"{}\" is itself split, so it has no factor like that", other->name);
    if (!flavour.sees_links_of(*other))
      tables[i].wrong(
          "joins",
          "\"{}\" has another charge, imaginary_mu, naik_epsilon or space_angles_over_pi, so it is another determinant",
          other->name);
    if (flavour.pseudofermions != 1 && flavour.pseudofermions != other->pseudofermions)
      tables[i].wrong("joins", "\"{}\" has another number of pseudofermions", other->name);
    if (const auto tastes = quarks.tastes_of_term(*other); tastes > 4 * other->pseudofermions)
      tables[i].wrong("joins", "\"{}\" then has the exponent {}, but with {} that is at most 1", other->name,
                      double(tastes) / double(4 * other->pseudofermions),
                      other->pseudofermions == 1 ? std::string("one pseudofermion")
                                                 : fmt::format("{} pseudofermions", other->pseudofermions));
  }
}

std::vector<FlavourInput> read_flavours(const Table& root, const std::vector<Table>& tables, bool dynamical) {
  if (tables.size() > most_flavours)
    root.wrong("flavours", "found {}, expected at most {}", tables.size(), most_flavours);
  std::vector<FlavourInput> flavours;
  std::map<std::string, std::size_t> flavour_of;  // names and terms
  for (const auto& table : tables) {
    const auto flavour = read_flavour(table, dynamical);
    auto words = flavour.terms();
    words.push_back(flavour.name);
    for (const auto& word : words) {
      if (const auto [at, is_new] = flavour_of.emplace(word, flavours.size());
          !is_new && at->second != flavours.size()) {
        table.wrong("name", "\"{}\" is already the name of flavours[{}] or of one of its terms", word, at->second);
      }
    }
    flavours.push_back(flavour);
  }
  return flavours;
}

// The unit in which fluxes are quantised if all charges are to see integers: 1 over their greatest common divisor. If
// one charge is not an integer, the unit that the given charge alone needs.
double flux_unit(const std::vector<FlavourInput>& flavours, double charge) {
  std::int64_t divisor = 0;
  for (const auto& flavour : flavours) {
    if (flavour.charge != std::round(flavour.charge)) return 1 / std::abs(charge);
    divisor = std::gcd(divisor, std::llround(flavour.charge));
  }
  return 1 / double(divisor);
}

void require_valid_fluxes(const Table& table, const BackgroundInput& background,
                          const std::vector<FlavourInput>& flavours) {
  for (std::size_t i = 0; i < 6; ++i) {
    const auto* name = BackgroundInput::names[i];
    const double flux = background.flux[i];
    if (flux == 0) continue;
    if (std::all_of(flavours.begin(), flavours.end(), [](const auto& f) { return f.charge == 0; })) {
      table.wrong(name, "found {}, but no flavour has a charge that feels it", flux);
    }
    for (const auto& flavour : flavours) {
      const double quanta = flavour.charge * flux;
      if (std::abs(quanta - std::round(quanta)) <= 1e-9) continue;
      const double unit = flux_unit(flavours, flavour.charge);
      table.wrong(name,
                  "non-quantised flux: found {}; times the charge {} of \"{}\" it is {}, not an integer; the "
                  "nearest quantised values are {} and {}",
                  flux, flavour.charge, flavour.name, quanta, std::floor(flux / unit) * unit + 0.0,
                  std::ceil(flux / unit) * unit + 0.0);
    }
  }
}

}  // namespace

std::array<std::int64_t, 6> BackgroundInput::quanta(double charge) const {
  std::array<std::int64_t, 6> out{};
  for (std::size_t i = 0; i < 6; ++i) out[i] = std::llround(charge * flux[i]);
  return out;
}

std::vector<std::string> FlavourInput::terms() const {
  if (split_masses.empty()) return {name};
  std::vector<std::string> out;
  const std::size_t count = split_masses.size() + (joins.empty() ? 1 : 0);
  for (std::size_t i = 1; i <= count; ++i) out.push_back(fmt::format("{}_{}", name, i));
  return out;
}

std::vector<std::string> QuarkInput::terms() const {
  std::vector<std::string> out;
  for (const auto& flavour : flavours)
    for (auto& term : flavour.terms()) out.push_back(std::move(term));
  return out;
}

std::vector<double> QuarkInput::naik_epsilons() const {
  std::vector<double> out;
  for (const auto& flavour : flavours) out.push_back(flavour.naik_epsilon);
  return out;
}

std::int64_t QuarkInput::tastes_of_term(const FlavourInput& flavour) const {
  std::int64_t tastes = flavour.tastes;
  for (const auto& other : flavours)
    if (other.joins == flavour.name) tastes += other.tastes;
  return tastes;
}

gauge::SmearingParameters read_smearing(const Table& table, bool dynamical) {
  gauge::SmearingParameters smearing;
  // A name of the field that someone may well look for.
  if (table.is_text("kind") && table.text("kind") == "p4") {
    std::vector<std::string> improved;
    for (const auto& kind : gauge::smearings())
      if (kind.has_force && !kind.in_su3) improved.push_back(kind.name);
    table.wrong("kind", "there are no p4 quarks, whose hops have bends; improved staggered quarks are those of \"{}\"",
                joined(improved, "\", \""));
  }
  // Not among the keys of a resolved input where it is not given, as in those of earlier versions.
  if (table.has("kind")) smearing.kind = table.choice("kind", names_of(gauge::smearings()), smearing.kind);
  const auto& kind = named("smearing", gauge::smearings(), smearing.kind);
  if (dynamical && !kind.has_force)
    table.wrong("kind", "\"{}\" has no force, so it cannot be part of an action; `measure` can have it", kind.name);
  read_keys(table, kind, smearing);
  return smearing;
}

gauge::SmearingParameters read_wilson_smearing(const Table& table) {
  std::vector<std::string> kinds;
  for (const auto& kind : gauge::smearings())
    if (kind.in_su3) kinds.push_back(kind.name);
  gauge::SmearingParameters smearing;
  smearing.kind = table.choice("kind", kinds);
  read_keys(table, named("smearing", gauge::smearings(), smearing.kind), smearing);
  table.finish_section();
  return smearing;
}

QuarkInput read_quarks(const Table& root, bool dynamical) {
  QuarkInput quarks;
  if (!root.has("flavours")) {
    root.refuse_slip("flavours");
    root.refuse("smearing", "without [[flavours]]; the links of Wilson quarks have [measure.hadrons.smearing]");
    for (const auto* key : {"background", "boundary"}) root.refuse(key, "without [[flavours]]");
    return quarks;
  }
  const auto tables = root.tables("flavours");
  quarks.flavours = read_flavours(root, tables, dynamical);
  require_valid_joins(tables, quarks);
  quarks.smearing = read_smearing(root.table_or_empty("smearing"), dynamical);
  if (!named("smearing", gauge::smearings(), quarks.smearing.kind).long_links)
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (quarks.flavours[i].naik_epsilon != 0)
        tables[i].wrong("naik_epsilon", "found {}, but there is no Naik term on links with smearing.kind = \"{}\"",
                        quarks.flavours[i].naik_epsilon, quarks.smearing.kind);
  const auto background = root.table_or_empty("background");
  quarks.background = read_background(background);
  require_valid_fluxes(background, quarks.background, quarks.flavours);
  const auto time = root.table_or_empty("boundary").choice("time", {"antiperiodic", "periodic"}, "antiperiodic");
  quarks.boundary = time == "periodic" ? TimeBoundary::periodic : TimeBoundary::antiperiodic;
  return quarks;
}

RationalInput read_rational(const Table& table, const RationalInput& defaults,
                            const gauge::SmearingParameters& smearing) {
  RationalInput rational = defaults;
  rational.heatbath_error = table.real("heatbath_error", kError, rational.heatbath_error);
  rational.molecular_dynamics_error = table.real("molecular_dynamics_error", kError, rational.molecular_dynamics_error);
  rational.metropolis_error = table.real("metropolis_error", kError, rational.metropolis_error);
  const double most = named("smearing", gauge::smearings(), smearing.kind).in_su3 ? kLargestInSu3 : kLargest;
  rational.largest_eigenvalue =
      table.real("largest_eigenvalue", {.min = 0.01, .max = most}, rational.largest_eigenvalue);
  return rational;
}

SolverInput read_solver(const Table& table, const SolverInput& defaults, const AlgorithmInput& algorithm) {
  SolverInput solver = defaults;
  const bool in_single = algorithm.precision == "single";
  if (in_single && solver.molecular_dynamics_precision != "16-bit") solver.molecular_dynamics_precision = "single";
  solver.heatbath_residual = table.real("heatbath_residual", kResidual, solver.heatbath_residual);
  const auto read_residual_of_dynamics = [&](double fallback) {
    solver.molecular_dynamics_residual = table.real("molecular_dynamics_residual", kResidual, fallback);
  };
  read_residual_of_dynamics(solver.molecular_dynamics_residual);
  solver.metropolis_residual = table.real("metropolis_residual", kResidual, solver.metropolis_residual);
  const auto choose = [&](const char* key, const auto& precisions, std::string& precision) {
    precision = table.choice(key, names_of(precisions), precision);
  };
  choose("molecular_dynamics_precision", hmc::molecular_dynamics_precisions, solver.molecular_dynamics_precision);
  if (in_single && solver.molecular_dynamics_precision != "single" && solver.molecular_dynamics_precision != "16-bit")
    table.wrong("molecular_dynamics_precision",
                "found \"{}\"; with algorithm.precision = \"single\" all of molecular dynamics is in single precision, "
                "or solves are in \"16-bit\"",
                solver.molecular_dynamics_precision);
  // Rounding leaves about as much, and iterations for less would be in vain.
  if (in_single || solver.molecular_dynamics_precision == "single")
    read_residual_of_dynamics(std::max(defaults.molecular_dynamics_residual, 1e-6));
  // Not among the keys of a resolved input where all is in double, as in those of earlier versions.
  for (const auto& [key, precision] : {std::pair{"heatbath_precision", &solver.heatbath_precision},
                                       std::pair{"metropolis_precision", &solver.metropolis_precision}})
    if (table.has(key) || *precision != "double") choose(key, hmc::solver_precisions, *precision);
  solver.max_iterations = table.integer("max_iterations", integers_from_1, solver.max_iterations);
  return solver;
}

}  // namespace trellis::app
