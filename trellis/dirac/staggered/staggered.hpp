// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The staggered operator (Kogut and Susskind, Phys. Rev. D 11 (1975) 395), on one parity at a time:
//   D psi(x) = 1/2 sum_mu eta_mu(x) [ u_mu(x) U_mu(x) psi(x+mu) - conj(u_mu(x-mu)) U_mu(x-mu)^dagger psi(x-mu) ]
// with the phases u of link_phases.hpp, M = m + D, and the even/odd preconditioned M^dagger M = m^2 - D_eo D_oe, which
// is Hermitian with eigenvalues from m^2 to m^2 + 16 for links in SU(3). The links may also be any matrices (fat links
// X in place of U), and there may be long links L besides, for hops of three steps (S. Naik, Nucl. Phys. B 316 (1989)
// 238; E. Follana et al., Phys. Rev. D 75 (2007) 054502):
//   D psi(x) = 1/2 sum_mu eta_mu(x) [ u_mu(x) X_mu(x) psi(x+mu) - conj(u_mu(x-mu)) X_mu(x-mu)^dagger psi(x-mu)
//                                     + v_mu(x) L_mu(x) psi(x+3mu) - conj(v_mu(x-3mu)) L_mu(x-3mu)^dagger psi(x-3mu) ]
// v_mu(x) = u_mu(x) u_mu(x+mu) u_mu(x+2mu). L contains the coefficient of the Naik term. Eigenvalues of -D_eo D_oe are
// then at most 16 max (|X| + |L|)^2, with spectral norms; those of free quarks (X = 9/8, L = -1/24) are
// sum_mu (9/8 sin p_mu - 1/24 sin 3 p_mu)^2, at most 4 (7/6)^2 = 49/9 (one-link quarks: 4).
//
// Links are packed for it: for each site the first two rows of the eight matrices that its hops apply, in the order in
// which tiles are visited; those of backward hops are stored as adjoints, in the lanes of the target site. One
// application then streams through the links once, and reads all but the first use of a vector from cache. 570 flops
// per target site by the usual count (the third row adds 24 to the 72 of a hop). Bytes per target site and vector in
// double precision: 768 of links divided by the number of vectors, 48 of vectors read, 48 written; in 16 bits (Fixed16:
// links in units of 1 / 32767, vectors with one scale per site, arithmetic in single precision) 192, 16 and 16.
// Matrices that are not in SU(3) have all three rows: 1152 bytes (288 in 16 bits, in units of the largest number /
// 32767). Long links must be in U(3) times a number, as products of three links in U(3) are: of them two rows a and b
// are stored, and f of the third row f conj(a x b), 896 bytes (224). With long links 1146 flops.
//
// Hops of three steps need ghosts of three steps: a lattice with ghosts (more than one rank) is made with
//   Lattice(size, W, SiteOrder::even_odd, LatticeShape{.vector_reach = 3}, grid)
// which throws InputError if the block of a rank is thinner than that. All fields that meet must be on it.

#include <memory>
#include <type_traits>

#include "trellis/core/device/resident.hpp"
#include "trellis/dirac/staggered/staggered_coefficients.hpp"
#include "trellis/dirac/stencil/hop_settings.hpp"
#include "trellis/dirac/stencil/work_fields.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/halo/hop_pattern.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac {

inline constexpr double staggered_flops = 570;  // per target site and vector, of D_eo or D_oe
inline constexpr double naik_flops = 1146;      // the same with long links

// What is packed.
enum class LinkKind {
  su3,          // links in SU(3), in two rows
  fat,          // any matrices
  fat_and_long  // any matrices for one step, and matrices in U(3) times a number for three
};

// The packed links, shared by the operators of all flavours, which run with the settings of the links. Copies share
// memory.
template <class T, int W>
class StaggeredLinks {
 public:
  explicit StaggeredLinks(const Lattice& lattice, const HopSettings& settings = staggered_settings)
      : StaggeredLinks(lattice, LinkKind::su3, settings) {}
  // InputError for long links if the lattice has ghosts that are not three steps deep.
  StaggeredLinks(const Lattice& lattice, LinkKind kind, const HopSettings& settings);
  StaggeredLinks(const Lattice& lattice, LinkKind kind)
      : StaggeredLinks(lattice, kind, kind == LinkKind::fat_and_long ? naik_settings : staggered_settings) {}
  explicit StaggeredLinks(const GaugeField<arithmetic_t<T>, W>& u, const HopSettings& settings = staggered_settings)
      : StaggeredLinks(u.lattice(), settings) {
    pack(u);
  }

