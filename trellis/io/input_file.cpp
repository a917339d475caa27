// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"

namespace trellis::io {
namespace {

// ", such as FOLDER/a", the first by name.
std::string file_in(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::path first;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->is_regular_file(code) && (first.empty() || entry->path() < first)) first = entry->path();
  return first.empty() ? "" : ", such as " + first.string();
}

}  // namespace

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  // Without O_NONBLOCK, opening a named pipe would hang before it can be refused.
  descriptor_ = uninterrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (descriptor_ < 0) fail_input("{}: cannot open the file: {}", name(), std::strerror(errno));
  struct stat status{};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    const bool is_folder = known && S_ISDIR(status.st_mode);
    fail_input("{}: is {}, expected a regular file{}", name(), is_folder ? "a folder" : "a device or a pipe",
               is_folder ? file_in(path_) : "");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::read(std::uint64_t offset, std::span<std::byte> out, const char* what) const {
  if (offset > size_ || out.size() > size_ - offset) {
    fail_input("{}: the file is truncated: {} needs {} bytes from byte {}, but the file has {} bytes", name(), what,
               out.size(), offset, size_);
  }
  while (!out.empty()) {
    const std::size_t step = std::min<std::size_t>(out.size(), 1U << 30);
    const ssize_t n = ::pread(descriptor_, out.data(), step, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("{}: cannot read {} at byte {}: {}", name(), what, offset, std::strerror(errno));
    if (n == 0) fail_input("{}: the file became shorter while it was read (at byte {})", name(), offset);
    out = out.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
}

std::string InputFile::text(std::uint64_t offset, std::uint64_t length, const char* what) const {
  if (offset > size_ || length > size_ - offset) {
    fail_input("{}: the file is truncated: {} needs {} bytes from byte {}, but the file has {} bytes", name(), what,
               length, offset, size_);
  }
  std::string s(length, '\0');
  read(offset, std::as_writable_bytes(std::span(s)), what);
  return s;
}

}  // namespace trellis::io
