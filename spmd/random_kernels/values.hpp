// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of any type as the interpreter stores them: 64 bits, with those beyond the type's width 0.

#include <cstdint>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

// An operation on two values of this type; the caller handles `select` and `and_then`.
std::uint64_t compute(Operation op, Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t convert_value(Type from, Type to, std::uint64_t value);

}  // namespace trellis::random_kernels
