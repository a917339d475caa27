// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/processor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "trellis/core/backend/simd_register.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::tuning {

namespace {

// The first line "key : value" of /proc/cpuinfo.
std::string fact(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.starts_with(key) && line.find_first_not_of(" \t", key.size()) == colon && colon + 2 < line.size())
      return line.substr(colon + 2);
  }
  return "unknown";
}

std::string cache_size([[maybe_unused]] int name) {
  const long bytes = ::sysconf(name);
  return bytes > 0 ? fmt::format("{} KiB", bytes / 1024) : "unknown";
}

std::string caches() {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  return fmt::format("L1 {}, L2 {}, L3 {}", cache_size(_SC_LEVEL1_DCACHE_SIZE), cache_size(_SC_LEVEL2_CACHE_SIZE),
                     cache_size(_SC_LEVEL3_CACHE_SIZE));
#else
  return "caches unknown";
#endif
}

// The GPU, if kernels run on one and there is one.
std::string device() {
  if (kernels_on_host) return "";
  try {
    const Device one = current_device();
    return fmt::format("{} ({}, {} multiprocessors); ", one.name, one.capability, one.multiprocessors);
  } catch (const Error&) {
    return "no GPU; ";
  }
}

}  // namespace

std::string runs_on() {
  if (!kernels_on_host) return current_device().name;
  return fmt::format("{} thread{} of {}", concurrency(), concurrency() == 1 ? "" : "s", processor());
}

std::string processor() { return fact("model name"); }

std::string machine_identity() {
  return fmt::format("{}{} (family {} model {} stepping {}); {}; registers {} bytes; compiler {}; trellis {}", device(),
                     processor(), fact("cpu family"), fact("model"), fact("stepping"), caches(),
                     backend::register_bytes, __VERSION__, TRELLIS_VERSION);
}

}  // namespace trellis::tuning
