// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/cuda/memory_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/streams.hpp"

namespace trellis::backend {

namespace {

struct Block {
  void* data;
  WorkSoFar users;  // work that may still use it
};

// Never destroyed: static Views are destroyed after main, in any order.
struct Pool {
  std::mutex mutex;
  std::multimap<std::size_t, Block> unused;
  std::unordered_map<void*, std::size_t> used;
  bool keeps = [] {
    const char* const said = std::getenv("TRELLIS_CUDA_POOL");
    return said == nullptr || std::string_view(said) != "0";
  }();
};
Pool& pool() {
  static Pool& only = *new Pool;
  return only;
}

std::size_t class_of(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{1} << 21, least = 512;
  return bytes > page ? (bytes + page - 1) / page * page : std::bit_ceil(std::max(bytes, least));
}

void give_all_back(Pool& all) {
  cuda_check(cudaDeviceSynchronize(), "an earlier kernel failed");
  for (auto& [size, block] : all.unused) {
    static_cast<void>(block.users.done());
    cuda_check(cudaFree(block.data), "memory that goes back");
  }
  all.unused.clear();
}

}  // namespace

cudaError_t pool_take(void** data, std::size_t bytes) {
  auto& all = pool();
  if (!all.keeps) return cudaMalloc(data, bytes);
  const std::size_t wanted = class_of(bytes);
  const std::lock_guard lock(all.mutex);
  for (auto at = all.unused.lower_bound(wanted); at != all.unused.end() && at->first <= wanted + wanted / 8; ++at) {
    if (!at->second.users.done()) continue;
    *data = at->second.data;
    all.used[*data] = at->first;
    all.unused.erase(at);
    return cudaSuccess;
  }
  cudaError_t code = cudaMalloc(data, wanted);
  if (code == cudaErrorMemoryAllocation && !all.unused.empty()) {
    static_cast<void>(cudaGetLastError());
    give_all_back(all);
    code = cudaMalloc(data, wanted);
  }
  if (code == cudaSuccess) all.used[*data] = wanted;
  return code;
}

void pool_give(void* data) noexcept {
  if (this_capture.memory != nullptr) {
    this_capture.memory->push_back(data);
    return;
  }
  auto& all = pool();
  if (!all.keeps) {
    static_cast<void>(cudaFree(data));
    return;
  }
  try {
    const std::lock_guard lock(all.mutex);
    Block block{data, {}};
    block.users.record();
    const auto size = all.used.extract(data);
    all.unused.emplace(size.mapped(), std::move(block));
  } catch (const std::exception&) {
    // The device has failed, which the next fence reports: its memory must not be reused.
  }
}

void pool_trim() {
  auto& all = pool();
  const std::lock_guard lock(all.mutex);
  give_all_back(all);
}

std::size_t pool_unused_bytes() {
  auto& all = pool();
  const std::lock_guard lock(all.mutex);
  std::size_t sum = 0;
  for (const auto& [size, block] : all.unused) sum += size;
  return sum;
}

}  // namespace trellis::backend
