// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled once for the tests of all rooms but those that put kernels together (see trellis/core/precompiled.hpp).
#include <gtest/gtest.h>

#include "trellis/lattice/precompiled.hpp"
