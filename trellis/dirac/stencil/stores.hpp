// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results may pass the caches by: that spares reading the lines they go to, and pays where the links of one application
// push them out before they are read.

namespace trellis::dirac {

enum class Stores { by_size, cached, streaming };

// What the last level of cache may keep until the result is read.
inline constexpr double cached_bytes = 32 << 20;

// `bytes`: all that one application moves.
inline bool outgrows_caches(double bytes) { return bytes > cached_bytes; }
inline bool passes_caches(Stores stores, double bytes) {
  return stores == Stores::streaming || (stores == Stores::by_size && outgrows_caches(bytes));
}

}  // namespace trellis::dirac
