// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that copy numbers of fields unchanged to messages and back.
#include "trellis/core/tile_policy.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/lattice/halo/halo_jobs.hpp"

namespace trellis {

namespace {

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

// to_buffer: copies numbers of own tiles and sites to the buffer; otherwise copies the buffer to ghosts. Takes a site's
// words from part.option on.
template <class Word>
void move_words(const HaloPart& part, const HaloJobs& jobs, bool to_buffer) {
  const HaloJob& any = jobs.jobs[0];
  const int words = part.sent_words, lanes = any.lanes, origin = any.origin;
  Word* const field = reinterpret_cast<Word*>(part.data) + Index(part.option) * lanes;
  const Index count = jobs.entries(), tile_words = Index(words) * lanes, apart_in_field = Index(part.words) * lanes;
  const double bytes = 2.0 * double(count) * words * (any.whole_tiles ? lanes : 1) * double(sizeof(Word));
  const Kernel kernel{to_buffer ? "pack halo" : "unpack halo", bytes};
  // A GPU thread moves a word, a host thread the words that belong together.
  if (any.whole_tiles)
    parallel_for(
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, !fields_on_host ? count * tile_words : count),
        TRELLIS_KERNEL(Index n) {
          const Index entry = !fields_on_host ? n / tile_words : n,
                      first = !fields_on_host ? n - entry * tile_words : 0;
          const Index end = !fields_on_host ? first + 1 : tile_words;
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
        kernel, RangePolicy<FieldSpace>(jobs.space, 0, !fields_on_host ? count * words : count),
        TRELLIS_KERNEL(Index n) {
          const Index first = !fields_on_host ? n / count : 0, end = !fields_on_host ? first + 1 : words;
          const auto place = jobs.find(!fields_on_host ? n - first * count : n);
          const HaloJob& job = jobs.jobs[place.job];
          const Index site = (to_buffer ? job.own : job.ghosts)[place.entry];
          Word* const in_field = field + (site / lanes - origin) * apart_in_field + site % lanes;
          Word* const in_buffer =
              reinterpret_cast<Word*>(job.buffer) + (!fields_on_host ? place.entry : place.entry * words);
          const Index apart = !fields_on_host ? job.count : 1;
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
      RangePolicy<FieldSpace>(MessageSpace<FieldSpace>::get(), 0, !fields_on_host ? count * words : count),
      TRELLIS_KERNEL(Index n) {
        const Index first = !fields_on_host ? n / count : 0, site = !fields_on_host ? n - first * count : n;
        const Index end = !fields_on_host ? first + 1 : words;
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

}  // namespace

HaloPart plain_part(void* data, int word, int words) {
  return {static_cast<std::byte*>(data), word, words, words, pack_plain, unpack_plain};
}

// Numbers that come from other lanes of this rank.
void HaloExchange::copy_own_lanes() const {
  for (int segment = first_segment(); segment <= last_segment(); ++segment) {
    const HaloJob job = halo_.job(false, segment, lattice_detail::ways, steps(), origin());
    if (job.count == 0) continue;
    for (const HaloPart& part : parts_) with_word(part.word, [&]<class Word>(Word) { copy_words<Word>(part, job); });
  }
}

}  // namespace trellis
