// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Precompiled for all rooms' other tests (see trellis/core/precompiled.hpp).
#include <gtest/gtest.h>

#include "trellis/lattice/precompiled.hpp"
