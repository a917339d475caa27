// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo.hpp"

#include <cstdlib>

#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/dry_exchanges.hpp"

namespace trellis {

using lattice_detail::join, lattice_detail::parity_of, lattice_detail::reach_of, lattice_detail::split,
    lattice_detail::steps_out, lattice_detail::way_of, lattice_detail::ways;

namespace {

constexpr std::size_t row_of_sums = maximum_sums * sizeof(ExactSum);

// Whether tiles inside are visited while messages are under way: on a GPU, between machines, and for tests.
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
      transport_(choose_transport(grid_.ranks())) {
  if (lattice.places() > (std::int64_t(1) << 31) - 1)
    fail_input("lattice: {} sites and ghosts on a rank are too many", lattice.places());
  find_entries(lattice, ghosts);
  find_sets(lattice);
  if (transport_ == Transport::nccl) {
    const auto& ranks = grid_.ranks();
    const auto name = ranks.broadcast("NCCL", ranks.is_first() ? DeviceMessages<FieldSpace>::new_name() : "");
    device_messages_ = DeviceMessages<FieldSpace>(name, ranks.rank(), ranks.size());
  }
}

Halo::~Halo() = default;

// [2][rank] rows of others' sums, the own ones, a word for each rank.
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

// All ranks find the same entries in the same order: what a rank sends on a way is what its neighbour expects there.
void Halo::find_entries(const Lattice& lattice, const std::vector<Coordinate>& ghosts) {
  struct Entry {
    std::int32_t own, ghost;
  };
  std::vector<Entry> tiles[segments][ways + 1], sites[segments][ways + 1];
  int next[2] = {0, 0};
  const Coordinate &block = lattice.block(), &lane_grid = lattice.lane_grid(), &size = lattice.local_size();
  for (const Coordinate& x : ghosts) {
    const int parity = parity_of(x), ghost = lattice.first_tile(parity) + lattice.tiles() / 2 + next[parity]++;
    const Coordinate steps = steps_out(x, block);
    const int reach = reach_of(steps), segment = reach == 1 ? parity : reach;
    Coordinate in_block;
    bool one_block = true;  // wherever there is a step out
    for (int mu = 0; mu < 4; ++mu) {
      in_block[mu] = (x[mu] + 2 * block[mu]) % block[mu];
      one_block = one_block && (steps[mu] == 0 || lane_grid[mu] == 1);
    }
    const int own = lattice.tile_of(in_block);
    if (one_block) {
      tiles[segment][way_of(steps)].push_back({own, ghost});
      continue;
    }
    for (int lane = 0; lane < lanes_; ++lane) {
      const Coordinate c = split(lane, lane_grid);
      Coordinate signs{}, from;
      for (int mu = 0; mu < 4; ++mu) {
        const int y = c[mu] * block[mu] + x[mu];
        signs[mu] = y < 0 ? -1 : y >= size[mu] ? 1 : 0;
        from[mu] = (y + size[mu]) % size[mu] / block[mu];
      }
      const int way = signs == Coordinate{} ? ways : way_of(signs);
      sites[segment][way].push_back(
          {std::int32_t(own * lanes_ + join(from, lane_grid)), std::int32_t(ghost * lanes_ + lane)});
    }
  }
  const auto keep = [](const std::vector<Entry>(&found)[segments][ways + 1], Entries& entries) {
    std::int64_t count = 0;
    for (int s = 0; s < segments; ++s)
      for (int way = 0; way <= ways; ++way) {
        entries.ranges[s][way] = {count, std::int64_t(found[s][way].size())};
        count += entries.ranges[s][way].count;
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

void Halo::find_sets(const Lattice& lattice) {
  const Neighbours neighbours = lattice.host_neighbours();
  const int half = lattice.tiles() / 2;
  std::vector<std::int32_t> found[2][10];
  for (const int parity : {0, 1})
    for (int tile = 0; tile < half; ++tile) {
      constexpr int edges = 8, inner = 9;
      int set = inner;
      for (int step = 0; step < 8; ++step) {
        const int there = neighbours(lattice.first_tile(parity) + tile, step).tile;
        if (there - lattice.first_tile(1 - parity) >= half) set = set == inner ? step : edges;
      }
      found[parity][set].push_back(tile);
    }
  const HostView<std::int32_t*> lists("tiles by ghosts", lattice.tiles());
  Index n = 0;
  for (const auto& of_parity : found)
    for (const auto& set : of_parity)
      for (const std::int32_t tile : set) lists(n++) = tile;
  set_lists_ = in_field_memory(lists);
  const std::int32_t* list = set_lists_.data();
  for (const int parity : {0, 1})
    for (int set = 0; set < 10; ++set) {
      sets_[parity][set] = {list, int(found[parity][set].size())};
      list += found[parity][set].size();
    }
  // Kernels of a host wait for all messages, and then visit all tiles in their own order, where these are copies in its
  // memory: its threads make them, and tiles at the surface alone are slow to visit.
  if (!overlaps(grid_))
    for (const int parity : {0, 1}) {
      for (TileSet& set : sets_[parity]) set = {};
      sets_[parity][9] = {nullptr, half};
    }
}

HaloJob Halo::job(bool whole_tiles, int segment, int way, int origin) const {
  const Entries& entries = whole_tiles ? tiles_ : sites_;
  const Range& range = entries.ranges[segment][way];
  return {entries.own.data() + range.first,
          entries.ghosts.data() + range.first,
          range.count,
          whole_tiles,
          lanes_,
          origin,
          way,
          nullptr};
}

HaloExchange& Halo::exchange(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  for (const auto& exchange : exchanges_)
    if (exchange->fits(parity, reach, faces, parts)) return *exchange;
  exchanges_.push_back(std::unique_ptr<HaloExchange>(new HaloExchange(*this, parity, reach, faces, parts)));
  return *exchanges_.back();
}

void exchange_parts(const Lattice& lattice, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) {
  if (in_dry_run()) {
    if (auto* const dry = dry_exchanges()) dry->add(parity != Halo::both, reach, faces, parts, false);
    return;
  }
  if (!lattice.has_ghosts()) return;
  HaloExchange& exchange = lattice.halo().exchange(parity, reach, faces, parts);
  exchange.begin(parts);
  exchange.finish();
}

bool record_over_halo(std::span<const HaloPart> in) {
  if (!in_dry_run()) return false;
  if (auto* const dry = dry_exchanges()) dry->add(true, Reach::near, Faces::all, in, true);
  return true;
}

void over_halo(const Lattice& lattice, int out_parity, std::span<const HaloPart> in,
               FunctionRef<void(const TileSet&)> body) {
  if (record_over_halo(in) || !lattice.has_ghosts()) return body(TileSet{});
  const Halo& halo = lattice.halo();
  HaloExchange& exchange = halo.exchange(1 - out_parity, Reach::near, Faces::all, in);
  const auto run = [&](const TileSet& tiles) {
    if (tiles.count > 0) body(tiles);
  };
  exchange.begin(in);
  run(halo.inside(out_parity));
  if constexpr (fields_on_host) {
    for (int way; (way = exchange.next()) >= 0;) run(halo.at_face(out_parity, way));
    run(halo.at_edges(out_parity));
    exchange.finish();
  } else {
    exchange.finish();
    run(halo.at_surface(out_parity));
  }
}

}  // namespace trellis
