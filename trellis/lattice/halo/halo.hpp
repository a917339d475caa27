// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What fills the ghosts of a lattice (lattice.hpp) with the numbers of other ranks.
//   exchange_parts(lattice, parity, ...)      all at once: of fields on all sites, after their own numbers have changed
//   over_halo(lattice, parity, parts, body)   body(tiles) for all tiles of a parity, once their neighbours' numbers are
//                                             here: those inside while messages are under way, then face by face as
//                                             these arrive, then those at more than one face. A pattern of hops may
//                                             follow (hop_pattern.hpp): only ghosts as deep as it reaches are filled
// Fields on all sites keep their ghosts valid: who writes their numbers exchanges them. Vectors of one parity do not:
// an operator exchanges those that it reads. All ranks call these in the same order. Messages are set up once for each
// kind of field, with their memory; nothing is allocated between two exchanges. Without ghosts all of this is nothing.
//
// How messages go is the lattice's Transport (transport.hpp). Where GPUs send them no host waits, and all that has
// ghosts is visited at once when all are filled. In a dry run exchanges are recorded (dry_exchanges.hpp).

#include <memory>
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

// How far the ghosts reach that are wanted: one step beyond a face, also at the corners of two (plaquettes), also two
// steps (rectangles), also three beyond a face (Naik links; on lattices whose vectors reach as far). Vectors have none
// at corners.
enum class Reach { near = 1, corners = 2, two_steps = 3, three_steps = 4 };
// Of vectors that these hops read.
Reach reach_of(const HopPattern& pattern);

class HaloExchange;

class Halo {
 public:
  Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  ~Halo();

  // Own tiles by what the hops of a pattern wait for. Throws InputError: hops that are none (require_hops), or that are
  // longer than vectors reach.
  const TileSets& tiles(const HopPattern& pattern = nearest_neighbours) const;
  TileSet inside(int parity) const { return tiles().inside(parity); }
  TileSet at_face(int parity, int face) const { return tiles().at_face(parity, face); }
  TileSet at_edges(int parity) const { return tiles().at_edges(parity); }
  TileSet at_surface(int parity) const { return tiles().at_surface(parity); }

  Transport transport() const { return transport_; }

  // Where the last kernel of a sum leaves what it found, and what makes `to` of it for all ranks. For spaces that are
  // not waited for.
  ExactSum* room_for_sums() const;
  void join_sums(const char* name, const KernelSums<FieldSpace>& to) const;

  // Of vectors of a parity, or (both) of fields on all sites. Throws Error: the lattice has no ghosts as deep.
  static constexpr int both = 2;
  HaloExchange& exchange(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const;

 private:
  friend class HaloExchange;
  // Ghosts that vectors of parity 0 and 1 have, corners, others.
  static constexpr int segments = 4, corners = 2, others = 3;
  // Of a way. Vectors' are step by step: counts[n - 1] is how many are at most n steps out.
  struct Range {
    std::int64_t first = 0;
    std::array<std::int64_t, most_reach> counts{};
  };
  struct Entries {
    FieldView<std::int32_t*> own, ghosts;
    Range ranges[segments][lattice_detail::ways + 1];  // the last one: of this rank's own lanes
  };
  HaloJob job(bool whole_tiles, int segment, int way, int steps, int origin) const;
  void find_entries(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  void find_peers_of_sums() const;

  comm::ProcessGrid grid_;
  int lanes_, first_odd_, tiles_of_parity_, vector_reach_;
  bool overlaps_;
  Transport transport_;
  Neighbours host_neighbours_;                  // the lattice has them as long as it has this
  DeviceMessages<FieldSpace> device_messages_;  // with NCCL
  Entries tiles_, sites_;
  mutable std::vector<std::unique_ptr<const TileSets>> tile_sets_;  // the first: of nearest neighbours
  mutable std::vector<std::unique_ptr<HaloExchange>> exchanges_;
  // Of sums: memory of this rank, and what is where for all.
  mutable MessageMemory<FieldSpace> staged_sums_;
  mutable FieldView<std::byte*> device_sums_;  // the own ones, then all ranks'
  mutable PeerMemory<FieldSpace> peer_memory_;
  mutable PeerSums peer_sums_;
  mutable std::uint32_t sums_joined_ = 0;
};

// One kind of exchange, with its messages. One at a time is under way.
class HaloExchange {
 public:
  // Takes the numbers that go, sends them, and copies what stays on this rank.
  void begin(std::span<const HaloPart> parts);
  // Waits; fills the ghosts of a way and returns it, or -1 once all are filled.
  int next();
  // What next() does until nothing is left, and the end of sending. Kernels given later find the ghosts filled.
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
  // Beyond a face, of the ghosts that vectors have.
  int steps() const;
  int origin() const { return parity_ == 1 ? halo_.first_odd_ : 0; }
  void copy_own_lanes() const;
  template <class Choose>
  void run(bool pack, const Choose& choose) const;

  const Halo& halo_;
  int parity_;
  Reach reach_;
  Faces faces_;
  std::vector<HaloPart> parts_;  // of the fields in this exchange; of the first before there was one
  std::vector<HaloMessage> messages_;
  std::array<int, lattice_detail::ways> expected_{}, missing_{};
  std::unique_ptr<HaloTransport> transport_;
};

// A whole exchange: of vectors of a parity, or (Halo::both) of fields on all sites. Nothing without ghosts.
void exchange_parts(const Lattice& lattice, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts);

// The ghosts of a field on all sites, whose numbers are [tile][number][lane] or pairs of them.
template <class Field>
void exchange_ghosts(const Lattice& lattice, const Field& field, int numbers, Reach reach, Faces faces = Faces::all) {
  const HaloPart part = plain_part(field.data(), int(sizeof(*field.data())) * lane_group, numbers / lane_group);
  exchange_parts(lattice, Halo::both, reach, faces, {&part, 1});
}

// Records the exchange of over_halo in a dry run (dry_exchanges.hpp). False otherwise.
bool record_over_halo(std::span<const HaloPart> in, const HopPattern& pattern = nearest_neighbours);

// Tiles of out_parity; `in` are parts of vectors on the sites that the hops lead to. Throws InputError: hops that are
// none, that lead to both parities, or that are longer than the lattice's vectors reach.
void over_halo(const Lattice& lattice, int out_parity, std::span<const HaloPart> in,
               FunctionRef<void(const TileSet&)> body, const HopPattern& pattern = nearest_neighbours);

}  // namespace trellis
