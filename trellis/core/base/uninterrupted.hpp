// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Repeats a system call as long as signals interrupt it: on some network file systems they do, despite SA_RESTART.
//
//   const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY); });

#include <cerrno>

namespace trellis {

template <class F>
auto uninterrupted(const F& f) {
  for (;;)
    if (const auto result = f(); result >= 0 || errno != EINTR) return result;
}

}  // namespace trellis
