// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Timings of the gauge kernels on a random configuration. For each kernel the flops it executes by the usual count (198
// per product of colour matrices) and the minimal bytes it must move (each field read or written once).

#include <string>
#include <vector>

#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {

struct KernelFigure {
  std::string kernel;
  double flops_per_site = 0, bytes_per_site = 0;
  double seconds = 0;  // median of one call
};

// SU(3) multiply (w = u v for four links per site), plaquette, staple force of the Wilson action, forces with
// rectangles and of parallelograms, link update exp(i step H) U.
template <class T, int W>
std::vector<KernelFigure> gauge_kernels(const Coordinate& size, const tuning::TimingParameters& timing);

}  // namespace trellis::bench
