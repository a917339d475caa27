// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values of any type as the interpreter keeps them: 64 bits, of which those beyond the type's own are 0.

#include <cstdint>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

// An operation of two values of this type; `select` and `and_then` are the caller's.
std::uint64_t compute(Operation op, Type type, std::uint64_t a, std::uint64_t b);
std::uint64_t convert_value(Type from, Type to, std::uint64_t value);

}  // namespace trellis::random_kernels
