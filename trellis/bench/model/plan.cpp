// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/model/plan.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::bench {

namespace {

// How messages travel (lattice/halo/halo.hpp).
enum class PlannedTransport {
  direct,  // from a host, or by default
  staged,  // from a GPU through its host
  peers    // written by a GPU directly to their destination, on one machine
};

PlannedTransport transport_of(const MachineDescription& machine, int devices) {
  if (!machine.is_asynchronous()) return PlannedTransport::direct;
  if (devices <= machine.devices) return PlannedTransport::peers;
  return machine.host_bandwidth > 0 ? PlannedTransport::staged : PlannedTransport::direct;
}

// A rank's part of the lattice, and what it exchanges with others.
class Part {
 public:
  Part(const MachineDescription& machine, const Coordinate& size, const Coordinate& grid, int devices)
      : machine_(machine),
        cost_(machine.link_cost(devices)),
        transport_(transport_of(machine, devices)),
        block_(comm::ProcessGrid(grid, 0).local(size)),
        sites_(double(block_[0]) * block_[1] * block_[2] * block_[3]),
        ghosts_(block_, grid),
        traffic_(comm::halo_traffic(size, grid, cost_.ranks_on_machine)),
        devices_(devices) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (grid[mu] > 1) inner_ *= std::max(0.0, 1 - 2.0 / block_[mu]);
  }

  const Coordinate& block() const { return block_; }
  double sites() const { return sites_; }
  const GhostCount& ghosts() const { return ghosts_; }

  KernelTime time(const KernelWork& work) const {
    KernelTime time{
        work.name, work.single, work.calls, work.calls * work.bytes * sites_, work.calls * work.flops * sites_, 0, {}};
    Share call;
    const double computing = computing_seconds(machine_, work, sites_);
    double launches = work.launches;
    call.computing = computing;
    for (const HaloWork& halo : work.halos) {
      const double bytes = halo.bytes * ghosts_.sites(halo);
      if (bytes == 0) continue;
      const int messages = ghosts_.messages(halo);
      call.messages += halo.exchanges * exchange_seconds(bytes, messages, halo.overlapped * inner_ * computing);
      launches += halo.exchanges * exchange_launches(messages, halo.overlapped);
      time.halo_bytes += work.calls * halo.exchanges * bytes;
    }
    call.launches = launches * machine_.launch_seconds;
    if (machine_.is_asynchronous()) call.launches = std::max(0.0, call.launches - computing);
    if (devices_ > 1) call.sums = work.sums * sum_seconds();
    for (double Share::* part : {&Share::computing, &Share::messages, &Share::sums, &Share::launches})
      time.seconds.*part = work.calls * call.*part;
    return time;
  }

 private:
  // Numbers go from the field to a buffer, to the other side, and from a buffer to the field; `meanwhile` is the time
  // for inner sites. The host waits until a GPU has packed a message before sending it; peers pack into the other's
  // memory, at the speed of the link.
  double exchange_seconds(double bytes, int messages, double meanwhile) const {
    const double moved = bytes / machine_.bandwidth(bytes) / machine_.of_floor("pack halo", false);
    const double travel = bytes * seconds_a_byte(), latency = messages * cost_.latency;
    switch (transport_) {
      case PlannedTransport::peers:
        return std::max(0.0, 3 * moved + cost_.latency + travel - meanwhile);
      case PlannedTransport::staged: {
        const double half = moved + bytes / machine_.host_bandwidth;
        return half + machine_.wait_seconds + std::max(0.0, latency + travel + half - meanwhile);
      }
      case PlannedTransport::direct:
        break;
    }
    return 4 * moved + std::max(0.0, latency + travel - meanwhile);
  }
  // One kernel packs, and one unpacks each message, or all messages from peers, between signals to them. If exchanges
  // overlap, faces are visited one by one on hosts, together on a GPU.
  double exchange_launches(int messages, bool overlapped) const {
    if (transport_ == PlannedTransport::peers) return 4 + overlapped;
    return 1 + messages + overlapped * (machine_.is_asynchronous() ? 1 : ghosts_.faces + 1);
  }
  double sum_seconds() const {
    if (transport_ == PlannedTransport::peers) return cost_.latency + machine_.launch_seconds;
    return std::ceil(std::log2(devices_)) * cost_.latency + machine_.wait_seconds;
  }
  double seconds_a_byte() const {
    const double inside = double(traffic_.inside), outside = double(traffic_.outside), all = inside + outside;
    return all == 0 ? 0 : inside / all / cost_.bandwidth_inside + outside / all / cost_.bandwidth;
  }

