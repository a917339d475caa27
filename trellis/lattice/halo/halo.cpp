// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo/halo.hpp"

#include <cstdlib>

#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo/dry_exchanges.hpp"

namespace trellis {

using lattice_detail::join, lattice_detail::parity_of, lattice_detail::split, lattice_detail::steps_out,
    lattice_detail::straight_steps, lattice_detail::way_of, lattice_detail::ways;

namespace {

constexpr std::size_t row_of_sums = maximum_sums * sizeof(ExactSum);

// Whether inner tiles are visited while messages are in flight: on a GPU, between machines, and for tests.
bool overlaps(const comm::ProcessGrid& grid) {
  const auto& ranks = grid.ranks();
  const char* const wish = std::getenv("TRELLIS_OVERLAP");
  if (wish != nullptr && std::string(wish) == "1") return true;
  return !fields_on_host || ranks.size() == 1 || ranks.ranks_on_machine() < ranks.size();
}

}  // namespace

Halo::Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts)
    : grid_(lattice.grid()),
      lanes_(lattice.lanes()),
      first_odd_(lattice.first_tile(1)),
      tiles_of_parity_(lattice.tiles() / 2),
      vector_reach_(lattice.vector_reach()),
      overlaps_(overlaps(grid_)),
      transport_(choose_transport(grid_.ranks())),
      host_neighbours_(lattice.host_neighbours()) {
  if (lattice.places() > (std::int64_t(1) << 31) - 1)
    fail_input("lattice: {} sites and ghosts on a rank are too many", lattice.places());
  find_entries(lattice, ghosts);
  tiles();
  if (transport_ == Transport::nccl) {
    const auto& ranks = grid_.ranks();
    const auto name = ranks.broadcast("NCCL", ranks.is_first() ? DeviceMessages<FieldSpace>::new_name() : "");
    device_messages_ = DeviceMessages<FieldSpace>(name, ranks.rank(), ranks.size());
  }
}

Halo::~Halo() = default;

// [2][rank] rows of the other ranks' sums, this rank's own, a word for each rank.
void Halo::find_peers_of_sums() const {
  const auto ranks = std::size_t(grid_.size());
  peer_memory_ = PeerMemory<FieldSpace>((2 * ranks + 1) * row_of_sums + ranks * sizeof(std::uint32_t));
  const auto handles = grid_.ranks().gather("memory for sums", peer_memory_.handle());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::byte* const there = int(rank) == grid_.ranks().rank() ? peer_memory_.data() : peer_memory_.open(handles[rank]);
    peer_sums_.rows[rank] = reinterpret_cast<ExactSum*>(there);
    peer_sums_.flags[rank] = reinterpret_cast<std::uint32_t*>(there + (2 * ranks + 1) * row_of_sums);
  }
  peer_sums_.own_rank = grid_.ranks().rank();
  peer_sums_.ranks = int(ranks);
  grid_.ranks().barrier("memory for sums");
}

ExactSum* Halo::room_for_sums() const {
  const auto ranks = std::size_t(grid_.size());
  switch (transport_) {
    case Transport::peers:
      if (peer_sums_.ranks == 0) find_peers_of_sums();
      return reinterpret_cast<ExactSum*>(peer_memory_.data() + 2 * ranks * row_of_sums);
    case Transport::nccl:
      if (device_sums_.data() == nullptr)
        device_sums_ = FieldView<std::byte*>("sums of ranks", Index((1 + ranks) * row_of_sums));
      return reinterpret_cast<ExactSum*>(device_sums_.data());
    default:
      if (staged_sums_.data() == nullptr) staged_sums_ = MessageMemory<FieldSpace>(row_of_sums);
      return reinterpret_cast<ExactSum*>(staged_sums_.data());
  }
}

