// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/folder_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

namespace {

constexpr auto flags = O_CLOEXEC | O_NOFOLLOW;

std::string host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

// "process NUMBER on HOST", as in the file.
struct Holder {
  std::string text;  // empty: the file says nothing
  std::string host;
  int process = 0;

  // The number may be ours by chance, as it often is in containers: this process does not have a lock yet.
  bool is_dead_here() const {
    return process > 0 && host == app::host() && (process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH));
  }
};

Holder holder(int descriptor) {
  Holder found;
  char bytes[400];
  const auto count = ::pread(descriptor, bytes, sizeof bytes, 0);
  const std::string_view text(bytes, count > 0 ? std::size_t(count) : 0), begin = "process ", on = " on ";
  const auto end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(begin)) return found;
  const auto number = std::from_chars(text.data() + begin.size(), text.data() + end, found.process);
  const auto rest = text.substr(0, end).substr(std::size_t(number.ptr - text.data()));
  if (!rest.starts_with(on)) return {};
  found.host = rest.substr(on.size());
  found.text = text.substr(0, end);
  return found;
}

bool leads_to(const fs::path& file, int descriptor) {
  struct stat opened{}, named{};
  if (::lstat(file.c_str(), &named) != 0) return errno != ENOENT;
  if (::fstat(descriptor, &opened) != 0) return errno != ESTALE;
  return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool has_no_locks(int code) { return code == ENOSYS || code == EOPNOTSUPP || code == ENOLCK || code == EINVAL; }

// Removes the file unless it is no longer the one that was examined: another process may have taken it over.
void remove_dead(const fs::path& file, int descriptor) {
  const fs::path aside = file.string() + fmt::format(".{}", ::getpid());
  if (::rename(file.c_str(), aside.c_str()) != 0) return;
  if (!leads_to(aside, descriptor)) static_cast<void>(::link(aside.c_str(), file.c_str()));
  ::unlink(aside.c_str());
}

}  // namespace

std::string holder_of_lock(const fs::path& file) {
  const int descriptor = uninterrupted([&] { return ::open(file.c_str(), O_RDONLY | flags); });
  if (descriptor < 0) return "";
  const auto by = holder(descriptor);
  const bool is_here = by.host == app::host(), is_own = is_here && by.process == ::getpid();
  // A process of that number lives, but by now it may be another one; then nobody has the lock. Taking it for a moment
  // could turn away a run that starts just then, so it is tried only in this case.
  const bool is_free = !is_own && (by.is_dead_here() || (is_here && ::flock(descriptor, LOCK_SH | LOCK_NB) == 0));
  ::close(descriptor);
  return is_free ? "" : by.text;
}

FolderLock::FolderLock(const fs::path& file, LockCall lock) : file_(file) {
  try {
    while (!take(lock)) {
      if (descriptor_ >= 0) ::close(descriptor_);
      descriptor_ = -1;
    }
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

bool FolderLock::take(LockCall lock) {
  descriptor_ = uninterrupted([&] { return ::open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, 0666); });
  const bool made = descriptor_ >= 0;
  if (!made && errno == EEXIST) {
    descriptor_ = uninterrupted([&] { return ::open(file_.c_str(), O_RDWR | flags); });
    // Owned by another user: read-only is enough for a lock.
    if (descriptor_ < 0 && (errno == EACCES || errno == EPERM))
      descriptor_ = uninterrupted([&] { return ::open(file_.c_str(), O_RDONLY | flags); });
    if (descriptor_ < 0 && errno == ENOENT) return false;
  }
  if (descriptor_ < 0) fail_input("output.directory: cannot create {}: {}", file_.string(), std::strerror(errno));
  if (lock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
    // Between open and lock another process may have removed what was opened; then the locked file no longer has that
    // name.
    if (!leads_to(file_, descriptor_)) return false;
    sign();
    return true;
  }
  const int code = errno;
  if (code == EWOULDBLOCK) {
    const auto by = holder(descriptor_).text;
    fail_input("{} is locked: another process is working on the same output{}; wait for it, or choose another output",
               file_.string(), by.empty() ? "" : " (" + by + ")");
  }
  if (!has_no_locks(code))
    fail_input("{}: cannot be locked: {}; if no process is working there, remove the file", file_.string(),
               std::strerror(code));
  return take_without_locks(made);
}

bool FolderLock::take_without_locks(bool made) const {
  if (made) {
    sign();
    return true;
  }
  auto by = holder(descriptor_);
  // A process that has just made the file will write its name any moment.
  for (int tries = 0; by.text.empty() && tries < 20; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    by = holder(descriptor_);
  }
  if (by.is_dead_here()) {
    remove_dead(file_, descriptor_);
    return false;
  }
  if (!leads_to(file_, descriptor_)) return false;
  fail_input(
      "{}: {} is working on the same output, or was killed: this file system has no locks that could tell. If no "
      "process "
      "is working there, remove the file",
      file_.string(), by.text.empty() ? "a process that left no name" : by.text);
}

// For messages, in place of a lock, and for other machines, which see it once it is on the disk. If it cannot be
// written, nothing else is lost.
void FolderLock::sign() const {
  const auto text = fmt::format("process {} on {}\n", ::getpid(), host());
  if (::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, text.data(), text.size(), 0) > 0)
    static_cast<void>(::fsync(descriptor_) < 0);
}

FolderLock::~FolderLock() {
  if (leads_to(file_, descriptor_)) ::unlink(file_.c_str());
  ::close(descriptor_);
}

void FolderLock::require_held() const {
  if (leads_to(file_, descriptor_)) return;
  std::error_code ignored;
  if (const auto folder = file_.parent_path(); !folder.empty() && !std::filesystem::exists(folder, ignored))
    fail(
        "the folder {} was removed or renamed while this process was working there; stopped before anything more is "
        "written. Where it has its name again, the same command continues",
        folder.string());
  fail(
      "the lock file {} was removed or replaced while this process was working here: another one may have started; "
      "stopped before anything more is written",
      file_.string());
}

}  // namespace trellis::app
