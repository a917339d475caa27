// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/gauge.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::bench {

namespace {

template <class T, int W>
void multiply_links(const GaugeField<T, W>& u, const GaugeField<T, W>& v, const GaugeField<T, W>& w) {
  const auto a = u.access(), b = v.access(), c = w.access();
  for_each_tile(
      "multiply links", u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) c.set_link(tile, mu, a.link(tile, mu) * b.link(tile, mu));
      });
}

}  // namespace

template <class T, int W>
std::vector<KernelFigure> gauge_kernels(const Coordinate& size, const tuning::TimingParameters& timing) {
  const Lattice lattice(size, W);
  const GaugeField<T, W> u(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  const double links = 72 * sizeof(T), momenta = 32 * sizeof(T);
  std::vector<KernelFigure> figures;
  {
    const GaugeField<T, W> v = u.clone(), w = u.clone();
    figures.push_back({"su3 multiply", 4 * product_flops, 3 * links,
                       tuning::median_seconds(timing, [&] { multiply_links(u, v, w); })});
  }
  // Two products and a trace, 35 flops, per plane.
  figures.push_back(
      {"plaquette", 6 * (2 * product_flops + 35), links, tuning::median_seconds(timing, [&] { gauge::plaquette(u); })});
  const AlgebraField<T, W> p(lattice);
  gauge::draw_momenta({1, 0, gauge::momenta_purpose}, p);
  const double step = 1e-3;
  figures.push_back({"staple force", 46 * product_flops, links + 2 * momenta,
                     tuning::median_seconds(timing, [&] { gauge::add_force(gauge::Action{6, 0}, u, step, p); })});
  gauge::LoopForceWork<T, W> work;
  figures.push_back(
      {"rectangle force", gauge::RectangleForce<T, W>::site_flops, links + 2 * momenta,
       tuning::median_seconds(timing, [&] { gauge::add_force(gauge::Action{6, -1.0 / 12}, u, step, p, work); })});
  figures.push_back({"parallelogram force", gauge::ParallelogramForce<T, W>::site_flops, links + 2 * momenta,
                     tuning::median_seconds(timing, [&] { work.parallelograms(0.1, u, step, p); })});
  // The exponential, about 700 flops, and its product with the link.
  figures.push_back({"link update", 4 * (700 + product_flops), 2 * links + momenta,
                     tuning::median_seconds(timing, [&] { gauge::update_links(step, p, u); })});
  return figures;
}

#define TRELLIS_INSTANTIATE(T, W) \
  template std::vector<KernelFigure> gauge_kernels<T, W>(const Coordinate&, const tuning::TimingParameters&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::bench
