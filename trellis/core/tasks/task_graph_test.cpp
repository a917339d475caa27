// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/tasks/task_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

template <class Exec>
class TaskGraphTest : public testing::Test {
 protected:
  ~TaskGraphTest() override { set_thread_count(threads_); }
  int threads_ = concurrency();
};
TYPED_TEST_SUITE(TaskGraphTest, TestedSpaces);

double rough(Index i) { return std::sin(static_cast<double>(i)) * std::pow(10.0, static_cast<double>(i % 7)); }

// Each task sums its own numbers and the results of those before it. The oracle does the same in a loop.
TYPED_TEST(TaskGraphTest, ResultsAreThoseOfALoop) {
  using Exec = TypeParam;
  constexpr int tasks = 120;
  constexpr Index n = 700;
  std::mt19937 random(11);
  std::vector<std::vector<int>> before(tasks);
  for (int t = 1; t < tasks; ++t)
    for (int k = 0; k < 3; ++k)
      if (random() % 3 > 0) before[static_cast<std::size_t>(t)].push_back(static_cast<int>(random() % unsigned(t)));
  std::vector<double> expected;
  for (int t = 0; t < tasks; ++t) {
    double sum = 0;
    parallel_reduce("own", RangePolicy<Serial>(0, n), [=](Index i, double& s) { s += rough(i + t); }, sum);
    for (const int b : before[static_cast<std::size_t>(t)]) sum += expected[static_cast<std::size_t>(b)];
    expected.push_back(sum);
  }

  std::vector<double> result(tasks);
  std::atomic<int> too_early = 0;
  std::vector<std::atomic<bool>> ended(tasks);
  TaskGraph<Exec> graph;
  std::vector<Task> handles;
  for (int t = 0; t < tasks; ++t) {
    std::vector<Task> after;
    for (const int b : before[static_cast<std::size_t>(t)]) after.push_back(handles[static_cast<std::size_t>(b)]);
    const auto work = [&, t](const Exec& space) {
      for (const int b : before[static_cast<std::size_t>(t)]) too_early += ended[static_cast<std::size_t>(b)] ? 0 : 1;
      double sum = 0;
      parallel_reduce("own", RangePolicy<Exec>(space, 0, n), [=](Index i, double& s) { s += rough(i + t); }, sum);
      for (const int b : before[static_cast<std::size_t>(t)]) sum += result[static_cast<std::size_t>(b)];
      result[static_cast<std::size_t>(t)] = sum;
      ended[static_cast<std::size_t>(t)] = true;
    };
    handles.push_back(graph.add("task " + std::to_string(t), work, after));
  }
  EXPECT_EQ(graph.size(), tasks);
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    for (const TaskOrder order : {TaskOrder::one_by_one, TaskOrder::side_by_side}) {
      std::ranges::fill(result, 0.0);
      for (auto& e : ended) e = false;
      graph.run(order);
      EXPECT_EQ(result, expected) << threads << " threads";
      EXPECT_EQ(too_early, 0);
    }
  }
}

TYPED_TEST(TaskGraphTest, AFailureEndsIt) {
  using Exec = TypeParam;
  set_thread_count(3);
  for (const TaskOrder order : {TaskOrder::one_by_one, TaskOrder::side_by_side}) {
    TaskGraph<Exec> graph;
    std::atomic<bool> after = false;
    graph.add("fine", [](const Exec&) {});
    const Task bad = graph.add("bad", [](const Exec&) { fail("this task failed"); });
    graph.add("after", [&](const Exec&) { after = true; }, {bad});
    try {
      graph.run(order);
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "this task failed");
    }
    EXPECT_FALSE(after);
  }
  TaskGraph<Exec>().run(TaskOrder::side_by_side);  // nothing to do
}

TEST(TaskGraph, ComesAfterItsOwnTasksOnly) {
  TaskGraph<Serial> one, other;
  const Task of_one = one.add("first", [](const Serial&) {});
  try {
    other.add("second", [](const Serial&) {}, {of_one});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "task 'second' is to come after a task of another graph");
  }
  const Task second = one.add("second", [](const Serial&) {}, {of_one, of_one});
  EXPECT_EQ(second.number(), 1);
  TaskGraph<Serial> moved = std::move(one);
  EXPECT_NO_THROW(moved.add("third", [](const Serial&) {}, {second}));
}

TEST(TaskDependencies, LevelsAreDistancesFromTheBeginning) {
  TaskDependencies tasks;
  const Task a = tasks.add("a", {}), b = tasks.add("b", {a}), c = tasks.add("c", {});
  tasks.add("d", {b, c});
  tasks.add("e", {a});
  EXPECT_EQ(tasks.levels(), (std::vector<std::vector<int>>{{0, 2}, {1, 4}, {3}}));
}

#if !defined(TRELLIS_TEST_KOKKOS)
template <class Exec>
class ThreadedTaskGraphTest : public TaskGraphTest<Exec> {};
#if defined(TRELLIS_HAS_OPENMP)
using ThreadedSpaces = testing::Types<Threads, OpenMP>;
#else
using ThreadedSpaces = testing::Types<Threads>;
#endif
TYPED_TEST_SUITE(ThreadedTaskGraphTest, ThreadedSpaces);

// Two tasks that wait for each other can only end if they run at the same time.
TYPED_TEST(ThreadedTaskGraphTest, IndependentTasksOverlap) {
  using Exec = TypeParam;
  set_thread_count(2);
  std::atomic<int> here = 0;
  std::atomic<bool> gave_up = false;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto meet = [&](const Exec&) {
    ++here;
    while (here < 2 && !gave_up) {
      if (std::chrono::steady_clock::now() > until) gave_up = true;
      std::this_thread::yield();
    }
  };
  TaskGraph<Exec> graph;
  graph.add("one", meet);
  graph.add("other", meet);
  graph.run(TaskOrder::side_by_side);
  EXPECT_FALSE(gave_up);
}
#endif

}  // namespace
}  // namespace trellis
