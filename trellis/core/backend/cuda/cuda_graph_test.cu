// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/support/cuda.cuh"
#include "trellis/core/device/graph.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/tile_policy.hpp"

namespace trellis {
namespace cuda_test {

class CudaGraph : public WithCuda {};

void scale_and_add(const Cuda& space, const View<double*>& a, double factor, double term) {
  parallel_for(
      "scale and add", RangePolicy<Cuda>(space, 0, a.extent(0)),
      TRELLIS_LAMBDA(Index i) { a(i) = factor * a(i) + term; });
}

void add_to(const View<double*>& a, const View<double*>& b) {
  parallel_for("add", RangePolicy<Cuda>(0, a.extent(0)), TRELLIS_LAMBDA(Index i) { a(i) += b(i); });
}

double sum_of_line(const View<double*>& a) {
  double sum = 0;
  parallel_reduce("sum", RangePolicy<Cuda>(0, a.extent(0)), TRELLIS_LAMBDA(Index i, double& s) { s += a(i); }, sum);
  return sum;
}

double first_of(const View<double*>& a) { return create_mirror_view_and_copy(a)(0); }

TEST_F(CudaGraph, DoesWhatItsFunctionDoes) {
  for (const bool own_stream : {false, true}) {
    const Instances<Cuda> streams(1);
    const Cuda space = own_stream ? streams[0] : Cuda{};
    const View<double*> a("a", 1000), b("b", 1000);
    int calls = 0;
    const auto work = [&calls](const Cuda& where, const View<double*>& v) {
      ++calls;
      scale_and_add(where, v, 2, 1);
      scale_and_add({}, v, 3, 2);  // the default instance's kernels are recorded too
    };
    const auto step = capture(space, [=] { work(space, a); });
    EXPECT_EQ(calls, 0);
    for (int n = 0; n < 10; ++n) step.run();
    space.fence();
    EXPECT_EQ(calls, 1) << "recorded once";
    for (int n = 0; n < 10; ++n) work({}, b);
    fence();
    EXPECT_EQ(first_of(a), first_of(b));
    EXPECT_EQ(first_of(a), 5.0 * (std::pow(6.0, 10) - 1) / 5.0);
  }
}

TEST_F(CudaGraph, KeepsTheMemoryOfItsViews) {
  const View<double*> a("a", 5000);
  auto step = std::make_unique<Graph<Cuda>>(capture(Cuda{}, [=] {
    const View<double*> own("own", 5000);  // set to zero in each run
    scale_and_add({}, own, 1, 4);
    add_to(a, own);
  }));
  step->run();
  const View<double*> other("other", 5000);
  for (int n = 0; n < 4; ++n) step->run();
  EXPECT_EQ(first_of(a), 20);
  EXPECT_EQ(sum_of_line(other), 0) << "not the graph's memory";
  step.reset();
}

TEST_F(CudaGraph, RefusesWhatWaits) {
  const View<double*> a("a", 100);
  const HostView<double*> host("host", 100);
  EXPECT_THROW(capture(Cuda{}, [=] { sum_of_line(a); }).run(), Error);
  EXPECT_THROW(capture(Cuda{}, [] { fence(); }).run(), Error);
  EXPECT_THROW(capture(Cuda{}, [=] { deep_copy(host, a); }).run(), Error);
  const Instances<Cuda> streams(2);
  EXPECT_THROW(capture(streams[0], [&] { scale_and_add(streams[1], a, 1, 1); }).run(), Error);
  // Everything still works afterwards.
  const auto step = capture(Cuda{}, [=] { scale_and_add({}, a, 1, 1); });
  const auto twice = capture(Cuda{}, [=] {
    step.run();
    step.run();
  });
  twice.run();
  twice.run();
  EXPECT_EQ(sum_of_line(a), 400);
}

void count_tiles(const View<double*>& a) {
  parallel_for(
      "tiles", TilePolicy<Cuda>(10, 32), TRELLIS_KERNEL(int tile) {
        const int lane = static_cast<int>(threadIdx.x % 32);
        a(32 * tile + lane) += 1;
      });
}

TEST_F(CudaGraph, TakesKernelsOverTiles) {
  const View<double*> a("a", 320);
  const auto step = capture(Cuda{}, [=] { count_tiles(a); });
  for (int n = 0; n < 3; ++n) step.run();
  EXPECT_EQ(sum_of_line(a), 960);
}

void add_one(const View<double*>& a) {
  parallel_for(
      {"add one", 16.0 * double(a.extent(0)), double(a.extent(0))}, RangePolicy<Cuda>(0, a.extent(0)),
      TRELLIS_LAMBDA(Index i) { a(i) += 1; });
}

// A profile counts it as one kernel, a listener is told of each kernel.
TEST_F(CudaGraph, IsHeardOfAsOneOrKernelByKernel) {
  const View<double*> a("a", 100);
  const auto step = capture(
      Cuda{},
      [=] {
        add_one(a);
        add_one(a);
      },
      "both");
  step.run();
  {
    KernelProfile profile;
    const ActiveProfile active(profile);
    step.run();
    ASSERT_EQ(profile.kernels().size(), 1U);
    EXPECT_EQ(profile.kernels()[0].name, "both");
    EXPECT_EQ(profile.kernels()[0].calls, 1);
    EXPECT_EQ(profile.kernels()[0].bytes, 3200);
    EXPECT_EQ(profile.kernels()[0].flops, 200);
    EXPECT_GT(profile.kernels()[0].seconds, 0);
  }
  {
    int kernels = 0;
    Listener count;
    count.end_kernel = [&](const KernelEvent&) { ++kernels; };
    const Listening listening(count);
    step.run();
    EXPECT_EQ(kernels, 2);
  }
  step.run();
  EXPECT_EQ(first_of(a), 8);
}

// Timelines of kernels that the host does not wait for.

class CudaTimeline : public WithCuda {};

struct Timed {
  std::string name;
  double begin = 0, end = 0;  // seconds after the test began
  int stream = 0;
};

// Occupies a few blocks for a time that grows with `turns`.
void spin(const Cuda& space, const char* name, const View<double*>& x, int turns) {
  parallel_for(
      name, RangePolicy<Cuda>(space, 0, x.extent(0)), TRELLIS_LAMBDA(Index i) {
        double value = x(i);
        for (int n = 0; n < turns; ++n) value = value * 0.999 + 1;
        x(i) = value;
      });
}

class Recorder {
 public:
  Listener listener(bool late) {
    Listener listener;
    listener.begin_kernel = [this](const KernelEvent& e) { names_[e.id] = e.kernel.name; };
    listener.end_kernel = [this](const KernelEvent& e) {
      const double begin = std::chrono::duration<double>(e.begin - start).count();
      kernels.push_back({names_[e.id], begin, begin + e.seconds, e.stream});
    };
    listener.ends_late = late;
    return listener;
  }
  std::vector<Timed> named(const std::string& name) const {
    std::vector<Timed> found;
    std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(found),
                 [&](const Timed& kernel) { return kernel.name == name; });
    return found;
  }
  double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::vector<Timed> kernels;

