// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// check_kernels [SEED [WAY]]: runs the random kernels linked into it, each in all ways, and compares their output with
// the interpreter's. Exits with 1 after saying how to reproduce every failure.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>

#include "spmd/random_kernels/generator.hpp"
#include "spmd/random_kernels/interpreter.hpp"
#include "spmd/random_kernels/launch.hpp"

namespace trellis::random_kernels {

std::vector<Entry>& entries() {
  static std::vector<Entry> all;
  return all;
}

namespace {

char now[128] = "";  // for the signal handler: the running kernel

void on_signal(int number) {
  const char* const what = number == SIGALRM ? "does not end: " : "crashes: ";
  const auto ignore = [](auto) {};
  ignore(write(STDERR_FILENO, what, std::strlen(what)));
  ignore(write(STDERR_FILENO, now, std::strlen(now)));
  _exit(1);
}

struct Case {
  Kernel kernel;
  std::vector<u32> input;
  Result expected;
};

const Case& case_of(const Entry& entry) {
  static std::map<std::pair<std::uint64_t, std::vector<int>>, Case> cases;
  auto& c = cases[{entry.seed, entry.dropped}];
  if (c.input.empty()) {
    c.kernel = generate_kernel(entry.seed, entry.dropped);
    c.input = make_input(entry.seed);
    c.expected = interpret(c.kernel, c.input);
  }
  return c;
}

std::string difference(const std::string& what, const std::vector<u32>& got, const std::vector<u32>& expected,
                       std::size_t per_item) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    return what + "[" + std::to_string(i) + "], of work-item " + std::to_string(i / per_item) + ": " +
           std::to_string(got[i]) + ", but interpreted " + std::to_string(expected[i]);
  }
  return {};
}

// What is wrong, or an empty text.
std::string check(const Entry& entry) {
  try {
    const Case& c = case_of(entry);
    Result got = empty_result(c.kernel);
    Buffers buffers{c.kernel.parameters, c.input.data(), got.out.data(), {}};
    for (std::size_t k = 0; k < got.scratch.size(); ++k) buffers.scratch[k] = got.scratch[k].data();
    entry.run(buffers);
    std::string wrong = difference("out", got.out, c.expected.out, outputs);
    for (std::size_t k = 0; k < got.scratch.size(); ++k) {
      if (wrong.empty()) {
        wrong = difference("scratch " + std::to_string(k), got.scratch[k], c.expected.scratch[k],
                           static_cast<std::size_t>(c.kernel.shared[k].slots));
      }
    }
    return wrong;
  } catch (const std::exception& e) {
    return e.what();
  }
}

int check_all(int argc, char** argv) {
  for (const int s : {SIGSEGV, SIGILL, SIGFPE, SIGABRT, SIGBUS, SIGALRM}) std::signal(s, on_signal);
  std::map<std::string, int> passed;
  int failed = 0;
  for (const auto& entry : entries()) {
    if (argc > 1 && std::to_string(entry.seed) != argv[1]) continue;
    if (argc > 2 && std::string(entry.way) != argv[2]) continue;
    const auto seed = static_cast<unsigned long long>(entry.seed);
    std::snprintf(now, sizeof now, "seed %llu by %s at -O%d\n", seed, entry.way, entry.level);
    alarm(60);
    const std::string wrong = check(entry);
    if (wrong.empty()) {
      ++passed[entry.way];
      continue;
    }
    ++failed;
    std::printf("seed %llu by %s at -O%d: %s\n", seed, entry.way, entry.level, wrong.c_str());
    std::printf("  to make it small: spmd/random_kernels/reduce.sh BUILD_FOLDER %llu %s %d\n", seed, entry.way,
                entry.level);
    std::fflush(stdout);
  }
  int total = 0;
  for (const auto& [way, n] : passed) {
    std::printf("%s: %d kernels right\n", way.c_str(), n);
    total += n;
  }
  std::printf("%d wrong\n", failed);
  return failed > 0 || total == 0 ? 1 : 0;
}

}  // namespace
}  // namespace trellis::random_kernels

int main(int argc, char** argv) { return trellis::random_kernels::check_all(argc, argv); }
