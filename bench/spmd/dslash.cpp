// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The Wilson hopping term (dslash.hpp) on 16 vectors at once: a group covers 16 vectors at group / 16 sites, and loads
// the eight links of each site into local memory. gamma_mu acts as
//   upper spin r <- i^turns[r] psi_{2 + partner[r]},   lower spin 2 + partner[r] <- i^-turns[r] psi_r.
#include "bench/spmd/dslash.hpp"

#include "bench/spmd/problem_tools.hpp"

namespace trellis::bench::spmd {
namespace {

constexpr const char* open_cl_source = R"(
#define VECTORS 16
// (r, i) is i^turns (a, b)
#define TURN(turns, r, i, a, b)                                                    \
  const float r = (turns) % 4 == 0 ? (a) : (turns) % 4 == 1 ? -(b) : (turns) % 4 == 2 ? -(a) : (b); \
  const float i = (turns) % 4 == 0 ? (b) : (turns) % 4 == 1 ? (a) : (turns) % 4 == 2 ? -(b) : -(a);

// Adds the half spinor's spin s, rotated back (times -sign for lower spins), to the result.
#define STAGE(mu, backward)                                                                   \
  {                                                                                           \
    const int from = backward ? neighbours[(2 * mu + 1) * volume + site] : site;              \
    global const float* link = links + (mu * volume + from) * 18;                             \
    local float* u = staged + (get_local_id(1) * 8 + 2 * mu + backward) * 18;                 \
    u[v] = link[v];                                                                           \
    if (v < 18 - VECTORS) u[v + VECTORS] = link[v + VECTORS];                                 \
  }

#define HOP(mu, backward, p0, p1, t0, t1)                                                     \
  {                                                                                           \
    const int next = neighbours[(2 * mu + backward) * volume + site];                         \
    local const float* u = staged + (get_local_id(1) * 8 + 2 * mu + backward) * 18;           \
    global const float* psi = in + next * 24 * VECTORS + v;                                   \
    float h[2][3][2];                                                                         \
    _Pragma("unroll") for (int c = 0; c < 3; ++c) {                                           \
      TURN(t0 + 2 * (1 - backward), r0, i0, psi[((2 + p0) * 6 + 2 * c) * VECTORS], psi[((2 + p0) * 6 + 2 * c + 1) * VECTORS]) \
      TURN(t1 + 2 * (1 - backward), r1, i1, psi[((2 + p1) * 6 + 2 * c) * VECTORS], psi[((2 + p1) * 6 + 2 * c + 1) * VECTORS]) \
      h[0][c][0] = psi[2 * c * VECTORS] + r0;                                                 \
      h[0][c][1] = psi[(2 * c + 1) * VECTORS] + i0;                                           \
      h[1][c][0] = psi[(6 + 2 * c) * VECTORS] + r1;                                           \
      h[1][c][1] = psi[(6 + 2 * c + 1) * VECTORS] + i1;                                       \
    }                                                                                         \
    _Pragma("unroll") for (int row = 0; row < 3; ++row) {                                     \
      float s[2][2] = {{0, 0}, {0, 0}};                                                       \
      _Pragma("unroll") for (int column = 0; column < 3; ++column) {                          \
        const int at = backward ? 2 * (3 * column + row) : 2 * (3 * row + column);            \
        const float a = u[at], b = backward ? -u[at + 1] : u[at + 1];                         \
        _Pragma("unroll") for (int r = 0; r < 2; ++r) {                              \
          s[r][0] = fma(a, h[r][column][0], fma(-b, h[r][column][1], s[r][0]));   \
          s[r][1] = fma(a, h[r][column][1], fma(b, h[r][column][0], s[r][1]));    \
        }                                                                                     \
      }                                                                                       \
      sum[0][row][0] += s[0][0];                                                              \
      sum[0][row][1] += s[0][1];                                                              \
      sum[1][row][0] += s[1][0];                                                              \
      sum[1][row][1] += s[1][1];                                                              \
      TURN(4 - t0 + 2 * (1 - backward), r0, i0, s[0][0], s[0][1])                             \
      TURN(4 - t1 + 2 * (1 - backward), r1, i1, s[1][0], s[1][1])                             \
      sum[2 + p0][row][0] += r0;                                                              \
      sum[2 + p0][row][1] += i0;                                                              \
      sum[2 + p1][row][0] += r1;                                                              \
      sum[2 + p1][row][1] += i1;                                                              \
    }                                                                                         \
  }

kernel void dslash(global const float* links, global const int* neighbours, global const float* in, global float* out,
                   local float* staged, int volume) {
  const int v = get_local_id(0);
  const int site = get_global_id(1);
  STAGE(0, 0)
  STAGE(0, 1)
  STAGE(1, 0)
  STAGE(1, 1)
  STAGE(2, 0)
  STAGE(2, 1)
  STAGE(3, 0)
  STAGE(3, 1)
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum[4][3][2];
  _Pragma("unroll") for (int s = 0; s < 4; ++s)
    _Pragma("unroll") for (int c = 0; c < 3; ++c) sum[s][c][0] = sum[s][c][1] = 0;
  HOP(0, 0, 1, 0, 1, 1)
  HOP(0, 1, 1, 0, 1, 1)
  HOP(1, 0, 1, 0, 2, 0)
  HOP(1, 1, 1, 0, 2, 0)
  HOP(2, 0, 0, 1, 1, 3)
  HOP(2, 1, 0, 1, 1, 3)
  HOP(3, 0, 0, 1, 0, 0)
  HOP(3, 1, 0, 1, 0, 0)
  global float* result = out + site * 24 * VECTORS + v;
  _Pragma("unroll") for (int s = 0; s < 4; ++s)
    _Pragma("unroll") for (int c = 0; c < 3; ++c) {
      result[(s * 6 + 2 * c) * VECTORS] = sum[s][c][0];
      result[(s * 6 + 2 * c + 1) * VECTORS] = sum[s][c][1];
    }
})";

struct Number {
  float re, im;
};

// i^Turns z
template <int Turns>
TRELLIS_INLINE Number turned(const Number& z) {
  if constexpr (Turns % 4 == 0) return z;
  if constexpr (Turns % 4 == 1) return {-z.im, z.re};
  if constexpr (Turns % 4 == 2) return {-z.re, -z.im};
  if constexpr (Turns % 4 == 3) return {z.im, -z.re};
}
TRELLIS_INLINE Number operator+(const Number& a, const Number& b) { return {a.re + b.re, a.im + b.im}; }
// sum + a b
TRELLIS_INLINE Number add_product(const Number& a, const Number& b, const Number& sum) {
  return {std::fma(a.re, b.re, std::fma(-a.im, b.im, sum.re)), std::fma(a.re, b.im, std::fma(a.im, b.re, sum.im))};
}

struct Lattice {
  const float* links;
  const int* neighbours;
  const float* in;
  Index volume;
};

TRELLIS_INLINE Number component(const float* spinor, int spin, int colour) {
  const int at = 2 * (3 * spin + colour) * dslash_vectors;
  return {spinor[at], spinor[at + dslash_vectors]};
}

// gamma_mu, as above.
template <int Mu>
struct Gamma;
template <>
struct Gamma<0> {
  static constexpr int partner[2] = {1, 0}, turns[2] = {1, 1};
};
template <>
struct Gamma<1> {
  static constexpr int partner[2] = {1, 0}, turns[2] = {2, 0};
};
template <>
struct Gamma<2> {
  static constexpr int partner[2] = {0, 1}, turns[2] = {1, 3};
};
template <>
struct Gamma<3> {
  static constexpr int partner[2] = {0, 1}, turns[2] = {0, 0};
};

// Where the group's links for this site are stored.
template <int Mu, bool Backward>
TRELLIS_INLINE float* staged_link(const nd_item<2>& item, float* staged) {
  return staged + (item.local_id(1) * 8 + 2 * Mu + (Backward ? 1 : 0)) * 18;
}

template <int Mu, bool Backward>
TRELLIS_INLINE void stage(const nd_item<2>& item, const Lattice& lattice, float* staged) {
  const Index vector = item.local_id(0), site = item.global_id(1);
  const Index from = Backward ? lattice.neighbours[(2 * Mu + 1) * lattice.volume + site] : site;
  const float* const link = lattice.links + (Mu * lattice.volume + from) * 18;
  float* const u = staged_link<Mu, Backward>(item, staged);
  u[vector] = link[vector];
  if (vector < 18 - dslash_vectors) u[vector + dslash_vectors] = link[vector + dslash_vectors];
}

// Adds (1 -+ gamma_mu) U psi from one neighbour.
template <int Mu, bool Backward>
TRELLIS_INLINE void add_hop(const nd_item<2>& item, const Lattice& lattice, float* staged, Number (&sum)[4][3]) {
  constexpr const int(&partner)[2] = Gamma<Mu>::partner;
  constexpr const int(&turns)[2] = Gamma<Mu>::turns;
  constexpr int sign = Backward ? 0 : 2;  // in turns
  const float* const u = staged_link<Mu, Backward>(item, staged);
  const Index next = lattice.neighbours[(2 * Mu + (Backward ? 1 : 0)) * lattice.volume + item.global_id(1)];
  const float* const psi = lattice.in + next * 24 * dslash_vectors + item.local_id(0);
  Number half[2][3];
  for (int c = 0; c < 3; ++c) {
    half[0][c] = component(psi, 0, c) + turned<turns[0] + sign>(component(psi, 2 + partner[0], c));
    half[1][c] = component(psi, 1, c) + turned<turns[1] + sign>(component(psi, 2 + partner[1], c));
  }
  for (int row = 0; row < 3; ++row) {
    Number s[2] = {};
    for (int column = 0; column < 3; ++column) {
      const int at = 2 * (Backward ? 3 * column + row : 3 * row + column);
      const Number element = {u[at], Backward ? -u[at + 1] : u[at + 1]};
      for (int r = 0; r < 2; ++r) s[r] = add_product(element, half[r][column], s[r]);
    }
    sum[0][row] = sum[0][row] + s[0];
    sum[1][row] = sum[1][row] + s[1];
    sum[2 + partner[0]][row] = sum[2 + partner[0]][row] + turned<4 - turns[0] + sign>(s[0]);
    sum[2 + partner[1]][row] = sum[2 + partner[1]][row] + turned<4 - turns[1] + sign>(s[1]);
  }
}

class Dslash : public Problem {
 public:
  Dslash(int group, const std::vector<int>& size)
      : sites_(group / dslash_vectors),
        size_(size),
        data_(size),
        volume_(data_.volume()),
        out_("out", data_.in.extent(0)) {}