 private:
  std::map<std::uint64_t, std::string> names_;
};

TEST_F(CudaTimeline, StreamsOverlapOnTheHostsClock) {
  const Instances<Cuda> streams(2);
  const View<double*> a("a", 256), b("b", 256);
  spin(streams[0], "warm up", a, 10);
  fence();
  Recorder recorder;
  double launched = 0, done = 0;
  {
    const Listening listening(recorder.listener(true));
    spin(streams[0], "first", a, 4000000);
    spin(streams[1], "second", b, 4000000);
    launched = recorder.now();
    fence();
    done = recorder.now();
  }
  const auto first = recorder.named("first"), second = recorder.named("second");
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_NE(first[0].stream, second[0].stream);
  // Not waited for; at the same time on the device, and when the host says so, to half a millisecond.
  EXPECT_LT(launched, first[0].end);
  EXPECT_LT(second[0].begin, first[0].end);
  EXPECT_LT(first[0].begin, second[0].end);
  const double exact = 5e-4;
  for (const auto& kernel : {first[0], second[0]}) {
    EXPECT_GT(kernel.begin, -exact);
    EXPECT_LT(kernel.end, done + exact);
    EXPECT_GT(kernel.end - kernel.begin, 1e-3);
  }
}

TEST_F(CudaTimeline, ThousandsOfKernelsKeepTheirOrder) {
  const View<double*> a("a", 256);
  Recorder recorder;
  constexpr int count = 5000;
  {
    const Listening listening(recorder.listener(true));
    for (int n = 0; n < count; ++n) spin({}, "short", a, 10);
  }
  const auto kernels = recorder.named("short");
  ASSERT_EQ(kernels.size(), std::size_t(count));
  const double exact = 5e-4;
  for (std::size_t n = 1; n < kernels.size(); ++n) ASSERT_GE(kernels[n].begin, kernels[n - 1].end - exact) << n;
  EXPECT_LT(kernels.back().end, recorder.now() + exact);
}

TEST_F(CudaTimeline, AListenerThatCannotWaitMakesTheHostWait) {
  const View<double*> a("a", 256);
  Recorder recorder, other;
  const Listening late(recorder.listener(true)), prompt(other.listener(false));
  spin({}, "waited for", a, 400000);
  ASSERT_EQ(other.named("waited for").size(), 1U);
  ASSERT_EQ(recorder.named("waited for").size(), 1U);
  EXPECT_EQ(recorder.named("waited for")[0].stream, 0);
}

}  // namespace cuda_test
}  // namespace trellis
