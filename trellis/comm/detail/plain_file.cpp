// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/detail/plain_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

PlainFile::PlainFile(const std::filesystem::path& path, bool write) : path_(path) {
  descriptor_ = uninterrupted([&] { return ::open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC); });
  if (descriptor_ < 0) fail("{}: cannot open the file: {}", path.string(), std::strerror(errno));
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlainFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const auto n = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("{}: cannot read byte {}: {}", path_.string(), offset, std::strerror(errno));
    if (n == 0) fail("{}: ends at byte {}, and {} more were expected", path_.string(), offset, bytes.size());
    bytes = bytes.subspan(std::size_t(n));
    offset += std::uint64_t(n);
  }
}

void PlainFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("{}: cannot write byte {}: {}", path_.string(), offset, std::strerror(errno));
    bytes = bytes.subspan(std::size_t(n));
    offset += std::uint64_t(n);
  }
}

void PlainFile::read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                           std::span<std::byte> bytes) {
  for_each_run(block, [&](std::uint64_t in_lattice, std::uint64_t in_block, std::uint64_t sites) {
    read_at(offset + in_lattice * bytes_per_site, bytes.subspan(in_block * bytes_per_site, sites * bytes_per_site));
  });
}

void PlainFile::write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                            std::span<const std::byte> bytes) {
  for_each_run(block, [&](std::uint64_t in_lattice, std::uint64_t in_block, std::uint64_t sites) {
    write_at(offset + in_lattice * bytes_per_site, bytes.subspan(in_block * bytes_per_site, sites * bytes_per_site));
  });
}

void PlainFile::sync() {
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    fail("{}: cannot sync the file: {}", path_.string(), std::strerror(errno));
}

// Both are advice; sync() reports what goes wrong.
void PlainFile::start_writing(std::uint64_t offset, std::uint64_t bytes) {
  ::sync_file_range(descriptor_, static_cast<off64_t>(offset), static_cast<off64_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

void PlainFile::start_reading_back(std::uint64_t offset, std::uint64_t bytes) {
  ::sync_file_range(descriptor_, static_cast<off64_t>(offset), static_cast<off64_t>(bytes),
                    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  for (const int advice : {POSIX_FADV_DONTNEED, POSIX_FADV_WILLNEED})
    ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(bytes), advice);
}

void PlainFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("{}: cannot close the file: {}", path_.string(), std::strerror(errno));
}

}  // namespace trellis::comm::detail
