// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "trellis/core/error.hpp"
#include "trellis/core/local_time.hpp"
#include "trellis/io/atomic_file.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

fs::path RunFolder::configuration(std::int64_t trajectory) const { return file(fmt::format("{:06}.ildg", trajectory)); }

void require_writable(const fs::path& directory) {
  std::error_code code;
  auto place = fs::absolute(directory).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();
  while (!fs::exists(fs::symlink_status(place, code)) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, code))
    fail_input("output.directory: {}: {} is not a folder", directory.string(), place.string());
  if (::access(place.c_str(), W_OK | X_OK) != 0)
    fail_input("output.directory: {}: cannot write in {}: {}", directory.string(), place.string(),
               std::strerror(errno));
}

void make_folder(const fs::path& directory) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) fail_input("output.directory: cannot make {}: {}", directory.string(), code.message());
}

FolderLock::FolderLock(const fs::path& file) : file_(file) {
  // Between open and lock another process may have removed what was opened; then the lock is on no file of that name.
  for (;;) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) fail_input("output.directory: cannot create {}: {}", file_.string(), std::strerror(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      ::close(descriptor_);
      if (code == EWOULDBLOCK)
        fail_input("{} is locked: another process works on the same output; wait for it, or choose another output",
                   file_.string());
      fail_input("{}: cannot be locked: {}", file_.string(), std::strerror(code));
    }
    struct stat opened {
    }, named{};
    if (::fstat(descriptor_, &opened) == 0 && ::stat(file_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
        opened.st_dev == named.st_dev)
      return;
    ::close(descriptor_);
  }
}

FolderLock::~FolderLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

void write_text_file(const fs::path& file, std::string_view text) {
  std::ifstream stream(file, std::ios::binary);
  if (stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text) return;
  io::AtomicFile out(file);
  out.write(text);
  out.commit();
}

void append_log(const fs::path& file, std::string_view text) {
  std::ofstream stream(file, std::ios::app);
  stream << local_time("%Y-%m-%d %H:%M:%S ") << text << '\n';
}

}  // namespace trellis::app
