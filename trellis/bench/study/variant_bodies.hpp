// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiled forms of the Wilson kernel, each for one tile of sites, behind pointers. Traversal, stores and
// prefetching are left to the caller or are data, so that they do not multiply the number of forms. Each of the files
// variant_*.cpp adds some, to spread their compile time.

#include "trellis/bench/study/computed_hops.hpp"
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
  PrefetchDistances ahead;
  // As in TableHops and ComputedHops.
  const Hop* hops;
  const std::uint8_t* exits;
  const std::uint8_t* marks;
  const std::int32_t* numbers;
  const T* factors;
  const std::int32_t* lanes;
  int in_origin;
  VirtualNode node;
};

template <class T>
struct CompiledBody {
  using Run = void (*)(const BodyArguments<T>&, int tile);

  BodyChoice choice;
  Run run[2][2];  // [parity written to][plain, adjoint]
  // From ComplexTraits of its registers.
  int (*place)(int lane, int part);
  int table_width;
};

template <class T>
using CompiledBodies = std::vector<CompiledBody<T>>;

void add_scalar_bodies(CompiledBodies<float>& to);
void add_scalar_bodies(CompiledBodies<double>& to);
void add_virtual_node_bodies(CompiledBodies<float>& to);
void add_virtual_node_bodies(CompiledBodies<double>& to);
void add_right_hand_side_bodies(CompiledBodies<float>& to);
void add_right_hand_side_bodies(CompiledBodies<double>& to);
// Virtual nodes and right-hand sides in lane counts other than the native one; for doubles the operators cover those.
void add_other_lane_counts(CompiledBodies<float>& to);

}  // namespace trellis::bench::study
