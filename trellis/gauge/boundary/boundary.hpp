// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The boundaries of the gauge field in time, and the weights of loops near them. Links are stored on a lattice that is
// periodic in all directions; a boundary says which of them exist, and which are variables.
//   open: time slices 0 to L_t - 1. The links in time that leave the last slice do not exist and are stored as zeros,
//     so that every loop across the boundary is zero by itself. Loops within slice 0 or L_t - 1 have the weight c_G / 2
//     and all others 1 (M. Luescher and S. Schaefer, JHEP 07 (2011) 036, section 2).
//   schroedinger_functional: time slices 0 to T on a lattice of T + 1 or T + 2 slices, whichever is even.
//     Links in space on slices 0 and T are fixed to C_k = exp(i diag(phi) / L_k) and the same with phi'; each set of
//     three angles adds up to 0 (M. Luescher et al., Nucl. Phys. B 384 (1992) 168). Plaquettes in time that touch a
//     boundary have the weight c_G, there called c_t. Links beyond are stored as 1, and are in no loop of the action
//     with variables. Actions with rectangles have the rectangles between slices 0 and T, and at the boundaries either
//     orbifold: for each plaquette P in time that touches a boundary c1 / 2 (1 - Re tr P^2 / 3), half of what the
//       rectangle of P and its mirror image beyond the boundary would have (openQCD from version 1.4 on), or
//     weighted: rectangles that have two links on a boundary have c_G_rectangles c1 (S. Aoki, R. Frezzotti and P.
//       Weisz, Nucl. Phys. B 540 (1999) 501, choice B; openQCD 1.2).
//     With both the constant field between the boundary values is a solution, and there are no errors of order a at
//     tree level.
// With open boundaries 1 - 8 c1 and c1 weigh loops as with periodic ones. At tree level c_G = 1, c_G_rectangles = 3/2.
// Parallelograms have their weight with both, but c_G / 2 times it within slice 0 or L_t - 1 of open boundaries. In a
// Schroedinger functional the constant field is a solution with them too.

#include <array>
#include <string>

#include "trellis/comm/coordinate.hpp"
#include "trellis/gauge/loop_weights.hpp"

namespace trellis::gauge {

enum class BoundaryKind { periodic, open, schroedinger_functional };
enum class BoundaryRectangles { orbifold, weighted };

struct Boundary {
  BoundaryKind kind = BoundaryKind::periodic;
  double c_g = 1;
  int extent = 0;                                                // schroedinger_functional: T
  std::array<double, 3> phi{}, phi_prime{};                      // the same: angles at 0 and at T
  BoundaryRectangles rectangles = BoundaryRectangles::orbifold;  // the same
  double c_g_rectangles = 1.5;                                   // weighted
  // Of the action, for its derivative by eta, which is not known with parallelograms; everything else is given the
  // weights of loops.
  double c1 = 0;
  bool has_parallelograms = false;
  bool operator==(const Boundary&) const = default;
  bool is_periodic() const { return kind == BoundaryKind::periodic; }
  // Whether an action with this weight of rectangles has squares of plaquettes: it is then not linear in each link.
  bool has_squares(double rectangle) const {
    return kind == BoundaryKind::schroedinger_functional && rectangles == BoundaryRectangles::orbifold &&
           rectangle != 0;
  }
  // The last slice that exists, on a lattice with so many of them.
  int last_slice(int times) const { return kind == BoundaryKind::schroedinger_functional ? extent : times - 1; }
  int last_slice(const Coordinate& size) const { return last_slice(size[3]); }
};

// "periodic", "open" or "Schroedinger functional of extent 8".
std::string name_of(const Boundary& boundary);

// Throws InputError unless c_G and c_G_rectangles are positive and finite, and, for a Schroedinger functional, T is at
// least 2 and fits the lattice and the angles are finite and add up to 0.
void require_valid(const Boundary& boundary, const Coordinate& size);

}  // namespace trellis::gauge
