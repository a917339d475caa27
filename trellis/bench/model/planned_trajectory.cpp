// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/planned_trajectory.hpp"

#include <algorithm>
#include <map>

#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/lattice/halo/dry_exchanges.hpp"

namespace trellis::bench {

namespace {

using Labels = std::map<std::string, double, std::less<>>;  // bytes

constexpr double smallest_part = 0.003;  // of memory: smaller fields are not named

// What memory is in use in the fields' space when use is largest.
class MostMemory {
 public:
  MostMemory() : listening_(listener()) {}
  const Labels& labels() const { return most_; }

 private:
  Listener listener() {
    Listener listener;
    listener.allocate = [this](const MemoryEvent& event) { add(event, double(event.bytes)); };
    listener.deallocate = [this](const MemoryEvent& event) { add(event, -double(event.bytes)); };
    return listener;
  }
  void add(const MemoryEvent& event, double bytes) {
    if (event.space != std::string_view(trellis::FieldMemory::name)) return;
    now_[std::string(event.label)] += bytes;
    sum_ += bytes;
    if (sum_ <= most_sum_) return;
    most_sum_ = sum_;
    most_ = now_;
  }

  Labels now_, most_;
  double sum_ = 0, most_sum_ = 0;
  Listening listening_;
};

DryRun::Turns turns_of(const std::vector<SolveWork>& solves) {
  return [&solves](std::string_view loop, int) {
    for (const SolveWork& solve : solves)
      if (hmc::solve_name(solve.purpose, solve.term) == loop) return solve.iterations_of_shifts();
    return std::vector<double>{};
  };
}

struct Recorded {
  Labels memory;
  double near = 0, all = 0;  // numbers of ghost sites
};

HaloWork halo_of(const DryExchange& exchange) {
  return {.bytes = exchange.bytes,
          .reach = exchange.reach,
          .one_way = exchange.faces != Faces::all,
          .of_parity = exchange.of_parity,
          .overlapped = exchange.overlapped};
}

// The kernels from number `first` on. Messages belong to the kernel before them, or to the one that they overlap with.
std::vector<KernelWork> kernels_of(const std::vector<DryRun::Call>& calls, const std::vector<DryExchange>& exchanges,
                                   std::size_t first, double sites) {
  std::vector<std::vector<HaloWork>> halos(calls.size() + 1);
  for (const DryExchange& exchange : exchanges) {
    auto& of_kernel = halos[exchange.overlapped || exchange.calls == 0 ? exchange.calls : exchange.calls - 1];
    HaloWork halo = halo_of(exchange);
    const auto same = std::find_if(of_kernel.begin(), of_kernel.end(), [&](HaloWork other) {
      other.exchanges = halo.exchanges;
      return other == halo;
    });
    if (same == of_kernel.end())
      of_kernel.push_back(halo);
    else
      ++same->exchanges;
  }
  WorkList list;
  for (std::size_t k = first; k < calls.size(); ++k) {
    const DryRun::Call& call = calls[k];
    list.add({.name = call.name,
              .single = call.single,
              .calls = call.times,
              .bytes = call.bytes / sites,
              .flops = call.flops / sites,
              .halos = std::move(halos[k]),
              .sums = call.result ? 1.0 : 0.0,
              .launches = call.launches,
              .working_set = call.loop_bytes / sites});
  }
  return list.kernels();
}

using RecordedWork = std::function<void(const Lattice&, const DryRun&, const DryExchanges&)>;

Recorded record(const Coordinate& size, bool with_ghosts, const std::vector<SolveWork>& solves,
                const RecordedWork& work, int longest_hop) {
  const MostMemory memory;
  const DryRun run(turns_of(solves));
  const DryExchanges exchanges(run);
  LatticeShape shape{.vector_reach = longest_hop};
  if (with_ghosts) shape.ghosts = {1, 1, 1, 1};
  const Lattice lattice(size, Lattice::best_lanes(size, sizeof(double)), SiteOrder::even_odd, shape);
  work(lattice, run, exchanges);
  return {memory.labels(), 2 * double(lattice.parity_places()) - double(lattice.volume()),
          double(lattice.places()) - double(lattice.volume())};
}

// The work is called three times: on a small lattice, on one twice as large, which shows what grows with the size, and
// on one with ghosts, which shows what has which.
std::vector<FieldMemory> fields_of(const Coordinate& size, const std::vector<SolveWork>& solves,
                                   const RecordedWork& work, int longest_hop) {
  Coordinate small;
  for (std::size_t mu = 0; mu < 4; ++mu) small[mu] = std::min(size[mu], 8);
  Coordinate twice = small;
  twice[3] *= 2;
  const auto recorded = [&](const Coordinate& of, bool with_ghosts) {
    return record(of, with_ghosts, solves, work, longest_hop);
  };
  const Recorded one = recorded(small, false), two = recorded(twice, false), ghosts = recorded(small, true);
  const double sites = double(small[0]) * small[1] * small[2] * small[3];
  const auto in = [](const Labels& labels, const std::string& label) {
    const auto found = labels.find(label);
    return found == labels.end() ? 0.0 : found->second;
  };
  std::vector<FieldMemory> fields;
  for (const auto& [label, bytes] : one.memory) {
    FieldMemory field{label, (in(two.memory, label) - bytes) / sites};
    field.fixed = std::max(0.0, bytes - field.bytes * sites);
    const double more = field.bytes > 0 ? (in(ghosts.memory, label) - bytes) / field.bytes : 0;
    if (more > 0.5 * ghosts.near) field.ghosts = more > 0.5 * (ghosts.near + ghosts.all) ? Ghosts::all : Ghosts::near;
    if (bytes > 0) fields.push_back(field);
  }
  double all = 0;
  for (const FieldMemory& field : fields) all += field.bytes;
  for (FieldMemory& field : fields)
    if (field.bytes < smallest_part * all) field.label = "others";
  return fields;
}

}  // namespace

double FieldMemory::on_rank(double sites, const GhostCount& count) const {
  return fixed + bytes * (sites + (ghosts == Ghosts::all ? count.all() : ghosts == Ghosts::near ? count.near : 0));
}

std::vector<FieldMemory> plan_memory(const Coordinate& size, const OtherWork& work, int longest_hop) {
  const auto run = [&](const Lattice& lattice, const DryRun&, const DryExchanges&) { work(lattice); };
  return fields_of(size, {}, run, longest_hop);
}

PlannedTrajectory plan_trajectory(const Coordinate& size, const MakeTrajectory& make,
                                  const std::vector<SolveWork>& solves, int longest_hop) {
  std::vector<KernelWork> kernels;
  const auto run = [&](const Lattice& lattice, const DryRun& dry, const DryExchanges& exchanges) {
    const Trajectory trajectory = make(lattice);
    trajectory(0);  // allocates work space
    const std::size_t first = dry.calls().size();
    trajectory(1);
    if (kernels.empty())  // those of the small lattice
      kernels = kernels_of(dry.calls(), exchanges.list(), first, double(lattice.volume()));
  };
  auto fields = fields_of(size, solves, run, longest_hop);
  return {std::move(kernels), std::move(fields)};
}

}  // namespace trellis::bench
