// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/groups.hpp"

#include "trellis/core/error.hpp"

namespace trellis::comm {

Communicator group_of(const Communicator& ranks, int count) {
  if (count < 1 || ranks.size() % count != 0)
    fail("cannot put {} ranks into {} groups of equal size", ranks.size(), count);
  const int length = ranks.size() / count;
  Communicator rest = ranks;  // the groups from `n` on
  for (int n = 0, own = ranks.rank() / length;; ++n) {
    const Communicator part = rest.first(length);
    if (n == own) return part;
    rest = part;
  }
}

}  // namespace trellis::comm
