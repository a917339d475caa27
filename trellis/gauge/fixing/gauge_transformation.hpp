// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A gauge transformation: an SU(3) matrix g(x) on every site, U_mu(x) -> g(x) U_mu(x) g(x + mu)^dagger. A new one is 1
// everywhere. Ghosts beyond the faces are valid after exchange(). Copies share memory.
// Its lattice must be in even/odd order (Error otherwise).

#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

template <class T, int W>
struct TransformationAccess : Access<T, 18, W> {
  using S = lanes_t<T, W>;
  Neighbours neighbours;

  TRELLIS_INLINE Matrix<S> at(int tile) const {
    Matrix<S> g;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) g.e[i][j] = this->load_complex(tile, 3 * i + j);
    return g;
  }
  // As for links: the matrix of tile n is where a field of links, four to a tile, has number n.
  TRELLIS_INLINE Matrix<S> at(Hop hop) const {
    return GaugeAccess<T, W>{{this->data}, neighbours}.link(Hop{hop.tile >> 2, hop.shift}, hop.tile & 3);
  }
  TRELLIS_INLINE void set(int tile, const Matrix<S>& g) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) this->store_complex(tile, 3 * i + j, g.e[i][j]);
  }
};

template <class T, int W>
class GaugeTransformation {
 public:
  using view_type = FieldView<T* [3][3][2], FieldLayout<W>>;

  explicit GaugeTransformation(const Lattice& lattice);

  const Lattice& lattice() const { return *lattice_; }
  // The fraction of its memory that is not ghosts.
  double own_part() const { return double(lattice_->local_volume()) / double(lattice_->places()); }
  const view_type& view() const { return view_; }
  TransformationAccess<T, W> access() const { return {{view_.data()}, lattice_->neighbours()}; }
  // The matrices of a parity, for messages (lattice/halo/halo.hpp).
  HaloPart halo_part(int parity) const;
  void exchange() const;

 private:
  std::shared_ptr<const Lattice> lattice_;
  view_type view_;
};

// Transforms the links in place; those that a boundary in time takes from the variables keep their bits. g must have
// been exchanged. Cost: 8 matrix products per site.
template <class T, int W>
void transform_links(const GaugeTransformation<T, W>& g, const GaugeField<T, W>& u, const Boundary& boundary = {});

}  // namespace trellis::gauge
