// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Markers in a kernel's code for the compiler plugin (spmd/). In files that the plugin compiles it removes these calls;
// in others they end the program with a message, except those that return memory, which are ordinary functions.

#include <cstddef>

#if defined(__clang__)
#define TRELLIS_CONVERGENT [[clang::convergent]]
#else
#define TRELLIS_CONVERGENT
#endif

extern "C" {

// The function that calls this is the body of one work-item; the plugin puts it into loops over those of a group. The
// call must be in the entry block, before the other markers.
//   version      1
//   way          1 loop fission, 2 continuations, 3 loop fission or, where that is impossible, continuations
//   dimensions   1 to 3
//   size0...     of the group; 1 for unused dimensions
void trellis_spmd_begin(int version, int way, int dimensions, std::size_t size0, std::size_t size1,
                        std::size_t size2) noexcept;

[[gnu::const]] std::size_t trellis_spmd_local_id(int dimension) noexcept;

TRELLIS_CONVERGENT void trellis_spmd_barrier() noexcept;

// Memory that the work-items of a group share: the same address for all of them and for all calls with this key.
// `group` is a backend::WorkGroup.
[[gnu::const]] void* trellis_spmd_local_memory(const void* group, const void* key, std::size_t bytes,
                                               std::size_t alignment) noexcept;

// Says that `memory` belongs to the group and was sized at launch; returns it.
[[gnu::const]] void* trellis_spmd_launch_memory(void* memory) noexcept;

}  // extern "C"
