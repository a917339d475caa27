// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a kernel's code says to the compiler plugin (spmd/). In files that the plugin compiles it takes these calls
// away; in others they end the program with a message, but for those that name memory, which are functions like any
// others.

#include <cstddef>

#if defined(__clang__)
#define TRELLIS_CONVERGENT [[clang::convergent]]
#else
#define TRELLIS_CONVERGENT
#endif

extern "C" {

// The function that calls this is the body of one work-item; the plugin puts it into loops over those of a group. It
// is in the entry block, before the other markers.
//   version      1
//   way          1 loop fission, 2 continuations, 3 loop fission and, where that cannot be, continuations
//   dimensions   1 to 3
//   size0...     of the group; 1 where there is no such dimension
void trellis_spmd_begin(int version, int way, int dimensions, std::size_t size0, std::size_t size1,
                        std::size_t size2) noexcept;

[[gnu::const]] std::size_t trellis_spmd_local_id(int dimension) noexcept;

TRELLIS_CONVERGENT void trellis_spmd_barrier() noexcept;

// Memory that the work-items of a group share: the same address for all of them and for all calls with this key.
// `group` is a backend::WorkGroup.
[[gnu::const]] void* trellis_spmd_local_memory(const void* group, const void* key, std::size_t bytes,
                                               std::size_t alignment) noexcept;

// Says that `memory` is its group's, sized at launch; returns it.
[[gnu::const]] void* trellis_spmd_launch_memory(void* memory) noexcept;

}  // extern "C"
