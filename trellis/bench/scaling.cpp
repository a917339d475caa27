// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/scaling.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "trellis/bench/machine/crew.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/lattice/field_space.hpp"

namespace trellis::bench {

namespace {

constexpr double longest_sample = 0.01;
constexpr int most_calls = 500;
// After their work OpenMP threads spin for some milliseconds, on processors that other ranks are timed on next.
constexpr std::chrono::milliseconds spinning(20);

// The extents of a grid, as equal as possible.
Coordinate even_grid(int ranks) {
  std::vector<int> primes;
  for (int p = 2; ranks > 1; ++p)
    for (; ranks % p == 0; ranks /= p) primes.push_back(p);
  Coordinate grid{1, 1, 1, 1};
  for (auto p = primes.rbegin(); p != primes.rend(); ++p) {
    std::size_t thinnest = 3;
    for (std::size_t mu = 3; mu-- > 0;)
      if (grid[mu] < grid[thinnest]) thinnest = mu;
    grid[thinnest] *= *p;
  }
  return grid;
}

// What a rank does for ghosts apart from messages.
bool is_packing(const std::string& name) {
  return name.starts_with("pack ") || name.starts_with("unpack ") || name == "copy halo";
}

int own_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// One thing to time: a number of ranks on one lattice, each on its own lattice, or one rank with the threads of
// several.
struct Case {
  enum Role { together, alone, yardstick };
  Role role;
  std::size_t count;  // index into the series' numbers of ranks
  int threads;
  Crew* crew;
};

class Runner {
 public:
  // sample_seconds: the intended duration of a sample, unless one application takes longer.
  Runner(const comm::Communicator& all, const ScalingSeries& series, const Case& what, double sample_seconds)
      : all_(all), threads_(what.threads), crew_(*what.crew) {
    const int ranks = series.ranks[what.count];
    const Coordinate lattice = series.lattice_of(ranks);
    const Coordinate grid = series.grid_of(ranks);
    figure_.ranks = what.role == Case::together ? ranks : 1;
    figure_.threads = what.threads;
    figure_.yardstick = what.role == Case::yardstick;
    figure_.lattice = lattice;
    if (what.role == Case::together) figure_.grid = grid;
    for (std::size_t mu = 0; mu < 4; ++mu) figure_.local[mu] = lattice[mu] / figure_.grid[mu];
    Coordinate part = figure_.local;
    if (what.role == Case::alone)
      for (std::size_t mu = 0; mu < 4; ++mu) part[mu] = lattice[mu] / grid[mu];
    figure_.lanes = Lattice::best_lanes(part, arithmetic_bytes(series.precision));
    crew_.work([&] {
      set_threads();
      if (what.role == Case::together) {
        const comm::ProcessGrid ranks_of(crew_.ranks(), grid);
        kernel_ = scaling_kernel(series.kernel, series.precision,
                                 Lattice(lattice, figure_.lanes, SiteOrder::even_odd, {}, ranks_of));
      } else {
        kernel_ = scaling_kernel(series.kernel, series.precision, Lattice(part, figure_.lanes));
      }
    });
    figure_.sent = sent_in(kernel_.halos, figure_.local, figure_.grid);
    figure_.sent.outside = outside_part(figure_.lattice, figure_.grid, crew_.ranks().ranks_on_machine());
    std::array<double, 4> numbers{kernel_.flops, kernel_.bytes, double(kernel_.sums), double(kernel_.applications)};
    agree(numbers);
    figure_.flops = numbers[0] * figure_.ranks;
    figure_.bytes = numbers[1] * figure_.ranks;
    sums_ = numbers[2];
    applications_ = int(numbers[3]);
    sample();
    const double seconds = sample() * applications_;
    calls_ = int(std::clamp(sample_seconds / seconds, 1.0, double(most_calls)));
    warms_up_ = seconds < 10 * longest_sample;
  }

  // Seconds per application.
  double sample() {
    std::array<double, 1> seconds{};
    crew_.work([&] {
      set_threads();
      if (warms_up_) kernel_.run();
      fence();
      crew_.ranks().barrier("scaling");
      seconds[0] = tuning::seconds_of(kernel_.run, calls_) / applications_;
      if (fields_on_host && threads_ > 1) std::this_thread::sleep_for(spinning);
    });
    agree(seconds);
    return seconds[0];
  }
  int applications() const { return calls_ * applications_; }  // per sample

  // Profiles one application.
  void profile() {
    std::array<double, 2> found{};
    crew_.work([&] {
      set_threads();
      KernelProfile profile;
      {
        const ActiveProfile active(profile);
        for (int call = 0; call < calls_; ++call) kernel_.run();
        fence();
      }
      for (const KernelTotals& kernel : profile.kernels()) {
        if (kernel.name == "wait for halo") found[0] += kernel.seconds;
        if (is_packing(kernel.name)) found[1] += kernel.seconds;
      }
      for (double& number : found) number /= calls_ * applications_;
    });
    agree(found);
    figure_.waiting = found[0];
    figure_.packing = found[1];
  }

  const ScalingFigure& figure() const { return figure_; }
  double sums() const { return sums_; }

 private:
  void set_threads() const {
    if (fields_on_host) set_thread_count(threads_);
  }
  // Ranks that do not work contribute zeros.
  template <std::size_t N>
  void agree(std::array<double, N>& numbers) const {
    all_.maximum("scaling", numbers);
  }

