// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What hdf5_file.cpp and its checks share of the HDF5 library: a lock, ids that close themselves, and its reasons.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace trellis::io::hdf5 {

// One thread at a time: Debian's library is built for several, others may not be. Recursive, because some functions
// here call others.
inline std::recursive_mutex library;
using Alone = std::lock_guard<std::recursive_mutex>;

// The library's own description of the error, innermost call first.
std::string reason();

// An id of the library, closed by the destructor. Closing writes nothing to the disk, so it cannot fail on a full one.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  bool good() const { return id_ >= 0; }
  operator hid_t() const { return id_; }  // NOLINT: an id is what the C functions take

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

}  // namespace trellis::io::hdf5
