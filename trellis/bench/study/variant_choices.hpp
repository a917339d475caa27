// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The choice of a body as a constant: its layout as a type, and choices made from others.

#include <type_traits>

#include "trellis/bench/study/variant_bodies.hpp"
#include "trellis/core/layout.hpp"

namespace trellis::bench::study {

template <SiteLayout Layout>
using LayoutOf = std::conditional_t<Layout == SiteLayout::right, LayoutRight,
                                    std::conditional_t<Layout == SiteLayout::left, LayoutLeft, LayoutTiled<8>>>;

// A choice with one member replaced.
constexpr BodyChoice with(BodyChoice base, LinkFormat links) {
  base.links = links;
  return base;
}
constexpr BodyChoice with(BodyChoice base, SiteLayout layout) {
  base.layout = layout;
  return base;
}
constexpr BodyChoice with(BodyChoice base, ComplexForm form) {
  base.complex = form;
  return base;
}
constexpr BodyChoice with(BodyChoice base, NeighbourSource neighbours) {
  base.neighbours = neighbours;
  return base;
}

constexpr BodyChoice with_least_blocks(BodyChoice base, int blocks) {
  base.least_blocks = blocks;
  return base;
}

}  // namespace trellis::bench::study
