// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trellis' kernels through an installed Kokkos (3.4 or later), for machines that only Kokkos supports, and for programs
// that use both. find_package(Trellis COMPONENTS kokkos) and link trellis::kokkos; trellis::core does not depend on it.
//   Kokkos::ScopeGuard kokkos(argc, argv);      the program starts and ends Kokkos
//   parallel_for("scale", RangePolicy<KokkosExecution<>>(0, n), TRELLIS_LAMBDA(Index i) { a(i) *= 2; });
//
// KokkosExecution<Space>     an execution space for every policy; Space is one of Kokkos' (its default). A value of it
//                            holds an instance: KokkosExecution<>(instance) runs kernels there. Creating one before
//                            Kokkos::initialize or after Kokkos::finalize throws Error.
// KokkosMemory<Space>        a memory space of Kokkos that Trellis has no name for, such as other vendors' GPUs.
//                            View, deep_copy and mirrors accept it; Kokkos allocates its memory (aligned to 64 bytes or
//                            more), which should be freed before Kokkos::finalize. Kokkos' HostSpace is HostSpace; with
//                            TRELLIS_BACKEND=cuda its CUDA spaces are CudaSpace, CudaHostPinnedSpace, CudaManagedSpace.
// to_kokkos(view)            a Kokkos::View of the same memory, extents, layout and strides, unmanaged: `view` must
//                            outlive it. LayoutTiled has no counterpart and does not compile.
// from_kokkos(view)          a View of the memory of a Kokkos::View, which must outlive it. Throws Error, with the
//                            label, if a LayoutRight or LayoutLeft of Kokkos is padded, or is part of another;
// from_kokkos_strided(view)  accepts these as well: its layout is LayoutStride.
//
// On Kokkos' host spaces Kokkos gives each of its threads one part of the work, where the code of Serial and OpenMP
// runs: reductions and scans have the same bits, for any number of threads; tiles and their order are those of
// policy.hpp; a team is one thread; a kernel is complete when its dispatch returns, its functor is not copied, and an
// exception that it throws reaches the caller. Kokkos decides how many threads there are: set_thread_count has no
// effect on them.
// On Kokkos' devices policies, reductions, scans and teams are Kokkos' own: it joins partial results in an order that
// may change from run to run, so joins must commute; a tile is a block; dispatches return before the kernel has run
// (fence()), reductions and scans wait. Errors there are Kokkos', which ends the program.
// Cost: a dispatch of Kokkos and 6 ns; examples/kokkos measures what its loops gain and lose.
// Tested with Kokkos 3.4 and its Serial space, which also runs the code for devices; nvcc compiles that. It has not
// been run on a device.

#include "trellis/core/backend/kokkos/parallel.hpp"
#include "trellis/core/backend/kokkos/views.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"

namespace trellis {

using backend::KokkosExecution;
using backend::KokkosMemory;

}  // namespace trellis
