// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/parity_field.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis {

template <class T, int Reals, int W>
ParityField<T, Reals, W>::ParityField(const Lattice& lattice, int parity, int count, std::string_view label,
                                      view_type view, scales_type scales)
    : lattice_(std::make_shared<const Lattice>(lattice)),
      parity_(parity),
      count_(count),
      view_(std::move(view)),
      scales_(std::move(scales)) {
  if (lattice.lanes() != W) fail("field '{}' has {} lanes, its lattice {}", label, W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("field '{}': its lattice is not in even/odd order", label);
  if (parity != 0 && parity != 1) fail("field '{}' has parity {}; it must be 0 or 1", label, parity);
  if (count < 1) fail("field '{}' has {} vectors a site; at least 1", label, count);
}

template <class T, int Reals, int W>
ParityField<T, Reals, W>::ParityField(const Lattice& lattice, int parity, int count, std::string_view label)
    : ParityField(lattice, parity, count, label, view_type(label, lattice.parity_places(), count),
                  is_fixed_point<T> ? scales_type(label, lattice.parity_places(), count) : scales_type()) {}

template <class T, int Reals, int W>
ParityField<T, Reals, W>::ParityField(Uninitialized, const Lattice& lattice, int parity, int count,
                                      std::string_view label)
    : ParityField(
          lattice, parity, count, label, view_type(uninitialized, label, lattice.parity_places(), count),
          is_fixed_point<T> ? scales_type(uninitialized, label, lattice.parity_places(), count) : scales_type()) {}

template <class T, int Reals, int W>
ParityField<T, Reals, W> ParityField<T, Reals, W>::clone() const {
  const ParityField copy(uninitialized, lattice(), parity_, count_, view_.label());
  copy.copy_from(*this);
  return copy;
}

template <class T, int Reals, int W>
void ParityField<T, Reals, W>::set_zero() const {
  using S = lanes_t<arithmetic_t<T>, W>;
  const auto out = access();
  const double bytes = double(lattice().local_parity_volume()) * count_ * site_bytes<T>(Reals);
  for_each_vector(
      {"zero vectors", bytes}, lattice(), count_, TRELLIS_KERNEL(int tile, int n) {
        S zero[Reals];
        for (S& value : zero) value = S(arithmetic_t<T>(0));
        out.store(tile, n, zero);
      });
}

template <class T, int Reals, int W>
auto ParityField<T, Reals, W>::halo_parts() const -> std::array<HaloPart, halo_part_count> {
  const HaloPart numbers = plain_part(view_.data(), int(sizeof(stored_t<T>)) * group, Reals / group * count_);
  if constexpr (is_fixed_point<T>)
    return {numbers, plain_part(scales_.data(), int(sizeof(float)), count_)};
  else
    return {numbers};
}

template <class T, int Reals, int W>
std::int64_t ParityField<T, Reals, W>::index(const Coordinate& x) const {
  if ((x[0] + x[1] + x[2] + x[3]) % 2 != parity_)
    fail("field '{}' of {} sites has no site ({}, {}, {}, {})", view_.label(), parity_ == 0 ? "even" : "odd", x[0],
         x[1], x[2], x[3]);
  return lattice().index(x) - std::int64_t(first_tile()) * W;
}

template <class T, int Reals, int W>
std::array<double, Reals> ParityField<T, Reals, W>::at(const Coordinate& x, int n) const {
  auto values = read_site<Reals>(view_, index(x), n, count_);
  if constexpr (is_fixed_point<T>) {
    const float scale = float(read_single(scales_, place_of_scale(index(x), n)));
    for (double& value : values) value = float(value) * scale;
  }
  return values;
}

template <class T, int Reals, int W>
void ParityField<T, Reals, W>::set(const Coordinate& x, std::span<const double, Reals> values, int n) const {
  if constexpr (is_fixed_point<T>) {
    float numbers[Reals];
    for (int k = 0; k < Reals; ++k) numbers[k] = float(values[k]);
    const auto unit = FixedPointScale<float>::of(numbers, Reals);
    std::array<double, Reals> integers;
    for (int k = 0; k < Reals; ++k) integers[k] = nearest_int16(numbers[k] * unit.inverse);
    write_single(scales_, place_of_scale(index(x), n), unit.scale);
    write_site(view_, index(x), n, count_, std::span<const double, Reals>(integers));
  } else {
    write_site(view_, index(x), n, count_, values);
  }
}

// Colour vectors, spinors, and the two Hermitian 6 x 6 blocks of a clover term.
#define TRELLIS_INSTANTIATE(T, W)       \
  template class ParityField<T, 6, W>;  \
  template class ParityField<T, 24, W>; \
  template class ParityField<T, 72, W>;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis
