// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/paths/different_files.hpp"

#include "trellis/core/error.hpp"

namespace trellis::io {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none_there, unreadable;
  if (fs::equivalent(a, b, none_there)) return true;
  const auto place = [&](const fs::path& file) { return fs::weakly_canonical(fs::absolute(file), unreadable); };
  const auto at = place(a);
  return !unreadable && at == place(b) && !unreadable;
}

void require_different_files(const fs::path& in, const fs::path& out) {
  if (is_same_file(in, out)) fail_input("{}: input and output are the same file", in.string());
}

void require_different_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
  for (std::size_t n = 0; n < written.size(); ++n) {
    const auto& [name, path] = written[n];
    if (path.empty()) continue;
    for (const auto& one : read)
      if (!one.path.empty() && is_same_file(one.path, path))
        fail_input("{}: {} would replace the file of {}; choose another one", name, path.string(), one.name);
    for (std::size_t m = 0; m < n; ++m)
      if (!written[m].path.empty() && is_same_file(written[m].path, path))
        fail_input("{}: {} is also the file of {}; choose another one", name, path.string(), written[m].name);
  }
}

}  // namespace trellis::io
