// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels with dependencies: a graph of tasks, which is built once and runs any number of times.
//   TaskGraph<> graph;
//   const Task halo = graph.add("halo", [=](const Exec& space) { pack(space, ...); });
//   const Task inside = graph.add("inside", [=](const Exec& space) { apply(space, ...); });
//   graph.add("surface", [=](const Exec& space) { finish(space, ...); }, {halo, inside});      after these two
//   graph.run();
// A task is a function that dispatches kernels to the space instance that it is given, or works on the host. It begins
// when all tasks before it have ended, including their kernels. A task may come only after tasks that were added
// earlier, so there are no cycles, and the order in which they were added is one in which they may run.
//   run()                              or run(TaskOrder::one_by_one): in that order; every kernel has all threads
//   run(TaskOrder::side_by_side)       as many tasks at a time as there are threads, and as dependencies allow; each
//                                      in one thread, which its kernels have for themselves. For many small tasks, or
//                                      tasks that differ. Of those that may begin, the earliest does
// The results have the same bits in every order, if tasks that do not depend on one another do not write what others
// read, because those of kernels do not depend on threads. Serial has one order. On a GPU tasks at the same distance
// from the beginning get instances of their own (Instances), so that their kernels may overlap, in either order; all of
// these end before the next begin. run() returns when all tasks have ended. Within a captured graph (device/graph.hpp)
// a task graph can run on hosts only.
// If a task throws, no further tasks begin, and the caller gets the exception of the earliest task that threw.
// Throws Error if a task is to come after one of another graph. Active profiles count the tasks of the thread that
// called run(). Cost: one_by_one, a call for each task; side_by_side, a lock and at most one waking of a thread.

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "trellis/core/base/function_ref.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis {

// One task of a graph.
class Task {
 public:
  int number() const { return number_; }

 private:
  friend class TaskDependencies;
  Task(const void* graph, int number) : graph_(graph), number_(number) {}

  const void* graph_;
  int number_;
};

enum class TaskOrder { one_by_one, side_by_side };

// Which tasks come after which. For TaskGraph.
class TaskDependencies {
 public:
  TaskDependencies();
  Task add(const std::string& name, const std::vector<Task>& after);

  int size() const { return static_cast<int>(tasks_.size()); }
  // Tasks by their distance from the beginning: each list is of tasks that depend on none of the same list.
  std::vector<std::vector<int>> levels() const;
  // Calls f(task) for all, in these threads.
  void run_side_by_side(const backend::HostThreads& threads, FunctionRef<void(int task)> f) const;

 private:
  struct Node {
    std::vector<int> before, next;
    int level = 0;
  };
  std::vector<Node> tasks_;
  std::vector<char> identity_;  // its address is that of this graph, also after a move
};

template <ExecutionSpace Exec = DefaultExecutionSpace>
class TaskGraph {
 public:
  using Work = std::function<void(const Exec& space)>;

  explicit TaskGraph(const Exec& space = {}) : space_(space) {}

  Task add(const std::string& name, Work work, const std::vector<Task>& after = {}) {
    const Task task = dependencies_.add(name, after);
    work_.push_back(std::move(work));
    return task;
  }

  int size() const { return dependencies_.size(); }

  void run([[maybe_unused]] TaskOrder order = TaskOrder::one_by_one) const {
    const auto one = [this](int task) { work_[static_cast<std::size_t>(task)](space_); };
    if constexpr (!can_access<Exec, HostSpace>) {
      run_levels();
    } else {
      if constexpr (backend::ThreadedHost<Exec>)
        if (order == TaskOrder::side_by_side) return dependencies_.run_side_by_side(backend::host_threads(space_), one);
      for (int task = 0; task < size(); ++task) one(task);
    }
    space_.fence();
  }

 private:
  void run_levels() const {
    space_.fence();
    for (const auto& level : dependencies_.levels()) {
      const Instances<Exec> instances(static_cast<int>(level.size()));
      for (std::size_t k = 0; k < level.size(); ++k)
        work_[static_cast<std::size_t>(level[k])](instances[static_cast<int>(k)]);
      for (int k = 0; k < instances.size(); ++k) instances[k].fence();
    }
  }

  Exec space_;
  TaskDependencies dependencies_;
  std::vector<Work> work_;
};

}  // namespace trellis
