// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Links of highly improved staggered quarks (E. Follana et al., Phys. Rev. D 75 (2007) 054502) and their force:
// smearing "hisq". From thin links U, with the coefficients of coefficients.hpp,
//   V = Fat7 of U,   W = V (V^dagger V)^(-1/2),   X, L = fat and long links of W.
// W is in U(3): it is not brought to SU(3). long_links() has L and W. The force goes back through all three steps, and
// is exact unless a filter is asked for: with a cut_off above 0 it is limited where V^dagger V has an eigenvalue below
// (A. Bazavov et al., arXiv:1004.0342, use 5e-5). It is then not the derivative of an energy, which the Metropolis test
// makes up for.
//
// Cost per site: twice that of path_smearing.hpp, plus 4 projections of 1,900 flops and 4 derivatives of 750. Memory
// per site: 432 numbers of links and gradients, and the work space of path_smearing.hpp.

#include <memory>

#include "trellis/gauge/smearing/smearing.hpp"

namespace trellis::gauge {

template <class T, int W>
class HisqLinks final : public SmearedLinks<T, W> {
 public:
  struct Work;

  // InputError for a force filter below 0 or above 1. is_open: links that do not exist with open boundaries in time are
  // zero, and stay so.
  explicit HisqLinks(const Lattice& lattice, double force_filter = 0, bool is_open = false);

  // X. Error where V cannot be projected (unitary_projection.hpp); it names site and direction.
  const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const override;
  void forget() const override;
  bool in_su3() const override { return false; }
  const LongLinks<T, W>* long_links() const override;
  // Throws if smear() was not called before. Ghosts of the derivatives are filled.
  void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const override {
    add_force(derivative, nullptr, step, p);
  }
  void add_force_with_long(const GaugeField<T, W>& derivative, const LongLinks<T, W>& by_long, double step,
                           const AlgebraField<T, W>& p) const override {
    add_force(derivative, &by_long, step, p);
  }
  // How often the filter has limited the derivative of a link, in all forces so far. Also a warning in the log, the
  // first time and whenever their number has doubled.
  double filtered() const;

 private:
  void add_force(const GaugeField<T, W>& derivative, const LongLinks<T, W>* by_long, double step,
                 const AlgebraField<T, W>& p) const;
  double force_filter_;
  bool is_open_;
  std::shared_ptr<Work> work_;
};

// filtered() of all HISQ links of this process together, in both precisions.
double filtered_hisq_links();

}  // namespace trellis::gauge
