// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo.hpp"

#include <algorithm>
#include <cstdlib>

#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo_jobs.hpp"

namespace trellis {

using lattice_detail::inside, lattice_detail::join, lattice_detail::parity_of, lattice_detail::reach_of,
    lattice_detail::signs_of, lattice_detail::split, lattice_detail::steps_out, lattice_detail::way_of,
    lattice_detail::ways;

namespace {

constexpr bool by_threads = !can_access<FieldSpace, HostSpace>;

struct alignas(16) Word16 {
  std::uint64_t low, high;
};

// f(a word)
template <class F>
void with_word(int bytes, const F& f) {
  switch (bytes) {
    case 2:
      return f(std::uint16_t());
    case 4:
      return f(std::uint32_t());
    case 8:
      return f(std::uint64_t());
    case 16:
      return f(Word16());
    default:
      fail("halo: words of {} bytes", bytes);
  }
}

// to_buffer: numbers of own tiles and sites go there; else those of ghosts come from there. Of a site's words those
// from part.option on.
template <class Word>
void move_words(const HaloPart& part, const HaloJobs& jobs, bool to_buffer) {
  const HaloJob& any = jobs.jobs[0];
  const int words = part.sent_words, lanes = any.lanes, origin = any.origin;
  Word* const field = reinterpret_cast<Word*>(part.data) + Index(part.option) * lanes;
  const Index count = jobs.entries(), tile_words = Index(words) * lanes, apart_in_field = Index(part.words) * lanes;
  const double bytes = 2.0 * double(count) * words * (any.whole_tiles ? lanes : 1) * double(sizeof(Word));
  const Kernel kernel{to_buffer ? "pack halo" : "unpack halo", bytes};
  // A thread of a GPU moves a word, one of a host what belongs together.
  if (any.whole_tiles)
    parallel_for(
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, by_threads ? count * tile_words : count),
        TRELLIS_KERNEL(Index n) {
          const Index entry = by_threads ? n / tile_words : n, first = by_threads ? n - entry * tile_words : 0;
          const Index end = by_threads ? first + 1 : tile_words;
          const auto place = jobs.find(entry);
          const HaloJob& job = jobs.jobs[place.job];
          Word* const in_field = field + ((to_buffer ? job.own : job.ghosts)[place.entry] - origin) * apart_in_field;
          Word* const in_buffer = reinterpret_cast<Word*>(job.buffer) + place.entry * tile_words;
          for (Index k = first; k < end; ++k) {
            if (to_buffer)
              in_buffer[k] = in_field[k];
            else
              in_field[k] = in_buffer[k];
          }
        });
  else
    parallel_for(
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, by_threads ? count * words : count), TRELLIS_KERNEL(Index n) {
          const Index first = by_threads ? n / count : 0, end = by_threads ? first + 1 : words;
          const auto place = jobs.find(by_threads ? n - first * count : n);
          const HaloJob& job = jobs.jobs[place.job];
          const Index site = (to_buffer ? job.own : job.ghosts)[place.entry];
          Word* const in_field = field + (site / lanes - origin) * apart_in_field + site % lanes;
          Word* const in_buffer =
              reinterpret_cast<Word*>(job.buffer) + (by_threads ? place.entry : place.entry * words);
          const Index apart = by_threads ? job.count : 1;
          for (Index k = first; k < end; ++k) {
            if (to_buffer)
              in_buffer[k * apart] = in_field[k * lanes];
            else
              in_field[k * lanes] = in_buffer[k * apart];
          }
        });
}

template <class Word>
void copy_words(const HaloPart& part, const HaloJob& job) {
  Word* const field = reinterpret_cast<Word*>(part.data);
  const std::int32_t *const from = job.own, *const to = job.ghosts;
  const int words = part.words, lanes = job.lanes, origin = job.origin;
  const Index count = job.count, tile_words = Index(words) * lanes;
  parallel_for(
      {"copy halo", 2.0 * double(count) * words * double(sizeof(Word))},
      RangePolicy<FieldSpace>(MessageSpace<FieldSpace>::get(), 0, by_threads ? count * words : count),
      TRELLIS_KERNEL(Index n) {
        const Index first = by_threads ? n / count : 0, site = by_threads ? n - first * count : n;
        const Index end = by_threads ? first + 1 : words;
        Word* const out = field + (to[site] / lanes - origin) * tile_words + to[site] % lanes;
        const Word* const in = field + (from[site] / lanes - origin) * tile_words + from[site] % lanes;
        for (Index k = first; k < end; ++k) out[k * lanes] = in[k * lanes];
      });
}

