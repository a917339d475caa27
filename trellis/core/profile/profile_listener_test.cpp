// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile/profile_listener.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"

namespace trellis {
namespace {

using HostRange = RangePolicy<DefaultHostExecutionSpace>;
using Vector = View<double*, LayoutRight, HostSpace>;

// Everything that is reported, as text, in order; from any thread.
struct Diary {
  std::mutex mutex;
  std::vector<std::string> words;
  std::map<std::uint64_t, std::string> open;
  std::set<int> threads;

  void add(const std::string& word) {
    const std::lock_guard lock(mutex);
    words.push_back(word);
  }
  void begin(const ProfilingEvent& e, const std::string& what) {
    const std::lock_guard lock(mutex);
    EXPECT_GT(e.id, 0U);
    EXPECT_EQ(e.seconds, 0);
    EXPECT_TRUE(open.emplace(e.id, what).second);
    threads.insert(e.thread);
    words.push_back("begin " + what);
  }
  void end(const ProfilingEvent& e, const std::string& what) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(open[e.id], what);
    EXPECT_GE(e.seconds, 0);
    open.erase(e.id);
    words.push_back("end " + what);
  }
  Listener listener() {
    Listener l;
    l.begin_kernel = [this](const KernelEvent& e) { begin(e, e.kernel.name); };
    l.end_kernel = [this](const KernelEvent& e) { end(e, e.kernel.name); };
    l.begin_region = [this](const RegionEvent& e) { begin(e, "[" + std::string(e.name) + "]"); };
    l.end_region = [this](const RegionEvent& e) { end(e, "[" + std::string(e.name) + "]"); };
    l.begin_copy = [this](const CopyEvent& e) { begin(e, copy(e)); };
    l.end_copy = [this](const CopyEvent& e) { end(e, copy(e)); };
    return l;
  }
  static std::string copy(const CopyEvent& e) {
    return fmt::format("{} {} -> {} {}: {}", e.from_space, e.from_label, e.to_space, e.to_label, e.bytes);
  }
};

using Words = std::vector<std::string>;

void dispatch(const char* name) {
  parallel_for(name, HostRange(0, 10), [](Index) {});
}

TEST(Listeners, HearKernelsAndRegionsInOrder) {
  Diary diary;
  {
    const Listening listening(diary.listener());
    const Region outer("outer");
    {
      const Region inner(std::string("in") + "ner");  // a name that no longer exists at the end
      dispatch("a");
    }
    double sum = 0;
    parallel_reduce("b", HostRange(0, 10), [](Index i, double& s) { s += double(i); }, sum);
    parallel_scan("c", HostRange(0, 10), [](Index, double&, bool) {}, sum);
    parallel_for("empty", HostRange(0, 0), [](Index) {});
  }
  EXPECT_EQ(diary.words, (Words{"begin [outer]", "begin [inner]", "begin a", "end a", "end [inner]", "begin b", "end b",
                                "begin c", "end c", "end [outer]"}));
  EXPECT_TRUE(diary.open.empty());
  EXPECT_EQ(diary.threads.size(), 1U);
}

TEST(Listeners, HearNothingBeforeOrAfter) {
  Diary diary;
  dispatch("before");
  {
    const Listening listening(diary.listener());
  }
  const Region region("after");
  dispatch("after");
  Vector x("x", 10);
  deep_copy(x, 1.0);
  EXPECT_TRUE(diary.words.empty());
}

// Without listeners a dispatch reads zero and does nothing more. (A test run that is profiled always has a listener.)
TEST(Listeners, LeaveAZeroBehind) {
  dispatch("asks the environment");
  if (std::getenv("TRELLIS_PROFILE") != nullptr || std::getenv("TRELLIS_TRACE") != nullptr) GTEST_SKIP();
  EXPECT_EQ(runtime_detail::state.load(), 0U);
  EXPECT_FALSE(KernelTimer("timer").counts());
  {
    const Listening one({}), two({});
    EXPECT_EQ(runtime_detail::state.load(), runtime_detail::listening);
  }
  EXPECT_EQ(runtime_detail::state.load(), 0U);
  {
    KernelProfile profile;
    const ActiveProfile active(profile);
    EXPECT_EQ(runtime_detail::state.load(), runtime_detail::listening);
  }
  EXPECT_EQ(runtime_detail::state.load(), 0U);
}

TEST(Listeners, AndProfilesDoNotDisturbOneAnother) {
  Diary diary;
  KernelProfile profile;
  const ActiveProfile active(profile);
  dispatch("profile alone");
  {
    const Listening listening(diary.listener());
    dispatch("both");
  }
  dispatch("profile alone");
  EXPECT_EQ(diary.words, (Words{"begin both", "end both"}));
  ASSERT_EQ(profile.kernels().size(), 2U);
  EXPECT_EQ(profile.kernels()[0].calls, 2);
  EXPECT_EQ(profile.kernels()[1].calls, 1);
}

TEST(Listeners, HearTheEndOnlyOfWhatTheyHeardBegin) {
  Diary late;
  {
    const Region region("before");
    const Listening listening(late.listener());
    dispatch("a");
  }
  EXPECT_EQ(late.words, (Words{"begin a", "end a"}));
  Diary outer, inner;
  const Listening one(outer.listener());
  {
    std::optional<Listening> two(std::in_place, inner.listener());
    const Region region("r");
    two.reset();
  }
  EXPECT_EQ(outer.words, (Words{"begin [r]", "end [r]"}));
  EXPECT_EQ(inner.words, (Words{"begin [r]"}));
}

TEST(Listeners, WhatAKernelDispatchesBelongsToItInEveryThread) {
  Diary diary;
  const Listening listening(diary.listener());
  const Vector x("x", 4);
  diary.words.clear();
  parallel_for("whole", HostRange(0, 64), [=](Index) {
    const Region region("within");
    parallel_for("part", RangePolicy<Serial>(0, 4), [](Index) {});
  });
  EXPECT_EQ(diary.words, (Words{"begin whole", "end whole"}));
}

TEST(Listeners, RegionsAreOfTheirThread) {
  Diary diary;
  const Listening listening(diary.listener());
  const Region here("here");
  std::thread([] {
    const Region there("there");
    parallel_for("serial", RangePolicy<Serial>(0, 4), [](Index) {});
  }).join();
  EXPECT_EQ(diary.words, (Words{"begin [here]", "begin [there]", "begin serial", "end serial", "end [there]"}));
  EXPECT_EQ(diary.threads.size(), 2U);
}

TEST(Listeners, ThreadsMayDispatchAndComeAndGoAtTheSameTime) {
  constexpr int threads = 4, times = 50;
  Diary diary;
  const Listening listening(diary.listener());
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([] {
      for (int n = 0; n < times; ++n) {
        const Listening passing({});
        const Region region("r");
        parallel_for("k", RangePolicy<Serial>(0, 4), [](Index) {});
      }
    });
  for (auto& thread : all) thread.join();
  EXPECT_EQ(diary.words.size(), std::size_t(4 * threads * times));
  EXPECT_TRUE(diary.open.empty());
}

TEST(Listeners, AKernelOrRegionThatThrowsEnds) {
  Diary diary;
  const Listening listening(diary.listener());
  try {
    const Region region("r");
    parallel_for("throws", HostRange(0, 4), [](Index) { fail("no"); });
  } catch (const Error&) {
    diary.add("caught");
  }
  dispatch("next");
  EXPECT_EQ(diary.words,
            (Words{"begin [r]", "begin throws", "end throws", "end [r]", "caught", "begin next", "end next"}));
}

TEST(Listeners, HearCopiesOnceWithTheirLabels) {
  const Vector x("x", 10), y("y", 10);
  const View<double**, LayoutRight, HostSpace> a("a", 3, 4);
  const View<double**, LayoutLeft, HostSpace> b("b", 3, 4);
  double of_user[10] = {};
  const Vector u(of_user, 10);
  Diary diary;
  auto listener = diary.listener();
  listener.begin_kernel = listener.end_kernel = nullptr;
  const Listening listening(listener);
  deep_copy(y, x);
  deep_copy(b, a);
  deep_copy(y, 3.0);
  deep_copy(u, y);
  EXPECT_EQ(diary.words,
            (Words{"begin HostSpace x -> HostSpace y: 80", "end HostSpace x -> HostSpace y: 80",
                   "begin HostSpace a -> HostSpace b: 96", "end HostSpace a -> HostSpace b: 96",
                   "begin HostSpace  -> HostSpace y: 80", "end HostSpace  -> HostSpace y: 80",
                   "begin HostSpace y -> HostSpace (unmanaged): 80", "end HostSpace y -> HostSpace (unmanaged): 80"}));
  EXPECT_EQ(of_user[9], 3.0);
}

TEST(Listeners, HearAllocationsAndTheLastOwnersEnd) {
  Words words;
  const void* data = nullptr;
  Listener listener;
  listener.allocate = [&](const MemoryEvent& e) {
    words.push_back(fmt::format("{} {} {}", e.space, e.label, e.bytes));
    data = e.data;
  };
  listener.deallocate = [&](const MemoryEvent& e) {
    words.push_back(fmt::format("free {} {} {}", e.space, e.label, e.bytes));
    EXPECT_EQ(e.data, data);
  };
  const Listening listening(listener);
  {
    auto x = std::make_unique<Vector>("x", 10);
    const Vector shared = *x;
    EXPECT_EQ(shared.data(), data);
    x.reset();
    EXPECT_EQ(words, (Words{"HostSpace x 80"}));
  }
  EXPECT_EQ(words, (Words{"HostSpace x 80", "free HostSpace x 80"}));
  EXPECT_THROW(Vector("too large", Index{1} << 58), Error);
  EXPECT_EQ(words.size(), 2U);
}

TEST(Listeners, WhatHooksDoIsToldToNobody) {
  int kernels = 0, allocations = 0;
  Listener listener;
  listener.end_kernel = [&](const KernelEvent&) {
    ++kernels;
    dispatch("of a hook");
    const Region region("of a hook");
    const Vector x("of a hook", 10);
    deep_copy(x, 1.0);
    EXPECT_EQ(x(9), 1.0);
  };
  listener.allocate = [&](const MemoryEvent&) { ++allocations; };
  KernelProfile profile;
  const ActiveProfile active(profile);
  const Listening listening(listener);
  dispatch("a");
  EXPECT_EQ(kernels, 1);
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(profile.kernels().size(), 1U);
}

TEST(Listeners, WhatAHookThrowsIsReportedAndDropped) {
  Listener bad;
  bad.begin_kernel = [](const KernelEvent&) { fail("this hook fails"); };
  bad.end_kernel = [](const KernelEvent&) { const Listening not_here({}); };
  Diary good;
  const Listening first(bad), second(good.listener());
  testing::internal::CaptureStderr();
  dispatch("a");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "trellis: warning: a profiling hook threw: this hook fails\n"
            "trellis: warning: a profiling hook threw: a profiling hook registers a listener\n");
  EXPECT_EQ(good.words, (Words{"begin a", "end a"}));
}

}  // namespace
}  // namespace trellis
