// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fills the ghosts of a lattice (lattice.hpp) with the numbers of other ranks.
//   exchange_parts(lattice, parity, ...)      all at once: fields on all sites, after their own numbers have changed
//   over_halo(lattice, parity, parts, body)   body(tiles) for all tiles of a parity, once the numbers of their
//                                             neighbours have arrived: inner tiles while messages are in flight, then
//                                             each face when its message arrives, then tiles at more than one face. A
//                                             pattern of hops may follow (hop_pattern.hpp): ghosts are filled only as
//                                             deep as it reaches
//   ExchangeUnderWay, tiles_apart(lattice)    work on fields on all sites that overlaps their exchange: numbers at the
//                                             surface first, which other ranks need, and others while they travel
// The ghosts of fields on all sites are always valid: whoever writes such a field exchanges them. Those of vectors of
// one parity are not: an operator exchanges the ghosts that it reads. All ranks must make these calls in the same
// order. Messages and their buffers are set up once for each kind of field; later exchanges allocate nothing. Without
// ghosts, none of this does anything.
//
// How messages travel is the lattice's Transport (transport.hpp). If GPUs send them, the host does not wait, and all
// tiles with ghosts for neighbours are visited at once when all ghosts are filled. In a dry run exchanges are recorded
// (dry_exchanges.hpp).

#include <memory>
#include <utility>
#include <vector>

#include "trellis/core/base/function_ref.hpp"
#include "trellis/core/device/message_memory.hpp"
#include "trellis/core/device/peer_memory.hpp"
#include "trellis/core/sums/kernel_sums.hpp"
#include "trellis/lattice/halo/halo_transport.hpp"
#include "trellis/lattice/halo/tile_sets.hpp"
#include "trellis/lattice/halo/transport.hpp"

namespace trellis {

enum class Faces { all, forward, backward };

// Which ghosts are needed: those one step beyond a face, also those at corners of two faces (plaquettes), also those
// two steps out (rectangles), also those three steps beyond a face (Naik links; on lattices whose vectors reach as
// far). Vectors have none at corners.
enum class Reach { near = 1, corners = 2, two_steps = 3, three_steps = 4 };
// For vectors that these hops read.
Reach reach_of(const HopPattern& pattern);

class HaloExchange;

class Halo {
 public:
  Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  ~Halo();

  // Own tiles, sorted by the ghosts that the hops of a pattern read. Throws InputError if hops are invalid
  // (require_hops) or longer than vectors reach.
  const TileSets& tiles(const HopPattern& pattern = nearest_neighbours) const;
  TileSet inside(int parity) const { return tiles().inside(parity); }
  TileSet at_face(int parity, int face) const { return tiles().at_face(parity, face); }
  TileSet at_edges(int parity) const { return tiles().at_edges(parity); }
  TileSet at_surface(int parity) const { return tiles().at_surface(parity); }

  Transport transport() const { return transport_; }

  // Where the last kernel of a sum leaves its result, and what combines the results of all ranks in `to`. For spaces
  // that the host does not wait for.
  ExactSum* room_for_sums() const;
  void join_sums(const char* name, const KernelSums<FieldSpace>& to) const;

