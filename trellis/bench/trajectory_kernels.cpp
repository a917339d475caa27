// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/trajectory_kernels.hpp"

#include "trellis/bench/trajectory_bytes.hpp"

#include "trellis/gauge/rectangle_force.hpp"
#include "trellis/su3/exponential_derivative.hpp"

namespace trellis::bench {

namespace {

double vector_bytes(bool single) { return 6 * (single ? 4 : 8) / 2.0; }           // one of a parity
double link_bytes(bool single) { return packed_field / 2 * (single ? 0.5 : 1); }  // of a parity

// What comes again in each iteration: links of both parities, r, p, A p and what is between two hops; residuals and
// poles are met once in a few.
double iteration_set(bool single) { return 2 * link_bytes(single) + 5 * vector_bytes(single); }

constexpr double plaquette_flops = 6 * (2 * product_flops + 35), rectangle_flops = 12 * (4 * product_flops + 35);

// What it takes to read the derivative of the last level, and that of a level below (gauge/stout.cpp).
struct Reading {
  double bytes, flops;
};
constexpr Reading from_links{2 * link_field, 4 * product_flops}, from_shares{momentum_field + share_field, 4 * 24};

HaloWork of_links(Reach reach) { return {.bytes = link_field, .reach = reach}; }

}  // namespace

void TrajectoryKernels::once(const char* name, double bytes, double flops, const HaloWork& halo, double sums) {
  list_.add({name, false, 1, bytes, flops, halo, sums});
}

// As gauge/stout.cpp.
int TrajectoryKernels::exponent_terms() const { return exponential_terms<double>(6 * 1.174 * rho_); }

void TrajectoryKernels::copy_links() { once("trellis::deep_copy", 2 * link_field, 0); }
void TrajectoryKernels::copy_momenta() { once("trellis::deep_copy", 2 * momentum_field, 0); }

void TrajectoryKernels::make_unitary() { once("reunitarise", 2 * link_field, 0, of_links(Reach::corners)); }

void TrajectoryKernels::draw_momenta() { once("draw momenta", momentum_field, 0); }

void TrajectoryKernels::update_links() {
  once("update links", momentum_field + 2 * link_field, 4 * (700 + product_flops), of_links(Reach::corners));
}

void TrajectoryKernels::displace_links() {
  once("displace links", momentum_field + 2 * link_field, 4 * (700 + product_flops), of_links(Reach::corners));
}

void TrajectoryKernels::zero_momenta() { once("zero momenta", momentum_field, 0); }

void TrajectoryKernels::kinetic_energy() { once("kinetic energy difference", 2 * momentum_field, 4 * 33, {}, 1); }

void TrajectoryKernels::force_norm() {
  copy_momenta();
  once("momentum norm", 2 * momentum_field, 96, {}, 1);
  once("largest number", 8, 0, {}, 1);
}

void TrajectoryKernels::loops_force(bool rectangles) {
  if (!rectangles) return once("gauge force", link_field + 2 * momentum_field, 46 * product_flops);
  once("plaquettes", link_field + plaquette_field, 18 * product_flops, {.bytes = plaquette_field});
  once("gauge force with rectangles", link_field + 2 * momentum_field + share_field + plaquette_field,
       6 * (14 * product_flops + 2 * 288), {.bytes = share_field, .one_way = true});
  once("add waiting forces", share_field + 2 * momentum_field, 96);
}

void TrajectoryKernels::loops_energy(bool rectangles) {
  once("gauge action difference", 2 * link_field, 2 * (plaquette_flops + (rectangles ? rectangle_flops : 0)),
       {.bytes = rectangles ? link_field : 0, .exchanges = 2, .reach = Reach::two_steps}, 1);
}

void TrajectoryKernels::loops() {
  once("plaquette", link_field, plaquette_flops, {}, 1);
  once("rectangle", link_field, rectangle_flops, of_links(Reach::two_steps), 1);
  once("Polyakov loop", link_field / 4, product_flops, {}, 1);
}

// A sweep goes over the links of a direction and colour after the others; each part changes links that others read.
void TrajectoryKernels::heatbath(bool rectangles, int overrelaxation_steps) {
  const double colours = rectangles ? 8 : 2, parts = 4 * colours;
  const double flops = 4 * (rectangles ? 66 : 12) * product_flops;
  const HaloWork halo{
      .bytes = link_field / 4, .exchanges = parts, .reach = rectangles ? Reach::two_steps : Reach::corners};
  for (const auto& [name, calls] : {std::pair{"heatbath", 1}, std::pair{"overrelaxation", overrelaxation_steps}})
    list_.add({name, false, double(calls), 2 * link_field, flops, halo, 0, parts});
}

void TrajectoryKernels::look_at_links() { once("fingerprint", link_field, 0, {}, 1); }

void TrajectoryKernels::smear() {
  for (int level = 0; level < levels_; ++level) {
    once("stout start", momentum_field, 0);
    loops_force(false);
    once("stout links", momentum_field + 2 * link_field, 4 * (exponential_flops(exponent_terms()) + product_flops),
         {.bytes = link_field, .reach = Reach::corners});
  }
}

void TrajectoryKernels::pack() {
  once("pack links", link_field + packed_field, 0);
  if (!single_links_) return;
  once("convert fields", 1.5 * link_field + 4, 0, {.bytes = link_field / 2, .reach = Reach::two_steps});
  once("pack links", (link_field + packed_field) / 2, 0);
}

void TrajectoryKernels::zero_derivative() { once("zero links", link_field, 0); }

void TrajectoryKernels::way_back() {
  const double flops = 4 * exponential_transpose_flops(exponent_terms());
  Reading from = from_links;
  for (int level = levels_ - 1; level >= 0; --level) {
    once("stout exponentials", from.bytes + 3 * momentum_field, from.flops + flops,
         {.bytes = momentum_field, .one_way = true});
    once("stout force", link_field + 3 * momentum_field + share_field, 6 * 2200,
         {.bytes = share_field, .one_way = true});
    from = from_shares;
  }
  once("add force of stout links", from.bytes + 2 * momentum_field, from.flops + 64);
}

void TrajectoryKernels::vectors(const char* name, bool single, double calls, double moved, double flops, double sums,
                                double working_set) {
  list_.add({name, single, calls, moved * vector_bytes(single), 3 * flops, {}, sums, 1, working_set});
}

void TrajectoryKernels::hops(const char* name, bool single, double calls, double count, double moved, double flops,
                             double sums, double working_set) {
  const HaloWork halo{.bytes = 2 * count * vector_bytes(single), .of_parity = true, .overlapped = true};
  list_.add({name, single, calls, link_bytes(single) + moved * count * vector_bytes(single), count * flops / 2, halo,
             sums, 1, working_set});
}

// Lanczos' iteration ends once the eigenvalue is known to a part in a thousand, after some fifty steps.
void TrajectoryKernels::largest_eigenvalue() {
  constexpr int steps = 48;
  const double set = iteration_set(false);
  vectors("normal vector", false, 1, 1, 0);
  vectors("norms", false, 1, 1, 2, 1);
  hops("staggered hops", false, steps, 1, 2, 570, 0, set);
  hops("staggered operator", false, steps, 1, 3, 594, 1, set);
  vectors("Lanczos residual", false, steps, 4, 6, 1, set);
  vectors("scale", false, steps, 2, 1, 0, set);
}

void TrajectoryKernels::draw_pseudofermion() { vectors("draw pseudofermions", false, 1, 1, 0); }

void TrajectoryKernels::operator_on_one() {
  hops("staggered hops", false, 1, 1, 2, 570, 0, iteration_set(false));
  hops("staggered operator", false, 1, 1, 3, 594, 1, iteration_set(false));
}

void TrajectoryKernels::sum_of_poles(int poles) {
  once("sum of poles", (2 + poles) * vector_bytes(false), (1 + 2.0 * poles) * 3);
}

void TrajectoryKernels::iterations(const SolveWork& solve, bool single, double count) {
  const double live = solve.live(), set = iteration_set(single);
  hops("staggered hops", single, count, 1, 2, 570, 0, set);
  hops("staggered operator", single, count, 1, 3, 594, 1, set);
  vectors("shifted residual", single, count, 3, 4, 1, set);
  vectors("next direction", single, count, 3, 2, 0, set);
  vectors("multi-shift update", single, count / deferred_directions, 4 * live + deferred_directions,
          5 * live * deferred_directions);
}

// As multi_shift_cg() and mixed_multi_shift_cg() do: what precedes the iterations, these, and the true residuals.
void TrajectoryKernels::solve(const SolveWork& solve) {
  const int n = solve.shifts();
  const double calls = solve.calls;
  const bool single = solve.precision != hmc::Precision::double_;
  constexpr double rounding_of_single = 1e-6;
  vectors("norms", single, calls, 1, 2, 1);
  vectors("trellis::allocate", single, calls, n + deferred_directions + 2, 0);
  vectors("trellis::deep_copy", single, calls, 4, 0);
  vectors("broadcast", single, calls, 1 + n, 0);
  vectors("zero vectors", single, calls, n, 0);
  if (single) {
    vectors("convert fields", false, calls, 1.5 * (1 + n), 0);
    vectors("trellis::allocate", single, calls, 1 + n, 0);
  }
  const bool mixed = solve.precision == hmc::Precision::mixed;
  const double goal = mixed ? std::max(solve.residual, rounding_of_single) : solve.residual;
  const double part = solve.bound(0, goal) / solve.bound(0, solve.residual);
  iterations(solve, single, calls * solve.iterations * part);
  hops("staggered hops", single && !mixed, calls, n, 2, 570, 0, 0);
  hops("staggered operator", single && !mixed, calls, n, 3, 594, 1, 0);
  vectors("residuals", single && !mixed, calls, 1 + 2 * n, 5.0 * n, 1);
  if (!mixed || part >= 1) return;
  // Poles go on one by one, side by side, in single precision, until they are done.
  const double rest = calls * solve.iterations * (1 - part), live = solve.live();
  hops("staggered hops", true, rest, live, 2, 570, 0, 0);
  hops("staggered operator", true, rest, live, 3, 594, 1, 0);
  vectors("add shift", true, rest, 3 * live, 2 * live);
  vectors("update residual", true, rest, 3 * live, 4 * live, 1);
  vectors("update solution", true, rest, 5 * live, 4 * live);
}

void TrajectoryKernels::staggered_force(int poles) {
  hops("staggered hops", false, 1, poles, 2, 570, 0, 0);
  once("staggered force", 2 * poles * vector_bytes(false) + 2 * link_field, 4 * 72.0 * poles,
       {.bytes = 2 * poles * vector_bytes(false), .one_way = true});
}

void TrajectoryKernels::pseudofermion_energy() { once("pseudofermion energy", 3 * vector_bytes(false), 12.5, {}, 1); }

}  // namespace trellis::bench
