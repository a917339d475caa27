// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/staggered_matrix.hpp"

namespace trellis::reference {

DenseVector to_dense(const ColourField& psi) {
  DenseVector v;
  for (const ColourVector& colours : psi) v.insert(v.end(), colours.begin(), colours.end());
  return v;
}

std::vector<int> even_sites(const Site& size) {
  const GaugeConfiguration lattice(size);
  std::vector<int> sites;
  for (int n = 0; n < lattice.volume(); ++n)
    if (epsilon(lattice.site(n)) > 0.0) sites.push_back(n);
  return sites;
}

DenseVector even_part(const Site& size, const ColourField& psi) {
  DenseVector v;
  for (const int n : even_sites(size)) v.insert(v.end(), psi.at(n).begin(), psi.at(n).end());
  return v;
}

ColourField from_even(const Site& size, const DenseVector& values) {
  ColourField psi = constant_field(size, 0.0);
  int k = 0;
  for (const int n : even_sites(size))
    for (Complex& z : psi[n]) z = values.at(k++);
  return psi;
}

DenseMatrix hop_matrix(const GaugeConfiguration& u, const LinkPhases& theta, const HopWeights& weights) {
  DenseMatrix matrix(3 * u.volume());
  for (int column = 0; column < matrix.n; ++column) {
    const ColourField unit = point_field(u.size, u.site(column / 3), column % 3);
    const DenseVector v = to_dense(apply_hops(u, theta, weights, unit));
    for (int row = 0; row < matrix.n; ++row) matrix(row, column) = v[row];
  }
  return matrix;
}

DenseMatrix staggered_matrix(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  return mass * dense_identity(3 * u.volume()) + hop_matrix(u, theta, weights_of_d(u.size));
}

DenseMatrix even_matrix_of(const Site& size, const std::function<ColourField(const ColourField&)>& apply_d,
                           double mass) {
  const GaugeConfiguration shape(size);
  const std::vector<int> sites = even_sites(size);
  DenseMatrix matrix(3 * static_cast<int>(sites.size()));
  for (int column = 0; column < matrix.n; ++column) {
    const ColourField unit = point_field(size, shape.site(sites[column / 3]), column % 3);
    const DenseVector v = even_part(size, Complex(mass * mass) * unit - apply_d(apply_d(unit)));
    for (int row = 0; row < matrix.n; ++row) matrix(row, column) = v[row];
  }
  return matrix;
}

DenseMatrix staggered_even_matrix(const GaugeConfiguration& u, const LinkPhases& theta, double mass) {
  return even_matrix_of(u.size, [&](const ColourField& psi) { return apply_d(u, theta, psi); }, mass);
}

}  // namespace trellis::reference
