// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Grows random expressions for statements.hpp.

#include <vector>

#include "spmd/random_kernels/random.hpp"
#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

// Who may access an array of the group until the next barrier: all work-items read, or each uses its own slots.
struct Access {
  bool read = false;
  std::uint32_t scale = 1, shift = 0;  // item i owns slot (i scale + shift) modulo the group's size
  bool operator==(const Access&) const = default;
};

Expression constant(Type type, std::uint64_t value);
Expression operation(Operation op, Type type, std::vector<Expression> arguments);
Expression converted(Type type, Expression from);

class Expressions {
 public:
  Expressions(Kernel& kernel, Random& random) : kernel_(kernel), random_(random) {}

  // What the generator may read at its current place.
  Function* function = nullptr;
  std::vector<int> visible;  // variables
  std::vector<Access> accesses;
  bool arrays = false;  // whether group arrays may be accessed at all

  Expression any(Type type, Level level, int depth = 3);
  Expression condition(Level level);
  Expression variable(int index) const;
  Expression element(int index, Level level);  // of a private array
  Expression own(int array);
  // Visible variables that pass the test.
  template <class Test>
  std::vector<int> which(const Test& test) const {
    std::vector<int> found;
    for (const int i : visible) {
      if (test(function->variables[static_cast<std::size_t>(i)])) found.push_back(i);
    }
    return found;
  }
  Type type();

 private:
  Expression leaf(Type type, Level level);
  Expression random_constant(Type type);

  Kernel& kernel_;
  Random& random_;
};

}  // namespace trellis::random_kernels
