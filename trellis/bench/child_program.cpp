// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/child_program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/base/waiting_threads.hpp"
#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

// What the environment was when this process was loaded: NAME=value.
std::vector<std::string> first_environment() {
  std::ifstream file("/proc/self/environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> entries;
  for (std::size_t at = 0; at < all.size(); at += entries.back().size() + 1) entries.emplace_back(all.c_str() + at);
  if (entries.empty())  // no /proc
    for (char** entry = ::environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  std::erase_if(entries,
                [](const std::string& entry) { return entry.empty() || is_setting_of_waiting(entry.c_str()); });
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::filesystem::path path_of_part(const std::string& file_name) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& path : {folder / file_name, folder.parent_path() / "lib" / "trellis" / file_name})
    if (std::filesystem::exists(path, error)) return path;
  return {};
}

int start_program(const std::vector<std::string>& command, int output) {
  std::vector<std::string> words = command, environment = first_environment();
  const auto arguments = pointers_to(words), settings = pointers_to(environment);
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) fail("no pipe for {}: {}", words[0], std::strerror(errno));
  const pid_t parent = ::getpid(), process = ::fork();
  if (process == 0) {
    // Whoever ends this program alone, by a signal, does not leave the other one at work.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (::dup2(nothing, 0) == 0 && (output < 0 || (::dup2(output, 1) == 1 && ::dup2(output, 2) == 2)))
      ::execvpe(arguments[0], arguments.data(), settings.data());
    const int error = errno;
    static_cast<void>(::write(failure[1], &error, sizeof error));
    ::_exit(1);
  }
  int error = process < 0 ? errno : 0;
  ::close(failure[1]);
  if (process > 0 && uninterrupted([&] { return ::read(failure[0], &error, sizeof error); }) > 0)
    static_cast<void>(wait_for_program(process));
  ::close(failure[0]);
  if (error != 0) fail_input("{} cannot be started: {}", words[0], std::strerror(error));
  return process;
}

int wait_for_program(int process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace trellis::bench
