// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Smearings of the quarks' links, by name: each makes smeared links from thin ones, and turns derivatives with respect
// to the smeared links into forces on the thin ones. Inputs, hybrid Monte Carlo, measurements and `trellis verify` use
// the table. A new smearing is a file with a class derived from SmearedLinks and a function that returns a Smearing,
// its name in smearings.cpp, and one in the manual.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

class AnySmearedLinks {
 public:
  virtual ~AnySmearedLinks() = default;
};

// Copies share the work space: their smear() and add_force() must not run at the same time.
template <class T, int W>
class SmearedLinks : public AnySmearedLinks {
 public:
  // The smeared links, valid until the next smear(); u itself if there is nothing to do. Nothing is computed if u has
  // the same bits as last time.
  virtual const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const = 0;

  // p_a += step F_a, F_a = -dS/dw_a where U_mu(x) -> exp(i w_a T_a) U_mu(x), for the u of the last smear(), which must
  // not have changed since. derivative contains for each smeared link U' a matrix D with
  // dS = sum Re tr(D_mu(x) dU'_mu(x)).
  virtual void add_force(const GaugeField<T, W>& derivative, double step, const AlgebraField<T, W>& p) const = 0;
};

struct SmearingParameters {
  std::string kind = "stout";                 // a name of smearings()
  std::map<std::string, double> values = {};  // by key; a key that is missing has its default
};

struct Smearing {
  struct Key {
    std::string name;  // in [smearing]
    double value;      // the default
    double minimum, maximum;
    bool integer = false;
  };

  std::string name;  // [smearing] kind
  std::vector<Key> keys;
  bool has_force = true;  // without one, the links can be used in measurements but not in an action
  // SmearedLinks<double, W> for the lane count W of this lattice; every key must have a value.
  std::function<std::unique_ptr<const AnySmearedLinks>(const std::map<std::string, double>&, const Lattice&)> make = {};
};

// The same, where make.operator()<W>(values, lattice) returns the links of one lane count.
template <class Make>
Smearing smearing(Smearing what, const Make& make) {
  what.make = [make](const std::map<std::string, double>& values, const Lattice& lattice) {
    return with_lanes(lattice.lanes(), [&]<int W>() -> std::unique_ptr<const AnySmearedLinks> {
      return make.template operator()<W>(values, lattice);
    });
  };
  return what;
}

std::span<const Smearing> smearings();

// Fills in the defaults; InputError for an unknown kind or key, and for values out of range.
SmearingParameters complete(const SmearingParameters& parameters);
// "stout smearing, rho = 0.15, levels = 2"
std::string describe(const SmearingParameters& parameters);

// InputError as for complete().
std::unique_ptr<const AnySmearedLinks> any_smeared_links(const SmearingParameters& parameters, const Lattice& lattice);
template <int W>
std::unique_ptr<const SmearedLinks<double, W>> smeared_links(const SmearingParameters& parameters,
                                                             const Lattice& lattice) {
  auto links = any_smeared_links(parameters, lattice);
  return std::unique_ptr<const SmearedLinks<double, W>>(static_cast<const SmearedLinks<double, W>*>(links.release()));
}

}  // namespace trellis::gauge
