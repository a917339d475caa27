// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cabibbo-Marinari heatbath and overrelaxation for pure gauge theory with plaquettes and 1 x 2 rectangles.
// Heatbath: each link in turn is multiplied by elements of three SU(2) subgroups (N. Cabibbo and E. Marinari, Phys.
// Lett. B 119 (1982) 387), drawn from exp(-S) with all other links fixed (A. D. Kennedy and B. J. Pendleton, Phys.
// Lett. B 156 (1985) 393). Overrelaxation (F. R. Brown and T. J. Woch, Phys. Rev. Lett. 58 (1987) 2394) reflects each
// subgroup part instead, which leaves the action unchanged to rounding.
// Both visit directions in order, and for each the colours of link_colours.hpp. Random numbers are keyed by the
// stream's trajectory, the link and the subgroup: one heatbath sweep per trajectory number. Links have the same bits
// for any lanes and threads. Links that do not exist at a boundary in time stay zero, and fixed ones as they are.
//
// Throws InputError for parallelograms, and for rectangles on an extent of 2. Cost per sweep: the staples of one force
// (action.hpp), and for the heatbath about 600 flops and 15 random numbers per link. If a lattice with rectangles is
// cut so that the lanes of a tile differ in colour (neither 3 divides the extent nor 4 the block of a lane), up to
// eight times the staples.

#include <span>

#include "trellis/core/random.hpp"
#include "trellis/gauge/action.hpp"
#include "trellis/gauge/boundary/boundary.hpp"
#include "trellis/gauge/defect/defect_action.hpp"
#include "trellis/gauge/heatbath/coloured_tiles.hpp"

namespace trellis::gauge {

inline constexpr RandomPurpose heatbath_purpose{4};

struct HeatbathParameters {
  LoopWeights action = Action{};
  int overrelaxation_steps = 4;  // sweeps after each heatbath sweep
  Boundary boundary{};           // which the links must have
};

// Of replicas that are swept together.
template <class T, int W>
struct ReplicaLinks {
  GaugeField<T, W> u;
  double coupling = 1;     // of the defect
  std::uint64_t seed = 0;  // instead of the stream's
};

// One heatbath sweep of a box, or of the whole lattice, then the overrelaxation sweeps. All links outside the box stay
// as they are. A box costs its share of the lattice, times the lanes that a tile has outside it: tiles are visited that
// have a link in the box. Keeps which ones these are (coloured_tiles.hpp).
template <class T, int W>
class HeatbathSweeps {
 public:
  HeatbathSweeps(const HeatbathParameters& parameters, const Lattice& lattice, const Box& box);
  HeatbathSweeps(const HeatbathParameters& parameters, const Lattice& lattice)
      : HeatbathSweeps(parameters, lattice, whole_lattice(lattice.size())) {}

  void operator()(const RandomStream& stream, const GaugeField<T, W>& u) const;
  // With a defect's weights. Links with their weights are kept near it, beside the links.
  void operator()(const RandomStream& stream, const GaugeField<T, W>& u, const DefectAction<W>& defect,
                  double coupling) const;
  // Of several replicas, each with its coupling and seed. On a GPU up to 16 of them share each kernel, and there are as
  // many fields of weighted links.
  void operator()(const RandomStream& stream, std::span<const ReplicaLinks<T, W>> replicas,
                  const DefectAction<W>& defect) const;

  const Lattice& lattice() const { return lattice_; }

 private:
  HeatbathParameters parameters_;
  Lattice lattice_;
  double share_;  // of the lattice
  ColouredTiles tiles_;
};

// The same for the whole lattice, once.
template <class T, int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<T, W>& u);

template <int W>
void heatbath_update(const HeatbathParameters& parameters, const RandomStream& stream, const GaugeField<double, W>& u,
                     const DefectAction<W>& defect, double coupling);

template <class T, int W>
void heatbath_sweep(const LoopWeights& weights, const RandomStream& stream, const GaugeField<T, W>& u,
                    const Boundary& boundary = {});

template <class T, int W>
void overrelaxation_sweep(const LoopWeights& weights, const GaugeField<T, W>& u, const Boundary& boundary = {});

}  // namespace trellis::gauge
