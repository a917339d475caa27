// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis` of a portable build: replaces itself with the program compiled for the best instruction set of this
// processor, or for the one that TRELLIS_ISA names. These programs are in ../lib/trellis/<name>/trellis, relative to
// this one. Compiled for any x86-64, with the C library alone: it must start where the others cannot.
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "trellis/core/backend/processor_level.hpp"

namespace {

constexpr int lowest = 2, highest = 4;

struct Path {
  char text[PATH_MAX + 64];
};

[[noreturn]] __attribute__((format(printf, 2, 3))) void fail(int code, const char* format, ...) {
  std::va_list words;
  va_start(words, format);
  std::fputs("trellis: error: ", stderr);
  std::vfprintf(stderr, format, words);
  std::fputc('\n', stderr);
  va_end(words);
  std::exit(code);
}

// The folder with the programs.
void find_folder(Path& folder) {
  char self[PATH_MAX];
  const auto length = ::readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) fail(1, "/proc/self/exe cannot be read (%s): is /proc mounted?", std::strerror(errno));
  self[length] = '\0';
  *std::strrchr(self, '/') = '\0';
  std::snprintf(folder.text, sizeof folder.text, "%s/../lib/trellis", self);
}

void program_of(int level, const Path& folder, Path& path) {
  if (std::snprintf(path.text, sizeof path.text, "%s/x86-64-v%d/trellis", folder.text, level) >= int(sizeof path.text))
    fail(1, "the path %s is too long", folder.text);
}

bool is_there(int level, const Path& folder) {
  Path path;
  program_of(level, folder, path);
  return ::access(path.text, X_OK) == 0;
}

// "x86-64-v2, x86-64-v3": the installed programs up to a level.
struct Names {
  char text[64] = "";
  Names(const Path& folder, int up_to) {
    for (int level = lowest; level <= up_to; ++level) {
      if (!is_there(level, folder)) continue;
      const auto used = std::strlen(text);
      std::snprintf(text + used, sizeof text - used, "%sx86-64-v%d", used == 0 ? "" : ", ", level);
    }
    if (text[0] == '\0') std::strcpy(text, "none");
  }
};

// The level of "x86-64-v3" or "v3"; 0 for anything else.
int level_of(const char* name) {
  if (std::strncmp(name, "x86-64-", 7) == 0) name += 7;
  if (name[0] != 'v' || name[1] < '0' + lowest || name[1] > '0' + highest || name[2] != '\0') return 0;
  return name[1] - '0';
}

int choose(const Path& folder) {
  const int has = trellis::backend::processor_level();
  if (has < lowest)
    fail(1, "this processor is older than x86-64-v2 (SSE4.2, POPCNT), the minimum for this build of Trellis");
  const char* const wish = std::getenv("TRELLIS_ISA");
  if (wish != nullptr && *wish != '\0') {
    const int level = level_of(wish);
    if (level == 0 || !is_there(level, folder))
      fail(2, "TRELLIS_ISA is '%s'; this program has %s", wish, Names(folder, highest).text);
    if (level > has)
      fail(2, "TRELLIS_ISA is '%s', which this processor cannot run; it can run %s", wish, Names(folder, has).text);
    return level;
  }
  for (int level = has; level >= lowest; --level)
    if (is_there(level, folder)) return level;
  fail(1, "there is no program for this processor in %s: build or install Trellis again", folder.text);
}

}  // namespace

int main(int, char** argv) {
  Path folder, path;
  find_folder(folder);
  program_of(choose(folder), folder, path);
  ::execv(path.text, argv);
  fail(1, "%s cannot be started: %s", path.text, std::strerror(errno));
}
