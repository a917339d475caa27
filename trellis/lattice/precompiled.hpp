// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled twice, with full and with little optimisation, for all rooms (cmake/TrellisRoom.cmake;
// core/precompiled.hpp).
#include "trellis/core/parallel.hpp"
#include "trellis/core/precompiled.hpp"
#include "trellis/core/random.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/lattice/parity_field.hpp"
#include "trellis/su3/algebra.hpp"
#include "trellis/su3/matrix.hpp"
#include "trellis/su3/vector.hpp"
