// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program is about to write must not replace what it reads, nor anything else that it writes.

#include <filesystem>
#include <string>
#include <vector>

namespace trellis::io {

// By any path, also through links. Files that are not there yet have the same name or another one.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// InputError unless the two are different.
void require_different_files(const std::filesystem::path& in, const std::filesystem::path& out);

// A file with the option that names it: "--source". Without a path it was not given.
struct NamedFile {
  std::string name;
  std::filesystem::path path;
};

// InputError, naming two options, unless each file to be written differs from all others and from those that are read.
void require_different_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace trellis::io