  const comm::Communicator& all_;
  int threads_;
  Crew& crew_;
  ScalingKernel kernel_;
  ScalingFigure figure_;
  double sums_ = 0;
  int applications_ = 1, calls_ = 1;
  bool warms_up_ = true;
};

struct Timed {
  Case what;
  ScalingFigure figure;
  double sums;
  std::vector<double> times;
};

std::vector<Case> cases_of(const comm::Communicator& ranks, const ScalingSeries& series,
                           std::vector<std::unique_ptr<Crew>>& crews) {
  const auto crew_of = [&](int count) {
    for (const auto& crew : crews)
      if (crew->size() == count) return crew.get();
    return crews.emplace_back(std::make_unique<Crew>(ranks, count)).get();
  };
  std::array<double, 1> processors{ranks.is_first() ? own_processors() : 0.0};
  ranks.maximum("scaling", processors);
  const int threads = fields_on_host ? series.threads : concurrency();
  std::vector<Case> cases;
  for (std::size_t n = 0; n < series.ranks.size(); ++n) {
    const int count = series.ranks[n];
    if (fields_on_host && series.yardstick && count > 1 && processors[0] >= count * threads)
      cases.push_back({Case::yardstick, n, threads * count, crew_of(1)});
    cases.push_back({Case::together, n, threads, crew_of(count)});
    if (count > 1) cases.push_back({Case::alone, n, threads, crew_of(count)});
  }
  return cases;
}

std::vector<Timed> time_in_turn(const comm::Communicator& ranks, const ScalingSeries& series,
                                std::span<const Case> cases, const tuning::TimingParameters& timing) {
  std::vector<std::unique_ptr<Runner>> runners;
  std::vector<Timed> timed;
  for (const Case& what : cases) {
    runners.push_back(std::make_unique<Runner>(ranks, series, what, std::min(longest_sample, timing.seconds / 5)));
    timed.push_back({what, {}, 0, {}});
  }
  double total = 0;
  for (int round = 0; round < timing.repeats || total < timing.seconds * double(cases.size()); ++round)
    for (std::size_t k = 0; k < cases.size(); ++k) {
      timed[k].times.push_back(runners[k]->sample());
      total += timed[k].times.back() * runners[k]->applications();
    }
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (cases[k].role == Case::together) runners[k]->profile();
    timed[k].figure = runners[k]->figure();
    timed[k].sums = runners[k]->sums();
  }
  return timed;
}

// Median of a_k / b_k, which were timed alternately.
double ratio(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() ? tuning::median_ratio(a, b) : median(a) / median(b);
}

}  // namespace

Coordinate ScalingSeries::grid_of(int count) const {
  if (grid && (*grid)[0] * (*grid)[1] * (*grid)[2] * (*grid)[3] == count) return *grid;
  return strong ? comm::best_grid(size, count, {}, 96, longest_hop) : even_grid(count);
}

Coordinate ScalingSeries::lattice_of(int count) const {
  Coordinate lattice = size;
  const auto extents = grid_of(count);
  for (std::size_t mu = 0; mu < 4 && !strong; ++mu) lattice[mu] *= extents[mu];
  return lattice;
}

void ScalingSeries::require_valid() const {
  for (const int count : ranks) {
    try {
      const Lattice lattice(lattice_of(count), 1, SiteOrder::even_odd, {.vector_reach = longest_hop},
                            comm::ProcessGrid(grid_of(count), 0));
    } catch (const InputError& error) {
      fail_input("{} scaling on {} rank{}: {}", strong ? "strong" : "weak", count, count == 1 ? "" : "s", error.what());
    }
  }
}

double ScalingFigure::model() const { return std::max(messages, compute) + sums; }

std::vector<Wire> measure_wires(const comm::Communicator& ranks, const std::vector<int>& counts) {
  std::vector<Wire> wires;
  for (const int count : counts) {
    Crew crew(ranks, count);
    crew.work([&] { wires.push_back(measure_wire(crew.ranks())); });
    if (!crew.works()) wires.emplace_back();
  }
  return wires;
}

std::vector<ScalingFigure> measure_scaling(const comm::Communicator& ranks, const ScalingSeries& series,
                                           const std::vector<Wire>& wires, const tuning::TimingParameters& timing) {
  std::vector<std::unique_ptr<Crew>> crews;
  const auto cases = cases_of(ranks, series, crews);
  std::vector<Timed> timed;
  // On GPUs one after the other: their memory holds only one.
  const std::size_t at_once = fields_on_host ? cases.size() : 1;
  for (std::size_t begin = 0; begin < cases.size(); begin += at_once)
    for (auto& one : time_in_turn(ranks, series, {cases.data() + begin, at_once}, timing)) timed.push_back(one);

  std::vector<ScalingFigure> figures;
  const auto& base =
      *std::find_if(timed.begin(), timed.end(), [](const Timed& t) { return t.what.role == Case::together; });
  for (const Timed& one : timed) {
    if (one.what.role == Case::alone) continue;
    const int count = series.ranks[one.what.count];
    const auto of = [&](Case::Role role) {
      return std::find_if(timed.begin(), timed.end(),
                          [&](const Timed& t) { return t.what.role == role && t.what.count == one.what.count; });
    };
    ScalingFigure figure = one.figure;
    figure.seconds = median(one.times);
    figure.compute = figure.seconds;
    figure.efficiency = ratio(base.times, one.times) * (series.strong ? double(series.ranks[0]) / count : 1);
    if (figure.ranks > 1) {
      const Wire& wire = wires[one.what.count];
      figure.compute = median(of(Case::alone)->times);
      figure.messages = exchange_seconds(wire, figure.sent);
      figure.sums = one.sums * wire.sum_seconds;
      if (const auto yardstick = of(Case::yardstick); yardstick != timed.end())
        figure.of_yardstick = ratio(yardstick->times, one.times);
    }
    figures.push_back(figure);
  }
  return figures;
}

}  // namespace trellis::bench
