// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interpreter's state of one group: its work-items with their private memory, and the group's memory, where races
// are detected. This evaluates expressions and stores values; interpreter.cpp runs the statements.

#include <cstddef>
#include <string>
#include <vector>

#include "spmd/random_kernels/interpreter.hpp"
#include "spmd/random_kernels/operations.hpp"
#include "spmd/random_kernels/syntax.hpp"

namespace trellis::random_kernels {

struct Frame {
  int function;
  std::size_t step, base;
  const Statement* call;  // in the caller
};

struct Item {
  u32 number = 0;  // local linear id
  u32 id[3] = {};
  std::vector<u64> memory;
  std::vector<Frame> frames;
  const Statement* waits = nullptr;
  u64 operand = 0;
  u32 witness = 0;
};

class Evaluator {
 protected:
  struct Touch {
    u64 interval = 0;
    u32 item = 0;
    bool several = false;
  };
  struct Memory {
    std::vector<u32> values;
    std::vector<Touch> writer, reader;
  };

  Evaluator(const Kernel& kernel, const std::vector<u32>& input, Races races, u32 group, Result& result);
  [[noreturn]] void fail(const std::string& what) const;
  void race(const std::string& what) const;

  const Variable& variable(const Item& item, int index) const;
  void enter(Item& item, int index, const Statement* call);
  std::size_t place(const Item& item, const Variable& v) const;  // in private memory
  std::size_t place(Item& item, const Expression& e);
  u64 evaluate(Item& item, const Expression& e);
  void store(Item& item, const Expression& target, u64 value);
  u32 global_linear(const Item& item) const;

  const Kernel& kernel_;
  u32 group_number_;
  u32 group_[3] = {};
  Result& result_;
  std::vector<Memory> shared_;
  u64 interval_ = 1;  // between two barriers

 private:
  const Function& function(const Item& item) const;
  // The group's memory.
  u32 own_slot(const Item& item, const Expression& e) const;
  u32 read(const Item& item, int array, u32 slot);
  void write(const Item& item, int array, u32 slot, u32 value);
  u32 id(const Item& item, Id kind, std::size_t d) const;
  u64 operate(Item& item, const Expression& e);

  const std::vector<u32>& input_;
  Races races_;
};

}  // namespace trellis::random_kernels
