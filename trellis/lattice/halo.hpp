// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What fills the ghosts of a lattice (lattice.hpp) with the numbers of other ranks.
//   exchange_parts(lattice, parity, ...)      all at once: of fields on all sites, after their own numbers have changed
//   over_halo(lattice, parity, parts, body)   body(tiles) for all tiles of a parity, once their neighbours' numbers are
//                                             here: those inside while messages are under way, then face by face as
//                                             these arrive, then those at more than one face
// Fields on all sites keep their ghosts valid: who writes their numbers exchanges them. Vectors of one parity do not:
// an operator exchanges those that it reads. All ranks call these in the same order. Messages are set up once for each
// kind of field, with their memory; nothing is allocated between two exchanges. Without ghosts all of this is nothing.
//
// How messages go is the lattice's Transport (transport.hpp). Where GPUs send them no host waits, and all that has
// ghosts is visited at once when all are filled. In a dry run exchanges are recorded (dry_exchanges.hpp).

#include <memory>
#include <vector>

#include "trellis/comm/messages.hpp"
#include "trellis/core/device_messages.hpp"
#include "trellis/core/function_ref.hpp"
#include "trellis/core/kernel_sums.hpp"
#include "trellis/core/message_memory.hpp"
#include "trellis/core/peer_memory.hpp"
#include "trellis/lattice/ghosts.hpp"
#include "trellis/lattice/transport.hpp"

namespace trellis {

// Tiles of a parity, counted from its first one: all of them, or those of a list.
struct TileSet {
  const std::int32_t* list = nullptr;  // where kernels run
  int count = 0;
  bool is_all() const { return list == nullptr; }
};

enum class Faces { all, forward, backward };

// How far the ghosts reach that are wanted: one step beyond a face, also at the corners of two (plaquettes), also two
// steps (rectangles).
enum class Reach { near = 1, corners = 2, two_steps = 3 };

// Some ghosts of one way, and where their numbers come from. Whole tiles, or single sites (tile * lanes + lane).
struct HaloJob {
  const std::int32_t *own, *ghosts;
  std::int64_t count;
  bool whole_tiles;
  int lanes;
  int origin;         // the tile that the field begins with
  int way;            // 0..7: the face beyond which the ghosts are, as steps are numbered
  std::byte* buffer;  // of a message
};
struct HaloJobs;  // some of them, for one kernel (halo_jobs.hpp)

// Numbers of a field: [tile][word][lane], words of `word` bytes (16 at most); tile 0 is the first of the lattice or of
// the parity, as the exchange is. pack() writes sent_words of each site of a job to the buffer, unpack() reads them.
struct HaloPart {
  std::byte* data;
  int word, words;
  int sent_words;
  void (*pack)(const HaloPart&, const HaloJobs&);
  void (*unpack)(const HaloPart&, const HaloJobs&);
  int option = 0;  // whatever these two like
};
// Numbers as they are.
HaloPart plain_part(void* data, int word, int words);

class HaloExchange;

class Halo {
 public:
  Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  ~Halo();

  // Own tiles of a parity whose neighbours are this rank's; that have ghosts beyond one face alone; beyond several;
  // beyond any.
  TileSet inside(int parity) const { return sets_[parity][9]; }
  TileSet at_face(int parity, int face) const { return sets_[parity][face]; }
  TileSet at_edges(int parity) const { return sets_[parity][8]; }
  TileSet at_surface(int parity) const { return {sets_[parity][0].list, tiles_of_parity_ - inside(parity).count}; }

  Transport transport() const { return transport_; }

  // Where the last kernel of a sum leaves what it found, and what makes `to` of it for all ranks. For spaces that are
  // not waited for.
  ExactSum* room_for_sums() const;
  void join_sums(const char* name, const KernelSums<FieldSpace>& to) const;

  // Of vectors of a parity, or (both) of fields on all sites.
  static constexpr int both = 2;
  HaloExchange& exchange(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const;

 private:
  friend class HaloExchange;
  // Near ghosts of parity 0 and 1, corners, others.
  static constexpr int segments = 4;
  struct Range {
    std::int64_t first = 0, count = 0;
  };
  struct Entries {
    FieldView<std::int32_t*> own, ghosts;
    Range ranges[segments][lattice_detail::ways + 1];  // the last one: of this rank's own lanes
  };
  HaloJob job(bool whole_tiles, int segment, int way, int origin) const;
  void find_entries(const Lattice& lattice, const std::vector<Coordinate>& ghosts);
  void find_sets(const Lattice& lattice);
  void find_peers_of_sums() const;

  comm::ProcessGrid grid_;
  int lanes_, first_odd_, tiles_of_parity_;
  Transport transport_;
  DeviceMessages<FieldSpace> device_messages_;  // with NCCL
  Entries tiles_, sites_;
  TileSet sets_[2][10];
  FieldView<std::int32_t*> set_lists_;
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
  struct Message {
    HaloJob out, in;
    int part;
    std::size_t place;  // in the buffers
  };
  // Where peers find and leave messages: for each a word that says which has come and one that says that its receiver
  // is as far, then two rooms that take turns. A rank is at most one turn ahead of its neighbours.
  struct Peers {
    PeerMemory<FieldSpace> inbox;
    std::vector<std::byte*> outboxes;  // for each message the inbox that it goes to
    std::vector<std::uint32_t*> own_words, other_words;
    std::uint32_t turn = 0;
  };
  void find_messages(std::span<const HaloPart> parts);
  void find_device_messages(std::span<const HaloPart> parts);
  std::size_t bytes_of_words() const;
  void find_peers();
  void take_turn();
  HaloExchange(const Halo& halo, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts);
  bool fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const;
  int first_segment() const { return parity_ == Halo::both ? 0 : parity_; }
  int last_segment() const { return parity_ == Halo::both ? int(reach_) : parity_; }
  int origin() const { return parity_ == 1 ? halo_.first_odd_ : 0; }
  void copy_own_lanes() const;
  template <class Choose>
  void run(bool pack, const Choose& choose) const;

  const Halo& halo_;
  int parity_;
  Reach reach_;
  Faces faces_;
  std::vector<HaloPart> parts_;  // of the fields in this exchange; of the first before there was one
  MessageMemory<FieldSpace> out_, in_;
  FieldView<std::byte*> device_out_, device_in_;
  std::vector<DeviceMessage> device_messages_;
  std::vector<Message> jobs_;
  std::size_t bytes_ = 0;
  std::array<int, lattice_detail::ways> expected_{}, missing_{};
  std::vector<comm::Messages> messages_;  // one, made last, or none
  Peers peers_;
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
bool record_over_halo(std::span<const HaloPart> in);

void over_halo(const Lattice& lattice, int out_parity, std::span<const HaloPart> in,
               FunctionRef<void(const TileSet&)> body);

}  // namespace trellis