void pack_plain(const HaloPart& part, const HaloJobs& jobs) {
  with_word(part.word, [&]<class Word>(Word) { move_words<Word>(part, jobs, true); });
}
void unpack_plain(const HaloPart& part, const HaloJobs& jobs) {
  with_word(part.word, [&]<class Word>(Word) { move_words<Word>(part, jobs, false); });
}

std::int64_t bytes_of(const HaloPart& part, const HaloJob& job) {
  return job.count * (job.whole_tiles ? job.lanes : 1) * part.sent_words * part.word;
}

Coordinate opposite(const Coordinate& steps) { return {-steps[0], -steps[1], -steps[2], -steps[3]}; }

// Whether tiles inside are visited while messages are under way: on a GPU, between machines, and for tests.
bool overlaps(const comm::ProcessGrid& grid) {
  const auto& ranks = grid.ranks();
  const char* const wish = std::getenv("TRELLIS_OVERLAP");
  if (wish != nullptr && std::string(wish) == "1") return true;
  return by_threads || ranks.size() == 1 || ranks.ranks_on_machine() < ranks.size();
}

constexpr std::int64_t line = 64;
std::int64_t whole_lines(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

}  // namespace

HaloPart plain_part(void* data, int word, int words) {
  return {static_cast<std::byte*>(data), word, words, words, pack_plain, unpack_plain};
}

Halo::Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts)
    : grid_(lattice.grid()),
      lanes_(lattice.lanes()),
      first_odd_(lattice.first_tile(1)),
      tiles_of_parity_(lattice.tiles() / 2) {
  if (lattice.places() > (std::int64_t(1) << 31) - 1)
    fail_input("lattice: {} sites and ghosts on a rank are too many", lattice.places());
  find_entries(lattice, ghosts);
  find_sets(lattice);
  find_peers();
}

Halo::~Halo() = default;

void Halo::find_peers() {
  if (!peers_are_possible<FieldSpace> || grid_.size() == 1 || grid_.size() > PeerSums::most_ranks) return;
  const char* const wish = std::getenv("TRELLIS_TRANSPORT");
  const std::string wanted = wish == nullptr ? "" : wish;
  if (wanted != "" && wanted != "staged" && wanted != "peers")
    fail_input("TRELLIS_TRANSPORT is '{}'; it must be staged or peers", wanted);
  const FieldSpace space;
  const auto& ranks = grid_.ranks();
  const auto names = ranks.gather("devices of ranks", peer_name(space));
  bool reached = wanted != "staged";
  for (int rank = 0; rank < ranks.size(); ++rank)
    reached = reached && (rank == ranks.rank() || can_reach_peer(space, names[std::size_t(rank)]));
  double failures = reached ? 0 : 1;
  ranks.maximum("peers", {&failures, 1});
  peers_ = failures == 0;
  if (wanted == "peers" && !peers_)
    fail_input("TRELLIS_TRANSPORT is peers, but the devices of these ranks do not reach one another's memory");
}

const char* Halo::transport() const {
  if (grid_.size() == 1) return "none";
  return peers_ ? "peers" : by_threads ? "MPI, staged" : "MPI";
}

ExactSum* Halo::room_for_sums() const {
  constexpr std::size_t row = maximum_sums * sizeof(ExactSum);
  if (!peers_) {
    if (staged_sums_.data() == nullptr) staged_sums_ = MessageMemory<FieldSpace>(row);
    return reinterpret_cast<ExactSum*>(staged_sums_.data());
  }
  // [2][rank] rows of others' sums, the own ones, a word for each rank.
  const auto ranks = std::size_t(grid_.size());
  if (peer_sums_.ranks == 0) {
    peer_memory_ = PeerMemory<FieldSpace>((2 * ranks + 1) * row + ranks * sizeof(std::uint32_t));
    const auto handles = grid_.ranks().gather("memory for sums", peer_memory_.handle());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      std::byte* const there =
          int(rank) == grid_.ranks().rank() ? peer_memory_.data() : peer_memory_.open(handles[rank]);
      peer_sums_.rows[rank] = reinterpret_cast<ExactSum*>(there);
      peer_sums_.flags[rank] = reinterpret_cast<std::uint32_t*>(there + (2 * ranks + 1) * row);
    }
    peer_sums_.own_rank = grid_.ranks().rank();
    peer_sums_.ranks = int(ranks);
    grid_.ranks().barrier("memory for sums");
  }
  return reinterpret_cast<ExactSum*>(peer_memory_.data() + 2 * ranks * row);
}

