// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/device/peer_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/error.hpp"

namespace trellis {

using namespace backend;

struct PeerMemory<Cuda>::Block {
  void* data = nullptr;
  std::vector<void*> opened;

  ~Block() {
    for (void* other : opened) static_cast<void>(cudaIpcCloseMemHandle(other));
    static_cast<void>(cudaFree(data));
  }
};

// Not from the pool: a handle opens a complete allocation of CUDA's.
PeerMemory<Cuda>::PeerMemory(std::size_t bytes) : block_(std::make_shared<Block>()) {
  require_cuda();
  cuda_check(cudaMalloc(&block_->data, std::max<std::size_t>(bytes, 1)), "memory for peers");
  cuda_check(cudaMemset(block_->data, 0, std::max<std::size_t>(bytes, 1)), "memory for peers");
  cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed");
}

std::byte* PeerMemory<Cuda>::data() const { return static_cast<std::byte*>(block_->data); }

std::string PeerMemory<Cuda>::handle() const {
  cudaIpcMemHandle_t handle;
  cuda_check(cudaIpcGetMemHandle(&handle, block_->data), "a handle of memory for peers");
  return std::string(reinterpret_cast<const char*>(&handle), sizeof handle);
}

std::byte* PeerMemory<Cuda>::open(const std::string& text) {
  cudaIpcMemHandle_t handle;
  if (text.size() != sizeof handle) fail("memory of a peer: a handle of {} bytes", text.size());
  std::memcpy(&handle, text.data(), sizeof handle);
  void* there = nullptr;
  cuda_check(cudaIpcOpenMemHandle(&there, handle, cudaIpcMemLazyEnablePeerAccess), "memory of a peer");
  block_->opened.push_back(there);
  return static_cast<std::byte*>(there);
}

template <>
std::string peer_name(const Cuda&) {
  require_cuda();
  int device = 0;
  char host[256] = {}, bus[64] = {};
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "the bus of a device");
  static_cast<void>(gethostname(host, sizeof host - 1));
  return fmt::format("{} {}", host, bus);
}

template <>
bool can_reach_peer(const Cuda& space, const std::string& name) {
  const std::string own = peer_name(space);
  const auto host = own.substr(0, own.find(' ') + 1);
  if (name.substr(0, host.size()) != host || name == own) return false;
  int other = 0, device = 0, can = 0;
  if (cudaDeviceGetByPCIBusId(&other, name.c_str() + host.size()) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // a device that is invisible to this process
    return false;
  }
  cuda_check(cudaGetDevice(&device), "the current device");
  cuda_check(cudaDeviceCanAccessPeer(&can, device, other), "access to a peer");
  return can != 0;
}

namespace {

constexpr int most_flags = 64;
struct Flags {
  std::uint32_t* words[most_flags];
  int count;
};

__device__ void publish(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ std::uint32_t look(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
__device__ void wait_for(const std::uint32_t* word, std::uint32_t value) {
  constexpr std::uint64_t patience = 60'000'000'000;  // ns
  std::uint64_t begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  while (static_cast<std::int32_t>(look(word) - value) < 0) {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    if (now - begin > patience) __trap();
  }
}

__global__ void signal_kernel(const Flags flags, std::uint32_t word) {
  __threadfence_system();
  if (threadIdx.x < unsigned(flags.count)) publish(flags.words[threadIdx.x], word);
}
__global__ void wait_kernel(const Flags flags, std::uint32_t word) {
  if (threadIdx.x < unsigned(flags.count)) wait_for(flags.words[threadIdx.x], word);
}

template <class F>
void in_groups(PeerFlags flags, const F& f) {
  for (std::size_t first = 0; first < flags.size(); first += most_flags) {
    Flags group{};
    group.count = static_cast<int>(std::min<std::size_t>(most_flags, flags.size() - first));
    std::copy_n(flags.begin() + std::ptrdiff_t(first), group.count, group.words);
    f(group);
  }
}

__global__ void join_kernel(const PeerSums sums, const ExactSum* own, int count, int row, std::uint32_t turn,
                            double* values) {
  const int half = int(turn % 2) * sums.ranks * row;
  for (int n = int(threadIdx.x); n < sums.ranks * count; n += int(blockDim.x)) {
    const int rank = n / count, k = n - rank * count;
    sums.rows[rank][half + sums.own_rank * row + k] = own[k];
  }
  __threadfence_system();
  __syncthreads();
  if (int(threadIdx.x) < sums.ranks) {
    publish(sums.flags[threadIdx.x] + sums.own_rank, turn);
    wait_for(sums.flags[sums.own_rank] + threadIdx.x, turn);
  }
  __syncthreads();
  for (int k = int(threadIdx.x); k < count; k += int(blockDim.x)) {
    ExactSum total;
    for (int rank = 0; rank < sums.ranks; ++rank) {
      // Bypasses the first-level cache, which does not see the writes of other devices.
      const volatile std::uint64_t* const words =
          reinterpret_cast<const volatile std::uint64_t*>(sums.rows[sums.own_rank] + half + rank * row + k);
      std::uint64_t copy[sizeof(ExactSum) / 8];
      for (unsigned w = 0; w < sizeof(ExactSum) / 8; ++w) copy[w] = words[w];
      ExactSum of_rank;
      memcpy(&of_rank, copy, sizeof of_rank);
      total.add(of_rank);
    }
    values[k] = total.value();
  }
}

}  // namespace

template <>
void peer_signal(const Cuda& space, PeerFlags flags, std::uint32_t word) {
  in_groups(flags, [&](const Flags& group) {
    signal_kernel<<<1, most_flags, 0, cuda_stream(space)>>>(group, word);
    cuda_check_launch("signal peers");
  });
}

template <>
void peer_wait(const Cuda& space, PeerFlags flags, std::uint32_t word) {
  in_groups(flags, [&](const Flags& group) {
    wait_kernel<<<1, most_flags, 0, cuda_stream(space)>>>(group, word);
    cuda_check_launch("wait for peers");
  });
}

template <>
void peer_join(const Cuda& space, const PeerSums& sums, const ExactSum* own, int count, int row, std::uint32_t turn,
               double* values) {
  join_kernel<<<1, 128, 0, cuda_stream(space)>>>(sums, own, count, row, turn, values);
  cuda_check_launch("join sums");
}

}  // namespace trellis
