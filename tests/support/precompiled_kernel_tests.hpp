// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Precompiled for tests of the building blocks of kernels (see trellis/core/precompiled.hpp).
#include <gtest/gtest.h>

#include "trellis/core/precompiled.hpp"
