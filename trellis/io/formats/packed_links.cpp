// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/packed_links.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/formats/encoded_numbers.hpp"

namespace trellis::io {
namespace {

// 18 KiB, or one site if that has more: numbers stay in the first-level cache from source to checksum.
constexpr std::size_t numbers_at_once = 32 * 72;

// Encodes sites of this rank in all threads, and adds to the checksum.
template <class Real>
void encode(const FieldLinks& links, std::int64_t first, ByteOrder order, std::span<std::byte> out,
            ScidacChecksum& checksum) {
  const auto reals = static_cast<std::size_t>(links.reals);
  const std::size_t site_bytes = reals * sizeof(Real);
  const auto sites = static_cast<std::int64_t>(out.size() / site_bytes);
  const auto sites_at_once = static_cast<std::int64_t>(std::max<std::size_t>(1, numbers_at_once / reals));
  std::atomic<std::uint32_t> a{checksum.a}, b{checksum.b};
  std::atomic<std::int64_t> not_finite{std::numeric_limits<std::int64_t>::max()};  // the first such number
  parallel_for({"links to file", double(out.size()) * (1 + double(sizeof(double)) / sizeof(Real))},
               RangePolicy<DefaultHostExecutionSpace>(0, (sites + sites_at_once - 1) / sites_at_once), [&](Index task) {
                 const auto begin = task * sites_at_once, count = std::min(sites_at_once, sites - begin);
                 double few[numbers_at_once];
                 std::vector<double> many(reals > numbers_at_once ? reals : 0);
                 const auto used = std::span(many.empty() ? few : many.data(), static_cast<std::size_t>(count) * reals);
                 links.source(first + begin, used);
                 std::byte* const bytes = out.data() + static_cast<std::size_t>(begin) * site_bytes;
                 if (!encode_numbers<Real>(used.data(), used.size(), order, bytes)) {
                   const auto bad = std::find_if(used.begin(), used.end(), [order](double number) {
                     std::byte ignored[sizeof(Real)];
                     return !encode_numbers<Real>(&number, 1, order, ignored);
                   });
                   const auto place = (first + begin) * links.reals + (bad - used.begin());
                   auto before = not_finite.load();
                   while (place < before && !not_finite.compare_exchange_weak(before, place)) {
                   }
                 }
                 ScidacChecksum own;
                 for (std::int64_t n = 0; n < count; ++n)
                   own.add(site_in_lattice(links.own, first + begin + n), site_bytes,
                           {bytes + static_cast<std::size_t>(n) * site_bytes, site_bytes});
                 a.fetch_xor(own.a);
                 b.fetch_xor(own.b);
               });
  if (const auto place = not_finite.load(); place != std::numeric_limits<std::int64_t>::max()) {
    const auto site = site_in_lattice(links.own, place / links.reals);
    if (links.reals == 72) fail_not_finite(site, static_cast<int>(place % 72 / 18));
    fail("number {} of site {} is not finite and is not written", place % links.reals, site);
  }
  checksum = {a, b};
}

}  // namespace

PackedLinks pack_links(const FieldLinks& links, Precision precision, std::vector<PackedLinks::Piece> used_before,
                       ByteOrder order) {
  const auto& ranks = links.ranks;
  const auto site_bytes = static_cast<std::size_t>(links.reals) * (precision == Precision::single ? 4 : 8);
  PackedLinks packed{ranks, links.own.lattice, precision, {}, {}};
  const auto add = [&](std::int64_t first, std::span<std::byte> out) {
    if (precision == Precision::single)
      encode<float>(links, first, order, out, packed.checksum);
    else
      encode<double>(links, first, order, out, packed.checksum);
  };
  const auto new_piece = [&](std::uint64_t offset, std::size_t bytes) -> const PackedLinks::Piece& {
    const auto n = packed.pieces.size();
    auto data = n < used_before.size() && used_before[n].size == bytes
                    ? std::move(used_before[n].data)
                    : std::make_unique_for_overwrite<std::byte[]>(bytes);
    return packed.pieces.emplace_back(PackedLinks::Piece{offset, bytes, std::move(data)});
  };
  if (ranks.size() == 1 && links.own.extents == links.own.lattice) {
    const auto& all = new_piece(0, links.own.sites() * site_bytes);
    add(0, {all.data.get(), all.size});
    return packed;
  }
  std::vector<std::byte> bytes;
  for_each_box(links.own, [&](std::int64_t first, const comm::Block& box) {
    comm::together(ranks, "links for a file", [&] {
      bytes.resize(box.sites() * site_bytes);
      add(first, bytes);
    });
    comm::hand_out_block(ranks, site_bytes, box, bytes, [&](std::uint64_t offset, std::span<const std::byte> piece) {
      std::ranges::copy(piece, new_piece(offset, piece.size()).data.get());
    });
  });
  std::uint64_t words[] = {packed.checksum.a, packed.checksum.b};
  ranks.bitwise_xor("checksums of links", words);
  packed.checksum = {static_cast<std::uint32_t>(words[0]), static_cast<std::uint32_t>(words[1])};
  return packed;
}

}  // namespace trellis::io
