// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled forms of the Wilson kernel, behind pointers. Stores and prefetching are data, so that they do not
// multiply the number of forms. On a host a form is a function for one tile of sites, and traversal is left to the
// caller; where lanes are threads it is a function that starts a kernel (variant_launch.hpp), in all orders or only in
// that of memory. Each of the files in registers and threads adds some, to spread their compile time.

#include "trellis/bench/study/computed_hops.hpp"
#include "trellis/bench/study/variant_launch.hpp"
#include "trellis/bench/study/variants.hpp"

namespace trellis::bench::study {

// What bodies differ in: some of the members of WilsonVariant.
struct BodyChoice {
  Filling filling = Filling::scalar;
  int lanes = 1;
  SiteLayout layout = SiteLayout::right;
  ComplexForm complex = ComplexForm::split;
  LinkFormat links = LinkFormat::full;
  NeighbourSource neighbours = NeighbourSource::table;
  int least_blocks = 0;
  bool operator==(const BodyChoice&) const = default;
};

// What a body works on: data of the parity it writes to, except `in`, which is of the other parity.
template <class T>
struct BodyArguments {
  const T* links;
  T* in;
  T* out;
  int tiles;
  bool streaming;
  bool adjoint;  // where lanes are threads; on a host there is a function for each
  PrefetchDistances ahead;
  // As in TableHops and ComputedHops.
  const Hop* hops;
  const std::uint8_t* exits;
  const std::uint8_t* marks;
  const std::int32_t* numbers;
  const T* factors;
  const std::int32_t* lanes;
  int in_origin;
  int high_bits;
  VirtualNode node;
};

template <class T>
struct CompiledBody {
  using Run = void (*)(const BodyArguments<T>&, int tile);

  using Launch = void (*)(const Kernel& cost, const Walk& walk, const BodyArguments<T>&);

  BodyChoice choice;
  Run run[2][2] = {};  // [parity written to][plain, adjoint], for tiles on a host
  // From ComplexTraits of its registers.
  int (*place)(int lane, int part) = nullptr;
  int table_width = 0;  // 0: nothing is permuted, since each thread reads the lane that it needs
  // Where lanes are threads.
  Launch launch = nullptr;
  bool all_traversals = true;
};

template <class T>
using CompiledBodies = std::vector<CompiledBody<T>>;

// Everything that there is for this machine.
void add_bodies(CompiledBodies<float>& to);
void add_bodies(CompiledBodies<double>& to);

// For registers:
void add_scalar_bodies(CompiledBodies<float>& to);
void add_scalar_bodies(CompiledBodies<double>& to);
void add_virtual_node_bodies(CompiledBodies<float>& to);
void add_virtual_node_bodies(CompiledBodies<double>& to);
void add_right_hand_side_bodies(CompiledBodies<float>& to);
void add_right_hand_side_bodies(CompiledBodies<double>& to);
// Virtual nodes and right-hand sides in lane counts other than the native one; for doubles the operators cover those.
void add_other_lane_counts(CompiledBodies<float>& to);

// Where lanes are threads:
void add_one_lane_by_threads(CompiledBodies<float>& to);
void add_one_lane_by_threads(CompiledBodies<double>& to);
void add_lanes_as_threads(CompiledBodies<float>& to);
void add_lanes_as_threads(CompiledBodies<double>& to);
void add_layouts_of_threads(CompiledBodies<float>& to);
void add_launch_bounds_of_threads(CompiledBodies<float>& to);

}  // namespace trellis::bench::study
