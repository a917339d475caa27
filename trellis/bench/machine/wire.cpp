// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/wire.hpp"

#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

namespace {

// Median over batches, on the slowest rank.
template <class F>
double slowest(const comm::Communicator& ranks, int calls, const F& f) {
  constexpr int batches = 9;
  std::array<double, 1> seconds{};
  std::vector<double> times;
  for (int n = 0; n <= batches; ++n) {
    ranks.barrier("measuring the wire");
    const double time = tuning::seconds_of(f, calls);
    if (n > 0) times.push_back(time);
  }
  seconds[0] = median(std::move(times));
  ranks.maximum("measuring the wire", seconds);
  return seconds[0];
}

// Ranks in a row, with two faces each.
Lattice row_of(const comm::Communicator& ranks, const Coordinate& block) {
  const comm::ProcessGrid grid(ranks, {1, 1, 1, ranks.size()});
  return Lattice({block[0], block[1], block[2], block[3] * ranks.size()}, 1, SiteOrder::even_odd, {}, grid);
}

// For GPUs that send messages themselves. An exchange sends two messages, one after the other as far as latency is
// concerned.
LinkDescription between_devices(const comm::Communicator& ranks) {
  const ColourVectorField<double, 1> small(row_of(ranks, {2, 2, 2, 2}), 1), large(row_of(ranks, {32, 32, 32, 2}), 1, 8);
  const double bytes = 2 * 8 * site_bytes<double>(6) * 32 * 32 * 32 / 2;
  return {.latency = slowest(ranks, 200, [&] { exchange_vectors(small); }) / 2,
          .bandwidth = bytes / slowest(ranks, 20, [&] { exchange_vectors(large); })};
}

double sum_seconds(const comm::Communicator& ranks, [[maybe_unused]] const Lattice& lattice) {
  constexpr int calls = 50;
  if constexpr (fields_on_host) {
    return slowest(ranks, calls, [&] {
      ExactSum sum;
      ranks.add("measuring the wire", {&sum, 1});
    });
  } else {
    const FieldSums sums(1);
    lattice.halo().room_for_sums();
    return slowest(ranks, calls, [&] { lattice.halo().join_sums("measuring the wire", sums); });
  }
}

}  // namespace

Wire measure_wire(const comm::Communicator& ranks) {
  if (ranks.size() == 1) return {};
  const Lattice lattice = row_of(ranks, {2, 2, 2, 2});
  Wire wire;
  wire.transport = name_of(lattice.halo().transport());
  wire.sum_seconds = sum_seconds(ranks, lattice);
  const Transport transport = lattice.halo().transport();
  const bool by_devices = transport == Transport::peers || transport == Transport::nccl;
  if (by_devices && ranks.ranks_on_machine() == ranks.size())
    wire.links.inside = between_devices(ranks);
  else
    wire.links = measure_links(ranks);
  return wire;
}

Sent sent_in(const std::vector<HaloWork>& exchanges, const Coordinate& block, const Coordinate& grid) {
  const GhostCount ghosts(block, grid);
  Sent sent;
  for (const HaloWork& work : exchanges) {
    sent.messages += work.exchanges * ghosts.messages(work);
    sent.bytes += work.exchanges * ghosts.sites(work) * work.bytes;
  }
  return sent;
}

double outside_part(const Coordinate& lattice, const Coordinate& grid, int ranks_on_machine) {
  const auto traffic = comm::halo_traffic(lattice, grid, ranks_on_machine);
  const double all = double(traffic.inside) + double(traffic.outside);
  return all > 0 ? double(traffic.outside) / all : 0;
}

double exchange_seconds(const Wire& wire, const Sent& sent) {
  const auto& [inside, across] = wire.links;
  const auto by = [&](const std::optional<LinkDescription>& link, double part) {
    if (!link || part == 0) return 0.0;
    return part * (sent.messages * link->latency + sent.bytes / link->bandwidth);
  };
  // Ranks that are alone on their machines have no link within a machine.
  const bool only_across = !inside;
  return only_across ? by(across, 1) : by(inside, across ? 1 - sent.outside : 1) + by(across, sent.outside);
}

}  // namespace trellis::bench