void Halo::join_sums(const char* name, const KernelSums<FieldSpace>& to) const {
  ExactSum* const own = room_for_sums();
  const FieldSpace space;
  switch (transport_) {
    case Transport::peers:
      return peer_join(space, peer_sums_, own, to.count(), maximum_sums, ++sums_joined_, to.data());
    case Transport::nccl: {
      std::byte* const all = device_sums_.data() + row_of_sums;
      device_messages_.gather(space, device_sums_.data(), all, std::size_t(to.count()) * sizeof(ExactSum));
      return add_rows(space, reinterpret_cast<const ExactSum*>(all), grid_.size(), to.count(), to.data());
    }
    default:
      staged_sums_.collect();
      const std::span<ExactSum> sums(reinterpret_cast<ExactSum*>(staged_sums_.host()), std::size_t(to.count()));
      grid_.ranks().add(name, sums);
      to.set(values_of(sums));
  }
}

// All ranks find the same entries in the same order: what a rank sends on a way is what its neighbour there expects.
void Halo::find_entries(const Lattice& lattice, const std::vector<Coordinate>& ghosts) {
  struct Entry {
    std::int32_t own, ghost;
    int steps;
  };
  std::vector<Entry> tiles[segments][ways + 1], sites[segments][ways + 1];
  int next[2] = {0, 0};
  const Coordinate &block = lattice.block(), &lane_grid = lattice.lane_grid(), &size = lattice.local_size();
  for (const Coordinate& x : ghosts) {
    const int parity = parity_of(x), ghost = lattice.first_tile(parity) + lattice.tiles() / 2 + next[parity]++;
    const Coordinate steps = steps_out(x, block);
    const int straight = straight_steps(steps);
    const bool of_vectors = straight > 0 && straight <= vector_reach_;
    const int segment = of_vectors ? parity : lattice_detail::reach_of(steps) == int(Reach::corners) ? corners : others;
    Coordinate in_block;
    bool one_block = true;  // in the directions of steps out
    for (int mu = 0; mu < 4; ++mu) {
      in_block[mu] = (x[mu] + most_reach * block[mu]) % block[mu];
      one_block = one_block && (steps[mu] == 0 || lane_grid[mu] == 1);
    }
    const int own = lattice.tile_of(in_block);
    if (one_block) {
      tiles[segment][way_of(steps)].push_back({own, ghost, of_vectors ? straight : 1});
      continue;
    }
    for (int lane = 0; lane < lanes_; ++lane) {
      const Coordinate c = split(lane, lane_grid);
      Coordinate signs{}, from;
      for (int mu = 0; mu < 4; ++mu) {
        const int y = c[mu] * block[mu] + x[mu];
        signs[mu] = y < 0 ? -1 : y >= size[mu] ? 1 : 0;
        from[mu] = (y + most_reach * size[mu]) % size[mu] / block[mu];
      }
      const int way = signs == Coordinate{} ? ways : way_of(signs);
      sites[segment][way].push_back({std::int32_t(own * lanes_ + join(from, lane_grid)),
                                     std::int32_t(ghost * lanes_ + lane), of_vectors ? straight : 1});
    }
  }
  const auto keep = [](const std::vector<Entry>(&found)[segments][ways + 1], Entries& entries) {
    std::int64_t count = 0;
    for (int s = 0; s < segments; ++s)
      for (int way = 0; way <= ways; ++way) {
        Range& range = entries.ranges[s][way];
        range.first = count;
        for (const Entry& entry : found[s][way])
          for (int n = entry.steps; n <= most_reach; ++n) ++range.counts[std::size_t(n - 1)];
        count += std::int64_t(found[s][way].size());
      }
    const HostView<std::int32_t*> own("halo: own places", count), ghost("halo: ghosts", count);
    Index n = 0;
    for (const auto& segment : found)
      for (const auto& of_way : segment)
        for (const Entry& entry : of_way) {
          own(n) = entry.own;
          ghost(n++) = entry.ghost;
        }
    entries.own = in_field_memory(own);
    entries.ghosts = in_field_memory(ghost);
  };
  keep(tiles, tiles_);
  keep(sites, sites_);
}