  // Takes the links of u, which must be in SU(3) if the kind says so. Without long links only.
  void pack(const GaugeField<arithmetic_t<T>, W>& u) const;
  // Takes fat links and long ones, which contain their coefficient; long links at x lead from x + 3 mu to x. Fills the
  // ghosts of three_steps. Throws InputError if a number of a third row of these is further than 2^-16 of the largest
  // from what the other two rows give; in 16 bits also if their sizes differ by as much.
  void pack(const GaugeField<arithmetic_t<T>, W>& fat, const GaugeField<arithmetic_t<T>, W>& three_steps) const {
    pack(fat, three_steps, fat, 0);
  }
  // The links of a quark whose Naik term has a correction epsilon (gauge/smearing/smearing.hpp: LongLinks):
  // fat + epsilon / 8 one_step and (1 + epsilon) three_steps.
  void pack(const GaugeField<arithmetic_t<T>, W>& fat, const GaugeField<arithmetic_t<T>, W>& three_steps,
            const GaugeField<arithmetic_t<T>, W>& one_step, double epsilon) const;

  LinkKind kind() const { return kind_; }
  // The hops of D with these links, for HopTable.
  const HopPattern& pattern() const { return kind_ == LinkKind::fat_and_long ? naik_neighbours : nearest_neighbours; }
  const Lattice& lattice() const { return *lattice_; }
  const HopSettings& settings() const { return settings_; }
  // The same links, which other settings go with.
  StaggeredLinks with(const HopSettings& settings) const {
    StaggeredLinks other = *this;
    other.settings_ = settings;
    return other;
  }
  // [tile][hop][row][column][re, im][lane]; hops of three steps after those of one.
  const stored_t<T>* data() const { return packed_.data(); }
  // Of a site.
  int reals() const { return kind_ == LinkKind::su3 ? 96 : kind_ == LinkKind::fat ? 144 : 256; }
  // What stored integers are in units of, in 16 bits.
  struct Units {
    float fat = fixed_link_unit, three_steps = fixed_link_unit;
    float third_row = fixed_link_unit;  // f conj(a x b) in units of three_steps, for a, b and f as integers
  };
  const Units& units() const { return *units_; }

 private:
  std::shared_ptr<const Lattice> lattice_;
  LinkKind kind_;
  HopSettings settings_;
  FieldView<stored_t<T>*> packed_;
  std::shared_ptr<Units> units_;
};

// out <- sum over hops of c_k(x) V_k(x) in(x + step k), for each of in.count() vectors; out has the opposite parity to
// in. L: how links are stored. The coefficients are for the hops of links.pattern(); if they are for nearest
// neighbours, long links are left out.
template <class T, int W, class L>
void apply_hops(const StaggeredLinks<L, W>& links, const HopTable<arithmetic_t<T>, W>& coefficients,
                const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out);

// L: how links are stored. Besides T that may be Fixed16 for vectors in single precision: half the bytes of links, and
// an operator of links that differ from the exact ones by up to 2^-16.
template <class T, int W, class L = T>
class StaggeredOperator {
 public:
  // Mass m >= 0. If the links are packed again, the operator uses the new ones.
  StaggeredOperator(const StaggeredLinks<L, W>& links, const LinkPhases& phases, double mass);

  // The same with another mass, or run with other settings; links, phases and work space are shared.
  StaggeredOperator with_mass(double mass) const;
  StaggeredOperator with(const HopSettings& settings) const {
    StaggeredOperator other = *this;
    other.links_ = links_.with(settings);
    return other;
  }

  const Lattice& lattice() const { return links_.lattice(); }
  double mass() const { return mass_; }
  const StaggeredLinks<L, W>& links() const { return links_; }

  // out <- D in: D_oe for an even `in`, D_eo for an odd one.
  void hop(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const;

  // out <- (m^2 - D D) in on in's parity; returns <in_n, out_n> = m^2 |in_n|^2 + |D in_n|^2 for each vector, summed
  // exactly. Work space: one field of the other parity, allocated once.
  std::vector<double> operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out) const;
  // The same, leaving the products where kernels can read them.
  void operator()(const ColourVectorField<T, W>& in, const ColourVectorField<T, W>& out,
                  const FieldSums& products) const;

  // A solver's iterations with this operator in one launch (solver/resident_steps.hpp); staggered_steps.hpp. Not with
  // numbers in 16 bits. No constraint of run_steps itself, whose name compilers then write differently in libraries.
  static constexpr bool steps_in_one_launch = std::is_same_v<T, L>;
  template <class Steps>
  bool run_steps(const Steps& steps) const;

 private:
  StaggeredLinks<L, W> links_;
  HopTable<arithmetic_t<T>, W> table_;
  double mass_;
  stencil::WorkFields<ColourVectorField<T, W>> work_;
  Resident<FieldSpace> resident_;
};

}  // namespace trellis::dirac
