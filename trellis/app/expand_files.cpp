// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <glob.h>

#include <algorithm>
#include <memory>
#include <set>

#include "trellis/app/input/input.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Natural order, lat.9 before lat.10: runs of digits compare as numbers, everything else character by character.
bool counts_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text, std::size_t& at) {
    std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    while (begin + 1 < at && text[begin] == '0') ++begin;
    return text.substr(begin, at - begin);
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
    }
  }
  const bool a_ended = i == a.size(), b_ended = j == b.size();
  return a_ended != b_ended ? a_ended : a < b;
}

// Where even the folder is missing, the run that makes it has most likely not been started yet.
std::string nothing_found(const std::string& pattern) {
  const bool is_pattern = pattern.find_first_of("*?[") != std::string::npos;
  const auto folder = std::filesystem::path(pattern).parent_path();
  const bool has_folder =
      folder.empty() || folder.string().find_first_of("*?[") != std::string::npos || std::filesystem::exists(folder);
  return fmt::format(
      "{}: {}{}", pattern, is_pattern ? "no file matches" : "there is no such file",
      has_folder ? "" : fmt::format("; there is no folder {}: start the run that makes it first", folder.string()));
}

}  // namespace

std::vector<std::filesystem::path> expand_files(const std::vector<std::string>& patterns) {
  std::vector<std::filesystem::path> files;
  std::set<std::filesystem::path> seen;
  for (const auto& pattern : patterns) {
    // A file with brackets in its name is meant, not what these match.
    std::error_code code_of_file;
    if (std::filesystem::exists(pattern, code_of_file)) {
      if (seen.insert(std::filesystem::weakly_canonical(pattern)).second) files.emplace_back(pattern);
      continue;
    }
    glob_t found{};
    const int code = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
    const std::unique_ptr<glob_t, void (*)(glob_t*)> owner(&found, ::globfree);
    if (code == GLOB_NOMATCH) fail_input("{}", nothing_found(pattern));
    if (code != 0) fail_input("{}: the search for matching files failed", pattern);
    std::vector<std::string> names(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    std::sort(names.begin(), names.end(), counts_before);
    for (const auto& name : names) {
      if (seen.insert(std::filesystem::weakly_canonical(name)).second) files.emplace_back(name);
    }
  }
  return files;
}

}  // namespace trellis::app
