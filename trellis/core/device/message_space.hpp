// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where kernels that pack, unpack and wait for messages run, concurrently with those of a space's default instance: on
// a GPU a separate stream, whose blocks have priority.
//   const Exec space = MessageSpace<Exec>::get();
//   MessageSpace<Exec>::follow_default();    work launched in it from now on comes after the default's so far
//   MessageSpace<Exec>::default_follows();   the other way round
// On hosts it is the default instance, and no ordering is needed.

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
