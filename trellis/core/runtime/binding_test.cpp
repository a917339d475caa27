// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/binding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "tests/support/tested_spaces.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"

namespace trellis {
namespace {

using Places = std::vector<std::vector<int>>;

// Two sockets of three cores with two processors each, numbered as usual: second processors of cores come last.
const std::vector<Core>& two_sockets() {
  static const std::vector<Core> cores{{0, {0, 6}}, {0, {1, 7}}, {0, {2, 8}}, {1, {3, 9}}, {1, {4, 10}}, {1, {5, 11}}};
  return cores;
}

TEST(Binding, SpreadsThreadsOverCores) {
  const auto places = [](int threads, SharedProcessors shared = {}) {
    return places_of_threads(two_sockets(), Binding::core, threads, shared);
  };
  EXPECT_EQ(places(2), (Places{{0, 6}, {3, 9}}));
  EXPECT_EQ(places(6), (Places{{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}}));
  const Places twice = places(12);
  for (std::size_t t = 0; t < 12; ++t) EXPECT_EQ(twice[t], two_sockets()[t / 2].processors);
  EXPECT_EQ(places(3, {0, 2}), (Places{{0, 6}, {1, 7}, {2, 8}}));
  EXPECT_EQ(places(3, {1, 2}), (Places{{3, 9}, {4, 10}, {5, 11}})) << "another process has the other half";
}

TEST(Binding, KeepsThreadsInSockets) {
  const std::vector<int> first{0, 6, 1, 7, 2, 8}, second{3, 9, 4, 10, 5, 11};
  EXPECT_EQ(places_of_threads(two_sockets(), Binding::socket, 4), (Places{first, first, second, second}));
  EXPECT_EQ(places_of_threads(two_sockets(), Binding::none, 1)[0].size(), 12U);
}

template <class Exec>
class BindingTest : public testing::Test {
 protected:
  ~BindingTest() override {
    bind_threads(Binding::none);
    set_thread_count(threads_);
  }
  // Where each thread of a kernel may run.
  static Places of_kernel(int threads) {
    Places places(static_cast<std::size_t>(threads));
    parallel_for("where", RangePolicy<Exec>(0, threads),
                 [&](Index t) { places[static_cast<std::size_t>(t)] = processors_of_this_thread(); });
    return places;
  }
  int threads_ = concurrency();
};
#if defined(TRELLIS_HAS_OPENMP)
using ThreadedSpaces = testing::Types<Threads, OpenMP>;
#else
using ThreadedSpaces = testing::Types<Threads>;
#endif
TYPED_TEST_SUITE(BindingTest, ThreadedSpaces);

TYPED_TEST(BindingTest, ThreadsStayWhereTheyArePut) {
  const auto whole = processors_of_this_thread();
  if (whole.empty()) {
    EXPECT_THROW(bind_threads(Binding::core), InputError);
    return;
  }
  for (const int threads : {3, 2}) {
    set_thread_count(threads);
    bind_threads(Binding::core);
    EXPECT_EQ(thread_binding(), Binding::core);
    const Places places = this->of_kernel(threads);
    for (const auto& place : places) {
      EXPECT_FALSE(place.empty());
      EXPECT_TRUE(std::ranges::includes(whole, place)) << "only where the process could run";
    }
    EXPECT_EQ(processors_of_this_thread(), places[0]);
    if (whole.size() >= 4 * static_cast<std::size_t>(threads)) {
      EXPECT_NE(places[0], places[1]) << "with enough cores, threads have different ones";
    }
    std::vector<int> other;
    std::jthread([&] {
      run_anywhere();
      other = processors_of_this_thread();
    }).join();
    EXPECT_EQ(other, whole);
    bind_threads(Binding::socket);
    for (const auto& place : this->of_kernel(threads)) EXPECT_TRUE(std::ranges::includes(whole, place));
    bind_threads(Binding::none);
    EXPECT_EQ(thread_binding(), Binding::none);
    for (const auto& place : this->of_kernel(threads)) EXPECT_EQ(place, whole);
    EXPECT_EQ(processors_of_this_thread(), whole);
  }
  EXPECT_THROW(bind_threads(Binding::core, {2, 2}), Error);
}

}  // namespace
}  // namespace trellis
