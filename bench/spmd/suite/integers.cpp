// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, MD5 digests, and special functions.
#include <algorithm>

#include "bench/spmd/suite/case.hpp"
#include "bench/spmd/suite/suite.hpp"

namespace trellis::bench::spmd {
namespace {

// Edges in both directions, by vertex: a circle and as many chords.
struct Graph {
  explicit Graph(Index vertices) : first("first", vertices + 1), neighbours("neighbours", 4 * vertices) {
    std::vector<std::vector<int>> lists(static_cast<std::size_t>(vertices));
    const auto join = [&](Index a, Index b) {
      lists[std::size_t(a)].push_back(static_cast<int>(b));
      lists[std::size_t(b)].push_back(static_cast<int>(a));
    };
    Numbers numbers(95);
    for (Index v = 0; v < vertices; ++v) {
      join(v, (v + 1) % vertices);
      join(v, static_cast<Index>((numbers.next() + 1) / 2 * double(vertices)));
    }
    int at = 0;
    for (Index v = 0; v < vertices; ++v) {
      first(v) = at;
      for (const int other : lists[std::size_t(v)]) neighbours(at++) = other;
    }
    first(vertices) = at;
  }
  Numbers1D<int> first, neighbours;
};

// A launch for each distance: a vertex not yet reached looks for a neighbour that the launch before has reached.
std::unique_ptr<Problem> breadth_first(int group, Index items) {
  constexpr int most = 6;
  const Index count = whole_groups(items, group);
  const Graph graph(count);
  const Numbers1D<int> out("out", count), before("before", count);
  return make_case(
      Work{count * (most + 1), 0, 4.0 * double(count)}, out, 0,
      [=](auto way) {
        const int *const first = graph.first.data(), *const neighbours = graph.neighbours.data();
        const nd_range<1> vertices{count, group};
        int *from = out.data(), *to = before.data();  // ends with `out`: `most` is even
        parallel_for(
            "no distances", vertices.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              from[item.global_id()] = item.global_id() == 0 ? 0 : -1;
            });
        for (int distance = 1; distance <= most; ++distance) {
          parallel_for(
              "breadth_first", vertices.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
                const Index v = item.global_id();
                int own = from[v];
                if (own < 0) {
                  for (int k = first[v]; k < first[v + 1]; ++k)
                    if (from[neighbours[k]] == distance - 1) own = distance;
                }
                to[v] = own;
              });
          std::swap(from, to);
        }
      },
      [=](int* p) { plain::distances(count, graph.first.data(), graph.neighbours.data(), most, p); });
}

template <int Round>
TRELLIS_INLINE unsigned mixed(unsigned b, unsigned c, unsigned d) {
  if constexpr (Round == 0) return (b & c) | (~b & d);
  if constexpr (Round == 1) return (d & b) | (~d & c);
  if constexpr (Round == 2) return b ^ c ^ d;
  if constexpr (Round == 3) return c ^ (b | ~d);
}

// Sixteen steps of MD5, whose constants are in local memory.
template <int Round>
TRELLIS_INLINE void md5_round(const unsigned* sines, const unsigned (&m)[16], unsigned (&s)[4]) {
  constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  constexpr int factor[4] = {1, 5, 3, 7}, offset[4] = {0, 1, 5, 0};
  TRELLIS_UNROLL
  for (int i = 0; i < 16; ++i) {
    const unsigned f =
        mixed<Round>(s[1], s[2], s[3]) + s[0] + sines[16 * Round + i] + m[(factor[Round] * i + offset[Round]) % 16];
    const int by = turns[Round][i % 4];
    const unsigned next = s[1] + ((f << by) | (f >> (32 - by)));
    s[0] = s[3];
    s[3] = s[2];
    s[2] = s[1];
    s[1] = next;
  }
}

std::unique_ptr<Problem> md5(int group, Index items) {
  const Index count = whole_groups(items, group);
  const Numbers1D<unsigned> words("words", 2 * count), sines("sines", 64), out("out", count);
  Numbers numbers(96);
  for (Index i = 0; i < 2 * count; ++i) words(i) = static_cast<unsigned>((numbers.next() + 1) * 2e9);
  for (int i = 0; i < 64; ++i)
    sines(i) = static_cast<unsigned>(std::floor(0x1p32 * std::fabs(std::sin(double(i + 1)))));
  return make_case(
      Work{count, 0, 12.0 * double(count)}, out, 0,
      [=](auto way) {
        const unsigned *const in = words.data(), *const constants = sines.data();
        unsigned* const to = out.data();
        LocalMemory memory;
        const auto array = memory.array<unsigned>(64);
        parallel_for(
            "md5", nd_range<1>{count, group}.with(memory).by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              unsigned* const own = item.local(array);
              for (Index i = item.local_id(); i < 64; i += item.local_range()) own[i] = constants[i];
              item.barrier();
              const Index n = item.global_id();
              const unsigned m[16] = {in[2 * n], in[2 * n + 1], 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0};
              unsigned s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
              md5_round<0>(own, m, s);
              md5_round<1>(own, m, s);
              md5_round<2>(own, m, s);
              md5_round<3>(own, m, s);
              to[n] = s[0] + 0x67452301;
            });
      },
      [=](unsigned* p) { plain::md5(count, words.data(), sines.data(), p); });
}

std::unique_ptr<Problem> special_functions(int group, Index items) {
  const Index count = whole_groups(items, group);
  const auto numbers = random_numbers<double>(count, 97);
  const Numbers1D<double> out("out", count);
  return make_case(
      Work{count, 0, 16.0 * double(count)}, out, 1e-14,
      [=](auto way) {
        const double* const in = numbers.data();
        double* const to = out.data();
        parallel_for(
            "special_functions", nd_range<1>{count, group}.by(way), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
              const double x = in[item.global_id()];
              to[item.global_id()] = std::sin(x) * std::exp(x) + std::cos(x) * std::log(x + 2) + std::sqrt(x + 1);
            });
      },
      [=](double* p) { plain::special_functions(count, numbers.data(), p); });
}

}  // namespace

std::vector<KernelEntry> integer_kernels() {
  return {
      {"md5", "digests of eight bytes, constants in local memory, unsigned", true, all_groups, md5, Index(1) << 15,
       1024, 1024},
      {"breadth_first", "distances from a vertex, a launch for each, int", false, all_groups, breadth_first,
       Index(1) << 14, 1024, 1024},
      {"special_functions", "sin, cos, exp, log and square root, double", false, all_groups, special_functions,
       Index(1) << 15, 1024, 1024},
  };
}

}  // namespace trellis::bench::spmd
