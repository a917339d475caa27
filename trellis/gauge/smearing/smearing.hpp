// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Named smearings of the links that quarks see: each makes smeared links from thin ones, and turns derivatives with
// respect to the smeared links into forces on the thin ones. Input files, hybrid Monte Carlo, measurements and `trellis
// verify` use the table. To add a smearing, write a file with a class derived from SmearedLinks and a function that
// returns a Smearing, and add its name to smearings.cpp and to the manual.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

class AnySmearedLinks {
 public:
  virtual ~AnySmearedLinks() = default;
};

// Links for hops of three steps (S. Naik, Nucl. Phys. B 316 (1989) 238), of improved staggered quarks. D then has fat
// links X for one step and long ones for three. A quark whose Naik term has a correction epsilon (E. Follana et al.,
// Phys. Rev. D 75 (2007) 054502) sees X + epsilon / 8 one_step and (1 + epsilon) three_steps.
template <class T, int W>
struct LongLinks {
  GaugeField<T, W> three_steps;  // c w_mu(x) w_mu(x+mu) w_mu(x+2mu): from x + 3 mu to x, the coefficient c included
  GaugeField<T, W> one_step;     // the links w that these are made of
};

// Copies share the work space: their smear() and add_force() must not run at the same time.
template <class T, int W>
class SmearedLinks : public AnySmearedLinks {
 public:
  // The smeared links, valid until the next smear(); u itself if there is nothing to do. If u has the same bits as in
  // the last call, nothing is recomputed.
  virtual const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const = 0;
  // The next call recomputes everything, because what is kept may be damaged.
  virtual void forget() const {}
  // False: smeared links are any matrices, so that all of their rows must be stored.
  virtual bool in_su3() const { return true; }
  // Of the last smear(); null: this smearing makes none.
  virtual const LongLinks<T, W>* long_links() const { return nullptr; }

  // p_a += step F_a, where F_a = -dS/dw_a for U_mu(x) -> exp(i w_a T_a) U_mu(x), evaluated at the u of the last
  // smear(), which must not have changed since. derivative contains a matrix D for each smeared link U', such that
  // dS = sum Re tr(D_mu(x) dU'_mu(x)).
  virtual void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const = 0;
  // The same if there are long links, of an action with derivatives by all three:
  // dS = sum Re tr(D_mu(x) dX_mu(x) + long.three_steps_mu(x) dL_mu(x) + long.one_step_mu(x) dw_mu(x)).
  virtual void add_force_with_long(const GaugeField<T, W>& /*derivative*/, const LongLinks<T, W>& /*by_long*/,
                                   double /*step*/, const AlgebraField<T, W>& /*p*/) const {
    fail("these smeared links have no long ones");
  }
};

struct SmearingParameters {
  std::string kind = "stout";                 // one of the names in smearings()
  std::map<std::string, double> values = {};  // by key; missing keys have their default values
  // Of the links, in time. Links that do not exist stay zero; with stout, APE and HYP smearing those that are fixed
  // stay as they are.
  Boundary boundary = {};
};

struct Smearing {
  struct Key {
    std::string name;  // in [smearing]
    double value;      // the default
    double minimum, maximum;
    bool integer = false;
  };

  std::string name;  // [smearing] kind
  std::vector<Key> keys = {};
  bool has_force = true;    // without one, the links can be used in measurements but not in an action
  bool in_su3 = true;       // as SmearedLinks::in_su3()
  bool long_links = false;  // SmearedLinks::long_links() is not null: hops of one and three steps
  // Returns a SmearedLinks<double, W> for the lane count W of this lattice; every key must have a value.
  using Make = std::function<std::unique_ptr<const AnySmearedLinks>(const SmearingParameters&, const Lattice&)>;
  Make make = {};
  // A SmearedLinks<float, W>, for molecular dynamics in single precision; empty: there is none.
  Make make_single = {};
};

// `what`, with a `make` that calls make.operator()<W>(parameters, lattice) for the lane count W of the lattice.
template <class Make>
Smearing smearing(Smearing what, const Make& make) {
  what.make = [make](const SmearingParameters& parameters, const Lattice& lattice) {
    return with_lanes(lattice.lanes(), [&]<int W>() -> std::unique_ptr<const AnySmearedLinks> {
      return make.template operator()<W>(parameters, lattice);
    });
  };
  return what;
}

// The same with make.operator()<T, W>, in both precisions.
template <class Make>
Smearing smearing_in_both_precisions(Smearing what, const Make& make) {
  const auto in = [make]<class T>() -> Smearing::Make {
    return [make](const SmearingParameters& parameters, const Lattice& lattice) {
      return with_lanes<T>(lattice.lanes(), [&]<int W>() -> std::unique_ptr<const AnySmearedLinks> {
        return make.template operator()<T, W>(parameters, lattice);
      });
    };
  };
  what.make = in.template operator()<double>();
  what.make_single = in.template operator()<float>();
  return what;
}

std::span<const Smearing> smearings();

// Fills in the defaults; InputError for an unknown kind or key, and for values out of range.
SmearingParameters complete(const SmearingParameters& parameters);
// InputError if the smearing does not know the boundary: a Schroedinger functional is known to stout, APE and HYP
// smearing, open boundaries to these and all that have a force.
void require_known_boundary(const SmearingParameters& parameters);
// The longest hop of quarks on these links, in steps: how far vectors must reach (LatticeShape::vector_reach).
int longest_hop(const SmearingParameters& parameters);
// "stout smearing, rho = 0.15, levels = 2"
std::string describe(const SmearingParameters& parameters);

// InputError as for complete(), if the smearing is not there in single precision, and if it does not know the boundary.
std::unique_ptr<const AnySmearedLinks> any_smeared_links(const SmearingParameters& parameters, const Lattice& lattice,
                                                         bool in_single = false);
template <class T, int W>
std::unique_ptr<const SmearedLinks<T, W>> smeared_links(const SmearingParameters& parameters, const Lattice& lattice) {
  auto links = any_smeared_links(parameters, lattice, is_single<T>);
  return std::unique_ptr<const SmearedLinks<T, W>>(static_cast<const SmearedLinks<T, W>*>(links.release()));
}
template <int W>
std::unique_ptr<const SmearedLinks<double, W>> smeared_links(const SmearingParameters& parameters,
                                                             const Lattice& lattice) {
  return smeared_links<double, W>(parameters, lattice);
}

}  // namespace trellis::gauge
