// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "trellis/core/error.hpp"

namespace trellis {

void open_closed_streams() {
  // open() takes the lowest free number, so they are opened in order.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) ::_exit(1);
}

void print_to_stderr(std::string_view text) noexcept {
  std::fflush(stdout);
  std::string printed;  // printed at once, since ranks print concurrently
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool controls = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    printed += controls ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  std::fwrite(printed.data(), 1, printed.size(), stderr);
  std::fflush(stderr);
}

void require_printed() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  const int code = errno;
  fail("standard output cannot be written{}{}", code != 0 ? ": " : "", code != 0 ? std::strerror(code) : "");
}

bool reader_is_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace trellis
