// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/tasks/task_graph.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <queue>

#include "trellis/core/backend/first_exception.hpp"
#include "trellis/core/error.hpp"

namespace trellis {

TaskDependencies::TaskDependencies() : identity_(1) {}

Task TaskDependencies::add(const std::string& name, const std::vector<Task>& after) {
  const int number = size();
  Node node;
  for (const Task& task : after) {
    if (task.graph_ != identity_.data()) fail("task '{}' is to come after a task of another graph", name);
    node.before.push_back(task.number_);
    node.level = std::max(node.level, tasks_[static_cast<std::size_t>(task.number_)].level + 1);
  }
  std::ranges::sort(node.before);
  node.before.erase(std::unique(node.before.begin(), node.before.end()), node.before.end());
  for (const int task : node.before) tasks_[static_cast<std::size_t>(task)].next.push_back(number);
  tasks_.push_back(std::move(node));
  return {identity_.data(), number};
}

std::vector<std::vector<int>> TaskDependencies::levels() const {
  std::vector<std::vector<int>> all;
  for (int task = 0; task < size(); ++task) {
    const auto level = static_cast<std::size_t>(tasks_[static_cast<std::size_t>(task)].level);
    if (all.size() <= level) all.resize(level + 1);
    all[level].push_back(task);
  }
  return all;
}

namespace {

// What threads share while tasks run.
struct TasksToDo {
  std::mutex mutex;
  std::condition_variable changed;
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;  // the earliest on top
  std::vector<std::size_t> waits_for;                                // how many tasks each still waits for
  int left = 0;
  bool failed = false;
};

}  // namespace

void TaskDependencies::run_side_by_side(const backend::HostThreads& threads, FunctionRef<void(int task)> f) const {
  TasksToDo to_do;
  to_do.left = size();
  for (int task = 0; task < size(); ++task) {
    to_do.waits_for.push_back(tasks_[static_cast<std::size_t>(task)].before.size());
    if (to_do.waits_for.back() == 0) to_do.ready.push(task);
  }
  backend::FirstException failure;
  const int most = std::max(1, std::min(threads.concurrency(), size()));
  threads.run(most, [&](int, int) {
    std::unique_lock lock(to_do.mutex);
    for (;;) {
      to_do.changed.wait(lock, [&] { return !to_do.ready.empty() || to_do.left == 0 || to_do.failed; });
      if (to_do.left == 0 || to_do.failed) return;
      const int task = to_do.ready.top();
      to_do.ready.pop();
      lock.unlock();
      bool failed = false;
      try {
        f(task);
      } catch (...) {
        failure.keep(task);
        failed = true;
      }
      lock.lock();
      if (failed) {
        to_do.failed = true;
      } else {
        --to_do.left;
        for (const int next : tasks_[static_cast<std::size_t>(task)].next) {
          if (--to_do.waits_for[static_cast<std::size_t>(next)] == 0) to_do.ready.push(next);
        }
      }
      to_do.changed.notify_all();
    }
  });
  failure.rethrow();
}

}  // namespace trellis
