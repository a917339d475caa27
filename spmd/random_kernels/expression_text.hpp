// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ text of expressions, for statement_text.hpp.

#include <cstdint>
#include <string>

#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

inline std::string text(std::uint64_t n) { return std::to_string(n); }
inline std::string text(int n) { return std::to_string(n); }
std::string name(Type type);

class ExpressionText {
 protected:
  explicit ExpressionText(const Kernel& kernel) : kernel_(kernel) {}

  const Variable& variable(int index) const {
    return kernel_.functions[static_cast<std::size_t>(function_)].variables[static_cast<std::size_t>(index)];
  }
  std::string name_of(int index) const { return "f" + text(function_) + variable(index).name; }
  std::string expression(const Expression& e) const;
  std::string condition(const Expression& e) const { return "(" + expression(e) + ") != 0"; }

  const Kernel& kernel_;
  int function_ = -1;  // the function whose variables are named

 private:
  std::string size() const;  // of the group
  std::string own(const Expression& e) const;
};

}  // namespace trellis::random_kernels