void Halo::join_sums(const char* name, const KernelSums<FieldSpace>& to) const {
  ExactSum* const own = room_for_sums();
  if (peers_) return peer_join(FieldSpace(), peer_sums_, own, to.count(), maximum_sums, ++sums_joined_, to.data());
  staged_sums_.collect();
  const std::span<ExactSum> sums(reinterpret_cast<ExactSum*>(staged_sums_.host()), std::size_t(to.count()));
  grid_.ranks().add(name, sums);
  to.set(values_of(sums));
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

HaloExchange::HaloExchange(const Halo& halo, int parity, Reach reach, Faces faces, std::span<const HaloPart> parts)
    : halo_(halo), parity_(parity), reach_(reach), faces_(faces), parts_(parts.begin(), parts.end()) {
  const int first = faces == Faces::backward ? 4 : 0, end = faces == Faces::all ? ways : first + 4;
  std::int64_t bytes = 0;
  for (int segment = first_segment(); segment <= last_segment(); ++segment)
    for (int way = first; way < end; ++way)
      for (const bool whole_tiles : {true, false})
        for (int part = 0; part < int(parts.size()); ++part) {
          const HaloJob job = halo.job(whole_tiles, segment, way, origin());
          if (job.count == 0) continue;
          jobs_.push_back({job, job, part, std::size_t(bytes)});
          bytes += whole_lines(bytes_of(parts[std::size_t(part)], job));
          ++expected_[std::size_t(way)];
        }
  bytes_ = std::size_t(bytes);
  if (halo.peers_) {
    find_peers();
    return;
  }
  out_ = MessageMemory<FieldSpace>(bytes_);
  in_ = MessageMemory<FieldSpace>(bytes_);
  std::vector<comm::Messages::Part> messages;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    Message& message = jobs_[k];
    message.out.buffer = out_.data() + message.place;
    message.in.buffer = in_.data() + message.place;
    const auto size = std::size_t(bytes_of(parts[std::size_t(message.part)], message.out));
    messages.push_back({.to = halo.grid_.neighbour(opposite(signs_of(message.out.way))),
                        .send_label = int(k),
                        .out = {out_.host() + message.place, size},
                        .from = halo.grid_.neighbour(signs_of(message.out.way)),
                        .receive_label = int(k),
                        .in = {in_.host() + message.place, size}});
  }
  messages_.emplace_back(halo.grid_.ranks(), "halo", std::move(messages));
}

std::size_t HaloExchange::bytes_of_words() const {
  return std::size_t(whole_lines(2 * std::int64_t(jobs_.size()) * std::int64_t(sizeof(std::uint32_t))));
}

void HaloExchange::find_peers() {
  const auto& ranks = halo_.grid_.ranks();
  peers_.inbox = PeerMemory<FieldSpace>(bytes_of_words() + 2 * bytes_);
  const auto handles = ranks.gather("memory for messages", peers_.inbox.handle());
  std::vector<std::byte*> inboxes(handles.size(), nullptr);
  const auto inbox_of = [&](int rank) {
    std::byte*& there = inboxes[std::size_t(rank)];
    if (there == nullptr)
      there = rank == ranks.rank() ? peers_.inbox.data() : peers_.inbox.open(handles[std::size_t(rank)]);
    return there;
  };
  // Word k says that message k is here, word jobs + k that its receiver has come to where it may be sent again.
  const auto word = [](std::byte* inbox, std::size_t k) { return reinterpret_cast<std::uint32_t*>(inbox) + k; };
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const Coordinate ahead = signs_of(jobs_[k].out.way);
    std::byte *const to = inbox_of(halo_.grid_.neighbour(opposite(ahead))), *const from =
                                                                                inbox_of(halo_.grid_.neighbour(ahead));
    peers_.outboxes.push_back(to + bytes_of_words());
    peers_.own_words.push_back(word(peers_.inbox.data(), k));
    peers_.own_words.push_back(word(peers_.inbox.data(), jobs_.size() + k));
    peers_.other_words.push_back(word(to, k));
    peers_.other_words.push_back(word(from, jobs_.size() + k));
  }
  ranks.barrier("memory for messages");
}

