// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/gamma.hpp"

#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::reference {

SpinMatrix spin_identity() {
  SpinMatrix one{};
  for (int i = 0; i < 4; ++i) one(i, i) = 1.0;
  return one;
}

SpinMatrix operator+(const SpinMatrix& a, const SpinMatrix& b) {
  SpinMatrix c;
  for (int i = 0; i < 16; ++i) c[i] = a[i] + b[i];
  return c;
}

SpinMatrix operator-(const SpinMatrix& a, const SpinMatrix& b) { return a + Complex(-1.0) * b; }

SpinMatrix operator*(const SpinMatrix& a, const SpinMatrix& b) {
  SpinMatrix c{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

SpinMatrix operator*(Complex s, const SpinMatrix& a) {
  SpinMatrix c;
  for (int i = 0; i < 16; ++i) c[i] = s * a[i];
  return c;
}

SpinMatrix adjoint(const SpinMatrix& a) {
  SpinMatrix c;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c(i, j) = std::conj(a(j, i));
  return c;
}

SpinMatrix transpose(const SpinMatrix& a) {
  SpinMatrix c;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c(i, j) = a(j, i);
  return c;
}

Complex trace(const SpinMatrix& a) { return a(0, 0) + a(1, 1) + a(2, 2) + a(3, 3); }

double distance(const SpinMatrix& a, const SpinMatrix& b) {
  double sum = 0.0;
  for (int i = 0; i < 16; ++i) sum += std::norm(a[i] - b[i]);
  return std::sqrt(sum);
}

SpinMatrix gamma_matrix(int mu) {
  const Complex i(0.0, 1.0);
  switch (mu) {
    case 0:
      return {{0, 0, 0, i,   //
               0, 0, i, 0,   //
               0, -i, 0, 0,  //
               -i, 0, 0, 0}};
    case 1:
      return {{0, 0, 0, -1,  //
               0, 0, 1, 0,   //
               0, 1, 0, 0,   //
               -1, 0, 0, 0}};
    case 2:
      return {{0, 0, i, 0,   //
               0, 0, 0, -i,  //
               -i, 0, 0, 0,  //
               0, i, 0, 0}};
    case 3:
      return {{0, 0, 1, 0,  //
               0, 0, 0, 1,  //
               1, 0, 0, 0,  //
               0, 1, 0, 0}};
    default:
      fail("gamma_{}: there are four directions", mu);
  }
}

SpinMatrix gamma5() { return gamma_matrix(0) * gamma_matrix(1) * gamma_matrix(2) * gamma_matrix(3); }

SpinMatrix sigma(int mu, int nu) {
  return Complex(0.0, 0.5) * (gamma_matrix(mu) * gamma_matrix(nu) - gamma_matrix(nu) * gamma_matrix(mu));
}

SpinMatrix charge_conjugation() { return gamma_matrix(1) * gamma_matrix(3); }

std::vector<NamedSpinMatrix> sixteen_gammas() {
  const std::string axis[] = {"x", "y", "z", "t"};
  std::vector<NamedSpinMatrix> all = {{"1", spin_identity()}};
  for (int mu = 0; mu < 4; ++mu) all.push_back({"gamma_" + axis[mu], gamma_matrix(mu)});
  all.push_back({"gamma_5", gamma5()});
  for (int mu = 0; mu < 4; ++mu) all.push_back({"gamma_" + axis[mu] + " gamma_5", gamma_matrix(mu) * gamma5()});
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) all.push_back({"sigma_" + axis[mu] + axis[nu], sigma(mu, nu)});
  return all;
}

}  // namespace trellis::reference
