// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes a site of a trajectory's fields in double precision, for plans of its time and memory.

namespace trellis::bench {

inline constexpr double link_field = 72 * 8, momentum_field = 32 * 8, share_field = 96 * 8, plaquette_field = 108 * 8,
                        packed_field = 96 * 8;
inline constexpr int deferred_directions = 8;  // solver/multi_shift_cg.hpp

}  // namespace trellis::bench
