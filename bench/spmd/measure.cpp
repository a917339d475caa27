// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/measure.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>

#include "trellis/core/error.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench::spmd {

#if defined(TRELLIS_BENCH_SPMD_ABLATION)
// The suite, compiled without analyses of the plugin (CMakeLists.txt).
namespace no_uniform {
const std::vector<KernelEntry>& kernels();
}
namespace no_contiguous {
const std::vector<KernelEntry>& kernels();
}
namespace no_analyses {
const std::vector<KernelEntry>& kernels();
}
#endif

namespace {

constexpr int least_rounds = 3, rounds = 9;

double now(bool cpu_time) {
  if (cpu_time) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Contestant {
  Measurement measurement;
  Problem* problem = nullptr;
  std::unique_ptr<OpenClKernel> open_cl;
  std::function<void(int)> run;
  int calls = 1;
  std::vector<double> times;
  double total = 0;

  void verify(const std::string& kernel, int group) {
    if (open_cl) open_cl->begin_host_access();
    problem->spoil();
    if (open_cl) open_cl->end_host_access();
    run(1);
    if (open_cl) open_cl->begin_host_access();
    const std::string wrong = problem->check();
    if (open_cl) open_cl->end_host_access();
    if (!wrong.empty()) {
      fail("kernel '{}', groups of {}, {}: the result is wrong: {}", kernel, group, measurement.way, wrong);
    }
  }
};

struct Ablation {
  const char* name;
  const std::vector<KernelEntry>& (*kernels)();
};
constexpr Ablation ablations[] = {
#if defined(TRELLIS_BENCH_SPMD_ABLATION)
    {"-no-uniform", &no_uniform::kernels},
    {"-no-contiguous", &no_contiguous::kernels},
    {"-no-analyses", &no_analyses::kernels},
#else
    {"", nullptr},
#endif
};

std::optional<WorkItems> way_named(const std::string& name) {
  if (name == "threads") return WorkItems::threads;
  if (name == "fibers") return WorkItems::fibers;
  if (name == "fission") return WorkItems::fission;
  if (name == "continuations") return WorkItems::continuations;
  return std::nullopt;
}

}  // namespace

const Measurement* Result::find(const std::string& way) const {
  for (const Measurement& m : measurements)
    if (m.way == way) return &m;
  return nullptr;
}

const Measurement* Result::best_pocl() const {
  const Measurement* best = nullptr;
  for (const Measurement& m : measurements) {
    if (m.way.starts_with("PoCL") && (best == nullptr || m.seconds < best->seconds)) best = &m;
  }
  return best;
}

const Measurement* Result::by_hand() const {
  const Measurement* const loops = find("by hand");
  return loops != nullptr ? loops : find("production");
}

std::vector<std::string> way_names(const OpenClDevice* device) {
  std::vector<std::string> names = {"threads", "fibers"};
#if defined(TRELLIS_SPMD_PLUGIN_KERNELS)
  names.insert(names.end(), {"fission", "continuations"});
#endif
  if (device != nullptr) {
    for (const std::string& method : device->methods()) names.push_back("pocl-" + method);
  }
  names.insert(names.end(), {"hierarchical", "by-hand", "production"});
  return names;
}

std::vector<std::string> ablations_of(const std::string& way) {
  std::vector<std::string> names;
  if (way != "fission" && way != "continuations") return names;
  for (const Ablation& ablation : ablations)
    if (ablation.kernels != nullptr) names.push_back(way + ablation.name);
  return names;
}

std::vector<std::string> ablated_kernels() {
  std::vector<std::string> names;
  for (const Ablation& ablation : ablations)
    if (ablation.kernels != nullptr && names.empty())
      for (const KernelEntry& kernel : ablation.kernels()) names.emplace_back(kernel.name);
  return names;
}

Result measure(const KernelEntry& kernel, int group, const Plan& plan, OpenClDevice* device) {
  const Index items = plan.items > 0 ? plan.items : kernel.items;
  const auto problem = kernel.make(group, items);
  std::unique_ptr<Problem> small;
  std::vector<std::unique_ptr<Problem>> ablated(std::size(ablations));
  std::vector<Contestant> contestants;
  const auto add = [&](const std::string& name, Problem& its, std::function<void(int)> run) {
    Contestant& c = contestants.emplace_back();
    c.measurement = {name, its.work()};
    c.problem = &its;
    c.run = std::move(run);
  };
  const auto add_ablated = [&](const std::string& name) {
    for (std::size_t n = 0; n < std::size(ablations); ++n) {
      if (ablations[n].kernels == nullptr || !name.ends_with(ablations[n].name)) continue;
      const auto way = way_named(name.substr(0, name.size() - std::string(ablations[n].name).size()));
      if (!ablated[n]) {
        const auto& list = ablations[n].kernels();
        const auto same = std::find_if(list.begin(), list.end(),
                                       [&](const KernelEntry& one) { return std::string(one.name) == kernel.name; });
        ablated[n] = same->make(group, items);
      }
      add(name, *ablated[n], [&its = *ablated[n], way = *way](int calls) {
        for (int call = 0; call < calls; ++call) its.run(way);
      });
    }
  };
  for (const std::string& name : plan.ways) {
    add_ablated(name);
    if (const auto way = way_named(name)) {
      if (*way == WorkItems::threads && items > kernel.items_of_threads)
        small = kernel.make(group, kernel.items_of_threads);
      Problem& its = *way == WorkItems::threads && small ? *small : *problem;
      add(name, its, [&its, way = *way](int calls) {
        for (int n = 0; n < calls; ++n) its.run(way);
      });
    } else if (name == "hierarchical") {
      if (!problem->has_hierarchical()) continue;
      add("hierarchical", *problem, [&its = *problem](int calls) {
        for (int n = 0; n < calls; ++n) its.run_hierarchical();
      });
    } else if (name == "by-hand") {
      if (!problem->has_by_hand()) continue;
      add("by hand", *problem, [&its = *problem](int calls) {
        for (int n = 0; n < calls; ++n) its.run_by_hand();
      });
    } else if (name == "production") {
      if (!problem->has_production()) continue;
      add("production", *problem, [&its = *problem](int calls) {
        for (int n = 0; n < calls; ++n) its.run_production();
      });
    } else if (device != nullptr && name.starts_with("pocl-")) {
      const std::string method = name.substr(5);
      if (method == "workitemrepl" && group > kernel.replicated) continue;
      const OpenClLaunch launch = problem->open_cl();
      if (launch.source == nullptr) continue;
      auto compiled = device->compile(launch, method);
      add("PoCL " + method, *problem, [its = compiled.get()](int calls) { its->run(calls); });
      contestants.back().open_cl = std::move(compiled);
    }
  }
  for (Contestant& c : contestants) {
    c.verify(kernel.name, group);
    const double start = now(false);
    c.run(1);
    const double once = now(false) - start;
    c.calls = static_cast<int>(std::clamp(plan.seconds / rounds / std::max(once, 1e-9), 1.0, 1000.0));
  }
  for (int round = 0; round < rounds; ++round) {
    for (Contestant& c : contestants) {
      if (round >= least_rounds && c.total >= plan.seconds) continue;
      if (c.calls > 1) c.run(1);  // reloads into the caches what the other ways evicted
      const double start = now(plan.cpu_time);
      c.run(c.calls);
      c.times.push_back((now(plan.cpu_time) - start) / c.calls);
      c.total += c.times.back() * c.calls;
    }
  }
  Result result{kernel.name, kernel.has_barriers, group, {}};
  for (Contestant& c : contestants) {
    c.measurement.seconds = median(c.times);
    result.measurements.push_back(c.measurement);
  }
  return result;
}

}  // namespace trellis::bench::spmd
