// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where kernels that pack, unpack and wait for messages run, beside those of the default instance of a space: on a GPU
// a stream of its own, whose blocks go first.
//   const Exec space = MessageSpace<Exec>::get();
//   MessageSpace<Exec>::follow_default();    what it is given from now on comes after what the default was given
//   MessageSpace<Exec>::default_follows();   and the other way round
// On hosts it is the default instance, and there is nothing to order.

#include "trellis/core/spaces.hpp"

namespace trellis {

template <ExecutionSpace Exec>
struct MessageSpace {
  static Exec get() { return {}; }
  static void follow_default() {}
  static void default_follows() {}
};

}  // namespace trellis

#if defined(TRELLIS_DEVICE_BACKEND)
#include TRELLIS_DEVICE_HEADER(message_space.hpp)
#endif
