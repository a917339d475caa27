// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that the steps of a trajectory consist of, with what each says that it moves and does. In double
// precision but for solvers.

#include "trellis/bench/kernel_work.hpp"
#include "trellis/bench/solver_work.hpp"

namespace trellis::bench {

class TrajectoryKernels {
 public:
  // levels, rho: of stout smearing.
  TrajectoryKernels(int levels, double rho, bool single_links)
      : levels_(levels), rho_(rho), single_links_(single_links) {}

  const std::vector<KernelWork>& kernels() const { return list_.kernels(); }

  // Links and momenta.
  void copy_links();
  void copy_momenta();
  void make_unitary();
  void draw_momenta();
  void update_links();
  void displace_links();
  void zero_momenta();
  void kinetic_energy();
  void force_norm();
  void loops_force(bool rectangles);
  void loops_energy(bool rectangles);
  void loops();  // the averages in every row of the table
  void heatbath(bool rectangles, int overrelaxation_steps);

  // Links as quarks see them.
  void look_at_links();  // fingerprint
  void smear();
  void pack();
  void zero_derivative();
  void way_back();

  // Pseudofermions.
  void largest_eigenvalue();
  void draw_pseudofermion();
  void operator_on_one();
  void sum_of_poles(int poles);
  void solve(const SolveWork& solve);
  void staggered_force(int poles);
  void pseudofermion_energy();

 private:
  // A call of a kernel in double precision.
  void once(const char* name, double bytes, double flops, const HaloWork& halo = {}, double sums = 0);
  // Vectors of one parity that a kernel moves, and flops for each of their numbers.
  void vectors(const char* name, bool single, double calls, double moved, double flops, double sums = 0,
               double working_set = 0);
  void hops(const char* name, bool single, double calls, double count, double moved, double flops, double sums,
            double working_set);
  void iterations(const SolveWork& solve, bool single, double count);
  int exponent_terms() const;

  int levels_;
  double rho_;
  bool single_links_;
  WorkList list_;
};

}  // namespace trellis::bench
