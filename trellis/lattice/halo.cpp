// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/halo.hpp"

#include <algorithm>
#include <bit>

#include "trellis/core/parallel.hpp"

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

// to_buffer: numbers of own tiles and sites go there; else those of ghosts come from there.
template <class Word>
void move_words(const HaloPart& part, const HaloJob& job, bool to_buffer) {
  Word* const field = reinterpret_cast<Word*>(part.data);
  Word* const buffer = reinterpret_cast<Word*>(job.buffer);
  const std::int32_t* const places = to_buffer ? job.own : job.ghosts;
  const int words = part.words, lanes = job.lanes, origin = job.origin;
  const Index count = job.count, tile_words = Index(words) * lanes;
  const double bytes = 2.0 * double(count) * words * (job.whole_tiles ? lanes : 1) * double(sizeof(Word));
  const Kernel kernel{to_buffer ? "pack halo" : "unpack halo", bytes};
  const auto move = TRELLIS_KERNEL(Word & in_field, Word & in_buffer) {
    if (to_buffer)
      in_buffer = in_field;
    else
      in_field = in_buffer;
  };
  // A thread of a GPU moves a word, one of a host what belongs together.
  if (job.whole_tiles)
    parallel_for(
        kernel, RangePolicy<FieldSpace>(0, by_threads ? count * tile_words : count), TRELLIS_KERNEL(Index n) {
          const Index tile = by_threads ? n / tile_words : n, first = by_threads ? n - tile * tile_words : 0;
          const Index end = by_threads ? first + 1 : tile_words;
          Word* const at = field + (places[tile] - origin) * tile_words;
          for (Index k = first; k < end; ++k) move(at[k], buffer[tile * tile_words + k]);
        });
  else
    parallel_for(
        kernel, RangePolicy<FieldSpace>(0, by_threads ? count * words : count), TRELLIS_KERNEL(Index n) {
          const Index first = by_threads ? n / count : 0, site = by_threads ? n - first * count : n;
          const Index end = by_threads ? first + 1 : words;
          const Index tile = places[site] / lanes - origin, lane = places[site] % lanes;
          Word* const at = field + tile * tile_words + lane;
          for (Index k = first; k < end; ++k)
            move(at[k * lanes], buffer[by_threads ? k * count + site : site * words + k]);
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
      RangePolicy<FieldSpace>(0, by_threads ? count * words : count), TRELLIS_KERNEL(Index n) {
        const Index first = by_threads ? n / count : 0, site = by_threads ? n - first * count : n;
        const Index end = by_threads ? first + 1 : words;
        Word* const out = field + (to[site] / lanes - origin) * tile_words + to[site] % lanes;
        const Word* const in = field + (from[site] / lanes - origin) * tile_words + from[site] % lanes;
        for (Index k = first; k < end; ++k) out[k * lanes] = in[k * lanes];
      });
}

void pack_plain(const HaloPart& part, const HaloJob& job) {
  with_word(part.word, [&]<class Word>(Word) { move_words<Word>(part, job, true); });
}
void unpack_plain(const HaloPart& part, const HaloJob& job) {
  with_word(part.word, [&]<class Word>(Word) { move_words<Word>(part, job, false); });
}

std::int64_t bytes_of(const HaloPart& part, const HaloJob& job) {
  return job.count * (job.whole_tiles ? job.lanes : 1) * part.sent_words * part.word;
}

constexpr std::int64_t line = 64;
std::int64_t whole_lines(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

}  // namespace

HaloPart plain_part(void* data, int word, int words) {
  return {static_cast<std::byte*>(data), word, words, words, pack_plain, unpack_plain};
}

Halo::Halo(const Lattice& lattice, const std::vector<Coordinate>& ghosts)
    : grid_(lattice.grid()), lanes_(lattice.lanes()), first_odd_(lattice.first_tile(1)) {
  if (lattice.places() > (std::int64_t(1) << 31) - 1)
    fail_input("lattice: {} sites and ghosts on a rank are too many", lattice.places());
  find_entries(lattice, ghosts);
  find_sets(lattice);
}

Halo::~Halo() = default;

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
      int set = 8;
      for (int step = 0; step < 8; ++step) {
        const int there = neighbours(lattice.first_tile(parity) + tile, step).tile;
        if (there - lattice.first_tile(1 - parity) >= half) set = set == 8 ? step : 9;
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
  std::vector<std::int64_t> places;  // in the buffers
  std::int64_t bytes = 0;
  for (int segment = first_segment(); segment <= last_segment(); ++segment)
    for (int way = first; way < end; ++way)
      for (const bool whole_tiles : {true, false})
        for (int part = 0; part < int(parts.size()); ++part) {
          const HaloJob job = halo.job(whole_tiles, segment, way, origin());
          if (job.count == 0) continue;
          jobs_.push_back({job, job, part});
          places.push_back(bytes);
          bytes += whole_lines(bytes_of(parts[std::size_t(part)], job));
          ++expected_[std::size_t(way)];
        }
  out_ = MessageMemory<FieldSpace>(std::size_t(bytes));
  in_ = MessageMemory<FieldSpace>(std::size_t(bytes));
  bytes_ = std::size_t(bytes);
  std::vector<comm::Messages::Part> messages;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    Message& message = jobs_[k];
    message.out.buffer = out_.data() + places[k];
    message.in.buffer = in_.data() + places[k];
    const auto size = std::size_t(bytes_of(parts[std::size_t(message.part)], message.out));
    const Coordinate ahead = signs_of(message.out.way);
    Coordinate behind;
    for (int mu = 0; mu < 4; ++mu) behind[mu] = -ahead[mu];
    messages.push_back({.to = halo.grid_.neighbour(behind),
                        .send_label = int(k),
                        .out = {out_.host() + places[k], size},
                        .from = halo.grid_.neighbour(ahead),
                        .receive_label = int(k),
                        .in = {in_.host() + places[k], size}});
  }
  messages_.emplace_back(halo.grid_.ranks(), "halo", std::move(messages));
}

bool HaloExchange::fits(int parity, Reach reach, Faces faces, std::span<const HaloPart> parts) const {
  return parity == parity_ && reach == reach_ && faces == faces_ &&
         std::equal(parts.begin(), parts.end(), parts_.begin(), parts_.end(), [](const HaloPart& a, const HaloPart& b) {
           return a.word == b.word && a.words == b.words && a.sent_words == b.sent_words;
         });
}

void HaloExchange::begin(std::span<const HaloPart> parts) {
  std::copy(parts.begin(), parts.end(), parts_.begin());
  messages_[0].expect();
  missing_ = expected_;
  for (const Message& message : jobs_) {
    const HaloPart& part = parts_[std::size_t(message.part)];
    part.pack(part, message.out);
  }
  out_.collect();
  for (int k = 0; k < int(jobs_.size()); ++k) messages_[0].send(k);
  copy_own_lanes();
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
    for (const Message& message : jobs_)
      if (message.in.way == way) {
        const HaloPart& part = parts_[std::size_t(message.part)];
        part.unpack(part, message.in);
      }
    return way;
  }
}

void HaloExchange::finish() {
  while (next() >= 0) {
  }
  messages_[0].finish();
}

}  // namespace trellis
