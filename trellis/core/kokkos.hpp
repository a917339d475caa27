// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trellis' kernels through an installed Kokkos (3.4 or later), for machines that only Kokkos supports, and for programs
// that have both. find_package(Trellis COMPONENTS kokkos) and link trellis::kokkos; trellis::core does not know of it.
//   Kokkos::ScopeGuard kokkos(argc, argv);      the program starts and ends it
//   parallel_for("scale", RangePolicy<KokkosExecution<>>(0, n), TRELLIS_LAMBDA(Index i) { a(i) *= 2; });
//
// KokkosExecution<Space>     an execution space for every policy; Space is one of Kokkos' (its default). A value of it
//                            holds an instance: KokkosExecution<>(instance) runs kernels there. Before
//                            Kokkos::initialize and after Kokkos::finalize making one throws Error.
// KokkosMemory<Space>        a memory space of Kokkos for which Trellis has no name: GPUs of others, for instance.
//                            View, deep_copy and mirrors take it; its memory is Kokkos' (aligned to 64 bytes or more)
//                            and should be given back before Kokkos::finalize. Kokkos' HostSpace is HostSpace; with
//                            TRELLIS_BACKEND=cuda its CUDA spaces are CudaSpace, CudaHostPinnedSpace, CudaManagedSpace.
// to_kokkos(view)            a Kokkos::View of the same memory, extents, layout and strides, unmanaged: `view` must
//                            outlive it. LayoutTiled has no counterpart and does not compile.
// from_kokkos(view)          a View of the memory of a Kokkos::View, which must outlive it. Throws Error, with the
//                            label, if a LayoutRight or LayoutLeft of Kokkos is padded, or is part of another;
// from_kokkos_strided(view)  takes these as well: its layout is LayoutStride.
//
// On Kokkos' host spaces Kokkos gives each of its threads one part of the work, and what runs there is what Serial and
// OpenMP run: reductions and scans have their bits, for any number of threads; tiles and their order are those of
// policy.hpp; a team is one thread; a kernel is complete when its dispatch returns, its functor is not copied, and an
// exception that it throws reaches the caller. Threads are Kokkos' to count: set_thread_count does not reach them.
// On Kokkos' devices policies, reductions, scans and teams are Kokkos' own: partial results are joined in an order that
// it chooses and that may change from run to run, so joins must commute; a tile is a block; kernels return before they
// ran (fence()), reductions and scans wait. Errors there are Kokkos', which ends the program.
// Cost: a dispatch of Kokkos and 6 ns; what its loops gain and lose is measured in examples/kokkos.
// Tested with Kokkos 3.4 and its Serial space, which also runs the code for devices; nvcc compiles it. It has not met a
// device.

#include "trellis/core/backend/kokkos/parallel.hpp"
#include "trellis/core/backend/kokkos/views.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"

namespace trellis {

using backend::KokkosExecution;
using backend::KokkosMemory;

}  // namespace trellis
