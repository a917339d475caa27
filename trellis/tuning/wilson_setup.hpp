// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is timed: the Wilson hopping term, D_eo, on random links and vectors. And MIX, a fair yardstick for it: the
// links that D_eo reads and its vectors, read once, in order, with the result written by streaming stores (in 16 bits
// by ordinary ones). That is the time in which the same threads move the same bytes without computing.

#include "trellis/dirac/wilson/wilson.hpp"

namespace trellis::tuning {

template <class T, int W>
class WilsonSetup {
 public:
  WilsonSetup(const Coordinate& size, const LatticeShape& shape, dirac::LinkFormat format, int vectors);

  const Lattice& lattice() const { return in_.lattice(); }
  const dirac::WilsonLinks<T, W>& links() const { return links_; }
  const SpinorField<T, W>& in() const { return in_; }
  const SpinorField<T, W>& out() const { return out_; }

  void hops(const dirac::HopSettings& settings) const {
    dirac::wilson_hops(links_, in_, out_, dirac::HopSign::plain, settings);
  }
  void mix() const;

  // Per application: the usual count, and each number read or written once.
  double flops() const;
  double bytes() const;

 private:
  dirac::WilsonLinks<T, W> links_;
  SpinorField<T, W> in_, out_;
};

}  // namespace trellis::tuning
