// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What fills several lanes where kernels of this build run: one thread with registers, or a thread for each.

#include "trellis/core/config.hpp"
#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(warp_lanes.hpp)
#else
#include "trellis/core/backend/simd_register.hpp"
#endif

namespace trellis {

template <class T, int W>
struct simd;

namespace backend {
#if defined(TRELLIS_DEVICE_BACKEND)
inline constexpr bool lanes_are_threads = true;
inline constexpr int most_lane_bytes = 32 * 8;  // that the lanes take which best suit the machine
template <class T, int W>
using lanes = warp_lanes<T, W>;
#else
inline constexpr bool lanes_are_threads = false;
inline constexpr int most_lane_bytes = register_bytes;
template <class T, int W>
using lanes = simd<T, W>;
#endif
}  // namespace backend
}  // namespace trellis
