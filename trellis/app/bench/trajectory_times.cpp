// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/trajectory_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/app/job/job.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/results/quark_measurement.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/bench/machine/crew.hpp"
#include "trellis/core/base/median.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/gauge/loops.hpp"

namespace trellis::app {
namespace {

// Sums over the ranks.
void add_up(const comm::Communicator& ranks, std::span<double> numbers) {
  std::vector<ExactSum> sums(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    ExactAccumulator<double> own;
    own.add(numbers[i]);
    sums[i].add(own);
  }
  ranks.add("trajectories", sums);
  std::ranges::transform(sums, numbers.begin(), [](const ExactSum& sum) { return sum.value(); });
}

template <int W>
void time_chain(bench::Crew& crew, const comm::ProcessGrid& grid, const TrajectoryCase& one, const TimedWork& work,
                TrajectoryFigure& figure) {
  const RunInput& input = one.input;
  const KernelSettings kernels(kernels_of(input, grid, W, concurrency()), input.machine, grid.ranks(),
                               gauge::longest_hop(input.quarks.smearing));
  const Lattice lattice(input.size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid);
  const auto u = start_links<W>(input, lattice);
  if (work.start) repeat_links(*work.start, u);
  const auto quarks = computed_quark_terms(input);
  auto certificate = make_certificate<W>(input, lattice, quarks, [](const std::string& text) {
    if (job().is_first()) fmt::print("{}\n", text);
  });
  auto algorithm = make_algorithm<W>(input, lattice, make_terms<W>(input, lattice, quarks, kernels), quarks,
                                     std::move(certificate), kernels);
  const auto& ranks = crew.ranks();
  auto number = static_cast<std::uint32_t>(input.start.trajectory);
  const auto next = [&] {
    const hmc::TrajectoryRequest request{.seed = static_cast<std::uint64_t>(input.chain.seed),
                                         .trajectory = number,
                                         .accept_always = number < input.chain.thermalisation};
    ++number;
    crew.still_at_work();
    const Stopwatch watch;
    auto record = algorithm(request, u, [&](const GaugeField<double, W>&) { crew.still_at_work(); });
    fence();
    const double seconds = watch.seconds();
    return std::pair(std::move(record), seconds);
  };
  const auto tell = [&](const hmc::TrajectoryRecord& record, double seconds) {
    if (work.tell) work.tell(record, seconds);
  };
  for (int n = 0; n < work.warm_up; ++n) {
    const auto [record, seconds] = next();
    tell(record, seconds);
  }

  KernelProfile profile;
  double total = 0;
  for (int n = 0; n < work.trajectories; ++n) {
    fence();
    ranks.barrier("a trajectory begins");
    auto [record, seconds] = [&] {
      const ActiveProfile active(profile);
      return next();
    }();
    total += seconds;
    for (const auto& term : record.terms)
      if (term.solver) figure.iterations += double(term.solver->iterations);
    figure.dH = record.dH;
    figure.times.push_back(seconds);
    tell(record, seconds);
    figure.records.push_back(std::move(record));
  }
  ranks.maximum("trajectories", figure.times);
  std::vector<double> numbers{0, 0};
  for (const auto& kernel : profile.kernels()) {
    numbers[0] += kernel.flops;
    numbers[1] += kernel.bytes;
  }
  const auto parts = part_seconds(profile.kernels(), total);
  numbers.insert(numbers.end(), parts.begin(), parts.end());
  add_up(ranks, numbers);
  figure.iterations /= work.trajectories;
  for (double& sum : numbers) sum /= work.trajectories;
  figure.flops = numbers[0];
  figure.bytes = numbers[1];
  for (std::size_t k = 0; k < parts.size(); ++k) figure.parts[k] = numbers[2 + k] / ranks.size();
  figure.plaquette = gauge::plaquette(u).average;
  if (work.keep_links) figure.links = all_links(u);
  if (!work.measure_quarks) return;
  algorithm = nullptr;  // and with it the fields of molecular dynamics
  auto job = quark_job(input.measure, input.quarks);
  if (!job) return;
  job->selection.settings = kernels.settings(KernelUse::quarks);
  figure.quarks = measure::measure_quarks<W>(job->selection, job->flavours, job->smearing,
                                             static_cast<std::uint64_t>(input.chain.seed), number, u);
}

}  // namespace

double TrajectoryFigure::mean_seconds() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }

TrajectoryFigure time_trajectories(const comm::Communicator& ranks, const TrajectoryCase& one, const TimedWork& work) {
  const auto& machine = one.input.machine;
  const int threads_before = concurrency();
  TrajectoryFigure figure;
  figure.strong = one.strong;
  figure.ranks = one.ranks;
  figure.grid = one.grid;
  figure.lattice = one.input.size;
  bench::Crew crew(ranks, one.ranks);
  crew.work([&] {
    const auto grid =
        one.ranks == 1 ? comm::ProcessGrid() : comm::ProcessGrid(crew.ranks(), one.grid, machine.rank_order);
    figure.local = grid.local(figure.lattice);
    figure.lanes = lanes_for(grid, figure.lattice, machine);
    const int threads = work.threads > 0 ? work.threads : static_cast<int>(machine.threads);
    if (threads > 0)
      set_thread_count(threads);
    else
      ThreadChoice(grid, figure.lattice, figure.lanes, !one.input.quarks.flavours.empty(), machine);
    figure.threads = concurrency();
    with_lanes(figure.lanes, [&]<int W>() { time_chain<W>(crew, grid, one, work, figure); });
    figure.seconds = median(figure.times);
  });
  if (fields_on_host) set_thread_count(threads_before);
  return figure;
}

void compare(std::vector<TrajectoryFigure>& figures) {
  for (const bool strong : {true, false}) {
    const TrajectoryFigure* first = nullptr;
    for (auto& figure : figures) {
      if (figure.strong != strong) continue;
      if (first == nullptr) first = &figure;
      figure.efficiency = first->seconds / figure.seconds * (strong ? double(first->ranks) / figure.ranks : 1);
      if (strong && (figure.plaquette != first->plaquette || figure.dH != first->dH))
        fail(
            "bench trajectory: on {} ranks the chain ends with plaquette {:.17g} and dH {:.17g}, on {} with {:.17g} "
            "and "
            "{:.17g}: no bit may depend on the number of ranks",
            figure.ranks, figure.plaquette, figure.dH, first->ranks, first->plaquette, first->dH);
    }
  }
}

}  // namespace trellis::app
