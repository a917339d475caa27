// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dispatch.hpp"

#include "trellis/core/parallel.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/team_policy.hpp"

namespace trellis::bench {

namespace {

using Space = DefaultExecutionSpace;

// Keeps the compiler from seeing that there is nothing to do.
inline void something() { asm volatile("" ::: "memory"); }

void bare_region() {
#if defined(TRELLIS_HAS_OPENMP)
#pragma omp parallel
#endif
  something();
}

double sum_by_hand(Index length) {
  double sum = 0;
#if defined(TRELLIS_HAS_OPENMP)
#pragma omp parallel for reduction(+ : sum)
#endif
  for (Index i = 0; i < length; ++i) sum += 1;
  something();
  return sum;
}

void empty_for(Index length) { parallel_for("empty", RangePolicy<Space>(0, length), TRELLIS_KERNEL(Index){}); }

void empty_teams(Index teams) {
  parallel_for("team", TeamPolicy<Space>(teams), TRELLIS_KERNEL(const TeamPolicy<Space>::Member&){});
}

void sum_of_ones(Index length) {
  double sum = 0;
  parallel_reduce("sum", RangePolicy<Space>(0, length), TRELLIS_KERNEL(Index, double& partial) { partial += 1; }, sum);
  something();
}

void scan_of_ones(Index length) {
  double total = 0;
  parallel_scan(
      "scan", RangePolicy<Space>(0, length), TRELLIS_KERNEL(Index, double& partial, bool) { partial += 1; }, total);
  something();
}

class Figures {
 public:
  Figures(const tuning::TimingParameters& timing, int calls) : timing_(timing), calls_(calls) {}

  template <class F, class ByHand>
  void add(const char* kernel, Index length, const F& f, const ByHand& by_hand) {
    if constexpr (!kernels_on_host) {
      add(kernel, length, f);
    } else {
      const auto [ours, theirs] = tuning::times_in_turn(timing_, repeated(f), repeated(by_hand));
      std::vector<double> differences(ours.size());
      for (std::size_t k = 0; k < ours.size(); ++k) differences[k] = ours[k] - theirs[k];
      all.push_back({kernel, length, median(ours) / calls_,
                     DispatchFigure::ByHand{median(theirs) / calls_, median(differences) / calls_}});
    }
  }
  template <class F>
  void add(const char* kernel, Index length, const F& f) {
    all.push_back({kernel, length, tuning::median_seconds(timing_, repeated(f)) / calls_, {}});
  }

  std::vector<DispatchFigure> all;

 private:
  template <class F>
  auto repeated(const F& f) const {
    return [&f, calls = calls_] {
      for (int n = 0; n < calls; ++n) f();
    };
  }

  tuning::TimingParameters timing_;
  int calls_;
};

}  // namespace

std::vector<DispatchFigure> dispatch_figures(const tuning::TimingParameters& timing, int calls) {
  Figures figures(timing, calls);
  const Index threads = Space::concurrency();
  const auto for_threads = [=] { empty_for(threads); };
  figures.add("parallel_for", threads, for_threads, bare_region);
  if constexpr (!kernels_on_host)
    figures.add("parallel_for, wait", threads, [=] {
      empty_for(threads);
      Space{}.fence();
    });
  {
    KernelProfile profile;
    const ActiveProfile active(profile);
    figures.add("parallel_for, profile", threads, for_threads, bare_region);
  }
  {
    double seconds = 0;
    Listener listener;
    listener.end_kernel = [&](const KernelEvent& event) { seconds += event.seconds; };
    const Listening listening(listener);
    figures.add("parallel_for, listener", threads, for_threads, bare_region);
  }
  // One team for each thread; where a team is a block of threads, as many as are resident at once.
  const Index teams = kernels_on_host ? threads : threads / TeamPolicy<Space>(1).team_size();
  figures.add("parallel_for, team", teams, [=] { empty_teams(teams); }, bare_region);
  for (const Index length : {threads, Index{100000}})
    figures.add("parallel_reduce", length, [=] { sum_of_ones(length); }, [=] { sum_by_hand(length); });
  figures.add(
      "parallel_scan", threads, [=] { scan_of_ones(threads); },
      [] {
        bare_region();
        bare_region();
      });
  return std::move(figures.all);
}

}  // namespace trellis::bench
