// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/waiting_threads.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace trellis {

bool set_environment_of_waiting() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return false;
  ::setenv("KMP_BLOCKTIME", "1", 0);  // milliseconds; 0 means to sleep at once
  return std::getenv("GOMP_SPINCOUNT") == nullptr && ::setenv("GOMP_SPINCOUNT", "1000", 0) == 0;
}

bool is_setting_of_waiting(const char* entry) {
  return std::strcmp(entry, "KMP_BLOCKTIME=1") == 0 || std::strcmp(entry, "GOMP_SPINCOUNT=1000") == 0;
}

void let_waiting_threads_yield([[maybe_unused]] char** argv) {
  const bool is_new = set_environment_of_waiting();
#if defined(_OPENMP) && !defined(__clang__)
  if (!is_new) return;
  // By its own name, so that process lists do not call it "exe". The environment variables end the recursion.
  char program[4096];
  const auto length = ::readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return;
  program[length] = '\0';
  ::execv(program, argv);
#else
  static_cast<void>(is_new);
#endif
}

}  // namespace trellis
