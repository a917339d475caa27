// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled once for this room (see core/precompiled.hpp).
#include <nlohmann/json.hpp>

#include "trellis/lattice/precompiled.hpp"
