// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A folder that is removed, with its content, when its owner is destroyed.

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "trellis/core/error.hpp"

namespace trellis::io {

class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::filesystem::path& where = std::filesystem::temp_directory_path()) {
    std::string name = (where / "trellis_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("cannot make a temporary folder like {}", name);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace trellis::io
