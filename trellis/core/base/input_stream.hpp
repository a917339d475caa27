// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A stream of a file's bytes, whose opening cannot fail because of a signal (see uninterrupted.hpp). As with the
// constructor of std::ifstream, the caller checks is_open(); errno says why not.

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace trellis {

inline std::ifstream input_stream(const std::filesystem::path& file) {
  std::ifstream stream;
  do {
    stream.clear();
    errno = 0;
    stream.open(file, std::ios::binary);
  } while (!stream.is_open() && errno == EINTR);
  return stream;
}

}  // namespace trellis
