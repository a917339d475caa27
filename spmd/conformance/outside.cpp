// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {

u32 outside(u32 a, u32 b) noexcept { return (a ^ (b << 7)) * 2654435761U; }

u32 read_outside(const u32* x) { return *x; }

}  // namespace trellis::conformance
