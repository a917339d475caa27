// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// DualView<DataType, Properties...>: an array that both the host and kernels work on, in turns, and a record of who has
// changed it.
//   DualView<double*> x("x", n);
//   x.modify_host();      for (...) x.host()(i) = ...;           says that the host is about to write
//   x.sync_device();      parallel_for(..., f(x.device()));      copies, if and only if the host has written
//   x.modify_device();    ...                                    before or after the kernel that writes
//   x.sync_host();        use(x.host()(i));
// device() is the View of these properties, host() its mirror (mirror.hpp): the same memory if that is the host's. The
// record is kept even then, so that what would be wrong on a GPU is an error everywhere: modify_... throws Error,
// naming the label, if the other side has changes that this side has not copied, since one of the two would be lost.
// Copies of a DualView share arrays and record. Only the host may call these functions, one thread at a time.
// Cost: a sync that has something to do is a deep_copy, which waits for all kernels; any other is a comparison.

#include <memory>
#include <string>
#include <string_view>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/view.hpp"

namespace trellis {

template <class DataType, class... Properties>
class DualView {
 public:
  using device_view = View<DataType, Properties...>;
  using host_view = decltype(create_mirror_view(HostSpace{}, device_view()));

  // Nothing: a DualView to assign to.
  DualView() = default;

  // Zeros on both sides; one argument for each run-time extent.
  template <detail::AnIndex... I>
    requires(sizeof...(I) == device_view::rank_dynamic)
  explicit DualView(std::string_view label, I... extents) : DualView(device_view(label, extents...)) {
    deep_copy(host_, device_);  // does nothing if they are one
    changed_->device = false;
  }

  // Of an existing array, which counts as changed.
  explicit DualView(const device_view& device)
      : device_(device), host_(create_mirror_view(HostSpace{}, device)), changed_(std::make_shared<Changed>()) {
    changed_->device = true;
  }

  const device_view& device() const { return device_; }
  const host_view& host() const { return host_; }
  std::string label() const { return device_.label(); }

  void modify_host() const {
    if (changed_->device) lost("the host", "kernels");
    changed_->host = true;
  }
  void modify_device() const {
    if (changed_->host) lost("kernels", "the host");
    changed_->device = true;
  }
  bool host_needs_sync() const { return changed_->device; }
  bool device_needs_sync() const { return changed_->host; }
  void sync_host() const {
    if (!changed_->device) return;
    deep_copy(host_, device_);
    changed_->device = false;
  }
  void sync_device() const {
    if (!changed_->host) return;
    deep_copy(device_, host_);
    changed_->host = false;
  }

 private:
  // Changes that the other side does not have. At most one of the two.
  struct Changed {
    bool host = false, device = false;
  };

  [[noreturn]] void lost(const char* who, const char* others) const {
    fail("DualView '{}': {} would modify it, but not all that {} modified was copied: call sync first", label(), who,
         others);
  }

  device_view device_;
  host_view host_;
  std::shared_ptr<Changed> changed_ = std::make_shared<Changed>();
};

}  // namespace trellis
