// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The variants of the performance-portability study (B. Joó et al., "Performance portability of a Wilson Dslash stencil
// operator mini-app using Kokkos and SYCL", P3HPC 2019) as run-time choices: what fills the lanes, how complex numbers
// and sites are arranged in memory, where neighbours come from, in which order tiles are visited. All of them use the
// same sum over hops (dirac/stencil/hop_sum.hpp); operators use the best one (wilson.hpp), and this is for measuring
// the others.
//
//   WilsonVariantRun<float> run({.filling = Filling::right_hand_sides, .lanes = 16}, u);
//   run.set_source(psi);                  // odd sites
//   run.apply(0, HopSign::adjoint);       // even sites <- D^dagger of the odd ones
//   SpinorField<float, 1> out = run.result(0);
//
// With the same links, source, link format and precision all variants give the same bits.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/dirac/wilson/wilson.hpp"

namespace trellis::bench::study {

using namespace dirac;

// What is in the lanes of a register: one number; the same site of all virtual nodes; vectors on one site.
enum class Filling { scalar, virtual_nodes, right_hand_sides };
enum class ComplexForm { split, interleaved };  // real parts before imaginary ones; alternating
// How operators store them: on a GPU the two parts of a lane are neighbours, and arithmetic is the same either way.
inline constexpr ComplexForm form_of_operators = fields_on_host ? ComplexForm::split : ComplexForm::interleaved;
enum class SiteLayout { right, left, tiled };  // [site][component], [component][site], tiles of 8
inline constexpr SiteLayout site_layouts[] = {SiteLayout::left, SiteLayout::tiled,
                                              SiteLayout::right};  // as tables show them
enum class NeighbourSource { table, computed };
enum class Traversal { flat, team, blocked };  // in the order of memory; by rows of x; by blocks of x, y, z, t

struct WilsonVariant {
  Filling filling = Filling::virtual_nodes;
  int lanes = 1;            // with one lane all fillings and forms coincide: scalar and split
  LatticeShape shape = {};  // the grid of virtual nodes and the columns
  ComplexForm complex = form_of_operators;
  SiteLayout layout = SiteLayout::right;
  NeighbourSource neighbours = NeighbourSource::table;
  LinkFormat links = LinkFormat::two_rows;
  // Available in all combinations.
  Traversal traversal = Traversal::flat;
  Coordinate tile{0, 2, 2, 0};  // blocked: extents in x/2, y, z, t of the virtual node; 0: all of it
  int team_size = 0;            // team: threads of a team, each with the lanes of a tile; 0: what suits the machine
  Stores stores = Stores::by_size;
  // Where lanes are threads: how many blocks of 128 threads a multiprocessor should hold at least (tile_policy.hpp).
  int least_blocks = 0;
  PrefetchDistances ahead = HopSettings{}.ahead;

  bool operator==(const WilsonVariant&) const = default;
};

// For example "16 virtual nodes, split, layout right, 12 reals", plus any choices other than table and flat.
std::string description(const WilsonVariant& variant);

// The number of lanes that fills a register; where they are threads, that of operators.
template <class T>
int native_lanes();

// Not all combinations are compiled, but each choice in several of them, around the scalar kernel, virtual nodes and
// right-hand sides in native lanes. The list gives those of filling, lanes, complex, layout, neighbours, links and
// least blocks. Where lanes are threads, only some run by teams and blocks.
template <class T>
std::vector<WilsonVariant> compiled_variants();
template <class T>
bool is_compiled(const WilsonVariant& variant);
// The tile of blocked traversal if none was chosen: two in y and z, all of x and t, or less where a virtual node is
// thin; on a GPU, where a tile is what runs side by side, four in x/2 and two in the others.
Coordinate default_tile(const WilsonVariant& variant, const Coordinate& size);
// The largest team_size.
int largest_team(const WilsonVariant& variant);
// What else to try: of blocked traversal tiles of which one extent became a power of two that fits, or all of it; of
// teams the sizes that are powers of two, and 0. None of the flat one.
std::vector<WilsonVariant> orders_around(const WilsonVariant& variant, const Coordinate& size);
// Throws InputError if a lattice of this size does not divide into the variant's virtual nodes, or these into its tile.
void require_tile(const WilsonVariant& variant, const Coordinate& size);
// Why the list is empty, in one sentence: the bodies are a separate module, which may not have been built. Otherwise
// "".
std::string why_no_variants();

template <class T>
class VariantStorage;

// The links of a gauge field and vectors on both parities, stored as the variant needs them. Copies share memory.
template <class T>
class WilsonVariantRun {
 public:
  // Throws InputError if the variant is not compiled, its shape or tile does not divide the lattice, or the links'
  // weights are invalid. u must be in SU(3).
  WilsonVariantRun(const WilsonVariant& variant, const GaugeField<T, 1>& u, const HopWeights& weights = {});

  const WilsonVariant& variant() const { return variant_; }
  const Lattice& lattice() const;
  // Takes tile and team_size from another variant; throws InputError if the tile does not fit.
  void set_order(const WilsonVariant& other);
  // Vectors at a time: the lane count if right-hand sides fill the lanes, otherwise 1.
  int right_hand_sides() const { return variant_.filling == Filling::right_hand_sides ? variant_.lanes : 1; }

  // Sets the vectors on psi's sites: one for each right-hand side, or one for all.
  void set_source(const SpinorField<T, 1>& psi);
  // Vectors of out_parity <- D or D^dagger of those of the other parity.
  void apply(int out_parity, HopSign sign = HopSign::plain);
  SpinorField<T, 1> result(int parity) const;

  // Per application. Bytes: links and vectors read, vectors written, once each.
  double bytes() const;
  double flops() const;
  // What is read and written, for yardsticks that stream through the same memory: the links of the hops to that parity,
  // and the vectors on it.
  std::span<const T> link_numbers(int out_parity) const;
  std::span<T> spinor_numbers(int parity) const;

 private:
  WilsonVariant variant_;
  std::shared_ptr<VariantStorage<T>> storage_;
};

}  // namespace trellis::bench::study