  Work work() const override {
    const double items = double(volume_) * dslash_vectors;
    return {Index(volume_) * dslash_vectors, dslash_flops * items, 4.0 * (48 * items + 72.0 * volume_)};
  }

  void run(WorkItems way) override {
    const Lattice lattice = {data_.links.data(), data_.neighbours.data(), data_.in.data(), volume_};
    float* const out = out_.data();
    LocalMemory memory;
    const auto staged = memory.array<float>(8 * 18 * sites_);
    with_way(way, [&](auto its_way) {
      parallel_for(
          "dslash", nd_range<2>{{dslash_vectors, volume_}, {dslash_vectors, sites_}}.with(memory).by(its_way),
          TRELLIS_LAMBDA(const nd_item<2>& item) noexcept {
            float* const u = item.local(staged);
            stage<0, false>(item, lattice, u);
            stage<0, true>(item, lattice, u);
            stage<1, false>(item, lattice, u);
            stage<1, true>(item, lattice, u);
            stage<2, false>(item, lattice, u);
            stage<2, true>(item, lattice, u);
            stage<3, false>(item, lattice, u);
            stage<3, true>(item, lattice, u);
            item.barrier();
            Number sum[4][3] = {};
            add_hop<0, false>(item, lattice, u, sum);
            add_hop<0, true>(item, lattice, u, sum);
            add_hop<1, false>(item, lattice, u, sum);
            add_hop<1, true>(item, lattice, u, sum);
            add_hop<2, false>(item, lattice, u, sum);
            add_hop<2, true>(item, lattice, u, sum);
            add_hop<3, false>(item, lattice, u, sum);
            add_hop<3, true>(item, lattice, u, sum);
            float* const result = out + item.global_id(1) * 24 * dslash_vectors + item.local_id(0);
            for (int s = 0; s < 4; ++s) {
              for (int c = 0; c < 3; ++c) {
                result[2 * (3 * s + c) * dslash_vectors] = sum[s][c].re;
                result[(2 * (3 * s + c) + 1) * dslash_vectors] = sum[s][c].im;
              }
            }
          });
    });
  }

