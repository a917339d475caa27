// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/backend/spmd_markers.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "trellis/core/backend/group_memory.hpp"
#include "trellis/core/backend/work_group.hpp"

namespace {

[[noreturn]] void not_compiled(const char* what) {
  std::fprintf(
      stderr,
      "trellis: error: %s was called: the compiler plugin has not seen the kernel that calls it. TRELLIS_SPMD_PLUGIN "
      "is for source files that the plugin compiles (CMake: trellis_spmd_sources)\n",
      what);
  std::abort();
}

}  // namespace

void trellis_spmd_begin(int, int, int, std::size_t, std::size_t, std::size_t) noexcept {
  not_compiled("trellis_spmd_begin");
}
std::size_t trellis_spmd_local_id(int) noexcept { not_compiled("trellis_spmd_local_id"); }
void trellis_spmd_barrier() noexcept { not_compiled("trellis_spmd_barrier"); }

void* trellis_spmd_launch_memory(void* memory) noexcept { return memory; }

void* trellis_spmd_local_memory(const void* group, const void* key, std::size_t bytes, std::size_t alignment) noexcept {
  using namespace trellis::backend;
  auto& of = *static_cast<WorkGroup*>(const_cast<void*>(group));
  void* const piece = of.memory->piece(key, bytes, alignment);
  if (piece == nullptr) {
    char message[200];
    *fmt::format_to_n(message, sizeof(message) - 1,
                      "a kernel asks for {} bytes of local memory after others; a group has {} in all", bytes,
                      largest_host_local)
         .out = 0;
    of.give_up(of, message);
  }
  return piece;
}
