// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled once for tests that put kernels together (see trellis/core/precompiled.hpp).
#include <gtest/gtest.h>

#include "trellis/core/precompiled.hpp"
