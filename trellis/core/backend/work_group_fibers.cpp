// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// One fiber per work-item. Work-item 0 runs in the thread itself, in a loop over all work-items that continues with the
// others if it met no barrier. At its first barrier the others are handed over to fibers, which take turns in a ring:
// 0, 1, ..., n-1, 0; each runs until its next barrier, or the kernel's end, and all must reach the same. Fibers are
// kept for later groups and launches of their thread.
#include <array>
#include <csetjmp>
#include <string>

#include "trellis/core/backend/fiber_switch.hpp"
#include "trellis/core/backend/group_memory.hpp"
#include "trellis/core/backend/work_group_ways.hpp"
#include "trellis/core/error.hpp"

namespace trellis::backend {
namespace {

class FiberGroup : public WorkGroup {
 public:
  FiberGroup() = default;
  FiberGroup(const FiberGroup&) = delete;
  FiberGroup& operator=(const FiberGroup&) = delete;
  ~FiberGroup() {
    for (Index i = 1; i < made_; ++i) fibers_[i].unmake();
  }

  void run(const Kernel& kernel, const GroupLaunch& launch, GroupMemory& its_memory, Index first, Index last) {
    static_cast<WorkGroup&>(*this) = group_of(launch);
    memory = &its_memory;
    local_memory = its_memory.begin(launch.local_bytes, false);
    wait = &FiberGroup::barrier;
    give_up = &FiberGroup::end_here;
    kernel_ = &kernel;
    launch_ = &launch;
    size_ = size_of(*this);
    over = handed_over_ = false;
    running_ = 0;
    if (setjmp(begin_) == 0) {
      set_group(*this, first);
      for (Index number = first; number < last; ++number, next_group(*this)) {
        launch.items(launch.functor, *this, 0, size_);
        if (handed_over_) finish();
      }
    }
    if (over) {
      if (handed_over_) pass_on(0);  // fibers in the middle of the kernel return to their beginning
      throw Error(message_);
    }
  }

 private:
  static boost::context::detail::transfer_t barrier(WorkGroup& base, Index item, Index* stop, const char* file,
                                                    unsigned line) {
    auto& group = static_cast<FiberGroup&>(base);
    if (item == 0) {
      if (!group.handed_over_) [[unlikely]] {
        group.hand_over(stop);
        if (group.size_ == 1) return {nullptr, nullptr};
      }
      group.place_ = {file, line};
    } else if (line != group.place_.line || file != group.place_.file || !group.handed_over_) [[unlikely]] {
      group.compare(item, {file, line});
    }
    const Index next = group.after(item);
    group.running_ = next;
    return jump_and_return(group.fibers_[item], group.fibers_[next]);
  }

  // Without a message: joins an end that another work-item began.
  static void end_here(WorkGroup& base, const char* message) {
    auto& group = static_cast<FiberGroup&>(base);
    if (message != nullptr) group.stop_all(message);
    if (group.running_ == 0) std::longjmp(group.begin_, 1);
    std::longjmp(*group.fibers_[group.running_].begin, 1);
  }

  // When a fiber is first jumped to, it learns from where: from the one before it in the ring.
  static void entry(boost::context::detail::transfer_t from) {
    Fiber& before = arrived(from);
    FiberGroup& group = *static_cast<RingFiber&>(before).group;
    group.run_item((&static_cast<RingFiber&>(before) - group.fibers_.data()) + 1);
  }

  [[noreturn]] void run_item(const Index item) {
    std::jmp_buf begin;
    fibers_[item].begin = &begin;
    if (setjmp(begin) != 0) {
      // Its work was abandoned.
    }
    for (;;) {
      if (!over) launch_->items(launch_->functor, *this, item, item + 1);
      if (!over && place_.line != 0) stop_all(divergent(*kernel_, 0, place_, item, {}));
      pass_on(item);
    }
  }

  // Called when work-item 0 is at its first barrier of this group.
  [[gnu::noinline]] void hand_over(Index* stop) {
    if (size_ == 1) return;
    try {
      if (made_ < size_) make();
    } catch (const Error& error) {
      stop_all(fmt::format("kernel '{}': {}", kernel_->name, error.what()));
    }
    if (over) end_here(*this, nullptr);
    fibers_[0].adopt_thread();
    handed_over_ = true;
    stop[0] = stop[1] = 1;
  }
  // Called when work-item 0 has reached the end of the kernel.
  void finish() {
    place_ = {};
    pass_on(0);
    if (over) end_here(*this, nullptr);
    handed_over_ = false;
  }

  Index after(Index item) const { return item + 1 == size_ ? 0 : item + 1; }
  void pass_on(Index item) {
    running_ = after(item);
    jump(fibers_[item], fibers_[running_]);
  }

  // Called when another work-item seems to be at a different barrier than work-item 0.
  [[gnu::noinline]] void compare(Index item, const Place& place) {
    if (!handed_over_) {  // the plain loop over work-items: previous ones reached the end
      stop_all(divergent(*kernel_, item - 1, {}, item, place));
      end_here(*this, nullptr);
    }
    if (!same_place(place, place_)) stop_all(divergent(*kernel_, 0, place_, item, place));
  }
  void stop_all(std::string message) {
    if (!over) message_ = std::move(message);
    over = true;
  }
  void make() {
    for (Index i = 0; i < largest_group; ++i) fibers_[i].group = this;
    const auto stacks = stacks_.add(size_ - made_);
    for (const FiberStack& stack : stacks) fibers_[made_++].make(stack, &FiberGroup::entry);
  }

  struct RingFiber : Fiber {
    FiberGroup* group = nullptr;
    std::jmp_buf* begin = nullptr;
  };

  // What a barrier reads, kept together.
  Index size_ = 0;
  Place place_;  // where work-item 0, which goes first, waits: the others must reach the same
  bool handed_over_ = false;
  Index running_ = 0;

  const Kernel* kernel_ = nullptr;
  const GroupLaunch* launch_ = nullptr;
  std::jmp_buf begin_;
  std::string message_;
  Index made_ = 1;  // fibers, and the thread's place
  std::array<RingFiber, largest_group> fibers_;
  FiberStacks stacks_;
};

}  // namespace

void run_fiber_groups(const Kernel& kernel, const GroupLaunch& launch, Index first, Index last) {
  const Borrowed<GroupMemory> memory;
  const Borrowed<FiberGroup> group;
  (*group).run(kernel, launch, *memory, first, last);
}

}  // namespace trellis::backend
