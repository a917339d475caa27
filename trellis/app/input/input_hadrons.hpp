// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// [measure.hadrons] as plain data: correlators of mesons and baryons from Wilson quarks (measure/hadrons.hpp). These
// are valence quarks, whatever quarks the action has.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/measure/hadrons/combinations.hpp"

namespace trellis::app {

struct HadronQuarkInput {  // [[measure.hadrons.quarks]]
  std::string name;        // required; lower-case letters, digits and _; all different
  double kappa = 0;        // above 0, up to 1; or mass = 1 / (2 kappa) - 1 - 3 spatial_hopping
  double clover = 0;       // default: measure.hadrons.clover
  double clover_temporal = 0;
  // A current on another quark (measure/hadrons/current.hpp); kappa and clover are by default those of the other.
  std::string from = {};     // the name of an earlier quark; empty: no current
  std::string current = {};  // one of the sixteen matrices, by the names of mesons
  std::vector<std::int64_t> current_momentum = {0, 0, 0};
  std::optional<std::int64_t> current_time = {};  // from the source; without it all times
};

struct FixedSinkInput {                   // [[measure.hadrons.fixed_sinks]] (measure/hadrons/fixed_sink.hpp)
  std::string name;                       // required; lower-case letters, digits and _; all different
  std::string quarks;                     // required: names of two or three quarks, joined by dots
  std::int64_t current_on = 1;            // the place of the quark on which currents act, from 1
  std::string to = {};                    // the quark from there to the sink; default: the same
  std::string channel;                    // required
  std::string projector = "unpolarised";  // measure::sink_projectors
  std::string sink = "point";             // measure::quark_sinks
  std::vector<std::int64_t> sink_momentum = {0, 0, 0};
  std::int64_t sink_time = 0;                                 // required; from the source
  std::vector<std::string> currents;                          // some of the sixteen; default: all
  std::vector<std::vector<std::int64_t>> momenta{{0, 0, 0}};  // of the currents
};

struct HadronInput {                                       // [measure.hadrons], if present
  std::int64_t every = 0;                                  // run only; default: as [measure]; a multiple of it
  std::vector<double> kappas;                              // required without quarks; all different, above 0, up to 1
  std::vector<HadronQuarkInput> quarks;                    // instead: 1 to 8, which form hadrons with one another
  std::vector<std::string> combinations;                   // of quarks, "l.s"; default: all
  std::vector<FixedSinkInput> fixed_sinks = {};            // up to 64
  double clover = 0;                                       // c_sw, 0 to 10
  double clover_temporal = 0;                              // in planes with t; default: clover
  double spatial_hopping = 1;                              // nu / xi_0, above 0, up to 10
  std::vector<double> boundary_angle_over_pi{0, 0, 0, 1};  // x, y, z, t; -2 to 2
  double c_f = 1;                                          // c_F, only with a boundary in time; 0 to 100
  gauge::Boundary boundary = {};                           // in time, of the links: not a key of this table
  double stout_rho = 0.125;                                // of the links that quarks see
  std::int64_t stout_levels = 0;
  std::string stout_directions = "all";                    // or "spatial": spatial links within their time slice
  std::optional<gauge::SmearingParameters> smearing = {};  // [measure.hadrons.smearing], instead of stout_...
  std::string source = "point";                            // measure::quark_sources
  std::vector<std::vector<std::int64_t>> source_positions{{0, 0, 0, 0}};
  std::int64_t sources_in_time = 1;  // copies of each position, evenly spaced
  // Of noise sources.
  std::int64_t noise_vectors = 4;  // 1 to measure::most_quark_noise
  std::string noise_dilution = "spin";
  std::vector<std::int64_t> noise_spacing = {1, 1, 1};
  std::vector<std::string> sinks{"point"};  // from measure::quark_sinks
  // Gaussian smearing; only allowed where a source or sink uses it.
  double smearing_alpha = 4;
  std::optional<double> smearing_width;  // instead of alpha; 0 to 1000, with at least one step
  std::int64_t smearing_steps = 40;
  double smearing_rho = 0.1;  // spatial stout smearing of the links it uses
  std::int64_t smearing_levels = 10;
  std::string smearing_links = "stout";                       // measure::source_links
  std::vector<double> smearing_links_alpha;                   // "ape": one number, "hyp": two; 0 to 1
  std::vector<std::vector<std::int64_t>> momenta{{0, 0, 0}};  // or all up to max_momentum_squared
  std::vector<std::string> channels;                          // "mesons" means all sixteen
  std::string solver = "bicgstab";                            // from measure::wilson_solvers
  std::string precision = "double";                           // from measure::solver_precisions
  double residual = 1e-10;
  std::int64_t max_iterations = 10000;
  std::string propagators;  // the folder where they are kept; empty: they are not
  std::string propagators_format = "scidac";
};

// The quarks with names; `common` has what they share.
std::vector<measure::ValenceQuark> valence_quarks(const HadronInput& h, const dirac::WilsonParameters& common);

}  // namespace trellis::app
