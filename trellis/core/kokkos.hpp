// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Trellis' kernels through an installed Kokkos (3.4 or later), for machines that only Kokkos supports, and for programs
// that have both. Link trellis::kokkos; trellis::core does not know of Kokkos. The program starts and ends it:
//   Kokkos::ScopeGuard kokkos(argc, argv);
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
// Bits: on Kokkos' host spaces reductions and scans are cut and joined as on Serial and OpenMP, and have the same bits,
// for any number of threads. On its devices they are Kokkos': joined in an order that it chooses and that may change
// from run to run; joins must commute there. Tiles are Trellis' on hosts (policy.hpp says their order) and Kokkos'
// blocks on devices. Kernels of devices and of HPX return before they ran (fence()), reductions and scans wait. An
// exception that a kernel throws reaches the caller from Kokkos' Serial; Kokkos' other spaces end the program. The
// functor is copied. Threads are Kokkos' to count (set_thread_count does not reach them).
// Cost: a dispatch of Kokkos; on its Serial as fast as its own API, reductions faster (examples/kokkos).
// Tested with Kokkos 3.4 and its Serial space. Device code is written to Kokkos' manual and has not met a device.

#include "trellis/core/backend/kokkos/parallel.hpp"
#include "trellis/core/backend/kokkos/views.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/parallel.hpp"

namespace trellis {

using backend::KokkosExecution;
using backend::KokkosMemory;

}  // namespace trellis
