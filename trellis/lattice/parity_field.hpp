// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fields on the sites of one parity, `count` of them side by side: what solvers work on. Each site holds `Reals` real
// numbers per field, real and imaginary parts alternating: 6 for a colour vector, 24 for a spinor, whose component
// 3 spin + colour is numbers 2 (3 spin + colour) and the next. In memory the fields of a tile are next to one
// another, [tile][field][real][lane] (on a GPU a lane's reals are kept together in pairs, in 16 bits up to eight), so
// that an operator reads each link once for all of them. Where a tile is one site, on a GPU, it is [site][pair of
// reals][field][2], so that threads for neighbouring fields read neighbouring numbers (fields_side_by_side,
// vector_place.hpp). Tiles are numbered within the parity: tile n is tile n + first_tile() of the lattice. Copies share
// memory, clone() copies. Initialised to zero. The lattice must be in even/odd order. Ghosts beyond its faces, as deep
// as the lattice's vector_reach (halo.hpp), are stored behind its tiles: an operator that reads them exchanges
// halo_parts() first.

#include <complex>

#include "trellis/lattice/field.hpp"
#include "trellis/lattice/fixed_point.hpp"
#include "trellis/lattice/vector_place.hpp"
#include "trellis/su3/vector.hpp"

namespace trellis {

// The place of vector n of `count` on a tile, as load_part(), load_complex() and the like take it.
template <int Reals, int W, bool SideBySide, class T>
TRELLIS_INLINE auto vector_place(T* data, int count, int tile, int n) {
  if constexpr (SideBySide)
    return PairsApart<T>{data + std::int64_t(tile) * count * Reals + 2 * n, 2 * count};
  else
    return data + (std::int64_t(tile) * count + n) * (Reals * W);
}

template <class T, int Reals, int W, bool SideBySide = fields_side_by_side<W>>
struct ParityAccess {
  using S = lanes_t<std::remove_const_t<T>, W>;
  T* data;
  int count;

  // All vectors of a tile.
  TRELLIS_INLINE T* of_tile(int tile) const { return data + std::int64_t(tile) * count * (Reals * W); }
  TRELLIS_INLINE auto at(int tile, int n) const { return vector_place<Reals, W, SideBySide>(data, count, tile, n); }
  TRELLIS_INLINE S load(int tile, int n, int real) const { return load_part<S>(at(tile, n), real); }
  TRELLIS_INLINE void store(int tile, int n, int real, const S& value) const { store_part(at(tile, n), real, value); }
  // All numbers of a vector.
  TRELLIS_INLINE void load(int tile, int n, S (&values)[Reals]) const {
    const auto p = at(tile, n);
    for (int k = 0; k < Reals / 2; ++k) {
      const complex<S> pair = load_complex<S>(p, k);
      values[2 * k] = pair.re;
      values[2 * k + 1] = pair.im;
    }
  }
  TRELLIS_INLINE void store(int tile, int n, const S (&values)[Reals]) const {
    const auto p = at(tile, n);
    for (int k = 0; k < Reals / 2; ++k) store_complex(p, k, complex<S>{values[2 * k], values[2 * k + 1]});
  }
  TRELLIS_INLINE ColourVector<S> vector(int tile, int n) const {
    static_assert(Reals == 6);
    return load_vector(at(tile, n));
  }
  TRELLIS_INLINE void set_vector(int tile, int n, const ColourVector<S>& v) const {
    const auto p = at(tile, n);
    for (int i = 0; i < 3; ++i) store_complex(p, i, v.e[i]);
  }
  // Like set_vector, but bypasses the caches.
  TRELLIS_INLINE void stream_vector(int tile, int n, const ColourVector<S>& v) const {
    const auto p = at(tile, n);
    for (int i = 0; i < 3; ++i) stream_complex(p, i, v.e[i]);
  }
  template <class Place>
  TRELLIS_INLINE static ColourVector<S> load_vector(const Place& p) {
    ColourVector<S> v;
    for (int i = 0; i < 3; ++i) v.e[i] = load_complex<S>(p, i);
    return v;
  }
};

template <int Reals, int W, bool SideBySide>
struct ParityAccess<Fixed16, Reals, W, SideBySide> {
  using S = lanes_t<float, W>;
  static constexpr bool own_lanes_only = ComplexTraits<complex<S>>::by_threads;
  std::int16_t* data;
  float* scales;
  int count;

