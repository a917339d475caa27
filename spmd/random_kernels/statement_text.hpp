// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ text of statements, for emitter.cpp: lines of text, one after the other.

#include <string>

#include "spmd/random_kernels/expression_text.hpp"

namespace trellis::random_kernels {

// The parameters of every function, in a fixed order.
inline constexpr const char* common_parameters =
    "const nd_item<D>& item, u32 p0, u32 p1, u32 p2, u32 p3, const u32* in, u32* out, u32* s0, u32* s1, u32* s2, "
    "u32 lid, u32 n, u32 gid, u32& witness";
inline constexpr const char* common_members =
    "const nd_item<D>& item; u32 p0, p1, p2, p3; const u32* in; u32 *out, *s0, *s1, *s2; u32 lid, n, gid; u32& "
    "witness;";
inline constexpr const char* common_arguments = "item, p0, p1, p2, p3, in, out, s0, s1, s2, lid, n, gid, witness";

class StatementText : protected ExpressionText {
 protected:
  explicit StatementText(const Kernel& kernel) : ExpressionText(kernel) {}

  void line(const std::string& s) { out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + s + "\n"; }
  void open(const std::string& s) {
    line(s);
    ++depth_;
  }
  void close(const std::string& s = "}") {
    --depth_;
    line(s);
  }
  void block(const Block& b);

  std::string out_;

 private:
  void statement(const Statement& s);
  void declare(const Statement& s);
  void choose(const Statement& s);
  void loop(const Statement& s);
  void call(const Statement& s);
  std::string collective(const Statement& s) const;

  int depth_ = 0;
};

}  // namespace trellis::random_kernels
