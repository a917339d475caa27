// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/quark_action.hpp"

#include <algorithm>

#include "trellis/core/lanes.hpp"
#include "trellis/hmc/dynamics/force_links.hpp"
#include "trellis/hmc/dynamics/single_pseudofermion_term.hpp"
#include "trellis/hmc/pseudofermion_kernel.hpp"
#include "trellis/hmc/rational_solver.hpp"
#include "trellis/lattice/single_lanes.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"

namespace trellis::hmc {

namespace {

double splitting(const QuarkTerm& term) { return term.heavier_mass * term.heavier_mass - term.mass * term.mass; }

}  // namespace

std::string solve_name(std::string_view purpose, std::string_view term) {
  return fmt::format("the {} of term '{}'", purpose, term);
}

std::vector<PowerFactor> action_function(const QuarkTerm& term) {
  std::vector<PowerFactor> f{{0, -term.power}};
  if (term.heavier_mass != 0) f.push_back({splitting(term), term.power});
  return f;
}

std::vector<PowerFactor> heatbath_function(const QuarkTerm& term) {
  if (term.heavier_mass != 0) return {{0, term.power / 2}, {splitting(term), -term.power / 2}};
  return {{0, term.power / 2 - 1}};
}

SolverPrecision heatbath_precision(const QuarkAction& action, const QuarkTerm& term) {
  return term.heavier_mass != 0 ? action.heatbath_precision : SolverPrecision::double_;
}

QuarkFunctions quark_functions(const QuarkAction& action, const QuarkTerm& term) {
  const double lower = term.mass * term.mass;
  const auto of = [&](const std::vector<PowerFactor>& f, double error, const char* key) {
    try {
      return rational_approximation(f, lower, lower + action.largest_eigenvalue, error);
    } catch (const InputError& problem) {
      fail_input("rational.{} = {} cannot be had for term '{}' with mass = {} and rational.largest_eigenvalue = {}: {}",
                 key, error, term.name, term.mass, action.largest_eigenvalue, problem.what());
    }
  };
  return {of(heatbath_function(term), action.heatbath_error, "heatbath_error"),
          of(action_function(term), action.molecular_dynamics_error, "molecular_dynamics_error"),
          of(action_function(term), action.metropolis_error, "metropolis_error")};
}

namespace {

constexpr int most_pseudofermions = 1000;

void require_valid(const QuarkAction& action, const QuarkTerm& term) {
  if (!(term.mass > 0)) fail_input("term '{}': the mass is {}; it must be positive", term.name, term.mass);
  if (term.heavier_mass != 0 && !(term.heavier_mass > term.mass))
    fail_input("term '{}': the splitting mass {} must be above the mass {}", term.name, term.heavier_mass, term.mass);
  if (!(term.power > 0 && term.power <= 1))
    fail_input("term '{}': det^{} for one pseudofermion; the power must be in (0, 1]: take more pseudofermions",
               term.name, term.power);
  if (term.pseudofermions < 1 || term.pseudofermions > most_pseudofermions)
    fail_input("term '{}': {} pseudofermions; from 1 to {}", term.name, term.pseudofermions, most_pseudofermions);
  if (action.heatbath_precision == SolverPrecision::fixed16 || action.metropolis_precision == SolverPrecision::fixed16)
    fail_input("term '{}': links in 16 bits are for molecular dynamics only; energies would see them", term.name);
  if (!(action.largest_eigenvalue > 0))
    fail_input("the largest eigenvalue is {}; it must be positive", action.largest_eigenvalue);
}

std::vector<double> naik_epsilons(const std::vector<QuarkTerm>& terms) {
  std::vector<double> all;
  for (const QuarkTerm& term : terms) all.push_back(term.naik_epsilon);
  return all;
}

// What all terms share.
template <int W, int WS>
struct Shared {
  QuarkAction action;
  QuarkLinks<W, WS> links;
  PoleFields<double, W> poles;
};

template <int W, int WS>
class PseudofermionTerm final : public Term<double, W> {
 public:
  using Field = ColourVectorField<double, W>;
  using Links = GaugeField<double, W>;

  PseudofermionTerm(std::shared_ptr<Shared<W, WS>> shared, QuarkTerm term, int number)
      : PseudofermionTerm(shared, term, number,
                          term.functions ? *term.functions : quark_functions(shared->action, term)) {}