  OpenClLaunch open_cl() override {
    return {open_cl_source,
            "dslash",
            "",
            2,
            {dslash_vectors, std::size_t(volume_), 1},
            {dslash_vectors, std::size_t(sites_), 1},
            {buffer(data_.links), buffer(data_.neighbours), buffer(data_.in), buffer(out_),
             local_memory(8 * 18 * sizeof(float) * std::size_t(sites_)), value(volume_)}};
  }

  void spoil() override { fill_with(out_, std::numeric_limits<float>::quiet_NaN()); }
  std::string check() const override { return check_dslash(size_, out_); }

 private:
  int sites_;  // per group
  std::vector<int> size_;
  DslashData data_;
  int volume_;
  View<float*, HostSpace> out_;
};

// A lattice of 4^3 x t, or 8^3 x t, sites.
std::unique_ptr<Problem> make(int group, Index items) {
  const Index sites = items / dslash_vectors;
  const int length = sites >= 8 * 8 * 8 * 4 ? 8 : 4;
  const Index slices = sites / (length * length * length);
  return std::make_unique<Dslash>(group, std::vector<int>{length, length, length, slices < 2 ? 2 : int(slices)});
}

}  // namespace

KernelEntry variant::dslash_kernel() {
  return {"dslash", "Wilson hops of 16 vectors, links in local memory, float",
          true,     {32, 64, 128, 256, 512, 1024},
          make,     8 * 8 * 8 * 4 * dslash_vectors,
          32};
}

}  // namespace trellis::bench::spmd
