// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "trellis/core/error.hpp"

namespace trellis::test {

// What the exception says that `work` throws; "accepted" if it throws none. Exceptions of other types pass.
template <class Thrown = Error>
std::string message_of(auto&& work) {
  try {
    work();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace trellis::test
