// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/field_links.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t box_sites = 1 << 14;
constexpr std::int64_t request_sites = 16384;
constexpr std::int64_t sites_a_thread = 64;  // at once

// What the first rank requests from all: sites of the complete lattice; none when it is done.
struct Request {
  std::int64_t first = 0, count = 0;
};

Coordinate coordinate(std::int64_t site, const Coordinate& size) {
  Coordinate x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(site % size[mu]);
    site /= size[mu];
  }
  return x;
}

std::int64_t number(const Coordinate& x, const Coordinate& size) {
  return x[0] + std::int64_t{size[0]} * (x[1] + std::int64_t{size[1]} * (x[2] + std::int64_t{size[2]} * x[3]));
}

// Calls f(place in the request, number in the block, count) for the pieces of the request that are in a block.
template <class F>
void for_each_piece(const Request& request, const comm::Block& block, const F& f) {
  for (std::int64_t at = 0; at < request.count;) {
    Coordinate x = coordinate(request.first + at, block.lattice);
    // Up to the end of this row.
    const std::int64_t row = std::min<std::int64_t>(block.lattice[0] - x[0], request.count - at);
    bool inside = true;
    Coordinate in_block{};
    for (std::size_t mu = 1; mu < 4; ++mu) {
      in_block[mu] = x[mu] - block.origin[mu];
      inside = inside && in_block[mu] >= 0 && in_block[mu] < block.extents[mu];
    }
    const std::int64_t begin = std::max(x[0], block.origin[0]);
    const std::int64_t end = std::min<std::int64_t>(x[0] + row, block.origin[0] + block.extents[0]);
    if (inside && begin < end) {
      in_block[0] = static_cast<int>(begin - block.origin[0]);
      f(at + begin - x[0], number(in_block, block.extents), end - begin);
    }
    at += row;
  }
}

// Blocks as text, to be gathered on the first rank.
std::string text_of(const comm::Block& block) { return {reinterpret_cast<const char*>(&block), sizeof block}; }

comm::Block block_of(const std::string& text) {
  comm::Block block;
  std::memcpy(&block, text.data(), sizeof block);
  return block;
}

// All ranks contribute what they have of the request; the first rank gets it in `out`.
void answer(const FieldLinks& links, const std::vector<comm::Block>& blocks, const Request& request,
            std::span<double> out) {
  std::vector<double> mine;
  for_each_piece(request, links.own, [&](std::int64_t, std::int64_t first, std::int64_t count) {
    const auto end = mine.size();
    mine.resize(end + static_cast<std::size_t>(count) * 72);
    links.source(first, std::span(mine).subspan(end));
  });
  const auto all =
      links.ranks.gather("links for the first rank", {reinterpret_cast<const char*>(mine.data()), mine.size() * 8});
  if (!links.ranks.is_first()) return;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const char* from = all[rank].data();
    for_each_piece(request, blocks[rank], [&](std::int64_t at, std::int64_t, std::int64_t count) {
      std::memcpy(out.data() + at * 72, from, static_cast<std::size_t>(count) * 72 * 8);
      from += count * 72 * 8;
    });
  }
}

// The source may be called by several threads, what requests of it are made may not: a large one is shared.
LinkSource in_all_threads(const LinkSource& source) {
  return [&source](std::int64_t first, std::span<double> out) {
    const auto sites = static_cast<std::int64_t>(out.size() / 72);
    parallel_for({"links of a field", double(out.size_bytes())},
                 RangePolicy<DefaultHostExecutionSpace>(0, (sites + sites_a_thread - 1) / sites_a_thread),
                 [&](Index task) {
                   const auto begin = task * sites_a_thread, count = std::min(sites_a_thread, sites - begin);
                   source(first + begin,
                          out.subspan(static_cast<std::size_t>(begin) * 72, static_cast<std::size_t>(count) * 72));
                 });
  };
}

void ask(const comm::Communicator& ranks, Request& request) {
  ranks.broadcast("links for the first rank", std::as_writable_bytes(std::span(&request, 1)));
}

}  // namespace

void for_each_box(const comm::Block& own, const std::function<void(std::int64_t, const comm::Block&)>& f) {
  const auto& n = own.extents;
  const std::int64_t plane = std::int64_t{n[0]} * n[1], slice = plane * n[2];
  const int planes = static_cast<int>(std::clamp<std::int64_t>(box_sites / plane, 1, n[2]));
  const int slices = planes < n[2] ? 1 : static_cast<int>(std::clamp<std::int64_t>(box_sites / slice, 1, n[3]));
  for (int t = 0; t < n[3]; t += slices)
    for (int z = 0; z < n[2]; z += planes) {
      comm::Block box = own;
      box.origin[2] += z;
      box.origin[3] += t;
      box.extents[2] = std::min(planes, n[2] - z);
      box.extents[3] = std::min(slices, n[3] - t);
      f(slice * t + plane * z, box);
    }
}

void with_all_links(const FieldLinks& links, const std::function<void(const LinkSource&)>& f) {
  const auto& ranks = links.ranks;
  if (ranks.size() == 1) return f(in_all_threads(links.source));
  std::vector<comm::Block> blocks;
  for (const auto& text : ranks.gather("blocks of links", text_of(links.own))) blocks.push_back(block_of(text));
  if (!ranks.is_first()) {
    for (;;) {
      Request request;
      ask(ranks, request);
      if (request.count == 0) break;
      answer(links, blocks, request, {});
    }
  }
  std::string problem;
  int code = 2;
  if (ranks.is_first()) {
    const auto all = [&](std::int64_t first, std::span<double> out) {
      const auto sites = static_cast<std::int64_t>(out.size() / 72);
      for (std::int64_t at = 0; at < sites; at += request_sites) {
        Request request{first + at, std::min(request_sites, sites - at)};
        ask(ranks, request);
        answer(links, blocks, request,
               out.subspan(static_cast<std::size_t>(at) * 72, static_cast<std::size_t>(request.count) * 72));
      }
    };
    try {
      f(all);
    } catch (const Error& error) {
      problem = error.what();
      code = error.exit_code();
    } catch (const std::exception& error) {
      problem = error.what();
      code = 1;
    }
    Request done;
    ask(ranks, done);
  }
  problem = ranks.broadcast("links for the first rank", problem);
  ranks.broadcast("links for the first rank", std::as_writable_bytes(std::span(&code, 1)));
  if (problem.empty()) return;
  if (code == 2) throw InputError(problem);
  throw Error(problem);
}

}  // namespace trellis::io
