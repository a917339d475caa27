// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Intermediate fields of an operator with two passes: fields of each parity, for one vector and for several, allocated
// when first needed. Copies share them; one operator serves one caller at a time.

#include <array>
#include <memory>

#include "trellis/lattice/parity_field.hpp"

namespace trellis::dirac::stencil {

template <class Field>
class WorkFields {
 public:
  const Field& operator()(const Lattice& lattice, int parity, int count) const {
    Field& field = (*fields_)[std::size_t(parity + (count > 1 ? 2 : 0))];
    if (!field.is_allocated() || field.count() != count) field = Field(lattice, parity, count, "between two hops");
    return field;
  }

 private:
  std::shared_ptr<std::array<Field, 4>> fields_ = std::make_shared<std::array<Field, 4>>();
};

}  // namespace trellis::dirac::stencil
