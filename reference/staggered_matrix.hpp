// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The staggered operator as a dense matrix: its columns are the operator applied to unit vectors.
//
// On all sites the index is 3 site + colour. On even sites it is 3 k + colour for the k-th even site in the order of
// site indices. On even sites m^2 - D_eo D_oe = m^2 + D_oe^+ D_oe is Hermitian and at least m^2; its determinant is det
// M, and the trace of its inverse is tr M^-1 / (2 m), with M on all sites.

#include <functional>
#include <vector>

#include "reference/dense.hpp"
#include "reference/staggered.hpp"

namespace trellis::reference {

DenseVector to_dense(const ColourField& psi);

std::vector<int> even_sites(const Site& size);                       // site indices, ascending
DenseVector even_part(const Site& size, const ColourField& psi);     // psi on even sites
ColourField from_even(const Site& size, const DenseVector& values);  // zero on odd sites

DenseMatrix hop_matrix(const GaugeConfiguration& u, const LinkPhases& theta, const HopWeights& weights);
DenseMatrix staggered_matrix(const GaugeConfiguration& u, const LinkPhases& theta, double mass);  // M
DenseMatrix staggered_even_matrix(const GaugeConfiguration& u, const LinkPhases& theta,
                                  double mass);  // m^2 - D_eo D_oe
// The same for any D.
DenseMatrix even_matrix_of(const Site& size, const std::function<ColourField(const ColourField&)>& apply_d,
                           double mass);

}  // namespace trellis::reference
