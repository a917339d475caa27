// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/scaling_kernel.hpp"

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/dirac/wilson/wilson.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/su3/matrix.hpp"

namespace trellis::bench {

namespace {

constexpr double mass = 0.05, never = 1e-30;
constexpr int iterations = 20;

template <class Field>
void fill(const Field& x) {
  using T = std::remove_cvref_t<decltype(*x.view().data())>;
  T* const data = x.view().data();
  parallel_for(
      "fill", RangePolicy<FieldSpace>(0, x.view().size()),
      TRELLIS_KERNEL(Index k) { data[k] = T(0.001) * T(k * 7919 % 2003 - 1001); });
}

template <class T, int W>
class Kernels {
 public:
  explicit Kernels(const Lattice& lattice) : lattice_(lattice), u_(lattice), half_(double(lattice.local_volume()) / 2) {
    gauge::hot_start({1, 0, gauge::hot_start_purpose}, u_);
  }

  ScalingKernel wilson_hops() const {
    const dirac::WilsonLinks<T, W> links(u_, dirac::LinkFormat::two_rows);
    const SpinorField<T, W> in(lattice_, 1), out(lattice_, 0);
    fill(in);
    return {.run = [=] { dirac::wilson_hops(links, in, out); },
            .flops = dirac::wilson_flops * half_,
            .bytes = half_ * (links.bytes_per_site() + 2 * site_bytes<T>(24)),
            .halos = vectors(12, 1)};
  }
  ScalingKernel staggered_hops() const {
    const auto a = staggered();
    const ColourVectorField<T, W> in(lattice_, 1), out(lattice_, 0);
    fill(in);
    return {.run = [=] { a.hop(in, out); },
            .flops = dirac::staggered_flops * half_,
            .bytes = reals(96 + 2 * 6),
            .halos = vectors(6, 1)};
  }
  ScalingKernel staggered_operator() const {
    const auto a = staggered();
    const ColourVectorField<T, W> in(lattice_, 0), out(lattice_, 0);
    fill(in);
    return {.run = [=] { a(in, out); },
            .flops = (2 * dirac::staggered_flops + 24) * half_,
            .bytes = reals(2 * 96 + 5 * 6),
            .halos = vectors(6, 2),
            .sums = 1};
  }
  ScalingKernel cg_iteration() const {
    const auto a = staggered();
    const ColourVectorField<T, W> b(lattice_, 0), x(lattice_, 0);
    fill(b);
    const auto run = [=] {
      x.set_zero();
      solver::conjugate_gradient(a, b, x, {never, iterations});
    };
    return {.run = run,
            .applications = iterations,
            .flops = (2 * dirac::staggered_flops + 24 + 48) * half_,
            .bytes = reals(2 * 96 + (5 + 8) * 6),
            .halos = vectors(6, 2 * (iterations + 1.0) / iterations),  // the true residual at the end
            .sums = 2};
  }
  ScalingKernel force(bool rectangles) const {
    const auto u = u_;
    const AlgebraField<T, W> p(lattice_);
    gauge::draw_momenta({1, 0, gauge::momenta_purpose}, p);
    const gauge::Action action{6, rectangles ? -1.0 / 12 : 0.0};
    const auto run = [u, p, action, room = gauge::LoopForceWork<T, W>()]() mutable {
      u.exchange(Reach::corners);
      gauge::add_force(action, u, 1e-3, p, room);
    };
    std::vector<HaloWork> halos{{.bytes = 72 * sizeof(T), .reach = Reach::corners}};
    if (rectangles) {
      halos.push_back({.bytes = 54 * sizeof(T), .exchanges = 2});   // plaquettes, two fields
      halos.push_back({.bytes = 96 * sizeof(T), .one_way = true});  // forces on links of other ranks
    }
    return {.run = run,
            .flops = 2 * half_ * (rectangles ? gauge::RectangleForce<T, W>::site_flops : 46 * product_flops),
            .bytes = reals(2 * (72 + 2 * 32)),
            .halos = halos};
  }

 private:
  // Exchanges of vectors of one parity with this many numbers per site.
  static std::vector<HaloWork> vectors(int numbers, double exchanges) {
    return {{.bytes = double(numbers) * sizeof(T), .exchanges = exchanges, .of_parity = true}};
  }
  double reals(double an_even_site) const { return an_even_site * sizeof(T) * half_; }
  dirac::StaggeredOperator<T, W> staggered() const { return {dirac::StaggeredLinks<T, W>(u_), {}, mass}; }

  const Lattice& lattice_;
  GaugeField<T, W> u_;
  double half_;
};

template <class T, int W>
ScalingKernel make(ScaledKernel what, const Lattice& lattice) {
  const Kernels<T, W> kernels(lattice);
  switch (what) {
    case ScaledKernel::wilson_hops:
      return kernels.wilson_hops();
    case ScaledKernel::staggered_hops:
      return kernels.staggered_hops();
    case ScaledKernel::staggered_operator:
      return kernels.staggered_operator();
    case ScaledKernel::cg_iteration:
      return kernels.cg_iteration();
    default:
      return kernels.force(what == ScaledKernel::symanzik_force);
  }
}

}  // namespace

ScalingKernel scaling_kernel(ScaledKernel what, Precision precision, const Lattice& lattice) {
  const auto with_numbers = [&]<class T>() {
    return with_lanes<T>(lattice.lanes(), [&]<int W>() { return make<T, W>(what, lattice); });
  };
  return precision == Precision::single ? with_numbers.template operator()<float>()
                                        : with_numbers.template operator()<double>();
}

}  // namespace trellis::bench
