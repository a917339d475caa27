// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The step of heat.hpp without Trellis, on plain pointers: the yardstick. Implemented by by_hand_openmp.cpp or, where
// Trellis runs on CUDA, by_hand_cuda.cu. The point (i, j) is at i * columns + j; rows and columns include the edge.

namespace examples::heat::by_hand {

void step(const double* u, double* next, long rows, long columns, double r);

}  // namespace examples::heat::by_hand