  PseudofermionTerm(std::shared_ptr<Shared<W, WS>> shared, QuarkTerm term, int number, const QuarkFunctions& functions)
      : Term<double, W>(term.name),
        shared_(std::move(shared)),
        term_(std::move(term)),
        number_(number),
        massless_(packed(), term_.phases, 0.0),
        coefficients_(links().lattice(), dirac::staggered_coefficient(term_.phases, links().lattice().size()),
                      packed().pattern()),
        heatbath_(solver(functions.heatbath, heatbath_precision(action(), term_))),
        molecular_dynamics_(solver(functions.molecular_dynamics, action().molecular_dynamics_precision)),
        metropolis_(solver(functions.metropolis, action().metropolis_precision)),
        chi_(links().lattice(), 0, 1, "chi") {
    for (int j = 0; j < term_.pseudofermions; ++j) {
      xi_.emplace_back(links().lattice(), 0, 1, "xi");
      phi_.emplace_back(links().lattice(), 0, 1, "phi");
    }
  }

  std::string description() const override {
    const auto part = [](const char* name, const RationalApproximation& r) {
      return fmt::format("{} order {} error {:.2e}", name, r.order(), r.error);
    };
    const RationalApproximation& r = metropolis_.function();
    return fmt::format("term '{}': {} pseudofermion{}, power {}, spectrum [{:.4g}, {:.4g}]: {}, {}, {}", term_.name,
                       term_.pseudofermions, term_.pseudofermions == 1 ? "" : "s", term_.power, r.lower, r.upper,
                       part("heatbath", heatbath_.function()),
                       part("molecular dynamics", molecular_dynamics_.function()), part("Metropolis", r));
  }

  bool has_pseudofermions() const override { return true; }

  void refresh(const RandomStream& stream, const Links& u) override {
    links().take(u);
    counts_ = {};
    check_spectrum(stream);
    stream_ = stream;
    for (int j = 0; j < term_.pseudofermions; ++j) {
      const auto draw = std::uint32_t(number_ * most_pseudofermions + j);
      draw_pseudofermion({stream.seed, stream.trajectory, pseudofermion_purpose}, draw, xi_[std::size_t(j)]);
      const Field &xi = xi_[std::size_t(j)], &phi = phi_[std::size_t(j)];
      if (term_.heavier_mass != 0) {
        apply(heatbath_, action().heatbath_residual, xi, phi, "heatbath");
      } else {
        apply(heatbath_, action().heatbath_residual, xi, chi_, "heatbath");
        massless_.with_mass(term_.mass)(chi_, phi);
      }
    }
  }

  std::vector<Field> pseudofermions() const override {
    std::vector<Field> all = xi_;
    all.insert(all.end(), phi_.begin(), phi_.end());
    return all;
  }
  std::vector<Field> sources() const override { return phi_; }
  void forget() override { links().forget(); }
  void take_stream(const RandomStream& stream) override { stream_ = stream; }

  double difference(const Links& after, const Links&) override {
    links().take(after);
    check_spectrum(stream_);
    double sum = 0;
    for (int j = 0; j < term_.pseudofermions; ++j) {
      const Field& phi = phi_[std::size_t(j)];
      const Field& x = apply(metropolis_, action().metropolis_residual, phi, chi_, "Metropolis");
      sum += pseudofermion_difference(phi, chi_, xi_[std::size_t(j)]);
      if (action().metropolis_precision != SolverPrecision::double_) sum += metropolis_.energy_of_residuals(phi, x);
    }
    return sum;
  }

  void contribute(const Links& u) override {
    links().take(u);
    const auto counts = add_derivatives(
        massless_, coefficients_, term_.naik_epsilon, molecular_dynamics_.function().residues, phi_, shared_->poles,
        links(), [&](const Field& phi, const Field& x, SolverCounts& c) {
          molecular_dynamics_.poles(phi, x, {action().molecular_dynamics_residual, action().max_iterations},
                                    solve_name("molecular dynamics", term_.name), c);
        });
    count_forces(counts, counts_);
  }

  ForceGroup<double, W>* group() override { return &shared_->links; }
  std::optional<SolverCounts> take_counts() override { return std::exchange(counts_, {}); }

