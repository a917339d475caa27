// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Implementation of together(), declared in communicator.hpp.

#include <exception>
#include <optional>
#include <type_traits>

#include "trellis/comm/communicator.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

template <class F>
auto together(const Communicator& ranks, const char* name, const F& f) {
  if (ranks.size() == 1) return f();
  using Result = std::invoke_result_t<F>;
  std::string problem;
  int code = 0;
  std::conditional_t<std::is_void_v<Result>, std::nullptr_t, std::optional<Result>> result{};
  try {
    if constexpr (std::is_void_v<Result>) {
      f();
    } else {
      result.emplace(f());
    }
  } catch (const Error& error) {
    problem = error.what();
    code = error.exit_code();
  } catch (const std::exception& error) {
    problem = error.what();
    code = 1;
  }
  ranks.agree(name, problem, code);
  if constexpr (!std::is_void_v<Result>) return Result(std::move(*result));
}

}  // namespace trellis::comm
