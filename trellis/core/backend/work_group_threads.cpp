// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// One thread per work-item. Threads live as long as the launch and go from group to group together.
#include <atomic>
#include <csetjmp>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "trellis/core/backend/group_memory.hpp"
#include "trellis/core/backend/work_group_ways.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/runtime/allocation.hpp"

namespace trellis::backend {
namespace {

// A barrier for the threads of a group, which must all meet at the same place.
class Meeting {
 public:
  Meeting(const Kernel& kernel, Index size) : kernel_(kernel), size_(size) {}

  // Returns when all have arrived; false if that cannot happen.
  bool wait(Index item, const Place& place) {
    int turn;
    {
      const std::lock_guard lock(mutex_);
      if (over_) return false;
      if (waiting_ == 0) {
        place_ = place;
        first_ = item;
      } else if (!same_place(place, place_)) {
        end(divergent(kernel_, first_, place_, item, place));
        return false;
      }
      turn = turn_.load(std::memory_order_relaxed);
      if (++waiting_ == size_) {
        waiting_ = 0;
        next_turn();
        return true;
      }
    }
    turn_.wait(turn, std::memory_order_acquire);
    return !over_.load(std::memory_order_relaxed);
  }

  void give_up(std::string message) {
    const std::lock_guard lock(mutex_);
    if (!over_) end(std::move(message));
  }
  void rethrow() const {
    if (over_) throw Error(message_);
  }

 private:
  void end(std::string message) {
    message_ = std::move(message);
    over_ = true;
    next_turn();
  }
  void next_turn() {
    turn_.fetch_add(1, std::memory_order_release);
    turn_.notify_all();
  }

  const Kernel& kernel_;
  const Index size_;
  std::mutex mutex_;
  Index waiting_ = 0, first_ = 0;
  Place place_;
  std::atomic<int> turn_ = 0;
  std::atomic<bool> over_ = false;
  std::string message_;
};

struct ThreadGroup : WorkGroup {
  Meeting* meeting;
  std::jmp_buf begin;
};

boost::context::detail::transfer_t wait(WorkGroup& base, Index item, Index*, const char* file, unsigned line) {
  auto& group = static_cast<ThreadGroup&>(base);
  group.over = !group.meeting->wait(item, {file, line});
  return {nullptr, nullptr};
}

void give_up(WorkGroup& base, const char* message) {
  auto& group = static_cast<ThreadGroup&>(base);
  if (message != nullptr) group.meeting->give_up(message);
  std::longjmp(group.begin, 1);
}

// A thread's work: one work-item of each group.
void run_item(const GroupLaunch& launch, ThreadGroup group, Index item, Index first, Index last) {
  const InKernel inside;
  if (setjmp(group.begin) != 0) return;
  for (Index number = first; number < last; ++number) {
    set_group(group, number);
    launch.items(launch.functor, group, item, item + 1);
    if (!group.meeting->wait(item, {})) return;
  }
}

}  // namespace

void run_thread_groups(const Kernel& kernel, const GroupLaunch& launch, Index first, Index last) {
  const Borrowed<GroupMemory> memory;
  ThreadGroup group;
  static_cast<WorkGroup&>(group) = group_of(launch);
  group.memory = &*memory;
  group.local_memory = (*memory).begin(launch.local_bytes, true);
  group.wait = wait;
  group.give_up = give_up;
  Meeting meeting(kernel, size_of(group));
  group.meeting = &meeting;
  std::vector<std::thread> threads;
  try {
    for (Index item = 1; item < size_of(group); ++item) {
      threads.emplace_back([&, item] { run_item(launch, group, item, first, last); });
    }
  } catch (const std::system_error& error) {
    meeting.give_up(fmt::format("kernel '{}': {} threads, one for each work-item of a group: {}", kernel.name,
                                size_of(group), error.what()));
  }
  run_item(launch, group, 0, first, last);
  for (std::thread& thread : threads) thread.join();
  meeting.rethrow();
}

}  // namespace trellis::backend
