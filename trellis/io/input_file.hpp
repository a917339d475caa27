// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file open for reading at any 64-bit offset. Throws InputError, naming the file, if it does not exist, cannot be
// read, is a folder or a device, or ends before the requested bytes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace trellis::io {

class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  const std::filesystem::path& path() const { return path_; }
  std::string name() const { return path_.string(); }
  std::uint64_t size() const { return size_; }

  // Fills `out` from `offset`; `what` names the part of the file in messages.
  void read(std::uint64_t offset, std::span<std::byte> out, const char* what) const;
  std::string text(std::uint64_t offset, std::uint64_t length, const char* what) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace trellis::io