  // parity: that of the vectors, or `both` for fields on all sites. Throws Error if the lattice's ghosts are not that
  // deep.
  static constexpr int both = 2;
  HaloExchange& exchange(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const;

 private:
  friend class HaloExchange;
  // Ghosts that vectors of parity 0 and of parity 1 have, corners, others.
  static constexpr int segments = 4, corners = 2, others = 3;
  // For one way out. Those of vectors are sorted by steps: counts[n - 1] of them are at most n steps out.
  struct Range {
    std::int64_t first = 0;
    std::array<std::int64_t, most_reach> counts{};
  };
  struct Entries {
    FieldView<std::int32_t*> own, ghosts;
    Range ranges[segments][lattice_detail::ways + 1];  // the last one: ghosts filled from this rank's own lanes
  };
  HaloJob job(bool whole_tiles, int segment, int way, int steps, int origin) const;
  void find_entries(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  void find_peers_of_sums() const;

  comm::ProcessGrid grid_;
  int lanes_, first_odd_, tiles_of_parity_, vector_reach_;
  bool overlaps_;
  Transport transport_;
  Neighbours host_neighbours_;                  // owned by the lattice, which outlives this
  DeviceMessages<FieldSpace> device_messages_;  // with NCCL
  Entries tiles_, sites_;
  mutable std::vector<std::unique_ptr<const TileSets>> tile_sets_;  // the first: for nearest neighbours
  mutable std::vector<std::unique_ptr<HaloExchange>> exchanges_;
  // For sums: memory of this rank, and the addresses that all ranks need.
  mutable MessageMemory<FieldSpace> staged_sums_;
  mutable FieldView<std::byte*> device_sums_;  // those of this rank, then those of all ranks
  mutable PeerMemory<FieldSpace> peer_memory_;
  mutable PeerSums peer_sums_;
  mutable std::uint32_t sums_joined_ = 0;
};

// One kind of exchange, with its messages. Only one can be in progress at a time.
class HaloExchange {
 public:
  // Packs and sends the numbers that leave, and copies what stays on this rank.
  void begin(std::span<const HaloPart> parts);
  // Waits; fills the ghosts of a way and returns it, or -1 once all are filled.
  int next();
  // Calls next() until nothing is left, and completes the sends. Kernels launched later find the ghosts filled.
  void finish();

 private:
  friend class Halo;
  HaloExchange(const Halo& halo, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts);
  bool fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const;
  int first_segment() const { return parity_ == Halo::both ? 0 : parity_; }
  int last_segment() const {
    if (parity_ != Halo::both) return parity_;
    return reach_ == Reach::near ? 1 : reach_ == Reach::corners ? Halo::corners : Halo::others;
  }
  // How many steps beyond a face, for the ghosts that vectors have.
  int steps() const;
  int origin() const { return parity_ == 1 ? halo_.first_odd_ : 0; }
  void copy_own_lanes() const;
  template <class Choose>
  void run(bool pack, const Choose& choose) const;

  const Halo& halo_;
  int parity_;
  Reach reach_;
  Faces faces_;
  std::vector<HaloPart> parts_;  // of the fields in this exchange; initially those of the first one
  std::vector<HaloMessage> messages_;
  std::array<int, lattice_detail::ways> expected_{}, missing_{};
  std::unique_ptr<HaloTransport> transport_;
};

// An exchange for vectors of a parity or (Halo::both) fields on all sites, which begins here; by default none. Until
// finish() returns nothing may read the ghosts that it fills, or write what is at the surface. Does nothing without
// ghosts, or if finished.
class ExchangeUnderWay {
 public:
  ExchangeUnderWay() = default;
  ExchangeUnderWay(const Lattice& lattice, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts);
  ExchangeUnderWay(ExchangeUnderWay&& other) noexcept : exchange_(std::exchange(other.exchange_, nullptr)) {}
  ExchangeUnderWay& operator=(ExchangeUnderWay&& other) noexcept {
    std::swap(exchange_, other.exchange_);
    return *this;
  }
  bool is_under_way() const { return exchange_ != nullptr; }
  void finish();

 private:
  HaloExchange* exchange_ = nullptr;
};

// A complete exchange.
void exchange_parts(const Lattice& lattice, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts);

// The tiles of both parities: those whose numbers fill near ghosts or corners, which are also those that read ghosts of
// nearest neighbours; and the others, which may be visited while messages are on their way. Where nothing would overlap
// (no ghosts; processes on the CPUs of one machine; a dry run) all are at the surface.
struct TilesApart {
  TileSet surface, inside;
  // The inner ones in two pieces.
  TileSet first_half() const { return {inside.list, inside.count / 2}; }
  TileSet second_half() const;
};
TilesApart tiles_apart(const Lattice& lattice);
// All at the surface.
TilesApart tiles_together(const Lattice& lattice);

// Fills the ghosts of a field on all sites, whose numbers are [tile][number][lane] or pairs of them.
template <class Field>
void exchange_ghosts(const Lattice& lattice, const Field& field, int numbers, Reach reach, Faces faces = Faces::all) {
  const HaloPart part = plain_part(field.data(), int(sizeof(*field.data())) * lane_group, numbers / lane_group);
  exchange_parts(lattice, Halo::both, reach, faces, {&part, 1});
}

// Records the exchange of over_halo in a dry run (dry_exchanges.hpp). False otherwise.
bool record_over_halo(std::span<const HaloPart> in, const HopPattern& pattern = nearest_neighbours);

// Visits the tiles of out_parity; `in` are parts of vectors on the sites that the hops lead to. Throws InputError if
// hops are invalid, lead to both parities, or are longer than the lattice's vectors reach.
void over_halo(const Lattice& lattice, int out_parity, std::span<const HaloPart> in,
               FunctionRef<void(const TileSet&)> body, const HopPattern& pattern = nearest_neighbours);

}  // namespace trellis
