// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions as weights of small loops, W (1 - Re tr / 3) summed over all loops:
//   S = plaquette sum_P + rectangle sum_R + parallelogram sum_L,
// 6 V plaquettes, 12 V rectangles of 1 x 2, 16 V parallelograms: the loops a b c -a -b -c of three different
// directions, also called twisted or cube loops.

namespace trellis::gauge {

struct LoopWeights {
  double plaquette = 0;
  double rectangle = 0;
  double parallelogram = 0;
  bool operator==(const LoopWeights&) const = default;
};

// The one-loop Symanzik action with tadpole improvement (M. Luescher and P. Weisz, Phys. Lett. B 158 (1985) 250;
// M. Alford et al., hep-lat/9507010), including loops of N_f flavours of HISQ quarks (A. Hart, G. M. von Hippel and
// R. R. Horgan, Phys. Rev. D 79 (2009) 074008):
//   plaquette = beta,   rectangle = -beta / (20 u0^2) [1 - (0.6264 - 1.1746 N_f) ln u0],
//   parallelogram = beta / u0^2 (0.0433 - 0.0156 N_f) ln u0,
// where beta = 10 / g^2, and u0 is the fourth root of the average plaquette. In terms of alpha_s = -4 ln(u0) / 3.0684
// and without quarks these are -beta / (20 u0^2) (1 + 0.4805 alpha_s) and -beta / u0^2 0.03325 alpha_s. With u0 = 1
// this is the tree level, whose beta in action.hpp is 3/5 of this one. Throws InputError unless u0 is in (0, 1], N_f at
// least 0 and beta finite and not negative.
LoopWeights one_loop_symanzik(double beta, double u0, int flavours);

}  // namespace trellis::gauge
