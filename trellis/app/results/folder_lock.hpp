// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What keeps a second process out of a run's folder.

#include <sys/file.h>

#include <filesystem>

namespace trellis::app {

// Held by one process at a time, by way of a lock on the file; the system drops it when the process ends, however it
// does. Throws InputError when another process holds it, or the file cannot be made. The file is removed at the end;
// one that a killed process left does no harm, whoever's it is.
//
// Some network file systems have no locks. There the file itself is the lock: it names host and process, and one that a
// killed process of this host left is taken over. One of another host is believed until somebody removes it.
class FolderLock {
 public:
  using LockCall = int (*)(int descriptor, int operation);
  // lock: for tests, that of a file system without locks.
  explicit FolderLock(const std::filesystem::path& file, LockCall lock = ::flock);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  // Throws Error where the file was removed or replaced: then another process may hold one of that name.
  void require_held() const;

 private:
  // One attempt; false where the file went away under it.
  bool take(LockCall lock);
  bool take_without_locks(bool made) const;
  void sign() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace trellis::app