 private:
  QuarkLinks<W, WS>& links() const { return shared_->links; }
  const dirac::StaggeredLinks<double, W>& packed() const { return links().packed(term_.naik_epsilon); }
  const QuarkAction& action() const { return shared_->action; }

  RationalSolver<W, WS> solver(const RationalApproximation& function, SolverPrecision precision) const {
    return {links(), massless_, term_.phases, term_.naik_epsilon, term_.mass, function, precision};
  }

  // out <- r in; returns the solutions for all poles.
  const Field& apply(const RationalSolver<W, WS>& r, double residual, const Field& in, const Field& out,
                     const char* what) {
    const int order = r.function().order();
    const Field& x = order > 0 ? shared_->poles(links().lattice(), 0, order) : in;
    if (order > 0) r.poles(in, x, {residual, action().max_iterations}, solve_name(what, term_.name), counts_);
    sum_poles<W>(r.function().constant, in, r.function().residues, x, out);
    return x;
  }

  void check_spectrum(const RandomStream& stream) {
    const double largest = links().largest_eigenvalue(term_.phases, term_.naik_epsilon, stream, [&] {
      const RandomStream of_spectrum{stream.seed, stream.trajectory, solver::spectrum_purpose};
      return solver::largest_eigenvalue(massless_, chi_, of_spectrum).value;
    });
    counts_.largest_eigenvalue = std::max(counts_.largest_eigenvalue, largest);
    if (largest <= action().largest_eigenvalue) return;
    throw OutsideSpectrum(fmt::format(
        "term '{}': the largest eigenvalue of -D_eo D_oe is {:.6g}, beyond the {:.6g} up to which the rational "
        "approximations hold; raise rational.largest_eigenvalue{}",
        term_.name, largest, action().largest_eigenvalue,
        links().kind() == dirac::LinkKind::su3 ? " (16 is never exceeded)"
                                               : " (more than 16 is allowed on these links)"));
  }

  std::shared_ptr<Shared<W, WS>> shared_;
  QuarkTerm term_;
  int number_;
  dirac::StaggeredOperator<double, W> massless_;
  dirac::HopTable<double, W> coefficients_;
  RationalSolver<W, WS> heatbath_, molecular_dynamics_, metropolis_;
  std::vector<Field> xi_, phi_;
  Field chi_;
  RandomStream stream_;
  SolverCounts counts_;
};

}  // namespace

template <int W>
Terms<double, W> make_quark_terms(const QuarkAction& action, const std::vector<QuarkTerm>& terms,
                                  const Lattice& lattice) {
  for (const QuarkTerm& term : terms) require_valid(action, term);
  return with_single_lanes<W>(lattice.local_size(), [&]<int WS>() {
    const auto purposes = {action.heatbath_precision, action.molecular_dynamics_precision, action.metropolis_precision};
    const bool single = std::any_of(purposes.begin(), purposes.end(),
                                    [](SolverPrecision one) { return one != SolverPrecision::double_; });
    const bool in_16_bits = std::count(purposes.begin(), purposes.end(), SolverPrecision::fixed16) > 0;
    const std::shared_ptr<Shared<W, WS>> shared(new Shared<W, WS>{
        action, {action, lattice, naik_epsilons(terms), {.single = single, .in_16_bits = in_16_bits}}, {}});
    Terms<double, W> result;
    for (const QuarkTerm& term : terms)
      result.push_back(std::make_shared<PseudofermionTerm<W, WS>>(shared, term, int(result.size())));
    return result;
  });
}

template <int W>
Terms<float, W> make_quark_forces(const QuarkAction& action, const std::vector<QuarkTerm>& terms,
                                  const Lattice& lattice) {
  const auto shared = std::make_shared<SharedInSingle<W>>(action, naik_epsilons(terms), lattice);
  Terms<float, W> result;
  for (const QuarkTerm& term : terms) {
    require_valid(action, term);
    const auto functions = term.functions ? *term.functions : quark_functions(action, term);
    result.push_back(std::make_shared<SinglePseudofermionTerm<W>>(shared, term, functions.molecular_dynamics));
  }
  return result;
}

#define TRELLIS_INSTANTIATE(W) \
  template Terms<double, W> make_quark_terms<W>(const QuarkAction&, const std::vector<QuarkTerm>&, const Lattice&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) \
  template Terms<float, W> make_quark_forces<W>(const QuarkAction&, const std::vector<QuarkTerm>&, const Lattice&);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
