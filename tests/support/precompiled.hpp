// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled once for the tests of all rooms (see trellis/core/precompiled.hpp).
#include <gtest/gtest.h>

#include "trellis/core/precompiled.hpp"
