// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Grows random statements for generator.cpp, in a kernel's functions one after the other: statements.cpp chooses among
// them, assignments.cpp and control_flow.cpp build them.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "spmd/random_kernels/expressions.hpp"

namespace trellis::random_kernels {

// The surroundings of a statement.
struct Context {
  Level control = Level::known;  // of the conditions under which it runs
  bool barriers = false;         // allowed here
  bool leaves = false, continues = false, returns = false;
  Level exits = Level::varying;  // of the conditions of break and continue
  std::vector<Access> loop;      // array accesses at the start of the loop's body
  int depth = 0, turns = 1;      // of the enclosing loops
};

inline Level highest(Level a, Level b) { return std::max(a, b); }
inline void append(Block& to, Block from) {
  for (auto& s : from) to.push_back(std::move(s));
}

class Statements {
 protected:
  explicit Statements(std::uint64_t seed) : random_(seed), grow_(kernel_, random_) { kernel_.seed = seed; }

  Level limit() const { return kernel_.for_fission ? Level::known : Level::hidden; }
  bool uniform(const Context& c) const { return c.barriers && c.control <= limit(); }
  bool is_main() const { return cost_.size() > entries_.size(); }

  // ---- statements.cpp
  Block block(const Context& c, int n);
  Access access();
  void restore(Block& block, const std::vector<Access>& before);
  void give_back(Block& block, int number);

  // ---- assignments.cpp
  int declare(Type type, Level level, int length = 0);
  Statement assign(Expression target, Expression value);
  // The k-th output receives a random number and these variables.
  Statement output(int k, const std::vector<int>& variables);
  Statement output(int k);  // every fourth visible one, so that none is dead
  Statement declaration(const Context& c);

  // ---- control_flow.cpp
  // All work-items run the first iterations of a loop, which alone have barriers, and leave it at different times
  // afterwards.
  Statement late_leavers(const Context& c, bool returns);

  Kernel kernel_;
  Random random_;
  Expressions grow_;
  int numbers_ = 0;                           // of statements
  std::vector<int> cost_;                     // of functions, in barriers
  std::vector<std::vector<Access>> entries_;  // the array accesses that functions expect and leave

 private:
  // ---- statements.cpp
  Statement statement(Statement::Kind kind);
  // A barrier, after which arrays are accessed differently, between statements that make the witness depend on it.
  void meet(Block& block, const std::vector<Access>& then);
  void look_around(Block& block, int array);
  void leave_behind(Block& block, int array);
  Statement call(const Context& c);
  Statement collective(const Context& c);
  Statement next(const Context& c, Block& before);

  // ---- assignments.cpp
  Statement assignment(const Context& c);
  // Possible targets of a pointer: older than the pointer, so that they exist as long as it does.
  Expression pointed(int pointer);
  bool pointer(Statement& s);
  Statement point(const Context& c);

  // ---- control_flow.cpp
  // A condition for control flow that starts here, and what holds inside.
  Level decide(const Context& c, Context& inside);
  Block region(const Context& c, int n, const std::vector<Access>& before);
  int counter(Level level);
  Statement branch(const Context& c);
  Statement choose(const Context& c);
  Statement loop(const Context& c);
  Statement leaving(const Context& c);  // if (condition) break, continue or return
};

}  // namespace trellis::random_kernels
