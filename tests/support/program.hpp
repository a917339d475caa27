// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program as its user would: as a separate process that can be sent signals and given limits.
//
//   Process p({TRELLIS_PROGRAM, "run", "a.toml"}, {.folder = temp.path()});
//   p.signal(SIGKILL);
//   Outcome o = p.wait();     // code: exit code, or minus the number of the signal that ended it

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "trellis/core/error.hpp"

namespace trellis::test {

struct Outcome {
  int code = 0;
  std::string out, err;
};

struct ProcessOptions {
  std::filesystem::path folder;             // where it starts
  std::optional<rlim_t> largest_file = {};  // bytes
};

class Process {
 public:
  Process(std::vector<std::string> command, const ProcessOptions& options) {
    char out[] = "/tmp/trellis_out_XXXXXX", err[] = "/tmp/trellis_err_XXXXXX";
    out_ = ::mkstemp(out);
    err_ = ::mkstemp(err);
    ::unlink(out);
    ::unlink(err);
    std::vector<char*> words;
    for (auto& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0 || out_ < 0 || err_ < 0) fail("cannot start {}", command[0]);
    if (pid_ != 0) return;
    // From here on only async-signal-safe calls.
    ::dup2(out_, 1);
    ::dup2(err_, 2);
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(127);
    if (options.largest_file) {
      const rlimit limit{*options.largest_file, *options.largest_file};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(out_);
    ::close(err_);
  }

  pid_t id() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }
  bool has_ended() const {
    siginfo_t ended{};
    return ::waitid(P_PID, id_t(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == pid_;
  }

  Outcome wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text(out_), text(err_)};
  }

 private:
  static std::string text(int descriptor) {
    std::string all;
    char buffer[4096];
    ::lseek(descriptor, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(descriptor, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<size_t>(n));
    return all;
  }

  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
};

}  // namespace trellis::test
