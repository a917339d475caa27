// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What holds several lanes where kernels of this build run: the registers of one thread, or one thread per lane.

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
inline constexpr int most_lane_bytes = 32 * 8;  // of the lanes that suit the machine best
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
