// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/tile_watch.hpp"

#include <utility>

namespace trellis {

namespace {
TileWatch* watching = nullptr;
}  // namespace

WatchingTiles::WatchingTiles(TileWatch& watch) : before_(std::exchange(watching, &watch)) {}
WatchingTiles::~WatchingTiles() { watching = before_; }
TileWatch* WatchingTiles::now() { return watching; }

}  // namespace trellis