// The other one of the two rooms.
void HaloExchange::take_turn() {
  ++peers_.turn;
  const std::size_t room = peers_.turn % 2 * bytes_;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    jobs_[k].out.buffer = peers_.outboxes[k] + room + jobs_[k].place;
    jobs_[k].in.buffer = peers_.inbox.data() + bytes_of_words() + room + jobs_[k].place;
  }
}

namespace {
// Once they are packed.
void send(comm::Messages& messages, std::size_t count) {
  MessageSpace<FieldSpace>::get().fence();
  for (int k = 0; k < int(count); ++k) messages.send(k);
}
}  // namespace

bool HaloExchange::fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  return parity == parity_ && reach == reach_ && faces == faces_ &&
         std::equal(parts.begin(), parts.end(), parts_.begin(), parts_.end(), [](const HaloPart& a, const HaloPart& b) {
           return a.word == b.word && a.words == b.words && a.sent_words == b.sent_words;
         });
}

void HaloExchange::begin(std::span<const HaloPart> parts) {
  std::copy(parts.begin(), parts.end(), parts_.begin());
  if (halo_.peers_)
    take_turn();
  else
    messages_[0].expect();
  missing_ = expected_;
  MessageSpace<FieldSpace>::follow_default();
  run(true, [](const Message&) { return true; });
  if (halo_.peers_) peer_signal(MessageSpace<FieldSpace>::get(), peers_.other_words, peers_.turn);
  copy_own_lanes();
  if (by_threads) return;
  send(messages_[0], jobs_.size());
  if (!halo_.inside(0).is_all()) return;
  while (next() >= 0) {
  }
}

// Packs or unpacks the messages that are chosen, as many as fit in a kernel.
template <class Choose>
void HaloExchange::run(bool pack, const Choose& choose) const {
  for (int part = 0; part < int(parts_.size()); ++part)
    for (const bool whole_tiles : {true, false}) {
      const HaloPart& field = parts_[std::size_t(part)];
      HaloJobs jobs;
      const auto done = [&] {
        if (jobs.count > 0) (pack ? field.pack : field.unpack)(field, jobs);
        jobs.count = 0;
      };
      for (const Message& message : jobs_) {
        if (message.part != part || message.out.whole_tiles != whole_tiles || !choose(message)) continue;
        jobs.add(pack ? message.out : message.in);
        if (jobs.count == HaloJobs::most) done();
      }
      done();
    }
}

// Numbers that other lanes of this rank have.
void HaloExchange::copy_own_lanes() const {
  for (int segment = first_segment(); segment <= last_segment(); ++segment) {
    const HaloJob job = halo_.job(false, segment, ways, origin());
    if (job.count == 0) continue;
    for (const HaloPart& part : parts_) with_word(part.word, [&]<class Word>(Word) { copy_words<Word>(part, job); });
  }
}

int HaloExchange::next() {
  for (;;) {
    const int k = [&] {
      const DefaultHostExecutionSpace space;
      const DispatchTimer timer(Kernel{"wait for halo"}, space);
      return messages_[0].next();
    }();
    if (k < 0) return -1;
    const int way = jobs_[std::size_t(k)].in.way;
    if (--missing_[std::size_t(way)] > 0) continue;
    in_.deliver();
    run(false, [way](const Message& message) { return message.in.way == way; });
    return way;
  }
}

// A GPU's host sends when the kernels that need no messages were given, and comes back when those that unpack were.
void HaloExchange::finish() {
  if (halo_.peers_) {
    peer_wait(MessageSpace<FieldSpace>::get(), peers_.own_words, peers_.turn);
    run(false, [](const Message&) { return true; });
  } else {
    if (by_threads) send(messages_[0], jobs_.size());
    while (next() >= 0) {
    }
    messages_[0].finish();
  }
  MessageSpace<FieldSpace>::default_follows();
}

}  // namespace trellis
