// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/dispatch.hpp"

#include "trellis/core/parallel.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/team_policy.hpp"

namespace trellis::bench {

namespace {

using Host = DefaultHostExecutionSpace;

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

class Figures {
 public:
  Figures(const tuning::TimingParameters& timing, int calls) : timing_(timing), calls_(calls) {}

  template <class F, class ByHand>
  void add(const char* kernel, Index length, const F& f, const ByHand& by_hand) {
    const auto [ours, theirs] = tuning::times_in_turn(timing_, repeated(f), repeated(by_hand));
    std::vector<double> differences(ours.size());
    for (std::size_t k = 0; k < ours.size(); ++k) differences[k] = ours[k] - theirs[k];
    all.push_back({kernel, length, tuning::median(ours) / calls_, tuning::median(theirs) / calls_,
                   tuning::median(differences) / calls_});
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
  const Index threads = Host::concurrency();
  const auto empty_for = [=] { parallel_for("empty", RangePolicy<Host>(0, threads), [](Index) {}); };
  figures.add("parallel_for", threads, empty_for, bare_region);
  {
    KernelProfile profile;
    const ActiveProfile active(profile);
    figures.add("parallel_for, profile", threads, empty_for, bare_region);
  }
  {
    double seconds = 0;
    Listener listener;
    listener.end_kernel = [&](const KernelEvent& event) { seconds += event.seconds; };
    const Listening listening(listener);
    figures.add("parallel_for, listener", threads, empty_for, bare_region);
  }
  figures.add(
      "parallel_for, team", threads, [=] { parallel_for("team", TeamPolicy<Host>(threads), [](const auto&) {}); },
      bare_region);
  for (const Index length : {threads, Index{100000}}) {
    const auto reduce = [=] {
      double sum = 0;
      parallel_reduce("sum", RangePolicy<Host>(0, length), [](Index, double& partial) { partial += 1; }, sum);
      something();
    };
    figures.add("parallel_reduce", length, reduce, [=] { sum_by_hand(length); });
  }
  figures.add(
      "parallel_scan", threads,
      [=] {
        double total = 0;
        parallel_scan("scan", RangePolicy<Host>(0, threads), [](Index, double& partial, bool) { partial += 1; }, total);
        something();
      },
      [] {
        bare_region();
        bare_region();
      });
  return std::move(figures.all);
}

}  // namespace trellis::bench
