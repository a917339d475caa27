// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/host_tiles.hpp"

namespace trellis::backend {

template void run_tile_loop(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileLoop&);
template void run_tile_sums(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileSums&,
                            std::span<ExactSum>);
template void leave_tile_sums(const Kernel&, const DefaultHostExecutionSpace&, const HostTiles&, const TileSums&,
                              std::span<double>);

}  // namespace trellis::backend