  TRELLIS_INLINE std::int16_t* of_tile(int tile) const { return data + std::int64_t(tile) * count * (Reals * W); }
  TRELLIS_INLINE auto at(int tile, int n) const { return vector_place<Reals, W, SideBySide>(data, count, tile, n); }
  TRELLIS_INLINE float* scale_at(int tile, int n) const { return scales + (std::int64_t(tile) * count + n) * W; }
  TRELLIS_INLINE S scale(int tile, int n) const { return load_lanes<S>(scale_at(tile, n)); }
  // The stored integers: the scale can be applied after any linear operation.
  TRELLIS_INLINE S load_raw(int tile, int n, int real) const {
    if constexpr (own_lanes_only)
      return S(float(at(tile, n)[int16_place<Reals, W>(real, S::own())]));
    else
      return load_int16<S>(at(tile, n), real);
  }
  TRELLIS_INLINE S load(int tile, int n, int real) const { return load_raw(tile, n, real) * scale(tile, n); }
  TRELLIS_INLINE void load(int tile, int n, S (&values)[Reals]) const {
    const S unit = scale(tile, n);
    if constexpr (own_lanes_only) {
      Int16Pair pairs[Reals / 2];
      load_int16_pairs<Reals, W>(at(tile, n) + int16_place<Reals, W>(0, S::own()), pairs);
      for (int k = 0; k < Reals / 2; ++k) {
        const auto pair = pairs[k].template numbers<complex<S>>();
        values[2 * k] = pair.re * unit;
        values[2 * k + 1] = pair.im * unit;
      }
    } else {
      for (int k = 0; k < Reals; ++k) values[k] = load_raw(tile, n, k) * unit;
    }
  }
  TRELLIS_INLINE void store(int tile, int n, const S (&values)[Reals]) const {
    const auto unit = FixedPointScale<S>::of(values, Reals);
    store_lanes(scale_at(tile, n), unit.scale);
    if constexpr (own_lanes_only) {
      Int16Pair pairs[Reals / 2];
      for (int k = 0; k < Reals / 2; ++k)
        pairs[k] = Int16Pair::of(nearest_int16_within((values[2 * k] * unit.inverse).v),
                                 nearest_int16_within((values[2 * k + 1] * unit.inverse).v));
      store_int16_pairs<Reals, W>(at(tile, n) + int16_place<Reals, W>(0, S::own()), pairs);
    } else {
      for (int k = 0; k < Reals; ++k) store_int16(at(tile, n), k, values[k] * unit.inverse);
    }
  }
  TRELLIS_INLINE ColourVector<S> vector(int tile, int n) const {
    static_assert(Reals == 6);
    S values[6];
    load(tile, n, values);
    return {{{values[0], values[1]}, {values[2], values[3]}, {values[4], values[5]}}};
  }
  TRELLIS_INLINE void set_vector(int tile, int n, const ColourVector<S>& v) const {
    const S values[6]{v.e[0].re, v.e[0].im, v.e[1].re, v.e[1].im, v.e[2].re, v.e[2].im};
    store(tile, n, values);
  }
  // There is no streaming store for 16-bit numbers.
  TRELLIS_INLINE void stream_vector(int tile, int n, const ColourVector<S>& v) const { set_vector(tile, n, v); }
};

template <class T, int Reals, int W>
class ParityField {
  TRELLIS_REQUIRE_LANES(T, W);

 public:
  using scalar = T;
  static constexpr int reals = Reals;
  static constexpr int lanes = W;
  static constexpr int group = fields_side_by_side<W> ? 2 : is_fixed_point<T> ? int16_group<Reals> : lane_group;
  using view_type = FieldView<stored_t<T>** [Reals], FieldsLayout<W, group>>;
  using scales_type = FieldView<float**, SingleLayout<W>>;

  ParityField() = default;
  // parity: 0 even, 1 odd.
  ParityField(const Lattice& lattice, int parity, int count = 1, std::string_view label = "vectors");
  // Not initialised: for work space that is written before it is read.
  ParityField(Uninitialized, const Lattice& lattice, int parity, int count = 1, std::string_view label = "vectors");

  bool is_allocated() const { return view_.is_allocated(); }
  const Lattice& lattice() const { return field_detail::lattice_of(lattice_, "a field of vectors"); }
  int parity() const { return parity_; }
  int count() const { return count_; }
  // Tiles without ghosts; and the lattice's number of the first.
  int tiles() const { return lattice().tiles() / 2; }
  int first_tile() const { return lattice().first_tile(parity_); }
  double own_part() const { return double(lattice().local_parity_volume()) / double(lattice().parity_places()); }
  const view_type& view() const { return view_; }
  // One for each site and field of Fixed16, otherwise empty.
  const scales_type& scales() const { return scales_; }
  ParityAccess<T, Reals, W> access() const {
    if constexpr (is_fixed_point<T>)
      return {view_.data(), scales_.data(), count_};
    else
      return {view_.data(), count_};
  }
  // Another of the same kind, zero.
  ParityField like(std::string_view label = "vectors") const { return ParityField(lattice(), parity_, count_, label); }
  // The same, not initialised.
  ParityField like(Uninitialized, std::string_view label) const {
    return ParityField(uninitialized, lattice(), parity_, count_, label);
  }
  ParityField clone() const;
  void copy_from(const ParityField& other) const {
    deep_copy(view_, other.view_);
    if constexpr (is_fixed_point<T>) deep_copy(scales_, other.scales_);
  }
  void set_zero() const;
  // The parts of a field that messages carry: the numbers, and the scales of Fixed16.
  static constexpr int halo_part_count = is_fixed_point<T> ? 2 : 1;
  std::array<HaloPart, halo_part_count> halo_parts() const;

  // The numbers of one site, which must be of this parity; for tests and sources.
  std::array<double, Reals> at(const Coordinate& x, int n = 0) const;
  void set(const Coordinate& x, std::span<const double, Reals> values, int n = 0) const;

 private:
  ParityField(const Lattice& lattice, int parity, int count, std::string_view label, view_type view,
              scales_type scales);
  std::int64_t index(const Coordinate& x) const;
  Index place_of_scale(std::int64_t site, int n) const { return (site / W * count_ + n) * W + site % W; }

  std::shared_ptr<const Lattice> lattice_;
  int parity_ = 0, count_ = 0;
  view_type view_;
  scales_type scales_;
};

// Fills the ghosts of a field for kernels that do not handle messages themselves: one step beyond the faces, or as many
// as the hops of reach_of(pattern). Throws Error if that exceeds the lattice's vector_reach.
template <class T, int Reals, int W>
void exchange_vectors(const ParityField<T, Reals, W>& x, Faces faces = Faces::all, Reach reach = Reach::near) {
  exchange_parts(x.lattice(), x.parity(), reach, faces, x.halo_parts());
}

template <class T, int W>
using ColourVectorField = ParityField<T, 6, W>;
template <class T, int W>
using SpinorField = ParityField<T, 24, W>;

}  // namespace trellis
