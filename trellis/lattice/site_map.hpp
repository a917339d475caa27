// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies fields from one site order to another, when lane count or precision change: single precision has twice the
// lanes of double precision. A SiteMap is made once for two lattices of the same size, both in even/odd order; it holds
// four bytes per site. Ghosts of links are filled again. Conversion from double rounds to single, and then to Fixed16.

#include "trellis/lattice/parity_field.hpp"

namespace trellis {

class SiteMap {
 public:
  // Throws Error if sizes differ or an order is not even/odd.
  SiteMap(const Lattice& from, const Lattice& to);

  const Lattice& from() const { return from_; }
  const Lattice& to() const { return to_; }
  // The place in `from` for each place in `to`.
  const std::int32_t* sources() const { return sources_.data(); }

 private:
  Lattice from_, to_;
  FieldView<std::int32_t*> sources_;
};

// to <- from; both of the same parity and count.
template <class To, int WTo, class From, int WFrom, int Reals>
void convert_vectors(const SiteMap& map, const ParityField<From, Reals, WFrom>& from,
                     const ParityField<To, Reals, WTo>& to);

template <class To, int WTo, class From, int WFrom>
void convert_links(const SiteMap& map, const GaugeField<From, WFrom>& from, const GaugeField<To, WTo>& to);

// Ghosts of momenta are left alone.
template <class To, int WTo, class From, int WFrom>
void convert_momenta(const SiteMap& map, const AlgebraField<From, WFrom>& from, const AlgebraField<To, WTo>& to);

namespace site_map_detail {
// The memory of a field: `vectors` side by side, of `reals` numbers per site each.
template <class T>
struct Numbers {
  stored_t<T>* data;
  float* scales;
  int vectors, reals;
  int group;  // numbers of a lane side by side
  bool side_by_side = false;

  template <class Field>
  static Numbers of(const Field& field) {
    return {field.view().data(), field.scales().data(), field.count(),
            Field::reals,        Field::group,          fields_side_by_side<Field::lanes>};
  }
};

// The sites of parities first to last; tile 0 is the first tile of parity `first`.
template <class To, class From>
void gather(const SiteMap& map, int first, int last, const Numbers<From>& from, const Numbers<To>& to);
}  // namespace site_map_detail

template <class To, int WTo, class From, int WFrom, int Reals>
void convert_vectors(const SiteMap& map, const ParityField<From, Reals, WFrom>& from,
                     const ParityField<To, Reals, WTo>& to) {
  if (!(map.from() == from.lattice()) || !(map.to() == to.lattice()))
    fail("convert_vectors: the map is for other lattices");
  if (from.parity() != to.parity() || from.count() != to.count())
    fail("convert_vectors: parities {} and {}, counts {} and {} differ", from.parity(), to.parity(), from.count(),
         to.count());
  site_map_detail::gather(map, to.parity(), to.parity(), site_map_detail::Numbers<From>::of(from),
                          site_map_detail::Numbers<To>::of(to));
}

namespace site_map_detail {
// Of all sites, with `reals` numbers each.
template <class To, class From>
void gather_all(const SiteMap& map, int reals, const From& from, const To& to) {
  if (!(map.from() == from.lattice()) || !(map.to() == to.lattice()))
    fail("conversion of a field: the map is for other lattices");
  gather(map, 0, 1, Numbers<typename From::scalar>{from.view().data(), nullptr, 1, reals, lane_group},
         Numbers<typename To::scalar>{to.view().data(), nullptr, 1, reals, lane_group});
}
}  // namespace site_map_detail

template <class To, int WTo, class From, int WFrom>
void convert_links(const SiteMap& map, const GaugeField<From, WFrom>& from, const GaugeField<To, WTo>& to) {
  site_map_detail::gather_all(map, 72, from, to);
  to.exchange();
}

template <class To, int WTo, class From, int WFrom>
void convert_momenta(const SiteMap& map, const AlgebraField<From, WFrom>& from, const AlgebraField<To, WTo>& to) {
  site_map_detail::gather_all(map, 32, from, to);
}

}  // namespace trellis
