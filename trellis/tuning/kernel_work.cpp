// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/kernel_work.hpp"

#include <optional>

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/tuning/wilson_setup.hpp"

namespace trellis::tuning {

namespace {

template <class T, int W>
class WilsonWork final : public KernelWork {
 public:
  WilsonWork(const TuningCase& what, const LatticeShape& shape) : setup_(what.size, shape, what.links, what.vectors) {}

  const Lattice& lattice() const override { return setup_.lattice(); }
  double bytes() const override { return setup_.bytes(); }
  void run(const dirac::HopSettings& settings) const override { setup_.hops(settings); }

 private:
  WilsonSetup<T, W> setup_;
};

template <class T, int W>
GaugeField<T, W> random_links(const Lattice& lattice) {
  const GaugeField<T, W> u(lattice);
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  return u;
}

// Vectors of T, links stored as L. Vectors are zero, which takes as long as others.
template <class T, int W, class L>
class StaggeredWork final : public KernelWork {
 public:
  StaggeredWork(const Lattice& lattice, int vectors)
      : links_(random_links<T, W>(lattice)),
        table_(lattice, dirac::staggered_coefficient({}, lattice.size())),
        in_(lattice, 1, vectors),
        out_(lattice, 0, vectors) {}

  const Lattice& lattice() const override { return in_.lattice(); }
  double bytes() const override {
    return double(lattice().local_parity_volume()) *
           (96.0 * sizeof(stored_t<L>) + 2.0 * in_.count() * site_bytes<T>(6));
  }
  void run(const dirac::HopSettings& settings) const override {
    dirac::apply_hops(links_.with(settings), table_, in_, out_);
  }

 private:
  dirac::StaggeredLinks<L, W> links_;
  dirac::HopTable<T, W> table_;
  ColourVectorField<T, W> in_, out_;
};

// The gauge force, and before it applications of the staggered operator, or none.
template <class T, int W>
class DynamicsWork final : public KernelWork {
 public:
  DynamicsWork(const Lattice& lattice, TunedKernel kernel) : u_(random_links<T, W>(lattice)), p_(lattice) {
    if (kernel != TunedKernel::plaquette_force) rectangles_.emplace();
    if (kernel != TunedKernel::dynamics) return;
    operator_.emplace(dirac::StaggeredLinks<T, W>(u_), dirac::LinkPhases{}, 0.1);
    in_.emplace(lattice, 0);
    out_.emplace(lattice, 0);
  }

  const Lattice& lattice() const override { return u_.lattice(); }
  double bytes() const override {  // of a hop
    return operator_ ? double(lattice().local_parity_volume()) * (96.0 * sizeof(T) + 2 * site_bytes<T>(6)) : 0;
  }
  void run(const dirac::HopSettings& settings) const override {
    if (operator_) {
      const auto apply = operator_->with(settings);
      for (int n = 0; n < applications; ++n) apply(*in_, *out_);
    }
    if (rectangles_)
      gauge::add_force(gauge::Action{3.6, -1.0 / 12}, u_, step, p_, *rectangles_);
    else
      gauge::add_force(gauge::Action{6, 0}, u_, step, p_);
  }

 private:
  static constexpr int applications = 16;  // in the proportion of examples/dynamical.toml
  static constexpr double step = 1e-3;

  GaugeField<T, W> u_;
  AlgebraField<T, W> p_;
  mutable std::optional<gauge::LoopForceWork<T, W>> rectangles_;
  std::optional<dirac::StaggeredOperator<T, W>> operator_;
  std::optional<ColourVectorField<T, W>> in_, out_;
};

template <class T, int W>
std::shared_ptr<const KernelWork> work_on_links(const TuningCase& what, const LatticeShape& shape) {
  using A = arithmetic_t<T>;
  const Lattice lattice(what.size, W, SiteOrder::even_odd, shape);
  if (what.kernel == TunedKernel::staggered) return std::make_shared<StaggeredWork<A, W, T>>(lattice, what.vectors);
  if constexpr (is_fixed_point<T>)
    fail_input("tuning: there are no forces in 16 bits; tune them in single precision");
  else
    return std::make_shared<DynamicsWork<T, W>>(lattice, what.kernel);
}

}  // namespace

std::shared_ptr<const KernelWork> make_work(const TuningCase& what, LatticeShape shape) {
  shape.ghosts = what.cut;
  return with_precision(what.precision, [&]<class T>() {
    return with_lanes<arithmetic_t<T>>(what.lanes, [&]<int W>() -> std::shared_ptr<const KernelWork> {
      if (what.kernel == TunedKernel::wilson) return std::make_shared<WilsonWork<T, W>>(what, shape);
      return work_on_links<T, W>(what, shape);
    });
  });
}

}  // namespace trellis::tuning
