// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The baryons of correlators_of_quarks.hpp as sums of the contractions of baryon_kernel.hpp.

#include <array>
#include <string>
#include <vector>

#include "trellis/measure/baryon_kernel.hpp"

namespace trellis::measure {

// Adds the traces with these quarks' propagators, which are numbered 0 to 2, to those of a baryon.
struct BaryonTerm {
  int quarks[3];
  int spins;   // in the list
  int baryon;  // in the order of the names
  double direct, exchange;
};
struct BaryonTerms {
  std::vector<BaryonTerm> terms;
  std::vector<BaryonSpins> spins;
};

// names: proton, lambda, decuplet. Quarks of the same number have the same propagator: their terms are added up.
BaryonTerms baryon_terms(const std::array<int, 3>& quarks, const std::vector<std::string>& names);

}  // namespace trellis::measure
