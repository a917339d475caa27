// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that one rank does for all.
//
//   on_first_rank(ranks, "write the table", [&] { table.append(row); });
//
// f runs on the first rank while the others wait. If it throws, all ranks throw an error with the same message. f must
// not wait for other ranks, and should be short: the watchdog (comm/session.hpp) is running.

#include <exception>
#include <span>
#include <string>
#include <type_traits>

#include "trellis/comm/communicator.hpp"
#include "trellis/core/error.hpp"

namespace trellis::io {

template <class F>
void on_first_rank(const comm::Communicator& ranks, const char* name, const F& f) {
  if (ranks.size() == 1) return f();
  std::string problem;  // the exit code, then the message
  if (ranks.is_first()) {
    try {
      f();
    } catch (const Error& error) {
      problem = std::to_string(error.exit_code()) + error.what();
    } catch (const std::exception& error) {
      problem = std::string("1") + error.what();
    }
  }
  problem = ranks.broadcast(name, problem);
  if (problem.empty()) return;
  if (problem.front() == '2') throw InputError(problem.substr(1));
  throw Error(problem.substr(1));
}

// Returns the result of f, a number or a plain struct, on all ranks.
template <class F>
auto from_first_rank(const comm::Communicator& ranks, const char* name, const F& f) {
  using Result = std::invoke_result_t<F>;
  static_assert(std::is_trivially_copyable_v<Result>);
  Result result{};
  on_first_rank(ranks, name, [&] { result = f(); });
  ranks.broadcast(name, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

}  // namespace trellis::io
