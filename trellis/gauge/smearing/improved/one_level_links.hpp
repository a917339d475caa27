// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Improved staggered links of one level, made of thin ones (coefficients.hpp, path_smearing.hpp), and their force:
// Asqtad, Naik's and Fat7 links, as smearings "asqtad", "naik" and "fat7". Long links are those of Asqtad and Naik.
// Smeared links are not unitary. Cost: that of path_smearing.hpp. Memory per site: 72 numbers for fat links, for long
// links and for the gradient each, and the work space of path_smearing.hpp.

#include <memory>

#include "trellis/gauge/smearing/improved/coefficients.hpp"
#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {

template <class T, int W>
class OneLevelLinks final : public SmearedLinks<T, W> {
 public:
  struct Work;

  // is_open: links that do not exist with open boundaries in time are zero, and stay so.
  OneLevelLinks(const ImprovedCoefficients& coefficients, const Lattice& lattice, bool is_open = false);

  const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const override;
  void forget() const override;
  bool in_su3() const override { return false; }
  const LongLinks<T, W>* long_links() const override;
  // Throws if smear() was not called before. Ghosts of the derivatives are filled.
  void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const override {
    add_force(derivative, nullptr, step, p);
  }
  // Throws also if there are no long links.
  void add_force_with_long(const GaugeField<T, W>& derivative, const LongLinks<T, W>& by_long, double step,
                           const AlgebraField<T, W>& p) const override {
    add_force(derivative, &by_long, step, p);
  }

 private:
  void add_force(const GaugeField<T, W>& derivative, const LongLinks<T, W>* by_long, double step,
                 const AlgebraField<T, W>& p) const;
  ImprovedCoefficients coefficients_;
  bool is_open_;
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge
