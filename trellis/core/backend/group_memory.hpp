// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// For core's own sources: the local memory of groups that one thread, or the threads of one group, run one after the
// other. Pieces that a launch sized come first, then those that kernels request, in the order of the requests.

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace trellis::backend {

class GroupMemory {
 public:
  GroupMemory();

  // Forgets all pieces and returns where those of the launch begin. many_threads: threads make requests concurrently.
  std::byte* begin(std::size_t launch_bytes, bool many_threads);

  // The piece for this key; null if there is no room for it.
  void* piece(const void* key, std::size_t bytes, std::size_t alignment) {
    if (many_threads_) {
      const std::lock_guard lock(mutex_);
      return find(key, bytes, alignment);
    }
    return find(key, bytes, alignment);
  }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  struct Piece {
    const void* key;
    void* at;
  };

  void* find(const void* key, std::size_t bytes, std::size_t alignment) {
    for (const Piece& piece : pieces_) {
      if (piece.key == key) return piece.at;
    }
    return add(key, bytes, alignment);
  }
  void* add(const void* key, std::size_t bytes, std::size_t alignment);

  std::unique_ptr<std::byte, Free> data_;
  std::size_t used_ = 0;
  std::vector<Piece> pieces_;
  bool many_threads_ = false;
  std::mutex mutex_;
};

// One object per thread and nesting depth of kernels that dispatch kernels: taken from where the thread keeps it,
// created if there is none, and put back.
template <class T>
class Borrowed {
 public:
  Borrowed() : object_(kept ? std::move(kept) : std::make_unique<T>()) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { kept = std::move(object_); }
  T& operator*() const { return *object_; }

 private:
  static inline thread_local std::unique_ptr<T> kept;
  std::unique_ptr<T> object_;
};

}  // namespace trellis::backend
