// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keeps a second process out of a run's folder.

#include <sys/file.h>

#include <filesystem>
#include <string>

namespace trellis::app {

// "process 123 on HOST" if a process seems to hold the lock on this file; empty if nobody does. Changes nothing.
std::string holder_of_lock(const std::filesystem::path& file);

// Held by one process at a time through a lock on the file; the system drops the lock when the process ends, however it
// ends. Throws InputError if another process holds it, or the file cannot be made. The file is removed at the end; one
// left behind by a killed process does no harm, whoever owns it.
//
// Some network file systems have no locks. There the file itself is the lock: it names host and process. One left
// behind by a killed process of this host is taken over; one of another host is believed until somebody removes it.
class FolderLock {
 public:
  using LockCall = int (*)(int descriptor, int operation);
  // lock: for tests, that of a file system without locks.
  explicit FolderLock(const std::filesystem::path& file, LockCall lock = ::flock);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  // Throws Error if the file was removed or replaced: another process may then hold a lock of the same name.
  void require_held() const;

 private:
  // One attempt; false if the file disappeared meanwhile.
  bool take(LockCall lock);
  bool take_without_locks(bool made) const;
  void sign() const;

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace trellis::app
