// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/kernel_work.hpp"

#include <optional>

#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/dirac/staggered/staggered.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
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

// Random links stored as L, all of them in SU(3), as long ones may be.
template <class L, int W>
dirac::StaggeredLinks<L, W> random_quark_links(const Lattice& lattice, dirac::LinkKind kind) {
  const auto u = random_links<arithmetic_t<L>, W>(lattice);
  const dirac::StaggeredLinks<L, W> links(lattice, kind);
  if (kind == dirac::LinkKind::fat_and_long)
    links.pack(u, u);
  else
    links.pack(u);
  return links;
}

// That an application of the operator moves.
template <class T, class L, int W>
double bytes_of_hops(const dirac::StaggeredLinks<L, W>& links, int vectors) {
  return double(links.lattice().local_parity_volume()) *
         (double(links.reals()) * sizeof(stored_t<L>) + 2.0 * vectors * site_bytes<T>(6));
}

// Vectors of T, links stored as L. Vectors are zero, which takes as long as others.
template <class T, int W, class L>
class StaggeredWork final : public KernelWork {
 public:
  StaggeredWork(const Lattice& lattice, dirac::LinkKind kind, int vectors)
      : links_(random_quark_links<L, W>(lattice, kind)),
        table_(lattice, dirac::staggered_coefficient({}, lattice.size()), links_.pattern()),
        in_(lattice, 1, vectors),
        out_(lattice, 0, vectors) {}

  const Lattice& lattice() const override { return in_.lattice(); }
  double bytes() const override { return bytes_of_hops<T>(links_, in_.count()); }
  void run(const dirac::HopSettings& settings) const override {
    dirac::apply_hops(links_.with(settings), table_, in_, out_);
  }

 private:
  dirac::StaggeredLinks<L, W> links_;
  dirac::HopTable<T, W> table_;
  ColourVectorField<T, W> in_, out_;
};

// The gauge force, and before it applications of the staggered operator, or improved links, or neither.
template <class T, int W>
class DynamicsWork final : public KernelWork {
 public:
  DynamicsWork(const Lattice& lattice, const TuningCase& what)
      : u_(random_links<T, W>(lattice)), p_(lattice), weights_(weights_of(what)) {
    if (what.kernel != TunedKernel::plaquette_force) loops_.emplace();
    if (what.kernel != TunedKernel::dynamics) {
      if (what.quark_links != dirac::LinkKind::su3)
        improved_ =
            gauge::smeared_links<T, W>({what.quark_links == dirac::LinkKind::fat ? "fat7" : "asqtad", {}}, lattice);
      return;
    }
    operator_.emplace(random_quark_links<T, W>(lattice, what.quark_links), dirac::LinkPhases{}, 0.1);
    in_.emplace(lattice, 0);
    out_.emplace(lattice, 0);
  }

  const Lattice& lattice() const override { return u_.lattice(); }
  double bytes() const override { return operator_ ? bytes_of_hops<T>(operator_->links(), 1) : 0; }  // of a hop
  void run(const dirac::HopSettings& settings) const override {
    if (operator_) {
      const auto apply = operator_->with(settings);
      for (int n = 0; n < applications; ++n) apply(*in_, *out_);
    }
    if (improved_) {
      improved_->forget();
      improved_->smear(u_);
    }
    if (loops_)
      gauge::add_force(weights_, u_, step, p_, *loops_);
    else
      gauge::add_force(weights_, u_, step, p_);
  }

 private:
  static constexpr int applications = 16;  // in the proportion of examples/dynamical.toml
  static constexpr double step = 1e-3;

  // Of any size: with long links quarks usually go with parallelograms.
  static gauge::LoopWeights weights_of(const TuningCase& what) {
    if (what.kernel == TunedKernel::plaquette_force) return {.plaquette = 6};
    const bool has_parallelograms = what.kernel == TunedKernel::parallelogram_force ||
                                    (what.kernel == TunedKernel::dynamics && longest_hop(what) > 1);
    return {.plaquette = 6, .rectangle = -0.3, .parallelogram = has_parallelograms ? -0.03 : 0.0};
  }

  GaugeField<T, W> u_;
  AlgebraField<T, W> p_;
  gauge::LoopWeights weights_;
  mutable std::optional<gauge::LoopForceWork<T, W>> loops_;
  std::unique_ptr<const gauge::SmearedLinks<T, W>> improved_;
  std::optional<dirac::StaggeredOperator<T, W>> operator_;
  std::optional<ColourVectorField<T, W>> in_, out_;
};

template <class T, int W>
std::shared_ptr<const KernelWork> work_on_links(const TuningCase& what, const LatticeShape& shape) {
  using A = arithmetic_t<T>;
  const Lattice lattice(what.size, W, SiteOrder::even_odd, shape);
  if (what.kernel == TunedKernel::staggered)
    return std::make_shared<StaggeredWork<A, W, T>>(lattice, what.quark_links, what.vectors);
  if constexpr (is_fixed_point<T>)
    fail_input("tuning: there are no forces in 16 bits; tune them in single precision");
  else
    return std::make_shared<DynamicsWork<T, W>>(lattice, what);
}

}  // namespace

std::shared_ptr<const KernelWork> make_work(const TuningCase& what, LatticeShape shape) {
  shape.ghosts = what.cut;
  shape.vector_reach = longest_hop(what);
  return with_precision(what.precision, [&]<class T>() {
    return with_lanes<arithmetic_t<T>>(what.lanes, [&]<int W>() -> std::shared_ptr<const KernelWork> {
      if (what.kernel == TunedKernel::wilson) return std::make_shared<WilsonWork<T, W>>(what, shape);
      return work_on_links<T, W>(what, shape);
    });
  });
}

}  // namespace trellis::tuning
