// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reports a deep_copy to listeners (profile_listener.hpp), from here to the end of the scope. After finalize() it
// throws Error with the labels. A copy may consist of several; only the outermost is reported.

#include <cstdint>

#include "trellis/core/runtime/allocation.hpp"

namespace trellis::detail {

struct CopyEnds {
  const Allocation *to = nullptr, *from = nullptr;
  const char *to_space = nullptr, *from_space = nullptr;
  bool of_value = false;
  double bytes = 0;
};

class CopyTimer {
 public:
  template <class Dst, class Src>
  CopyTimer(const Dst& dst, const Src& src, const char* to_space, const char* from_space)
      : ends_{dst.owner().get(), src.owner().get(), to_space, from_space, false, bytes_of(dst)} {
    if (!runtime_detail::quiet()) [[unlikely]]
      begin();
  }
  template <class Dst>
  CopyTimer(const Dst& dst, const char* space) : ends_{dst.owner().get(), nullptr, space, space, true, bytes_of(dst)} {
    if (!runtime_detail::quiet()) [[unlikely]]
      begin();
  }
  CopyTimer(const CopyTimer&) = delete;
  CopyTimer& operator=(const CopyTimer&) = delete;
  ~CopyTimer() {
    if (id_ != 0) [[unlikely]]
      end();
  }

 private:
  template <class V>
  static double bytes_of(const V& view) {
    return static_cast<double>(view.size()) * sizeof(typename V::value_type);
  }
  void begin();
  void end();

  CopyEnds ends_;
  std::uint64_t id_ = 0;  // 0: no listener
  std::int64_t began_ = 0;
};

}  // namespace trellis::detail
