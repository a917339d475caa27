// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command that starts a program on several ranks, for tests compiled with ${TRELLIS_LAUNCHER_DEFINITION}
// (cmake/TrellisRoom.cmake). The program, by its full path, and its arguments follow. Sanitizer builds do not look for
// leaks: they would be MPI's, in libraries that are already unloaded when they are reported.

#include <algorithm>
#include <string>
#include <vector>

namespace trellis::test {

// Empty if several ranks cannot be started.
inline std::vector<std::string> launcher(int ranks) {
  const std::string all = TRELLIS_LAUNCHER;
  std::vector<std::string> words;
  if (all.empty()) return words;
  words = {"/usr/bin/env", "ASAN_OPTIONS=detect_leaks=0"};
  for (std::size_t begin = 0; begin <= all.size();) {
    const auto end = std::min(all.find('|', begin), all.size());
    words.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  words.push_back(std::to_string(ranks));
  return words;
}

}  // namespace trellis::test
