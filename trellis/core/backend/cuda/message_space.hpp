// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages have a stream of their own. Included by core/device/message_space.hpp.

#include "trellis/core/device/message_space.hpp"

namespace trellis {

template <>
struct MessageSpace<Cuda> {
  static Cuda get();
  static void follow_default();
  static void default_follows();
};

}  // namespace trellis
