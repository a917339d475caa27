// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/origin/column_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "trellis/measure/hadron_correlators.hpp"
#include "trellis/measure/hadrons/combinations.hpp"
#include "trellis/measure/observable.hpp"
#include "trellis/measure/staggered_hadrons.hpp"

namespace trellis::app {
namespace {

using Type = ColumnText::Type;

struct Known {
  const char *name, *what, *units;
  Type type = Type::real;
};

constexpr Known kNames[] = {
    {"chain", "number of the chain of the ensemble, from 0", "1", Type::integer},
    {"seed", "seed of the chain", "1", Type::integer},
    {"trajectory", "number of completed trajectories", "1", Type::integer},
    {"row", "number of the measured file, from 1", "1", Type::integer},
    {"tuning", "how often keys that change bits had been changed by then", "1", Type::integer},
    {"file", "name of the measured file", "", Type::text},
    {"content", "CRC-32 and size of the measured file", "", Type::text},
    {"size_x", "extent in x of the lattice of the measured file", "1", Type::integer},
    {"size_y", "extent in y of the lattice of the measured file", "1", Type::integer},
    {"size_z", "extent in z of the lattice of the measured file", "1", Type::integer},
    {"size_t", "extent in t of the lattice of the measured file", "1", Type::integer},
    {"plaquette", "average of Re tr P / 3 over all plaquettes", "1"},
    {"plaquette_spatial", "average of Re tr P / 3 over spatial plaquettes", "1"},
    {"plaquette_temporal", "average of Re tr P / 3 over temporal plaquettes", "1"},
    {"rectangle", "average of Re tr R / 3 over all rectangles", "1"},
    {"topological_potential", "potential V(Q) of the action", "1"},
    {"topological_potential_charge", "topological charge Q of V(Q), by the clover on its stout links", "1"},
    {"dH", "energy change of the trajectory, H(end) - H(start)", "1"},
    {"exp_minus_dH", "exp(-dH), whose average is 1", "1"},
    {"accepted", "whether the Metropolis test accepted the trajectory", "1", Type::flag},
    {"dH_kinetic", "change of the kinetic energy of the momenta", "1"},
    {"reversibility_links", "largest distance of a link after integrating there and back", "1"},
    {"reversibility_momenta", "largest distance of a momentum after integrating there and back", "1"},
    {"reversibility_energy", "energy difference after integrating there and back", "1"},
    {"certified_operations", "operations of the trajectory that were computed twice", "1", Type::integer},
    {"certified_fingerprints", "fingerprints of fields at rest that were compared", "1", Type::integer},
    {"t0", "flow time at which t^2 E of this configuration is 0.3", "a^2"},
    {"w0", "sqrt(t) at which t d(t^2 E)/dt of this configuration is 0.3", "a"},
    {"hadron_iterations", "iterations of the solver over all sources and kappas", "1", Type::integer},
    {"hadron_residual", "largest true relative residual of a solution", "1"},
    {"staggered_hadron_iterations", "iterations of the solver over all sources and flavours", "1", Type::integer},
    {"staggered_hadron_residual", "largest true relative residual of a solution", "1"},
    {"staggered_hadron_ward", "largest relative violation of the Ward identity", "1"},
    {"gauge_functional", "average of Re tr U_mu / 3 over the directions that fix the gauge", "1"},
    {"gauge_residual", "theta of the transformed links", "1"},
    {"gauge_iterations", "iterations of gauge fixing", "1", Type::integer},
    {"seconds", "wall-clock time of this row", "s"},
    {"check", "CRC-32 of the table up to the end of this row, without this column", "1", Type::integer},
    // Side tables.
    {"flavour", "name of the flavour", "", Type::text},
    {"flavours", "names of the flavours, joined by a dot if they differ", "", Type::text},
    {"noise_vector", "number of the noise vector, from 1", "1", Type::integer},
    {"residual", "largest relative residual of the solutions", "1"},
    {"eigenvalue_number", "number of the eigenvalue, from the lowest", "1", Type::integer},
    {"eigenvalue", "eigenvalue of -D_eo D_oe", "a^-2"},
    {"iterations", "iterations of the solver", "1", Type::integer},
    {"direction", "steps along the axes, with all permutations and signs", "", Type::text},
    {"distance", "number of steps along the direction", "1", Type::integer},
    {"loop_time", "extent of the loop in time", "a", Type::integer},
    {"level", "steps of APE smearing in space", "1", Type::integer},
    {"other_level", "steps of APE smearing in space of the other line", "1", Type::integer},
    {"wilson_loop", "average of Re tr / 3", "1"},
    {"time_slice", "number of the time slice, from 0", "1", Type::integer},
    {"scalar", "(P_xy + P_xz + P_yz) / 3, spatial averages of Re tr P / 3", "1"},
    {"tensor_1", "(P_yz - P_xz) / sqrt(2)", "1"},
    {"tensor_2", "(P_yz + P_xz - 2 P_xy) / sqrt(6)", "1"},
    {"pseudoscalar_glueball", "sum_ijk eps_ijk tr[B_i(x) U_j(x) B_k(x + j) U_j(x)^+] / 3, averaged over the time slice",
     "1"},
    {"steps", "steps of the smoothing so far", "1", Type::integer},
    {"flow_time", "flow time t", "a^2"},
    {"energy_plaquette", "energy density from plaquettes; boundary planes count a half", "a^-4"},
    {"kappa", "hopping parameter of the valence quarks", "1"},
    {"quarks", "names of the quarks, joined by dots: of a meson the quark first", "", Type::text},
    {"sink", "how the sink is smeared", "", Type::text},
    {"fixed_sink", "name of the fixed sink", "", Type::text},
    {"current", "matrix of the local current", "", Type::text},
    {"momentum_x", "n_x of the current's momentum 2 pi n / L", "1", Type::integer},
    {"momentum_y", "n_y of the current's momentum 2 pi n / L", "1", Type::integer},
    {"momentum_z", "n_z of the current's momentum 2 pi n / L", "1", Type::integer},
    {"three_point_re", "real part of the three-point function, averaged over sources; t is that of the current",
     "lattice units"},
    {"three_point_im", "imaginary part of the three-point function, averaged over sources", "lattice units"},
    {"momentum_squared", "n^2 of the momentum 2 pi n / L", "1", Type::integer},
    {"t", "time from the source", "a", Type::integer},
    {"channel", "name of the hadron", "", Type::text},
    {"configurations", "number of configurations averaged", "1", Type::integer},
    {"correlator", "average of the correlator, mesons folded", "lattice units"},
    {"correlator_error", "its error by the Gamma method", "lattice units"},
    {"effective_mass", "effective mass between t and t + 1", "a^-1"},
    {"effective_mass_error", "its error by the Gamma method", "a^-1"},
    {"kernel", "name of the kernel", "", Type::text},
    {"precision", "of the kernel's arithmetic", "", Type::text},
    {"calls", "how often the kernel ran", "1", Type::integer},
    {"share", "fraction of the time of the chain", "1"},
    {"gbytes_per_second", "minimum bytes over the time", "GB/s"},
    {"of_bandwidth", "fraction of the bandwidth that a triad reached", "1"},
    {"gflops_per_second", "flops over the time", "GFLOP/s"},
    {"of_peak", "fraction of the rate of multiply-adds in registers", "1"}};

// Followed by the name of a term, flavour or plane.
constexpr Known kBeginnings[] = {
    {"dS_", "change of the action's term {}", "1"},
    {"force_average_", "root mean square of |F| of a link at the first kick of term {}", "1"},
    {"force_maximum_", "largest |F| of a link at the first kick of term {}", "1"},
    {"iterations_", "conjugate gradient iterations of term {} in the trajectory", "1", Type::integer},
    {"largest_eigenvalue_", "largest eigenvalue of -D_eo D_oe of term {}", "a^-2"},
    {"dH_replica_", "energy change of the trajectory of replica {}", "1"},
    {"accepted_replica_", "whether the Metropolis test accepted the trajectory of replica {}", "1", Type::flag},
    {"swap_difference_", "change of the actions by a swap of replica {} with the next one", "1"},
    {"swapped_", "whether the links of replica {} and the next one were swapped", "1", Type::flag},
    {"walker_", "number of the walker that is at replica {} after the swaps", "1", Type::integer},
    {"seconds_", "wall-clock time in the solvers of term {}", "s"},
    {"lowest_eigenvalue_", "lowest eigenvalue of -D_eo D_oe of flavour {}", "a^-2"},
    {"charge_", "topological charge, clover definition, after the last step of {}", "1"},
    {"condensate_", "(N_t / 4) Re tr M^-1 / V of flavour {}", "a^-3"},
    {"quark_number_", "imaginary part of (N_t / 4) tr[M^-1 dM/d(a mu)] / V of flavour {}", "a^-3"},
    {"susceptibility_connected_", "connected part of the number susceptibility of flavour {}", "a^-2"},
    {"susceptibility_disconnected_", "V q^2 of flavour {}, unbiased", "a^-2"},
    {"susceptibility_mixed_", "V q_f q_g of the flavours {}", "a^-2"},
    {"chiral_disconnected_", "V c^2 of flavour {}, unbiased", "a^-2"},
    {"chiral_mixed_", "V c_f c_g of the flavours {}", "a^-2"},
    {"magnetisation_", "(N_t / 4) Re tr[M^-1 dM/dn] / V, n flux quanta: plane and flavour {}", "a^-4"}};

// Columns of noise vectors end in _re and _im.
constexpr Known kEstimates[] = {{"condensate", "(N_t / 4) tr M^-1 / V", "a^-3"},
                                {"quark_number", "(N_t / 4) tr[M^-1 M'] / V", "a^-3"},
                                {"second_derivative", "(N_t / 4) tr[M^-1 M''] / V", "a^-2"},
                                {"bubble", "(N_t / 4) tr[M^-1 M' M^-1 M'] / V", "a^-2"}};

std::string with_name(std::string what, const std::string& name) { return what.replace(what.find("{}"), 2, name); }

std::optional<ColumnText> known(const std::string& name) {
  for (const auto& one : kNames)
    if (name == one.name) return ColumnText{one.what, one.units, one.type};
  for (const auto& observable : measure::observables())
    for (const auto& column : observable.columns)
      if (column.name == name) {
        const auto& part = column.title.empty() ? column.name : column.title;
        return ColumnText{part == observable.what ? part : fmt::format("{}: {}", observable.what, part),
                          column.unit.empty() ? "1" : column.unit};
      }
  for (const auto& [ending, part] : {std::pair{"_re", "real"}, {"_im", "imaginary"}}) {
    if (!name.ends_with(ending)) continue;
    const auto stem = name.substr(0, name.size() - 3);
    const auto text = [half = std::string(part)](const std::string& what) {
      return fmt::format("{} part of {}, estimated with one noise vector", half, what);
    };
    for (const auto& one : kEstimates)
      if (stem == one.name) return ColumnText{text(one.what), one.units};
    if (stem.starts_with("magnetisation_"))
      return ColumnText{text(fmt::format("(N_t / 4) tr[M^-1 dM/dn] / V, plane {}", stem.substr(14))), "a^-4"};
  }
  for (const auto& one : kBeginnings)
    if (const std::string begin = one.name; name.starts_with(begin))
      return ColumnText{with_name(one.what, name.substr(begin.size())), one.units, one.type};
  constexpr std::string_view noise_error = "_noise_error";
  if (name.ends_with(noise_error))
    return ColumnText{"error by noise of " + name.substr(0, name.size() - noise_error.size()), "lattice units"};
  const auto is_one_of = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (is_one_of(measure::channels_of_quarks()) || is_one_of(measure::staggered_hadron_names()))
    return ColumnText{"real part of the correlator of " + name + ", averaged over sources and momenta",
                      "lattice units"};
  return std::nullopt;
}

}  // namespace

bool is_known_column(const std::string& name) { return known(name).has_value(); }

ColumnText column_text(const std::string& name) { return known(name).value_or(ColumnText{name, "1"}); }

}  // namespace trellis::app
