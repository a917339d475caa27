// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/input_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/base/named.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/hmc/solver_precision.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/lattice/single_lanes.hpp"
#include "trellis/tuning/tuning_cache.hpp"

namespace trellis::app {
namespace {

using tuning::TunedKernel, tuning::TuningCase;

// Right-hand sides of propagators that are tried together, of twelve.
std::vector<int> columns_together() {
  const int by_default = measure::WilsonInverseParameters{}.together;
  if (by_default == 0) return {12};
  std::vector<int> all{by_default};
  for (const int columns : {12, 6, 4, 1})
    if (columns != by_default) all.push_back(columns);
  return all;
}

// Cases on one rank's part of a lattice.
struct KernelPlace {
  Coordinate whole, size, cut{};
  int lanes, single_lanes, threads;
  dirac::LinkKind quark_links;

  KernelPlace(const Coordinate& whole_size, const comm::ProcessGrid& grid, int its_lanes, int its_threads,
              dirac::LinkKind links_of_quarks)
      : whole(whole_size),
        size(grid.local(whole_size)),
        lanes(its_lanes),
        threads(kernels_on_host ? its_threads : 1),  // those of the host do nothing in kernels of a GPU
        quark_links(links_of_quarks) {
    for (int mu = 0; mu < 4; ++mu) cut[mu] = grid.extents()[mu] > 1 ? 1 : 0;
    single_lanes = with_lanes(lanes, [&]<int W>() { return with_single_lanes<W>(size, []<int WS>() { return WS; }); });
  }
  TuningCase operator()(TunedKernel kernel, Precision precision = Precision::double_, int vectors = 1) const {
    TuningCase what{.kernel = kernel,
                    .size = size,
                    .precision = precision,
                    .lanes = precision == Precision::double_ ? lanes : single_lanes,
                    .vectors = vectors,
                    .threads = threads,
                    .cut = cut};
    if (!tuning::has_hops(what)) what.links = dirac::LinkFormat::full;
    if (kernel == TunedKernel::staggered || kernel == TunedKernel::dynamics) what.quark_links = quark_links;
    return what;
  }
  // Beside improved links and their force, if quarks have those.
  TuningCase of_chain(TunedKernel force, Precision precision = Precision::double_) const {
    TuningCase what = (*this)(force, precision);
    what.quark_links = quark_links;
    return what;
  }
};

TunedKernel force_of(const gauge::LoopWeights& weights) {
  if (weights.parallelogram != 0) return TunedKernel::parallelogram_force;
  return weights.rectangle != 0 ? TunedKernel::rectangle_force : TunedKernel::plaquette_force;
}

dirac::LinkKind quark_links_of(const QuarkInput& quarks) {
  if (quarks.flavours.empty()) return dirac::LinkKind::su3;
  const auto& smearing = named("smearing", gauge::smearings(), quarks.smearing.kind);
  if (smearing.long_links) return dirac::LinkKind::fat_and_long;
  return smearing.in_su3 ? dirac::LinkKind::su3 : dirac::LinkKind::fat;
}

void add_chain(const RunInput& input, const KernelPlace& place, InputKernels& kernels) {
  if (input.algorithm.kind == AlgorithmKind::heatbath) return;
  using hmc::SolverPrecision;
  const auto precision = [](const std::string& name) {
    return named("precision", hmc::molecular_dynamics_precisions, name).value;
  };
  const auto& solver = input.solver;
  const auto of_forces = precision(solver.molecular_dynamics_precision);
  const bool has_quarks = !input.quarks.flavours.empty(), in_single = input.algorithm.precision == "single";
  const auto force = force_of(input.action.weights());
  if (in_single) {
    kernels[KernelUse::single] = {place.of_chain(has_quarks ? TunedKernel::dynamics : force, Precision::single)};
    // Only heatbath and energy are left to double precision.
    if (has_quarks) kernels[KernelUse::chain] = {place(TunedKernel::staggered)};
    return;
  }
  const bool solves_in_double = has_quarks && of_forces == SolverPrecision::double_;
  kernels[KernelUse::chain] = {place.of_chain(solves_in_double ? TunedKernel::dynamics : force)};
  if (!has_quarks) return;
  bool single = false, in_16_bits = false;
  for (const auto one : {of_forces, precision(solver.heatbath_precision), precision(solver.metropolis_precision)}) {
    single = single || one != SolverPrecision::double_;
    in_16_bits = in_16_bits || one == SolverPrecision::fixed16;
  }
  if (single)
    kernels[KernelUse::single] = {place(TunedKernel::staggered, in_16_bits ? Precision::fixed16 : Precision::single)};
}

void add_measurements(const MeasureSection& section, const ObservableColumns& columns, const KernelPlace& place,
                      InputKernels& kernels) {
  if (const auto& job = columns.hadrons) {
    using measure::SolverPrecision;
    const auto precision = job->selection.inverse.precision;
    const auto inner = precision == SolverPrecision::mixed ? Precision::single : Precision::fixed16;
    for (const int together : columns_together()) {
      // The iterations decide how many.
      if (precision == SolverPrecision::double_ || kernels[KernelUse::hadrons].empty())
        kernels[KernelUse::hadrons].push_back(place(TunedKernel::wilson, Precision::double_, together));
      if (precision != SolverPrecision::double_)
        kernels[KernelUse::hadrons_inner].push_back(place(TunedKernel::wilson, inner, together));
    }
  }
  const auto staggered = [&](int vectors) { return place(TunedKernel::staggered, Precision::double_, vectors); };
  if (const auto& job = columns.quarks) kernels[KernelUse::quarks] = {staggered(job->selection.vectors_together())};
  if (const auto& job = columns.staggered_hadrons)
    kernels[KernelUse::staggered_hadrons] = {staggered(job->selection.vectors_together())};
  if (const auto& job = columns.eigenvalues)
    kernels[KernelUse::eigenvalues] = {staggered(job->selection.vectors_together(place.whole))};
  if (section.flow) kernels[KernelUse::flow] = {place(force_of({.plaquette = 1, .rectangle = section.flow->c1}))};
}

std::string found_line(const TuningCase& what, const tuning::KernelTuning& how) {
  const double gain = how.untuned_seconds / how.seconds - 1;
  if (gain == 0) return describe(what) + ": as tuned, the defaults";
  return fmt::format("{}: as tuned, {:.0f} % faster than the defaults then", describe(what), 100 * gain);
}

}  // namespace

InputKernels kernels_of(const RunInput& input, const comm::ProcessGrid& grid, int lanes, int threads) {
  InputKernels kernels;
  const KernelPlace place(input.size, grid, lanes, threads, quark_links_of(input.quarks));
  add_chain(input, place, kernels);
  add_measurements(input.measure, columns_of(input.measure, input.quarks, true), place, kernels);
  return kernels;
}

InputKernels kernels_of(const MeasureInput& input, const Coordinate& size, const comm::ProcessGrid& grid, int lanes,
                        int threads) {
  InputKernels kernels;
  add_measurements(input.measure, columns_of(input),
                   KernelPlace(size, grid, lanes, threads, quark_links_of(input.quarks)), kernels);
  return kernels;
}

InputKernels kernels_of_solve(dirac::LinkKind quark_links, int vectors, const Coordinate& size,
                              const comm::ProcessGrid& grid, int lanes, int threads) {
  const KernelPlace place(size, grid, lanes, threads, quark_links);
  return {{KernelUse::quarks, {place(TunedKernel::staggered, Precision::double_, vectors)}}};
}

std::vector<TuningCase> different_cases(const InputKernels& kernels) {
  std::vector<TuningCase> all;
  for (const auto& [use, cases] : kernels)
    for (const auto& what : cases)
      if (std::ranges::find(all, what) == all.end()) all.push_back(what);
  return all;
}

KernelSettings::KernelSettings(const InputKernels& kernels, const MachineInput& machine,
                               const comm::Communicator& ranks, int longest_hop)
    : site_order_(machine.site_order), longest_hop_(longest_hop) {
  if (kernels.empty()) return;
  std::vector<TuningCase> running;
  std::size_t found = 0;
  for (const auto& [use, cases] : kernels) {
    TuningCase runs = cases.front();
    for (const auto& what : cases) {
      // The first rank's settings: all ranks must agree on the order of ghosts.
      const auto how = io::from_first_rank(ranks, "tuned settings", [&] { return tuning::tuned_or_default(what); });
      if (how.seconds == 0) continue;
      const auto best = tunings_.find(use);
      if (best != tunings_.end() && best->second.how.seconds / best->second.vectors <= how.seconds / what.vectors)
        continue;
      tunings_[use] = {what.vectors, how, tuning::has_hops(what)};
      runs = what;
    }
    if (std::ranges::find(running, runs) != running.end()) continue;
    running.push_back(runs);
    found += is_tuned(use) ? 1 : 0;
    lines_.push_back(is_tuned(use) ? found_line(runs, tunings_.at(use).how)
                                   : describe(runs) + ": by default, not tuned");
  }
  if (found > 0) {
    summary_ =
        fmt::format("{} of {} run as `trellis tune` found best", found, plural(std::int64_t(running.size()), "kernel"));
    return;
  }
  summary_ = "Kernels run by default: none is tuned for this machine and lattice (`trellis tune INPUT` does it)";
  const auto others =
      io::from_first_rank(ranks, "tunings", [] { return std::int64_t(tuning::TuningCache().entries().size()); });
  if (others > 0)
    lines_.push_back(fmt::format("not used: {} of other kernels, lattices, numbers of threads or machines",
                                 plural(others, "tuning")));
}

// Of the kernels that run on it, the one that runs most.
LatticeShape KernelSettings::lattice_shape() const {
  LatticeShape found;
  for (const auto use : {KernelUse::chain, KernelUse::hadrons, KernelUse::quarks, KernelUse::staggered_hadrons,
                         KernelUse::eigenvalues, KernelUse::flow}) {
    if (!is_tuned(use) || (use == KernelUse::hadrons && is_tuned(KernelUse::hadrons_inner))) continue;
    found = shape(use);
    break;
  }
  found.directions = site_order_;
  found.vector_reach = longest_hop_;
  return found;
}

LatticeShape KernelSettings::shape(KernelUse use) const {
  const bool usual = site_order_ == Coordinate{0, 1, 2, 3};  // tuned shapes are for this order
  return usual && is_tuned(use) ? tunings_.at(use).how.shape : LatticeShape{};
}

dirac::HopSettings KernelSettings::settings(KernelUse use) const {
  const auto found = tunings_.find(use);
  if (found != tunings_.end() && found->second.has_hops) return found->second.how.settings;
  if (use == KernelUse::hadrons || use == KernelUse::hadrons_inner) return {};
  return longest_hop_ == 3 ? dirac::naik_settings : dirac::staggered_settings;
}

void KernelSettings::give_to(ObservableColumns& columns) const {
  if (auto& job = columns.hadrons) {
    auto& inverse = job->selection.inverse;
    inverse.settings = settings(KernelUse::hadrons);
    inverse.inner_settings = settings(KernelUse::hadrons_inner);
    inverse.inner_shape = shape(KernelUse::hadrons_inner);
    const bool in_double = inverse.precision == measure::SolverPrecision::double_;
    const auto found = tunings_.find(in_double ? KernelUse::hadrons : KernelUse::hadrons_inner);
    if (found != tunings_.end()) inverse.together = found->second.vectors;
  }
  if (auto& job = columns.quarks) job->selection.settings = settings(KernelUse::quarks);
  if (auto& job = columns.staggered_hadrons) job->selection.settings = settings(KernelUse::staggered_hadrons);
  if (auto& job = columns.eigenvalues) job->selection.settings = settings(KernelUse::eigenvalues);
}

}  // namespace trellis::app
