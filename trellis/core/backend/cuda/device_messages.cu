// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/device_messages.hpp"

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/error.hpp"
#if defined(TRELLIS_HAS_NCCL)
#include <nccl.h>

#include <cstring>
#endif

namespace trellis {

using namespace backend;

#if defined(TRELLIS_HAS_NCCL)

namespace {
void nccl_check(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) fail("NCCL, {}: {}", what, ncclGetErrorString(result));
}
}  // namespace

struct DeviceMessages<Cuda>::Ranks {
  ncclComm_t handle = nullptr;
  // Completes pending messages first: a rank that ends with an error must not leave others waiting.
  ~Ranks() {
    if (std::uncaught_exceptions() > 0)
      static_cast<void>(ncclCommAbort(handle));
    else
      static_cast<void>(ncclCommDestroy(handle));
  }
};

std::string DeviceMessages<Cuda>::new_name() {
  ncclUniqueId id;
  nccl_check(ncclGetUniqueId(&id), "a name for ranks");
  return std::string(id.internal, sizeof id.internal);
}

DeviceMessages<Cuda>::DeviceMessages(const std::string& name, int rank, int ranks) : ranks_(std::make_shared<Ranks>()) {
  require_cuda();
  ncclUniqueId id;
  if (name.size() != sizeof id.internal) fail("NCCL: a name of {} bytes", name.size());
  std::memcpy(id.internal, name.data(), sizeof id.internal);
  nccl_check(ncclCommInitRank(&ranks_->handle, ranks, id, rank), "meeting the other ranks");
}

void DeviceMessages<Cuda>::exchange(const Cuda& space, std::span<const DeviceMessage> parts) const {
  nccl_check(ncclGroupStart(), "messages");
  for (const DeviceMessage& part : parts) {
    nccl_check(ncclSend(part.out, part.out_bytes, ncclInt8, part.to, ranks_->handle, cuda_stream(space)), "sending");
    nccl_check(ncclRecv(part.in, part.in_bytes, ncclInt8, part.from, ranks_->handle, cuda_stream(space)), "receiving");
  }
  nccl_check(ncclGroupEnd(), "messages");
}

void DeviceMessages<Cuda>::gather(const Cuda& space, const std::byte* own, std::byte* all, std::size_t bytes) const {
  nccl_check(ncclAllGather(own, all, bytes, ncclInt8, ranks_->handle, cuda_stream(space)), "gathering");
}

#endif

namespace {
__global__ void add_rows_kernel(const ExactSum* sums, int rows, int count, double* values) {
  for (int k = int(threadIdx.x); k < count; k += int(blockDim.x)) {
    ExactSum total;
    for (int row = 0; row < rows; ++row) total.add(sums[row * count + k]);
    values[k] = total.value();
  }
}
}  // namespace

template <>
void add_rows(const Cuda& space, const ExactSum* sums, int rows, int count, double* values) {
  add_rows_kernel<<<1, 128, 0, cuda_stream(space)>>>(sums, rows, count, values);
  cuda_check_launch("add rows of sums");
}

}  // namespace trellis
