// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Reuse of memory, failed allocations, and large copies.
#include "tests/support/cuda.cuh"
#include "trellis/core/backend/cuda/memory_pool.hpp"
#include "trellis/core/mirror.hpp"

namespace trellis {
namespace cuda_test {

class CudaMemory : public WithCuda {};

constexpr Index length = 3 << 18;  // 6 MiB of doubles

double sum_of_view(const View<double*>& a) {
  double sum = 0;
  parallel_reduce("sum", RangePolicy<Cuda>(0, a.extent(0)), TRELLIS_LAMBDA(Index i, double& s) { s += a(i); }, sum);
  return sum;
}

void fill_with(const View<double*>& a, double value, const Cuda& space) {
  parallel_for("fill", RangePolicy<Cuda>(space, 0, a.extent(0)), TRELLIS_LAMBDA(Index i) { a(i) = value; });
}

TEST_F(CudaMemory, ServesAgainAndIsZero) {
  const double* first = nullptr;
  for (int n = 0; n < 4; ++n) {
    const View<double*> a("a", length);
    if (n == 0) first = a.data();
    EXPECT_EQ(a.data(), first);
    EXPECT_EQ(sum_of_view(a), 0) << n;
    fill_with(a, 1 + n, Cuda{});
  }
  EXPECT_GE(backend::pool_unused_bytes(), std::size_t(length) * 8);
  backend::pool_trim();
  EXPECT_EQ(backend::pool_unused_bytes(), 0U);
}

TEST_F(CudaMemory, IsTakenAndGivenBackWhileTheDeviceIsBusy) {
  {
    const View<double*> warm("warm", length);
  }
  const View<double*> busy("busy", 32);
  LongKernel kernel(Cuda{}, busy, 3);
  for (int n = 0; n < 100; ++n) {
    const View<double*> a("a", length);
    fill_with(a, n, Cuda{});
  }
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  kernel.end();
  EXPECT_EQ(sum_of_view(busy), 96);
}

// A View is freed while its kernel has not yet written to it, in a stream that nothing waits for.
TEST_F(CudaMemory, ServesNobodyWhileAnotherStreamUsesIt) {
  const Instances<Cuda> streams(2);
  backend::pool_trim();
  auto old = std::make_unique<View<double*>>("old", length);
  const double* const where = old->data();
  LongKernel kernel(streams[0], *old, 7);
  old.reset();
  const View<double*> other("other", length);
  EXPECT_NE(other.data(), where);
  kernel.end();
  fence();
  EXPECT_EQ(sum_of_view(other), 0);
  const View<double*> later("later", length);
  EXPECT_EQ(later.data(), where) << "all are done with it";
  EXPECT_EQ(sum_of_view(later), 0);
}

// Zeroing happens in the default stream; kernels in other streams come after it.
TEST_F(CudaMemory, IsZeroInEveryStream) {
  const Instances<Cuda> streams(1);
  const View<double*> busy("busy", 32);
  LongKernel kernel(Cuda{}, busy, 1);
  const View<double*> a("a", length);
  fill_with(a, 5, streams[0]);
  kernel.end();
  fence();
  EXPECT_EQ(sum_of_view(a), 5.0 * length);
}

TEST_F(CudaMemory, UnusedMemoryGoesBackBeforeThereIsNone) {
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  const auto part = [&](double of_free) { return static_cast<Index>(double(free) * of_free / 8); };
  {
    const View<double*> most(uninitialized, "most", part(0.5));
  }
  const View<double*> more(uninitialized, "more", part(0.7));
  try {
    const View<double*> too_much(uninitialized, "too much", part(0.5));
    FAIL();
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find(fmt::format("View 'too much': cannot allocate {} bytes in CudaSpace", 8 * part(0.5))),
              std::string::npos)
        << said;
    EXPECT_NE(said.find(fmt::format("the largest Views there are 'more' ({} bytes in CudaSpace)", 8 * part(0.7))),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("are free"), std::string::npos) << said;
  }
  const View<double*> small("small", 10);
  EXPECT_EQ(sum_of_view(small), 0);
}

void add_index(const View<float*>& a) {
  parallel_for(
      "index", RangePolicy<Cuda>(0, a.extent(0)), TRELLIS_LAMBDA(Index i) { a(i) += static_cast<float>(i % 1000); });
}

TEST_F(CudaMemory, LargeCopiesArriveWhole) {
  // Around the limits: smaller than what is staged, one piece, several and a remainder.
  for (const Index n : {Index{1000}, (Index{1} << 20) - 1, Index{1} << 20, (Index{7} << 20) + 12345}) {
    const HostView<float*> host("host", n), back("back", n);
    for (Index i = 0; i < n; ++i) host(i) = static_cast<float>(i % 977);
    const View<float*> device("device", n);
    deep_copy(device, host);
    add_index(device);
    deep_copy(back, device);
    for (Index i = 0; i < n; ++i) ASSERT_EQ(back(i), static_cast<float>(i % 977 + i % 1000)) << i << " of " << n;
  }
}

}  // namespace cuda_test
}  // namespace trellis
