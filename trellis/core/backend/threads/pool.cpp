// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/threads/pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "trellis/core/base/signals_blocked.hpp"
#if defined(TRELLIS_HAS_OPENMP)
#include <omp.h>
#endif

namespace trellis::backend {
namespace {

using Body = FunctionRef<void(int thread, int threads)>;

// A word holds the number of a dispatch and, in its low bits, that of its threads.
constexpr int words_a_turn = 1 << 16, most_threads = words_a_turn - 1;

constinit std::atomic<int> wanted = 0;  // 0: nobody has set it
constinit thread_local bool in_pool = false;

// Looks at a word until it is no longer `old`, for some microseconds without sleeping.
template <class T>
T wait_for_change(const std::atomic<T>& word, T old) {
  constexpr int looks = 2000;
  for (int n = 0; n < looks; ++n) {
    if (const T seen = word.load(std::memory_order_acquire); seen != old) return seen;
  }
  word.wait(old, std::memory_order_acquire);
  return word.load(std::memory_order_acquire);
}

class Pool {
 public:
  void run(int count, const Body& body) {
    const std::lock_guard lock(one_at_a_time_);
    grow(std::min(count, most_threads) - 1);
    const int threads = std::min(std::min(count, most_threads), static_cast<int>(workers_.size()) + 1);
    if (threads > 1) {
      body_ = &body;
      working_.store(threads - 1, std::memory_order_relaxed);
      // Who takes part is in the word that workers wait for: those that do not may read it at any time.
      const std::uint64_t turn = (turn_.load(std::memory_order_relaxed) / words_a_turn + 1) * words_a_turn;
      turn_.store(turn + static_cast<std::uint64_t>(threads), std::memory_order_release);
      turn_.notify_all();
    }
    in_pool = true;
    body(0, threads);
    in_pool = false;
    if (threads > 1) {
      for (int left = working_.load(std::memory_order_acquire); left > 0;) left = wait_for_change(working_, left);
    }
  }

 private:
  void grow(int workers) {
    while (static_cast<int>(workers_.size()) < workers) {
      const SignalsBlocked blocked;
      try {
        const int number = static_cast<int>(workers_.size()) + 1;
        workers_.emplace_back([this, number, seen = turn_.load(std::memory_order_relaxed)] { work(number, seen); });
      } catch (const std::system_error&) {
        return;  // fewer threads do the same work
      }
    }
  }

  [[noreturn]] void work(int number, std::uint64_t seen) {
    in_pool = true;
#if defined(TRELLIS_HAS_OPENMP)
    omp_set_num_threads(1);  // for regions within kernels
#endif
    for (;;) {
      seen = wait_for_change(turn_, seen);
      const int threads = static_cast<int>(seen % words_a_turn);
      if (number >= threads) continue;
      (*body_)(number, threads);
      if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_all();
    }
  }

  std::mutex one_at_a_time_;
  std::vector<std::thread> workers_;
  std::atomic<std::uint64_t> turn_ = 0;  // the number of the dispatch times words_a_turn, plus its threads
  std::atomic<int> working_ = 0;
  const Body* body_ = nullptr;
};

// Never destroyed: threads may wait in it until the program ends.
constinit std::atomic<Pool*> the_pool = nullptr;
constinit std::mutex making_pool;

Pool& pool() {
  if (Pool* const made = the_pool.load(std::memory_order_acquire)) return *made;
  const std::lock_guard lock(making_pool);
  if (the_pool.load(std::memory_order_relaxed) == nullptr) {
    static const int forks = ::pthread_atfork(nullptr, nullptr, [] { the_pool.store(nullptr); });
    static_cast<void>(forks);
    the_pool.store(new Pool, std::memory_order_release);
  }
  return *the_pool.load(std::memory_order_relaxed);
}

}  // namespace

HostThreads host_threads(const Threads&) {
  return {&Threads::concurrency, [](int count, Body body) {
            if (count == 1 || in_pool) return body(0, 1);
            pool().run(count, body);
          }};
}

void set_pool_threads(int count) { wanted.store(count, std::memory_order_relaxed); }

}  // namespace trellis::backend

namespace trellis {

int Threads::concurrency() {
  if (const int set = backend::wanted.load(std::memory_order_relaxed); set > 0) return set;
#if defined(TRELLIS_HAS_OPENMP)
  return OpenMP::concurrency();
#else
  static const int available = [] {
    // As OpenMP would.
    const char* const text = std::getenv("OMP_NUM_THREADS");
    const long number = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    if (number >= 1 && number <= backend::most_threads) return static_cast<int>(number);
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return available;
#endif
}

}  // namespace trellis
