// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// What must end in an Error, the same in every way; and functions that throw: an exception that leaves a kernel ends
// the program.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <string>

#include "spmd/conformance/suite.hpp"
#include "trellis/core/error.hpp"

namespace trellis::conformance {
namespace {

template <class F>
bool ends_with_error(const std::string& text, const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what() == text;
  }
  return false;
}
void say(const Data& d, Index k, bool right) { d.out[k] = right ? 1 : 0; }
void expect_right(const Data& d, Index count) {
  for (Index k = 0; k < count; ++k) d.out[k] = 1;
}

// More than is left, requested by all work-items, by some after a barrier, and in one of several groups. Launches
// afterwards work.
struct TooMuchLocalMemory : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    LocalMemory memory;
    const auto array = memory.array<double>(1024 * 127);
    const u32* const in = d.in;
    u32* const out = d.out;
    const std::string text = "a kernel asks for 8200 bytes of local memory after others; a group has 1048576 in all";
    say(d, 0, ends_with_error(text, [&] {
          launch<Way>(
              d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
                item.local(array)[item.local_id()] = 1;
                item.barrier();
                auto& more = item.local<double[1025]>();
                more[item.local_id()] = input(in, item);
                item.barrier();
                if (item.global_id() == 0) out[3] = static_cast<u32>(more[0]);
              });
        }));
    say(d, 1, ends_with_error(text, [&] {
          launch<Way>(
              d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
                item.barrier();
                if (item.local_id() == item.local_range() - 1 && item.group_id() == item.group_range() - 1) {
                  item.local<double[1025]>()[item.local_id()] = input(in, item);
                }
                item.barrier();
              });
        }));
    launch<Way>(
        d, memory, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& room = item.local<double[1024]>();
          room[item.local_id()] = 2;
          item.barrier();
          if (item.global_id() == 0) out[2] = room[item.local_range() - 1] == 2 ? 1 : 0;
        });
  }
  static void expect(const Data& d) { expect_right(d, 3); }
};

struct WrongRanges : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const auto nothing = TRELLIS_LAMBDA(const auto& item) noexcept { item.barrier(); };
    const auto error_of = [&](const std::string& text, const auto&... sizes) {
      return ends_with_error(text, [&] { parallel_for("wrong", nd_range<1>{sizes...}.by(work_items<Way>), nothing); });
    };
    say(d, 0, error_of("nd_range: 100 work-items in groups of 32: 100 is not a multiple of 32 (dimension 0)", 100, 32));
    say(d, 1, error_of("nd_range: 4096 work-items in groups of 2048: a group has at most 1024 work-items", 4096, 2048));
    say(d, 2, error_of("nd_range: 0 work-items in groups of 32: sizes must be at least 1", 0, 32));
    say(d, 3,
        ends_with_error("nd_range: 4 x 4 x 6 work-items in groups of 2 x 2 x 4: 6 is not a multiple of 4 (dimension 2)",
                        [&] {
                          const nd_range<3> range{{4, 4, 6}, {2, 2, 4}};
                          parallel_for("wrong", range.by(work_items<Way>), nothing);
                        }));
  }
  static void expect(const Data& d) { expect_right(d, 4); }
};

#if defined(TRELLIS_SPMD_PLUGIN)
// Ordinary functions that are not declared noexcept.
[[gnu::noinline]] u32 half(u32 x) { return x % 2 == 1 ? throw x : x / 2; }
u32 checked(u32 x) { return x == 0xffffffffU ? throw x : x; }
u32 half_or_more(u32 x) {
  try {
    return half(x);
  } catch (u32 odd) {
    return 3 * odd + 1;
  }
}
struct Guard {
  u32* count;
  ~Guard() { ++*count; }
};
u32 between_barriers(const nd_item<1>& item, u32 (&t)[1024], u32 x) {
  u32 count = 0;
  {
    const Guard guard{&count};
    t[item.local_id()] = checked(half_or_more(x)) + read_outside(&count);
    item.barrier();
    x = t[(item.local_id() + 1) % item.local_range()];
    item.barrier();
  }
  return x + count;
}

struct FunctionsThatMayThrow : Fission {
  template <WorkItems Way>
  static void run(const Data& d) {
    const u32* const in = d.in;
    u32* const out = d.out;
    launch<Way>(
        d, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
          auto& t = item.local<u32[1024]>();
          const u32 x = between_barriers(item, t, input(in, item));
          out[item.global_id()] = checked(x) + half(2 * x) + half_or_more(x);
        });
  }
  static void expect(const Data& d) {
    const auto half_or_more = [](u32 x) { return x % 2 == 1 ? 3 * x + 1 : x / 2; };
    for (Index g = 0; g < d.groups; ++g) {
      all_items(d.size, [&](auto l) {
        const u32 x = half_or_more(input(d, g, (l + 1) % static_cast<std::size_t>(d.size))) + 1;
        output(d, g, l) = x + 2 * x / 2 + half_or_more(x);
      });
    }
  }
};

// In a separate process.
template <class F>
bool ends_the_program(const F& f) {
  const pid_t child = fork();
  if (child == 0) {
    close(STDERR_FILENO);
    try {
      f();
    } catch (...) {
    }
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

struct ThrownOutOfAKernel : Fission {
  static constexpr Index largest = 3;
  template <WorkItems Way>
  static void run(const Data& d) {
    const nd_range<1, Serial> range{d.groups * d.size, d.size};
    say(d, 0, ends_the_program([&] {
          parallel_for(
              "throws", range.by(work_items<Way>), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
                const auto x = static_cast<u32>(2 * item.local_id() + 1);
                item.barrier();
                static_cast<void>(half(x));
              });
        }));
    say(d, 1, ends_the_program([&] {
          parallel_for(
              "throws", range.by(work_items<Way>), TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
                item.barrier();
                static_cast<void>(checked(static_cast<u32>(item.local_id() - 1)));
                item.barrier();
              });
        }));
  }
  static void expect(const Data& d) { expect_right(d, 2); }
};

const bool throwing_added =
    add<FunctionsThatMayThrow>("FunctionsThatMayThrow") && add<ThrownOutOfAKernel>("ThrownOutOfAKernel");
#endif

const bool added = add<TooMuchLocalMemory>("TooMuchLocalMemory") && add<WrongRanges>("WrongRanges");

}  // namespace
}  // namespace trellis::conformance
