// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The force without Trellis, on plain pointers: the yardstick. Implemented by by_hand_openmp.cpp or, where Trellis runs
// on CUDA, by_hand_cuda.cu.

namespace examples::minimd::by_hand {

// Arrays as Trellis' default layouts have them: on a host position and force are [row][3] and neighbours [atom][room];
// on a GPU position and force are [3][rows], neighbours [room][atoms]. Lists are padded as neighbours.hpp says.
struct ForceInput {
  const double* position;
  long position_rows;
  const int* neighbours;
  long room;
  const int* count;
  double* force;
  long atoms;
  double cutoff_squared;
};

// Of a CPU, for which forces() is compiled: "AVX-512", "AVX2", or "" if it is forces_omp_simd(), and on a GPU.
const char* instructions();

// As fast as we can write it for the machine.
void forces(const ForceInput& input);

// For a CPU: the loop over neighbours is left to the compiler, under `omp simd`.
void forces_omp_simd(const ForceInput& input);

}  // namespace examples::minimd::by_hand
