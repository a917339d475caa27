// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Errors. Everything that Trellis throws on purpose is a trellis::Error whose one-line message says what was found,
// where, and what was expected; the program prints it after "trellis: error: " and exits with exit_code().

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace trellis {

// A failure of the work itself: I/O, a solver that does not converge, a broken invariant. Exit code 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_code() const { return 1; }
};

// The user's input is wrong: a key, a value, a file. Nothing has been written when it is thrown. Exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 2; }
};

// The same with erased types, so that formatting is compiled once, and not wherever an error is thrown.
namespace error_detail {
[[noreturn]] void fail(fmt::string_view format, fmt::format_args args);
[[noreturn]] void fail_input(fmt::string_view format, fmt::format_args args);
}  // namespace error_detail

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  error_detail::fail(format, fmt::make_format_args(args...));
}

template <class... Args>
[[noreturn]] void fail_input(fmt::format_string<Args...> format, Args&&... args) {
  error_detail::fail_input(format, fmt::make_format_args(args...));
}

}  // namespace trellis
