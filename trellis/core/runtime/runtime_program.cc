// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Run by runtime_test.cpp as a separate process: runtime_program MODE.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "trellis/core/base/waiting_threads.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/runtime/runtime.hpp"

namespace trellis {

// Memory that the host cannot access, according to its type.
struct FarSpace {
  static constexpr bool is_memory_space = true, host_reaches = false, cuda_reaches = false;
  static constexpr const char* name = "FarSpace";
};
Allocation* allocate(FarSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate(HostSpace{}, label, bytes, zero);
}

namespace {

using Range = RangePolicy<DefaultHostExecutionSpace>;
using Vector = View<double*, LayoutRight, HostSpace>;

Vector of_the_program("of the program", 1000);  // destroyed after main

struct DispatchesLate {
  ~DispatchesLate() {
    parallel_for("late", Range(0, 10), [](Index) {});
    const Vector late("late", 10);
  }
};

void work() {
  const Region solve("solve");
  const Vector x("x", 1 << 17), y("y", 1 << 17);
  for (int n = 0; n < 3; ++n) {
    const Region iteration("iteration");
    parallel_for({"axpy", 24.0 * (1 << 17), 2.0 * (1 << 17)}, Range(0, 1 << 17), [=](Index i) { y(i) += 2 * x(i); });
  }
  deep_copy(y, x);
  deep_copy(y, 1.0);
}

template <class F>
void say_error(const F& f) {
  try {
    f();
    std::puts("no error");
  } catch (const Error& error) {
    std::puts(error.what());
  }
}

void after_finalize() {
  const Vector x("x", 10), y("y", 10);
  const View<double*, LayoutRight, FarSpace> far("far", 10);
  initialize();
  say_error([] { initialize(); });
  work();
  say_error([] { parallel_for("inner", Range(0, 1), [](Index) { finalize(); }); });
  finalize();
  double sum = 0;
  say_error([] { parallel_for("fill", Range(0, 10), [](Index) {}); });
  say_error([] { parallel_for("empty", Range(0, 0), [](Index) {}); });
  say_error([&] { parallel_reduce("sum", Range(0, 10), [](Index, double&) {}, sum); });
  say_error([&] { parallel_scan("scan", Range(0, 10), [](Index, double&, bool) {}, sum); });
  say_error([] { const Vector z("z", 10); });
  say_error([&] { deep_copy(y, x); });
  say_error([&] { deep_copy(y, 1.0); });
  say_error([] { finalize(); });
  say_error([] { initialize(); });
  const auto shared = x;
  std::printf("%d %d %ld %g\n", is_initialized(), is_finalized(), x.use_count(), shared(3));
}

void only_finalize() {
  work();
  finalize();
  std::printf("%d %d\n", is_initialized(), is_finalized());
}

void scope_that_throws() {
  try {
    const Runtime runtime;
    const Region region("left by an exception");
    parallel_for("throws", Range(0, 4), [](Index) { fail("no"); });
  } catch (const Error& error) {
    std::puts(error.what());
  }
  std::printf("%d\n", is_finalized());
}

// Reports how often the system loaded this program, and which arguments and environment remain. It exits as requested.
struct SaysItIsLoaded {
  SaysItIsLoaded() {
    if (std::getenv("SAY_LOADED") != nullptr) std::fputs("loaded\n", stderr);
  }
} const says_it_is_loaded;

int wait_well(int argc, char** argv) {
  let_waiting_threads_yield(argv);
  for (int i = 0; i < argc; ++i) std::printf("%s|", argv[i]);
  for (const char* name : {"GOMP_SPINCOUNT", "KMP_BLOCKTIME", "OMP_WAIT_POLICY"}) {
    const char* value = std::getenv(name);
    std::printf(" %s=%s", name, value != nullptr ? value : "none");
  }
  std::puts("");
  std::fflush(stdout);
  const int code = argc > 2 ? std::atoi(argv[2]) : 0;
  if (code < 0) std::raise(-code);
  return code;
}

}  // namespace

int run(std::string_view mode) {
  if (mode == "work") {
    work();
    std::thread([] {
      const Region region("of a thread");
      parallel_for("alone", RangePolicy<Serial>(0, 10), [](Index) {});
    }).join();
  }
  if (mode == "late") {
    static const DispatchesLate late;
    work();
  }
  if (mode == "exits") {
    const Region region("left by exit");
    work();
    std::exit(3);
  }
  if (mode == "throws") {
    const Region region("left by terminate");
    parallel_for("throws", RangePolicy<Serial>(0, 4), [](Index) { throw std::runtime_error("nobody catches this"); });
  }
  if (mode == "after_finalize") after_finalize();
  if (mode == "only_finalize") only_finalize();
  if (mode == "scope_that_throws") scope_that_throws();
  return 0;
}

}  // namespace trellis

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  return mode == "wait_well" ? trellis::wait_well(argc, argv) : trellis::run(mode);
}