  const MachineDescription& machine_;
  comm::LinkCost cost_;
  PlannedTransport transport_;
  Coordinate block_;
  double sites_;
  GhostCount ghosts_;
  comm::HaloTraffic traffic_;
  int devices_;
  double inner_ = 1;  // the fraction of sites without neighbours on other ranks
};

// Entries with the same name are merged.
std::vector<KernelTime> merged(const std::vector<KernelTime>& times) {
  std::vector<KernelTime> kernels;
  for (const KernelTime& time : times) {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelTime& other) {
      return other.name == time.name && other.single == time.single;
    });
    if (found == kernels.end()) {
      kernels.push_back(time);
      continue;
    }
    for (double KernelTime::* sum :
         {&KernelTime::calls, &KernelTime::bytes, &KernelTime::flops, &KernelTime::halo_bytes})
      (*found).*sum += time.*sum;
    found->seconds += time.seconds;
  }
  std::sort(kernels.begin(), kernels.end(),
            [](const KernelTime& a, const KernelTime& b) { return a.seconds.total() > b.seconds.total(); });
  return kernels;
}

// Message buffers are kept: one pair for each kind of exchange.
double message_bytes(const std::vector<KernelWork>& work, const GhostCount& ghosts) {
  std::vector<std::pair<double, double>> kinds;  // bytes per site, sites
  double sum = 0;
  for (const KernelWork& kernel : work)
    for (const HaloWork& halo : kernel.halos) {
      const std::pair<double, double> kind{halo.bytes, ghosts.sites(halo)};
      if (kind.first * kind.second == 0 || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
      kinds.push_back(kind);
      sum += 2 * kind.first * kind.second;
    }
  return sum;
}

}  // namespace

Share& Share::operator+=(const Share& other) {
  for (double Share::* part : {&Share::computing, &Share::messages, &Share::sums, &Share::launches})
    this->*part += other.*part;
  return *this;
}

double DevicePlan::memory_bytes() const {
  double sum = 0;
  for (const auto& [label, bytes] : memory) sum += bytes;
  return sum;
}

double computing_seconds(const MachineDescription& machine, const KernelWork& work, double sites) {
  // The amount of data that is reused determines which level of memory it comes from.
  const double bytes = work.bytes * sites, set = std::max(bytes, work.working_set * sites);
  return std::max(bytes / machine.bandwidth(set), work.flops * sites / machine.peak(work.single)) /
         machine.of_floor(work.name, work.single);
}

namespace {

DevicePlan plan_on_grid(const Coordinate& size, const PlannedTrajectory& trajectory, const MachineDescription& machine,
                        const Coordinate& grid, int devices) {
  const Part part(machine, size, grid, devices);
  DevicePlan result;
  result.devices = devices;
  result.machines = (devices + machine.devices - 1) / machine.devices;
  result.grid = grid;
  result.block = part.block();
  for (const FieldMemory& field : trajectory.fields) {
    const double bytes = field.on_rank(part.sites(), part.ghosts());
    const auto found = std::find_if(result.memory.begin(), result.memory.end(),
                                    [&](const auto& other) { return other.first == field.label; });
    if (found == result.memory.end())
      result.memory.emplace_back(field.label, bytes);
    else
      found->second += bytes;
  }
  result.memory.emplace_back("messages", message_bytes(trajectory.kernels, part.ghosts()));
  std::vector<KernelTime> times;
  for (const KernelWork& kernel : trajectory.kernels) times.push_back(part.time(kernel));
  result.kernels = merged(times);
  for (const KernelTime& kernel : result.kernels) {
    result.seconds += kernel.seconds;
    result.halo_bytes += kernel.halo_bytes;
  }
  return result;
}

}  // namespace

DevicePlan plan(const Coordinate& size, const PlannedTrajectory& trajectory, const MachineDescription& machine,
                int devices) {
  constexpr double vector_bytes = 24;  // per site, of the most frequent exchange: a vector of one parity
  constexpr std::size_t tried = 16;    // number of grids, cheapest exchange first
  auto cost = machine.link_cost(devices);
  cost.latency += machine.launch_seconds;  // each message is unpacked
  auto choices = comm::possible_grids(size, devices, cost, vector_bytes);
  if (choices.empty()) comm::best_grid(size, devices);  // throws the error that says why
  choices.resize(std::min(choices.size(), tried));
  const auto on_grid = [&](const comm::GridChoice& choice) {
    return plan_on_grid(size, trajectory, machine, choice.extents, devices);
  };
  DevicePlan best = on_grid(choices.front());
  for (std::size_t n = 1; n < choices.size(); ++n)
    if (DevicePlan other = on_grid(choices[n]); other.seconds.total() < best.seconds.total()) best = std::move(other);
  return best;
}

}  // namespace trellis::bench
