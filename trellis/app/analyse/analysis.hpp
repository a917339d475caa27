// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of an ensemble: its quantities, masses and lattice spacing, and the tables and pictures that terminals
// (`trellis analyse`) and pages (`trellis report`) share.

#include "trellis/app/analyse/masses.hpp"
#include "trellis/app/analyse/matrix_elements.hpp"
#include "trellis/app/analyse/physical_scale.hpp"
#include "trellis/app/analyse/potential.hpp"
#include "trellis/app/analyse/quantities.hpp"
#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {

struct EnsembleAnalysis {
  Ensemble ensemble;
  std::vector<Quantity> quantities;  // empty: there is nothing beyond the cut
  std::vector<FittedMass> masses;
  MatrixElements matrix_elements = {};
  std::optional<EnsemblePotential> potential = {};
  PhysicalScale scale;
  int potential_time = 0;  // as in AnalysisParameters

  // The lattice spacing in fm with its error, from w0 if it is known, otherwise from t0; `from` says which.
  struct LatticeSpacing {
    double value = 0, error = 0;
    std::string from;
  };
  std::optional<LatticeSpacing> lattice_spacing() const;
  // From results for the same files, if there is none here.
  std::optional<LatticeSpacing> of_same_files = {};
  // The quantity of this name, or null.
  const Quantity* find(std::string_view name) const;
  // "trajectories" or "files": what tau_int counts.
  const char* counted_in() const { return ensemble.of_files() ? "files" : "trajectories"; }
};

struct AnalysisParameters {
  QuantityParameters quantities = {};
  MassParameters masses = {};
  analysis::PotentialParameters potential = {};
  int potential_time = 0;  // whose potential is shown; 0: the chosen one
  std::string scale = {};  // from physical_scales(); empty: default_scale() for the ensemble's quarks
};

// Flow and hadrons are often measured on the same files by two inputs: the lattice spacing is then that of both.
std::vector<EnsembleAnalysis> analysed(std::vector<Ensemble> ensembles, const AnalysisParameters& parameters);

// Cells as text. A row of two cells is a name and a remark.
struct ResultTable {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};

// Name, mean, tau_int, N, N_eff, drift, doubts; to compare, a remark with the errors by other methods.
ResultTable quantity_table(const EnsembleAnalysis& analysis, bool compare = false);
// Name, a m, MeV, times, chi^2/dof, p. Without masses there are no rows.
ResultTable mass_table(const EnsembleAnalysis& analysis);
// What, R, sink time, times, chi^2/dof, p; then the slopes of sums. Parts that are zero within three errors are only
// counted, unless all are. Without three-point functions there are no rows.
ResultTable matrix_element_table(const EnsembleAnalysis& analysis);
// Distance, V(r) of the time that is asked for, or chosen, or the first; then the fit of each time: t, V_0, alpha,
// sigma, r_0, chi^2/dof, p. Without Wilson loops there are no rows.
ResultTable potential_table(const EnsembleAnalysis& analysis);
ResultTable potential_fit_table(const EnsembleAnalysis& analysis);
// m_pi L; whether a flow was too short for its scales; the lattice spacing, topological susceptibilities, extents and
// temperature in physical units. One entry per line.
std::vector<std::string> scale_lines(const EnsembleAnalysis& analysis);

// rho(t) and tau_int(W) in trajectories (or files), with the chosen window. Only for quantities that are not
// functions of several means, and not constant.
plot::Panel autocorrelation_panel(const EnsembleAnalysis& analysis, const Quantity& quantity);

}  // namespace trellis::app
