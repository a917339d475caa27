// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/machine/plain_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"

namespace trellis::bench {
namespace {

constexpr std::size_t plain_piece = 1U << 23;

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& file, int flags) : file_(file) {
    number_ = uninterrupted([&] { return ::open(file.c_str(), flags | O_CLOEXEC, 0666); });
    if (number_ < 0) fail_here("open");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }

  int number() const { return number_; }
  [[noreturn]] void fail_here(const char* what) const {
    fail("{}: cannot {} the file: {}", file_.string(), what, std::strerror(errno));
  }

 private:
  std::filesystem::path file_;
  int number_ = -1;
};

}  // namespace

double write_plainly(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  const Stopwatch watch;
  {
    const Descriptor to(file, O_WRONLY | O_CREAT | O_TRUNC);
    while (!bytes.empty()) {
      const auto n = ::write(to.number(), bytes.data(), std::min(bytes.size(), plain_piece));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) to.fail_here("write");
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    if (uninterrupted([&] { return ::fsync(to.number()); }) != 0) to.fail_here("sync");
  }
  return watch.seconds();
}

double read_plainly(const std::filesystem::path& file, std::span<std::byte> into) {
  drop_from_memory(file);
  const Stopwatch watch;
  const Descriptor from(file, O_RDONLY);
  while (!into.empty()) {
    const auto n = ::read(from.number(), into.data(), std::min(into.size(), plain_piece));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) from.fail_here("read");
    into = into.subspan(static_cast<std::size_t>(n));
  }
  return watch.seconds();
}

void drop_from_memory(const std::filesystem::path& file) {
  const Descriptor of(file, O_RDONLY);
  ::posix_fadvise(of.number(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace trellis::bench
