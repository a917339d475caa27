// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Copies between the device and the host. For pageable memory the driver uses pinned buffers of its own, filled by one
// thread; here all threads copy.
#include <array>
#include <cstring>
#include <mutex>

#include "trellis/core/backend/cuda/check.hpp"
#include "trellis/core/backend/cuda/driver.hpp"
#include "trellis/core/backend/cuda/streams.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/runtime/dry_run.hpp"

namespace trellis::backend {

namespace {

constexpr std::size_t piece_bytes = std::size_t{8} << 20;
constexpr std::size_t least_staged = std::size_t{4} << 20;

// Created for the first large copy, and never freed.
struct Piece {
  char* memory = nullptr;
  cudaEvent_t done{};
  char* to = nullptr;  // where on the host its content goes
  std::size_t bytes = 0;
};
struct Staging {
  std::mutex mutex;
  std::array<Piece, 3> pieces;
  Staging() {
    for (auto& piece : pieces) {
      cuda_check(cudaMallocHost(&piece.memory, piece_bytes), "memory for copies");
      cuda_check(cudaEventCreateWithFlags(&piece.done, cudaEventDisableTiming), "an event");
    }
  }
};
Staging& staging() {
  static Staging& only = *new Staging;
  return only;
}

// Copied by all threads, in shares of complete pages.
void copy_on_host(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t share = std::size_t{256} << 10;
  const auto shares = static_cast<long>((bytes + share - 1) / share);
#pragma omp parallel for schedule(static)
  for (long n = 0; n < shares; ++n) {
    const std::size_t begin = static_cast<std::size_t>(n) * share;
    std::memcpy(to + begin, from + begin, begin + share < bytes ? share : bytes - begin);
  }
}

// Waits until the piece's content has left it.
void empty(Piece& piece) {
  if (piece.bytes == 0) return;
  cuda_check(cudaEventSynchronize(piece.done), "a copy, or a kernel before it");
  if (piece.to != nullptr) copy_on_host(piece.to, piece.memory, piece.bytes);
  piece.bytes = 0;
}

void copy_in_pieces(char* to, const char* from, std::size_t bytes, bool to_device) {
  auto& all = staging();
  const std::lock_guard lock(all.mutex);
  for (auto& piece : all.pieces) piece.bytes = 0;  // a failed copy may have left something
  std::size_t turn = 0;
  for (std::size_t begin = 0; begin < bytes; begin += piece_bytes, ++turn) {
    Piece& piece = all.pieces[turn % all.pieces.size()];
    empty(piece);
    piece.bytes = begin + piece_bytes < bytes ? piece_bytes : bytes - begin;
    piece.to = to_device ? nullptr : to + begin;
    if (to_device) copy_on_host(piece.memory, from + begin, piece.bytes);
    cuda_check(cudaMemcpyAsync(to_device ? to + begin : piece.memory, to_device ? piece.memory : from + begin,
                               piece.bytes, cudaMemcpyDefault, nullptr),
               "a copy");
    cuda_check(cudaEventRecord(piece.done, nullptr), "an event");
  }
  for (std::size_t k = 0; k < all.pieces.size(); ++k) empty(all.pieces[(turn + k) % all.pieces.size()]);
}

cudaMemoryType kind_of(const void* data) {
  cudaPointerAttributes attributes;
  cuda_check(cudaPointerGetAttributes(&attributes, data), "an address of a copy");
  return attributes.type;
}

}  // namespace

void cuda_copy(void* to, const void* from, std::size_t bytes) {
  if (in_dry_run()) {
    const KernelTimer recorded({"trellis::deep_copy", 2.0 * double(bytes)});  // as for copies on hosts
    return;
  }
  refuse_in_capture("a copy");
  require_cuda();
  if (bytes >= least_staged) {
    const auto there = kind_of(to), here = kind_of(from);
    const bool to_device = there == cudaMemoryTypeDevice && here == cudaMemoryTypeUnregistered;
    const bool to_host = here == cudaMemoryTypeDevice && there == cudaMemoryTypeUnregistered;
    if (to_device || to_host)
      return copy_in_pieces(static_cast<char*>(to), static_cast<const char*>(from), bytes, to_device);
  }
  cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "a copy");
  // A copy within the device, or from pageable memory, may return before it is done.
  cuda_check(cudaStreamSynchronize(nullptr), "a copy, or a kernel before it");
}

}  // namespace trellis::backend
