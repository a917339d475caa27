// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that `trellis bench scaling` runs on one rank or many, with their fields on a given lattice. Links are
// random. Flops and bytes are counted as in the other timings (wilson_setup.hpp, staggered.hpp, gauge.hpp).
//   wilson_hops         D_eo, links of 12 reals
//   staggered_hops      D_eo
//   staggered_operator  m^2 - D_eo D_oe, including the inner product that it returns
//   plaquette_force     of the Wilson action, including the ghosts of the links, which a molecular-dynamics step fills
//   symanzik_force      the same with rectangles
//   cg_iteration        one of 20 on the staggered operator, including its share of the solver's beginning and end

#include <array>
#include <functional>
#include <string_view>

#include <vector>

#include "trellis/bench/model/kernel_work.hpp"
#include "trellis/core/base/precision.hpp"

namespace trellis::bench {

enum class ScaledKernel {
  wilson_hops,
  staggered_hops,
  staggered_operator,
  plaquette_force,
  symanzik_force,
  cg_iteration
};

constexpr std::string_view name_of(ScaledKernel kernel) {
  constexpr std::array<std::string_view, 6> names{"Wilson hops",     "D_eo",           "operator",
                                                  "plaquette force", "Symanzik force", "CG iteration"};
  return names[std::size_t(kernel)];
}

struct ScalingKernel {
  std::function<void()> run;
  int applications = 1;         // per run
  double flops = 0, bytes = 0;  // per application, on this rank
  std::vector<HaloWork> halos;  // per application
  int sums = 0;                 // over all ranks, per application
};

// In double or single precision, with the lanes of the lattice; all ranks of the lattice must call it, and run it
// together.
ScalingKernel scaling_kernel(ScaledKernel what, Precision precision, const Lattice& lattice);

}  // namespace trellis::bench
