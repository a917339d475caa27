// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words that start a program on several ranks, for tests that are compiled with ${TRELLIS_LAUNCHER_DEFINITION}
// (cmake/TrellisRoom.cmake). The program and its words follow; it is found by its whole path. In sanitizer builds leaks
// are not looked for: they are those of MPI, in libraries that are gone when they are reported.

#include <algorithm>
#include <string>
#include <vector>

namespace trellis::test {

// Empty where nothing can start several.
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
