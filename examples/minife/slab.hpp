// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A system on several ranks. Each has a slab, some planes of nodes z = const of the whole mesh, hence a range of rows.
// Its vectors and its matrix also have the plane below and the one above, where a neighbour has rows:
//   [ghost plane] [own planes] [ghost plane]     in the order of the whole mesh
// so that columns ascend as on one rank, and every plane is contiguous. A product fills the ghost planes of x: it sends
// the outermost own planes, multiplies the rows within while messages are on their way, and then those of the outermost
// planes. All entries of matrix and load, and all products, have the bits of one rank; scalar products are sums of the
// ranks' own (added exactly), so solutions agree to rounding.
// Rows of ghost planes are incomplete and unused. Messages: two planes each way per product, through host memory.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "examples/minife/conjugate_gradient.hpp"
#include "examples/minife/mesh.hpp"
#include "trellis/comm/communicator.hpp"
#include "trellis/comm/messages.hpp"
#include "trellis/core/subview.hpp"

namespace examples::minife {

struct Slab {
  Mesh mesh;  // of this rank, with ghost planes
  Rows own;   // rows among those of mesh
  bool has_below = false, has_above = false;
  trellis::comm::Communicator ranks;
};

// As equal parts as possible. Throws InputError if there are more ranks than planes.
inline Slab make_slab(const Mesh& whole, const trellis::comm::Communicator& ranks) {
  const Index planes = whole.nz + 1, count = ranks.size(), rank = ranks.rank();
  if (count > planes) trellis::fail_input("{} ranks for {} planes of nodes; each needs one", count, planes);
  const Index first = rank * planes / count, end = (rank + 1) * planes / count;
  Slab slab{.mesh = whole, .own = {}, .has_below = rank > 0, .has_above = rank + 1 < count, .ranks = ranks};
  const Index low = slab.has_below ? first - 1 : first, high = slab.has_above ? end : end - 1;
  slab.mesh.below = low;
  slab.mesh.whole_nz = whole.nz;
  slab.mesh.nz = high - low;
  slab.own = {(first - low) * whole.plane(), (end - low) * whole.plane()};
  return slab;
}

// The exchange of ghost planes.
class Planes {
 public:
  explicit Planes(const Slab& slab)
      : plane_(slab.mesh.plane()),
        own_(slab.own),
        sides_{slab.has_below, slab.has_above},
        out_("planes sent", 2, plane_),
        in_("planes received", 2, plane_),
        messages_(slab.ranks, "planes", parts(slab)) {}

  void begin(const ConstVector& x) {
    messages_.expect();
    int part = 0;
    for (int side = 0; side < 2; ++side) {
      if (!sides_[side]) continue;
      const Index from = side == 0 ? own_.first : own_.end - plane_;
      copy(trellis::subview(x, trellis::Range{from, from + plane_}), trellis::subview(out_, side, trellis::ALL));
      messages_.send(part++);
    }
  }
  void finish(const Vector& x) {
    while (messages_.next() >= 0) {
    }
    for (int side = 0; side < 2; ++side) {
      if (!sides_[side]) continue;
      const Index to = side == 0 ? own_.first - plane_ : own_.end;
      copy(trellis::subview(in_, side, trellis::ALL), trellis::subview(x, trellis::Range{to, to + plane_}));
    }
    messages_.finish();
  }

 private:
  template <class From, class To>
  static void copy(const From& from, const To& to) {
    trellis::deep_copy(to, from);
  }
  std::vector<trellis::comm::Messages::Part> parts(const Slab& slab) const {
    std::vector<trellis::comm::Messages::Part> all;
    for (int side = 0; side < 2; ++side) {
      if (!sides_[side]) continue;
      const int peer = slab.ranks.rank() + (side == 0 ? -1 : 1);
      const auto bytes = [&](const auto& planes) {
        return std::as_writable_bytes(std::span(&planes(side, 0), std::size_t(plane_)));
      };
      all.push_back({peer, side, bytes(out_), peer, 1 - side, bytes(in_)});
    }
    return all;
  }

  Index plane_;
  Rows own_;
  bool sides_[2];
  trellis::HostView<double**> out_, in_;
  trellis::comm::Messages messages_;
};

// The matrix of this rank's part of the mesh, as a solver needs it (conjugate_gradient.hpp).
template <class Matrix>
struct SlabMatrix {
  Matrix local;
  Slab slab;
  std::shared_ptr<Planes> planes;  // null: no exchange, the ghost planes are left alone

  SlabMatrix(Matrix matrix, const Slab& its_slab, bool exchanges = true)
      : local(std::move(matrix)),
        slab(its_slab),
        planes(exchanges && its_slab.ranks.size() > 1 ? std::make_shared<Planes>(its_slab) : nullptr) {}
  Index rows() const { return slab.own.count(); }
  double bytes() const { return local.bytes() * double(rows()) / double(local.rows()); }
};

template <class Matrix>
Rows own_rows(const SlabMatrix<Matrix>& a) {
  return a.slab.own;
}

// The sum over ranks of what each has found, with the same bits on all.
inline double sum_over_ranks(const trellis::comm::Communicator& ranks, double local) {
  if (ranks.size() == 1) return local;
  trellis::ExactSum sum;
  sum.add(local);
  ranks.add("scalar product", {&sum, 1});
  return sum.value();
}

template <class Matrix>
double dot(const SlabMatrix<Matrix>& a, const ConstVector& x, const ConstVector& y) {
  const double local = dot(a.slab.own, x, y);
  return a.planes ? sum_over_ranks(a.slab.ranks, local) : local;
}

template <class Matrix>
void multiply(const SlabMatrix<Matrix>& a, const Vector& x, const Vector& y) {
  const Rows own = a.slab.own;
  if (!a.planes) return multiply(a.local, own, x, y);
  const Index plane = a.slab.mesh.plane();
  const Rows within{own.first + (a.slab.has_below ? plane : 0), own.end - (a.slab.has_above ? plane : 0)};
  a.planes->begin(x);
  if (within.count() > 0) multiply(a.local, within, x, y);
  a.planes->finish(x);
  // A single plane between two neighbours is both the lowest and the highest.
  if (within.first > own.first) multiply(a.local, {own.first, own.first + plane}, x, y);
  if (within.end < own.end && within.end >= own.first + (a.slab.has_below ? plane : 0))
    multiply(a.local, {within.end, own.end}, x, y);
}

}  // namespace examples::minife
