// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/registers/bodies_definition.hpp"

namespace trellis::bench::study {

namespace {

constexpr BodyChoice whole, two_rows = with(whole, LinkFormat::two_rows);

template <class T>
void add_formats(CompiledBodies<T>& to) {
  add<T, whole, two_rows, with(whole, LinkFormat::minimal)>(to);
}

}  // namespace

void add_scalar_bodies(CompiledBodies<float>& to) {
  add_formats(to);
  add_other_layouts<float, whole>(to);
  add_other_layouts<float, two_rows>(to);
  add_full_and_two_rows<float, with(whole, NeighbourSource::computed)>(to);
}

void add_scalar_bodies(CompiledBodies<double>& to) { add_formats(to); }

}  // namespace trellis::bench::study
