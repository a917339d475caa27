// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/allocation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <set>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/profile/profile_events.hpp"
#include "trellis/core/runtime/host_memory.hpp"

namespace trellis {
namespace {

constexpr std::size_t page = 4096;

// Never destroyed: static Views are destroyed after main, in any order.
struct OnDevice {
  std::mutex mutex;
  std::set<const Allocation*> all;
};
OnDevice& on_device() {
  static OnDevice& only = *new OnDevice;
  return only;
}

void forget_on_device(const Allocation* allocation) {
  const std::lock_guard lock(on_device().mutex);
  on_device().all.erase(allocation);
}

}  // namespace

namespace detail {

void remember_on_device(Allocation* allocation) {
  const std::lock_guard lock(on_device().mutex);
  on_device().all.insert(allocation);
  allocation->on_device = true;
}

std::vector<std::string> labels_on_device() {
  auto labels = largest_on_device(std::numeric_limits<std::size_t>::max());
  std::sort(labels.begin(), labels.end());
  return labels;
}

std::vector<std::string> largest_on_device(std::size_t most) {
  const std::lock_guard lock(on_device().mutex);
  std::vector<const Allocation*> all(on_device().all.begin(), on_device().all.end());
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
  all.resize(std::min(most, all.size()));
  std::vector<std::string> labels;
  for (const auto* one : all)
    labels.push_back(fmt::format("'{}' ({} bytes in {})", one->label, one->bytes, one->space));
  return labels;
}

}  // namespace detail

Allocation* allocate(HostSpace, std::string_view label, std::size_t bytes, bool zero) {
  const bool touched = !in_dry_run();
  void* data = nullptr;
  if (bytes > 0) {
    data = touched ? host_memory::take(bytes) : host_memory::take_untouched(bytes);
    if (data == nullptr) fail("View '{}': cannot allocate {} bytes in HostSpace", label, bytes);
  }
  auto owned = std::make_unique<Allocation>();
  owned->data = data;
  owned->bytes = bytes;
  owned->label = label;
  owned->deallocate = touched ? host_memory::give : host_memory::give_untouched;
  owned->made_in_kernel = backend::kernel_depth > 0;
  if (zero && bytes > 0) {
    const auto pages = static_cast<Index>((bytes + page - 1) / page);
    parallel_for({"trellis::allocate", double(bytes)}, RangePolicy<DefaultHostExecutionSpace>(0, pages), [=](Index p) {
      const std::size_t begin = static_cast<std::size_t>(p) * page;
      std::memset(static_cast<char*>(data) + begin, 0, std::min(page, bytes - begin));
    });
    if (!touched) std::memset(data, 0, std::min(page, bytes));
  }
  return owned.release();
}

void count_one_more(Allocation* allocation) noexcept { allocation->owners.fetch_add(1, std::memory_order_relaxed); }

void count_one_less(Allocation* allocation) noexcept {
  if (allocation->owners.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  if (!runtime_detail::quiet()) [[unlikely]]
    profile_detail::deallocated(*allocation);
  if (allocation->on_device) forget_on_device(allocation);
  if (allocation->data != nullptr) allocation->deallocate(allocation->data, allocation->bytes);
  delete allocation;
}

template Allocation* detail::allocate_for_view<HostSpace>(std::string_view, std::size_t, bool);

}  // namespace trellis
