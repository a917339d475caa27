// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fields: numbers on the sites of a Lattice, in a View of layout FieldLayout<W>. GaugeField holds the four links
// U_mu(x) of each site (U_mu(x) leads from x to x + mu), AlgebraField eight real numbers per link (momenta, forces).
// Copies share memory, as Views do; clone() copies. access() gives kernels a plain pointer that loads and stores
// registers. Initialised to zero; without a lattice a field is empty, and what needs one throws Error.
//
// On several ranks a GaugeField's ghosts (halo.hpp) up to corners are kept equal to their owners' links: code that
// changes links must call exchange(Reach::corners) afterwards, on all ranks. The few stencils that look two steps away
// exchange those ghosts before they read them. The ghosts of an AlgebraField are filled by code that reads its
// neighbours.

#include "trellis/core/complex.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/su3/algebra.hpp"

namespace trellis {

// A tile's registers: the numbers of its W sites begin at tile * Components * W, component c at part c (load_part).
template <class T, int Components, int W>
struct Access {
  using S = lanes_t<std::remove_const_t<T>, W>;
  T* data;

  TRELLIS_INLINE T* at(int tile) const { return data + std::int64_t(tile) * (Components * W); }
  TRELLIS_INLINE S load(int tile, int component) const { return load_part<S>(at(tile), component); }
  TRELLIS_INLINE void store(int tile, int component, const S& value) const { store_part(at(tile), component, value); }
  // Complex number k: components 2 k and 2 k + 1.
  TRELLIS_INLINE complex<S> load_complex(int tile, int k) const { return trellis::load_complex<S>(at(tile), k); }
  TRELLIS_INLINE void store_complex(int tile, int k, const complex<S>& value) const {
    trellis::store_complex(at(tile), k, value);
  }
  // Prefetches part `part` of `parts` of a tile's numbers. In parts, because a core can have some sixteen lines
  // outstanding at a time, and its other loads wait behind them.
  TRELLIS_INLINE void prefetch(int tile, int part, int parts) const {
    constexpr int lines = (int(sizeof(T)) * Components * W + 63) / 64;
    const char* p = reinterpret_cast<const char*>(data + std::int64_t(tile) * Components * W);
    for (int n = part * lines / parts; n < (part + 1) * lines / parts; ++n) trellis::prefetch(p + 64 * n);
  }
};

template <class T, int W>
struct GaugeAccess : Access<T, 72, W> {
  using S = typename Access<T, 72, W>::S;
  using scalar_type = std::remove_const_t<T>;
  Neighbours neighbours;

  TRELLIS_INLINE Matrix<S> link(int tile, int mu) const { return read(numbers(tile, mu)); }
  // If a step left its block, the lanes are permuted into a separate buffer, so that the common path is plain loads
  // that the compiler can fold into arithmetic.
  TRELLIS_INLINE Matrix<S> link(Hop hop, int mu) const {
    if constexpr (simd_detail::is_own_lane<S>) {
      return read(numbers(hop.tile, mu) + lane_group * neighbours.template displacement<S>(hop.shift));
    } else {
      alignas(64) scalar_type buffer[18 * W];
      return read(numbers(hop, mu, buffer));
    }
  }
  // Where the numbers of a link are.
  TRELLIS_INLINE T* numbers(int tile, int mu) const { return this->data + (std::int64_t(tile) * 4 + mu) * 18 * W; }
  TRELLIS_INLINE const scalar_type* numbers(Hop hop, int mu, scalar_type* buffer) const {
    const scalar_type* from = numbers(hop.tile, mu);
    if (hop.shift == 0) [[likely]]
      return from;
    permute_into(buffer, from, neighbours.permutation(hop.shift));
    return buffer;
  }
  // Prefetches part of what a stencil around `tile` will be the first to read: the tile one step ahead in t, which runs
  // outermost, and the neighbours in other columns. only_forward: for stencils that read no backward neighbours.
  TRELLIS_INLINE void prefetch_stencil(int tile, int part, int parts, bool only_forward = false) const {
    this->prefetch(neighbours(tile, 3).tile, part, parts);
    const unsigned exits = neighbours.exits[tile] & (only_forward ? 0x0fu : 0xffu);
    for (const int step : {1, 2, 5, 6})
      if ((exits >> step & 1u) != 0) this->prefetch(neighbours(tile, step).tile, part, parts);
  }
  TRELLIS_INLINE void set_link(int tile, int mu, const Matrix<S>& u) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) this->store_complex(tile, 9 * mu + 3 * i + j, u.e[i][j]);
  }

 private:
  TRELLIS_INLINE static Matrix<S> read(const scalar_type* p) {
    Matrix<S> u;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u.e[i][j] = trellis::load_complex<S>(p, 3 * i + j);
    return u;
  }
  // Nothing overlaps, so that the lanes' numbers are read once.
  [[gnu::noinline]] static void permute_into(scalar_type* __restrict to, const scalar_type* __restrict from,
                                             const std::int32_t* __restrict lanes) {
    for (int k = 0; k < 18; ++k) store_lanes<S>(to + k * W, permute(load_lanes<S>(from + k * W), lanes));
  }
};