const TileSets& Halo::tiles(const HopPattern& pattern) const {
  for (const auto& sets : tile_sets_)
    if (sets->pattern() == pattern) return *sets;
  require_hops(pattern, vector_reach_);
  // Kernels on a host wait for all messages, and then visit all tiles in their usual order, if messages are copies in
  // the host's memory: its own threads make the copies, and visiting surface tiles separately is slow.
  tile_sets_.push_back(std::make_unique<const TileSets>(host_neighbours_, std::array{0, first_odd_}, tiles_of_parity_,
                                                        pattern, overlaps_));
  return *tile_sets_.back();
}

HaloJob Halo::job(bool whole_tiles, int segment, int way, int steps, int origin) const {
  const Entries& entries = whole_tiles ? tiles_ : sites_;
  const Range& range = entries.ranges[segment][way];
  return {entries.own.data() + range.first,
          entries.ghosts.data() + range.first,
          range.counts[std::size_t(steps - 1)],
          whole_tiles,
          lanes_,
          origin,
          way,
          nullptr};
}

Reach reach_of(const HopPattern& pattern) {
  return pattern.reach() <= 1 ? Reach::near : pattern.reach() == 2 ? Reach::two_steps : Reach::three_steps;
}

HaloExchange& Halo::exchange(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  for (const auto& exchange : exchanges_)
    if (exchange->fits(parity, reach, faces, parts)) return *exchange;
  exchanges_.push_back(std::unique_ptr<HaloExchange>(new HaloExchange(*this, parity, reach, faces, parts)));
  return *exchanges_.back();
}

ExchangeUnderWay::ExchangeUnderWay(const Lattice& lattice, int parity, Reach reach, Faces faces,
                                   std::span<const HaloPart> parts) {
  if (in_dry_run()) {
    if (auto* const dry = dry_exchanges()) dry->add(parity != Halo::both, reach, faces, parts, false);
    return;
  }
  if (!lattice.has_ghosts()) return;
  exchange_ = &lattice.halo().exchange(parity, reach, faces, parts);
  exchange_->begin(parts);
}

void ExchangeUnderWay::finish() {
  if (exchange_ != nullptr) exchange_->finish();
  exchange_ = nullptr;
}

void exchange_parts(const Lattice& lattice, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) {
  ExchangeUnderWay(lattice, parity, reach, faces, parts).finish();
}

TileSet TilesApart::second_half() const {
  const int first = first_half().count;
  return {inside.list == nullptr ? nullptr : inside.list + first, inside.count - first};
}

TilesApart tiles_together(const Lattice& lattice) { return {{nullptr, lattice.tiles()}, {nullptr, 0}}; }

TilesApart tiles_apart(const Lattice& lattice) {
  if (in_dry_run() || !lattice.has_ghosts()) return tiles_together(lattice);
  const TileSets& sets = lattice.halo().tiles();
  return sets.all_inside().is_all() ? tiles_together(lattice) : TilesApart{sets.all_at_surface(), sets.all_inside()};
}

bool record_over_halo(std::span<const HaloPart> in, const HopPattern& pattern) {
  if (!in_dry_run()) return false;
  if (auto* const dry = dry_exchanges()) dry->add(true, reach_of(pattern), Faces::all, in, true);
  return true;
}

void over_halo(const Lattice& lattice, int out_parity, std::span<const HaloPart> in,
               FunctionRef<void(const TileSet&)> body, const HopPattern& pattern) {
  if (record_over_halo(in, pattern) || !lattice.has_ghosts()) return body(TileSet{});
  const TileSets& sets = lattice.halo().tiles(pattern);
  HaloExchange& exchange =
      lattice.halo().exchange(parity_after(pattern, out_parity), reach_of(pattern), Faces::all, in);
  const auto run = [&](const TileSet& tiles) {
    if (tiles.count > 0) body(tiles);
  };
  exchange.begin(in);
  run(sets.inside(out_parity));
  if constexpr (fields_on_host) {
    for (int way; (way = exchange.next()) >= 0;) run(sets.at_face(out_parity, way));
    run(sets.at_edges(out_parity));
    exchange.finish();
  } else {
    exchange.finish();
    run(sets.at_surface(out_parity));
  }
}

}  // namespace trellis
