// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/evaluator.hpp"

#include <stdexcept>
#include <string>

#include "spmd/random_kernels/values.hpp"

namespace trellis::random_kernels {

Evaluator::Evaluator(const Kernel& kernel, const std::vector<u32>& input, Races races, u32 group, Result& result)
    : kernel_(kernel), group_number_(group), result_(result), input_(input), races_(races) {
  u32 left = group;
  for (int d = 0; d < 3; ++d) {
    group_[d] = left % kernel.groups[d];
    left /= kernel.groups[d];
  }
  for (const auto& s : kernel.shared) {
    Memory m;
    m.values.assign(kernel.size() * static_cast<u32>(s.slots), untouched);
    m.writer.assign(m.values.size(), {});
    m.reader.assign(m.values.size(), {});
    shared_.push_back(m);
  }
}

void Evaluator::fail(const std::string& what) const {
  throw std::logic_error("seed " + std::to_string(kernel_.seed) + ": " + what);
}

void Evaluator::race(const std::string& what) const {
  if (races_ == Races::errors) fail("a race: " + what);
}

const Function& Evaluator::function(const Item& item) const {
  return kernel_.functions[static_cast<std::size_t>(item.frames.back().function)];
}

const Variable& Evaluator::variable(const Item& item, int index) const {
  return function(item).variables[static_cast<std::size_t>(index)];
}

void Evaluator::enter(Item& item, int index, const Statement* call) {
  const std::size_t base = item.memory.size();
  item.memory.resize(base + static_cast<std::size_t>(kernel_.functions[static_cast<std::size_t>(index)].slots));
  item.frames.push_back({index, 0, base, call});
}

std::size_t Evaluator::place(const Item& item, const Variable& v) const {
  const std::size_t slot = item.frames.back().base + static_cast<std::size_t>(v.slot);
  return v.reference ? static_cast<std::size_t>(item.memory[slot]) : slot;
}

std::size_t Evaluator::place(Item& item, const Expression& e) {
  const auto& v = variable(item, e.index);
  switch (e.kind) {
    case Expression::Kind::variable:
      return place(item, v);
    case Expression::Kind::element:
      return place(item, v) + evaluate(item, e.arguments[0]) % static_cast<u64>(v.length);
    case Expression::Kind::pointee:
      return static_cast<std::size_t>(item.memory[place(item, v)]);
    default:
      fail("not a place");
  }
}

u32 Evaluator::own_slot(const Item& item, const Expression& e) const {
  const u64 n = kernel_.size();
  return static_cast<u32>((u64{item.number} * e.scale + e.shift) % n + e.value * n);
}

u32 Evaluator::read(const Item& item, int array, u32 slot) {
  auto& m = shared_[static_cast<std::size_t>(array)];
  if (m.writer[slot].interval == interval_ && m.writer[slot].item != item.number) race("read after write");
  auto& r = m.reader[slot];
  r.several = r.interval == interval_ && (r.several || r.item != item.number);
  r.interval = interval_;
  r.item = item.number;
  return m.values[slot];
}

void Evaluator::write(const Item& item, int array, u32 slot, u32 value) {
  auto& m = shared_[static_cast<std::size_t>(array)];
  auto& w = m.writer[slot];
  const auto& r = m.reader[slot];
  if (w.interval == interval_ && w.item != item.number) race("two writes");
  if (r.interval == interval_ && (r.several || r.item != item.number)) race("write after read");
  w.interval = interval_;
  w.item = item.number;
  m.values[slot] = value;
}

u32 Evaluator::id(const Item& item, Id kind, std::size_t d) const {
  switch (kind) {
    case Id::local:
      return item.id[d];
    case Id::global:
      return group_[d] * kernel_.local[d] + item.id[d];
    case Id::group:
      return group_[d];
    case Id::local_range:
      return kernel_.local[d];
    default:
      return item.number;
  }
}

u32 Evaluator::global_linear(const Item& item) const {
  u64 sum = 0;
  for (int d = 2; d >= 0; --d) {
    sum = sum * kernel_.groups[d] * kernel_.local[d] + group_[d] * kernel_.local[d] + item.id[d];
  }
  return static_cast<u32>(sum);
}

u64 Evaluator::evaluate(Item& item, const Expression& e) {
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::constant:
      return e.value;
    case Kind::variable:
    case Kind::element:
    case Kind::pointee:
      return item.memory[place(item, e)];
    case Kind::parameter:
      return kernel_.parameters[e.index];
    case Kind::id:
      return id(item, static_cast<Id>(e.index), static_cast<std::size_t>(e.value));
    case Kind::input:
      return input_[evaluate(item, e.arguments[0]) % inputs];
    case Kind::shared: {
      const auto n = shared_[static_cast<std::size_t>(e.index)].values.size();
      return read(item, e.index, static_cast<u32>(evaluate(item, e.arguments[0]) % n));
    }
    case Kind::own:
      return read(item, e.index, own_slot(item, e));
    case Kind::witness:
      return item.witness;
    case Kind::convert: {
      const auto& from = e.arguments[0];
      return convert_value(from.type, e.type, evaluate(item, from));
    }
    case Kind::operation:
      return operate(item, e);
    default:
      fail("not a value");
  }
}

u64 Evaluator::operate(Item& item, const Expression& e) {
  const auto op = static_cast<Operation>(e.index);
  const u64 a = evaluate(item, e.arguments[0]);
  if (op == Operation::select) return evaluate(item, e.arguments[a != 0 ? 1 : 2]);
  if (op == Operation::and_then) return a != 0 && evaluate(item, e.arguments[1]) != 0 ? 1 : 0;
  return compute(op, e.arguments[0].type, a, evaluate(item, e.arguments[1]));
}

void Evaluator::store(Item& item, const Expression& target, u64 value) {
  switch (target.kind) {
    case Expression::Kind::own:
      return write(item, target.index, own_slot(item, target), static_cast<u32>(value));
    case Expression::Kind::output:
      result_.out[global_linear(item) * static_cast<u32>(outputs) + static_cast<u32>(target.index)] =
          static_cast<u32>(value);
      return;
    case Expression::Kind::witness:
      item.witness = static_cast<u32>(value);
      return;
    default:
      item.memory[place(item, target)] = value;
  }
}

}  // namespace trellis::random_kernels
