// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/thread_count.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "trellis/core/profile/profile.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/pseudofermion_kernel.hpp"
#include "trellis/solver/multi_shift_cg.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::tuning {
namespace {

constexpr std::int64_t sites_for_all = 2048;  // per thread
constexpr double as_fast = 1.03, hopeless = 1.25;
constexpr int least_calls = 2;

double mean_seconds(const std::function<void()>& kernel, double seconds) {
  kernel();  // new threads start here
  double total = 0;
  int calls = 0;
  for (; calls < least_calls || total < seconds; ++calls) total += seconds_of(kernel);
  return total / calls;
}

// One round, from all threads downwards.
int best_of_round(int most, const std::function<void()>& kernel, double seconds) {
  std::vector<ThreadTime> times;
  double best = 1e300;
  for (int threads = most;; threads /= 2) {
    set_thread_count(threads);
    times.push_back({threads, mean_seconds(kernel, seconds)});
    best = std::min(best, times.back().seconds);
    if (threads == 1 || times.back().seconds > hopeless * best) return fewest_as_fast(times);
  }
}

int best_of_rounds(const std::function<void()>& kernel, double seconds) {
  const int most = concurrency();
  // The very first call creates threads and reads data that is not cached.
  kernel();
  int best = best_of_round(most, kernel, seconds);
  if (best < most) best = std::max(best, best_of_round(most, kernel, seconds));
  set_thread_count(most);
  return best;
}

// A force with rectangles among iterations of multi-shift conjugate gradients, in the proportion of
// examples/dynamical.toml.
template <int W>
int best_for_quarks(const Lattice& lattice, double seconds) {
  const GaugeField<double, W> u(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  const dirac::StaggeredLinks<double, W> links(u);
  const dirac::StaggeredOperator<double, W> apply(links, {}, 0.1);
  const std::array<double, 8> shifts{0, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100};
  const ColourVectorField<double, W> b(lattice, 0), x(lattice, 0, int(shifts.size()));
  hmc::draw_pseudofermion<W>({1, 0, hmc::pseudofermion_purpose}, 0, b);
  const AlgebraField<double, W> p(lattice);
  gauge::LoopForceWork<double, W> rectangles;
  const solver::MultiShiftParameters parameters{.tolerance = 1e-30, .max_iterations = 16, .finish = false};
  const auto kernels = [&] {
    solver::multi_shift_cg(apply, shifts, b, x, parameters);
    gauge::add_force(gauge::Action{3.6, -1.0 / 12}, u, 1e-3, p, rectangles);
  };
  return best_of_rounds(kernels, seconds);
}

template <int W>
int best_for_links(const Lattice& lattice, double seconds) {
  const auto u = GaugeField<double, W>::unit(lattice);
  const AlgebraField<double, W> p(lattice);
  return best_of_rounds([&] { gauge::add_force(gauge::Action{6, 0}, u, 1e-3, p); }, seconds);
}

}  // namespace

int fewest_as_fast(std::span<const ThreadTime> times) {
  double best = 1e300;
  for (const auto& time : times) best = std::min(best, time.seconds);
  int fewest = 0;
  for (const auto& time : times)
    if (time.seconds <= as_fast * best && (fewest == 0 || time.threads < fewest)) fewest = time.threads;
  return fewest;
}

bool is_small_for(const Coordinate& local_size, int threads) {
  if constexpr (!kernels_on_host) return false;
  std::int64_t volume = 1;
  for (const int extent : local_size) volume *= extent;
  return threads > 1 && volume < threads * sites_for_all;
}

int best_thread_count(const Coordinate& local_size, int lanes, bool staggered, double seconds) {
  KernelProfile trial;  // so that no active profile counts these kernels
  const ActiveProfile active(trial);
  return with_lanes(lanes, [&]<int W>() {
    const Lattice lattice(local_size, W);
    return staggered ? best_for_quarks<W>(lattice, seconds) : best_for_links<W>(lattice, seconds);
  });
}

}  // namespace trellis::tuning
