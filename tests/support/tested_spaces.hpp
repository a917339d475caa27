// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// TestedSpaces: the execution spaces for which typed tests run. They are this build's host spaces; in kokkos_tests,
// which compiles the same test files again (TRELLIS_TEST_KOKKOS), they are Kokkos'.
//   TYPED_TEST_SUITE(SomeTest, TestedSpaces);

#include <gtest/gtest.h>

#include "trellis/core/spaces.hpp"
#if defined(TRELLIS_TEST_KOKKOS)
#include "trellis/core/kokkos.hpp"
#endif

namespace trellis {

#if defined(TRELLIS_TEST_KOKKOS)
using TestedSpaces = testing::Types<KokkosExecution<::Kokkos::DefaultHostExecutionSpace>>;
#elif defined(TRELLIS_HAS_OPENMP)
using TestedSpaces = testing::Types<Serial, Threads, OpenMP>;
#else
using TestedSpaces = testing::Types<Serial, Threads>;
#endif

}  // namespace trellis
