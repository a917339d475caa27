// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checksum.hpp"

namespace trellis::io {
namespace {

constexpr std::size_t atomic_piece_bytes = std::size_t{1} << 23;
// How many pieces are on their way to the disk, and back, before the first of them is looked at.
constexpr std::size_t atomic_pieces_ahead = 4, atomic_pieces_coming_back = 2;

// Opens and locks the part file. Between open and lock another process may have renamed the opened file; then the name
// no longer refers to the locked file, and the attempt is repeated.
int open_locked(const std::filesystem::path& path) {
  for (;;) {
    const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666); });
    if (fd < 0) fail("{}: cannot create the file: {}", path.string(), std::strerror(errno));
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(fd);
      fail("{}: another process is writing this file", path.string());
    }
    struct stat opened{}, named{};
    if (::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
        opened.st_dev == named.st_dev) {
      return fd;
    }
    ::close(fd);
  }
}

void sync_folder(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const int fd = uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (fd < 0) return;  // a folder that may be written but not read: the rename is done, only its sync is skipped
  uninterrupted([&] { return ::fsync(fd); });
  ::close(fd);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)), temporary_(target_) {
  std::error_code ignored;
  if (target_.filename().empty() || std::filesystem::is_directory(target_, ignored)) {
    fail("{}: is a folder, not a file that can be written", target_.string());
  }
  // One cannot rename onto a device such as /dev/full, or a pipe; replacing it by a file would be worse.
  if (std::filesystem::exists(target_, ignored) && !std::filesystem::is_regular_file(target_, ignored)) {
    fail("{}: is not a regular file and will not be replaced", target_.string());
  }
  temporary_ += ".part";
  descriptor_ = open_locked(temporary_);
  if (uninterrupted([&] { return ::ftruncate(descriptor_, 0); }) != 0) {
    const int code = errno;
    ::close(descriptor_);
    fail("{}: cannot empty the file: {}", temporary_.string(), std::strerror(code));
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0 && !committed_) ::unlink(temporary_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::share() { ::flock(descriptor_, LOCK_UN); }

void AtomicFile::reserve(std::uint64_t bytes) {
  const auto size = static_cast<off_t>(bytes);
  if (bytes == 0 || uninterrupted([&] { return ::fallocate(descriptor_, 0, 0, size); }) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS)
    fail("{}: cannot reserve {} bytes: {}", target_.string(), bytes, std::strerror(errno));
}

void AtomicFile::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const auto part = data.first(std::min(data.size(), atomic_piece_bytes - now_.bytes));
    append(part);
    now_.crc = add_crc32(now_.crc, part);
    now_.bytes += part.size();
    data = data.subspan(part.size());
    if (now_.bytes < atomic_piece_bytes) continue;
    // The disk begins now, not when its cache is full; what is there is read back meanwhile.
    ::sync_file_range(descriptor_, static_cast<off64_t>(now_.offset), static_cast<off64_t>(now_.bytes),
                      SYNC_FILE_RANGE_WRITE);
    on_their_way_.push_back(now_);
    now_ = {.offset = bytes_};
    read_back(atomic_pieces_ahead, atomic_pieces_coming_back);
  }
}

void AtomicFile::leave_room(std::size_t bytes) {
  if (bytes_ > 0) fail("{}: room is left at the beginning of a file", target_.string());
  room_ = bytes;
  bytes_ = now_.offset = bytes;
  if (::lseek(descriptor_, static_cast<off_t>(bytes), SEEK_SET) < 0)
    fail("{}: cannot leave {} bytes: {}", target_.string(), bytes, std::strerror(errno));
}

void AtomicFile::fill_room(std::span<const std::byte> data) {
  if (data.size() != room_)
    fail("{}: {} bytes were left, but {} are to be written there", target_.string(), room_, data.size());
  on_their_way_.push_back({.offset = 0, .bytes = data.size(), .crc = add_crc32(0, data)});
  room_ = 0;
  for (std::uint64_t done = 0; !data.empty();) {
    const ssize_t n = uninterrupted([&] { return ::pwrite(descriptor_, data.data(), data.size(), off_t(done)); });
    if (n <= 0) fail("{}: cannot write its first bytes: {}", target_.string(), std::strerror(errno));
    done += static_cast<std::uint64_t>(n);
    data = data.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::append(std::span<const std::byte> data) {
  while (!data.empty()) {
    const ssize_t n = ::write(descriptor_, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      fail("{}: cannot write after {} bytes: {}", target_.string(), bytes_,
           n < 0 ? std::strerror(errno) : "no progress");
    }
    bytes_ += static_cast<std::uint64_t>(n);
    data = data.subspan(static_cast<std::size_t>(n));
  }
}

void AtomicFile::read_back(std::size_t to_disk, std::size_t from_disk) {
  while (on_their_way_.size() > to_disk) {
    const auto& piece = coming_back_.emplace_back(on_their_way_.front());
    on_their_way_.pop_front();
    // Waits until the bytes are on the disk, and asks the kernel to drop its cached pages and to begin to read them
    // again, so that they come from the disk if the system allows it.
    ::sync_file_range(descriptor_, static_cast<off64_t>(piece.offset), static_cast<off64_t>(piece.bytes),
                      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    for (const int advice : {POSIX_FADV_DONTNEED, POSIX_FADV_WILLNEED})
      ::posix_fadvise(descriptor_, static_cast<off_t>(piece.offset), static_cast<off_t>(piece.bytes), advice);
  }
  for (; coming_back_.size() > from_disk; coming_back_.pop_front()) require_as_written(coming_back_.front());
}

void AtomicFile::require_as_written(const Piece& piece) {
  read_.resize(piece.bytes);
  std::uint64_t done = 0;
  while (done < piece.bytes) {
    const ssize_t n =
        ::pread(descriptor_, read_.data() + done, piece.bytes - done, static_cast<off_t>(piece.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("{}: cannot read back what was written: {}", target_.string(), std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  const auto crc = add_crc32(0, std::span(read_).first(done));
  if (done != piece.bytes || crc != piece.crc)
    fail("{}: reads back differently: {} bytes from byte {} on with CRC-32 {:08x}, but {} with {:08x} were written",
         target_.string(), done, piece.offset, crc, piece.bytes, piece.crc);
}

void AtomicFile::read_back_all() {
  if (now_.bytes > 0) on_their_way_.push_back(now_);
  now_ = {.offset = bytes_};
  read_back(0, 0);
  struct stat status{};
  if (::fstat(descriptor_, &status) == 0 && static_cast<std::uint64_t>(status.st_size) != bytes_)
    fail("{}: reads back differently: {} bytes, but {} were written", target_.string(), status.st_size, bytes_);
}

void AtomicFile::commit(const std::function<void(const std::filesystem::path&)>& check) {
  if (committed_) fail("{}: the file was committed twice", target_.string());
  if (room_ > 0) fail("{}: its first {} bytes were not written", target_.string(), room_);
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    fail("{}: cannot sync to disk: {}", target_.string(), std::strerror(errno));
  if (bytes_ > 0) read_back_all();
  if (check) check(temporary_);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    fail("{}: cannot rename {} to it: {}", target_.string(), temporary_.string(), std::strerror(errno));
  }
  committed_ = true;
  sync_folder(target_);
}

}  // namespace trellis::io
