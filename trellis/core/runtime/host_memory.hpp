// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of the host, in which blocks (from 1 MiB on) that are given back are kept for the next request of the same
// size: the system would take their pages away, and set each to zero again when it is next touched, which can take
// longer than what a solver does with a work vector.
//
// What is kept is at most as much as is in use, and never makes the process larger than it has been with blocks in use
// alone; the oldest goes first. With the address sanitizer nothing is kept.

#include <cstddef>

namespace trellis::host_memory {

inline constexpr std::size_t on_huge_pages = std::size_t{1} << 22;  // from here on, and aligned to 2 MiB
inline constexpr std::size_t least_kept = std::size_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool keeps = false;
#elif defined(__has_feature)
inline constexpr bool keeps = !__has_feature(address_sanitizer);
#else
inline constexpr bool keeps = true;
#endif

// Null if there is no such memory, even after what was kept has gone back to the system. Contents are undefined.
void* take(std::size_t bytes) noexcept;
void give(void* data, std::size_t bytes) noexcept;

// The same without the blocks that are kept: for memory of which at most a page is touched (dry_run.hpp).
void* take_untouched(std::size_t bytes) noexcept;
void give_untouched(void* data, std::size_t bytes) noexcept;

// Bytes that are kept.
std::size_t kept();

}  // namespace trellis::host_memory