template <class T, int W>
struct AlgebraAccess : Access<T, 32, W> {
  using S = typename Access<T, 32, W>::S;
  TRELLIS_INLINE Algebra<S> at(int tile, int mu) const {
    Algebra<S> a;
    for (int k = 0; k < 8; ++k) a.p[k] = this->load(tile, 8 * mu + k);
    return a;
  }
  TRELLIS_INLINE void set(int tile, int mu, const Algebra<S>& a) const {
    for (int k = 0; k < 8; ++k) this->store(tile, 8 * mu + k, a.p[k]);
  }
};

// Of other lane counts than these a program would not link.
#define TRELLIS_LANE_TEXT(W) " " #W
#define TRELLIS_REQUIRE_LANES(T, W)                                      \
  static_assert(                                                         \
      has_lane_count<T>(W),                                              \
      "Trellis was compiled (TRELLIS_LANES) for fields with these lane " \
      "counts: in double precision" TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(  \
          TRELLIS_LANE_TEXT) ", in single precision and 16 bits" TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_LANE_TEXT))

namespace field_detail {

// Throws Error for a field that was made without a lattice.
inline const Lattice& lattice_of(const std::shared_ptr<const Lattice>& lattice, const char* field) {
  if (!lattice) [[unlikely]]
    fail("{} without a lattice: it was made without arguments and is empty", field);
  return *lattice;
}

}  // namespace field_detail

template <class T, int W>
class GaugeField {
  TRELLIS_REQUIRE_LANES(T, W);

 public:
  using scalar = T;
  static constexpr int lanes = W;
  using view_type = FieldView<T* [4][3][3][2], FieldLayout<W>>;

  GaugeField() = default;
  explicit GaugeField(const Lattice& lattice, std::string_view label = "links");
  static GaugeField unit(const Lattice& lattice);

  bool is_allocated() const { return view_.is_allocated(); }
  const Lattice& lattice() const { return field_detail::lattice_of(lattice_, "a gauge field"); }
  // The fraction of its memory that is not ghosts.
  double own_part() const { return double(lattice().local_volume()) / double(lattice().places()); }
  const view_type& view() const { return view_; }
  GaugeAccess<T, W> access() const { return {{view_.data()}, lattice().neighbours()}; }
  GaugeField clone() const;
  void copy_from(const GaugeField& other) const { deep_copy(view_, other.view_); }
  void exchange(Reach reach = Reach::two_steps, Faces faces = Faces::all) const;

  // One link as 18 numbers, row-major, real and imaginary parts alternating; for tests and sources.
  std::array<double, 18> link(const Coordinate& x, int mu) const;
  void set_link(const Coordinate& x, int mu, std::span<const double, 18> u) const;

 private:
  std::shared_ptr<const Lattice> lattice_;
  view_type view_;
};

template <class T, int W>
class AlgebraField {
  TRELLIS_REQUIRE_LANES(T, W);

 public:
  using scalar = T;
  static constexpr int lanes = W;
  using view_type = FieldView<T* [4][8], FieldLayout<W>>;

  AlgebraField() = default;
  explicit AlgebraField(const Lattice& lattice, std::string_view label = "momenta");

  const Lattice& lattice() const { return field_detail::lattice_of(lattice_, "a field of momenta"); }
  // The fraction of its memory that is not ghosts.
  double own_part() const { return double(lattice().local_volume()) / double(lattice().places()); }
  const view_type& view() const { return view_; }
  AlgebraAccess<T, W> access() const { return {{view_.data()}}; }
  AlgebraField clone() const;
  void copy_from(const AlgebraField& other) const { deep_copy(view_, other.view_); }
  void exchange(Reach reach = Reach::near, Faces faces = Faces::all) const;
  std::array<double, 8> at(const Coordinate& x, int mu) const;
  void set(const Coordinate& x, int mu, std::span<const double, 8> p) const;

 private:
  std::shared_ptr<const Lattice> lattice_;
  view_type view_;
};

// The bytes of complete fields without ghosts, for the cost of a kernel (core/profile/profile.hpp): one that reads u
// and adds to p moves bytes_of(u, p, p).
template <class... Fields>
double bytes_of(const Fields&... fields) {
  const auto of = [](const auto& field) {
    const auto& view = field.view();
    const double all = double(view.size() * Index(sizeof(*view.data())));
    if constexpr (requires { field.lattice(); })
      return all * field.own_part();
    else
      return all;
  };
  return (0.0 + ... + of(fields));
}

}  // namespace trellis
