// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/spmd/open_cl.hpp"

namespace trellis::bench::spmd {

std::unique_ptr<OpenClDevice> open_cl_device(int) { return nullptr; }

}  // namespace trellis::bench::spmd
