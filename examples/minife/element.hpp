// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The trilinear hexahedron: shape functions on the reference cube [-1, 1]^3,
//   N_a(xi) = (1 + s_a xi) (1 + t_a eta) (1 + u_a zeta) / 8,   (s, t, u)_a = -1 or +1 by the bits of a,
// their gradients in space by the Jacobian J = sum_a x_a (dN_a / dxi)^T, grad N_a = J^-T dN_a / dxi, and the element's
// share of the weak form of -div grad u = f,
//   K_ab = int grad N_a . grad N_b dV,   b_a = int f N_a dV,
// by the Gauss rule of 2 x 2 x 2 points +-1/sqrt(3), all of weight 1, times det J (Zienkiewicz and Taylor, "The Finite
// Element Method", vol. 1, isoparametric elements).
// Cost: 8 points of about 500 flops for J, its inverse and the gradients, 64 x 7 for K, and the source.

#include <numbers>

#include "trellis/core/config.hpp"

namespace examples::minife {

struct Shape {
  double value[8];
  double gradient[3][8];  // in space
  double point[3];        // in space
  double volume;          // det J: positive unless the element is folded
};

TRELLIS_INLINE double gauss_point(int bit) { return (bit != 0 ? 1 : -1) * std::numbers::inv_sqrt3; }

// At quadrature point q, whose bits give the signs of its coordinates.
TRELLIS_INLINE Shape shape_at(const double (&corner)[8][3], int q) {
  const double xi[3] = {gauss_point(q & 1), gauss_point(q >> 1 & 1), gauss_point(q >> 2)};
  double slope[3][8];  // dN_a / dxi
  Shape shape;
  for (int a = 0; a < 8; ++a) {
    const double sign[3] = {a & 1 ? 1.0 : -1.0, a & 2 ? 1.0 : -1.0, a & 4 ? 1.0 : -1.0};
    const double factor[3] = {1 + sign[0] * xi[0], 1 + sign[1] * xi[1], 1 + sign[2] * xi[2]};
    shape.value[a] = factor[0] * factor[1] * factor[2] / 8;
    for (int d = 0; d < 3; ++d) slope[d][a] = sign[d] * factor[(d + 1) % 3] * factor[(d + 2) % 3] / 8;
  }

  double jacobian[3][3] = {};  // dx_d / dxi_e
  for (int d = 0; d < 3; ++d) shape.point[d] = 0;
  for (int a = 0; a < 8; ++a) {
    for (int d = 0; d < 3; ++d) {
      shape.point[d] += corner[a][d] * shape.value[a];
      for (int e = 0; e < 3; ++e) jacobian[d][e] += corner[a][d] * slope[e][a];
    }
  }
  double cofactor[3][3];
  for (int d = 0; d < 3; ++d) {
    for (int e = 0; e < 3; ++e) {
      cofactor[d][e] = jacobian[(d + 1) % 3][(e + 1) % 3] * jacobian[(d + 2) % 3][(e + 2) % 3] -
                       jacobian[(d + 1) % 3][(e + 2) % 3] * jacobian[(d + 2) % 3][(e + 1) % 3];
    }
  }
  shape.volume = jacobian[0][0] * cofactor[0][0] + jacobian[0][1] * cofactor[0][1] + jacobian[0][2] * cofactor[0][2];
  const double inverse = 1 / shape.volume;
  for (int d = 0; d < 3; ++d) {
    for (int a = 0; a < 8; ++a) {
      shape.gradient[d][a] =
          (cofactor[d][0] * slope[0][a] + cofactor[d][1] * slope[1][a] + cofactor[d][2] * slope[2][a]) * inverse;
    }
  }
  return shape;
}

struct ElementSystem {
  double stiffness[8][8];
  double load[8];
};

// `source` is f(x, y, z).
template <class Source>
TRELLIS_INLINE ElementSystem element_system(const double (&corner)[8][3], const Source& source) {
  ElementSystem system{};
  for (int q = 0; q < 8; ++q) {
    const Shape shape = shape_at(corner, q);
    const double heat = source(shape.point[0], shape.point[1], shape.point[2]) * shape.volume;
    for (int a = 0; a < 8; ++a) {
      system.load[a] += heat * shape.value[a];
      for (int b = 0; b < 8; ++b) {
        system.stiffness[a][b] +=
            shape.volume * (shape.gradient[0][a] * shape.gradient[0][b] + shape.gradient[1][a] * shape.gradient[1][b] +
                            shape.gradient[2][a] * shape.gradient[2][b]);
      }
    }
  }
  return system;
}

}  // namespace examples::minife
