// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Statements without control flow: on variables, pointers and memory.
#include <string>
#include <utility>

#include "spmd/random_kernels/statements.hpp"

namespace trellis::random_kernels {

using Kind = Statement::Kind;

int Statements::declare(Type type, Level level, int length) {
  auto& f = *grow_.function;
  Variable v;
  v.type = type;
  v.level = level;
  v.length = length;
  v.slot = f.slots;
  const int index = static_cast<int>(f.variables.size());
  v.name = "v" + std::to_string(index);
  f.slots += std::max(1, length);
  f.variables.push_back(v);
  grow_.visible.push_back(index);
  return index;
}

Statement Statements::assign(Expression target, Expression value) {
  auto s = statement(Kind::assign);
  s.expressions = {std::move(target), std::move(value)};
  return s;
}

Statement Statements::output(int k) {
  const auto all = grow_.which([](const Variable& v) { return !v.pointer && v.length == 0; });
  std::vector<int> some;
  for (std::size_t i = static_cast<std::size_t>(k); i < all.size(); i += outputs) some.push_back(all[i]);
  return output(k, some);
}

Statement Statements::output(int k, const std::vector<int>& variables) {
  Expression target;
  target.kind = Expression::Kind::output;
  target.index = k;
  auto s = assign(target, grow_.any(Type::u32, Level::varying));
  const auto add = [&](const Expression& e) {
    s.expressions[1] =
        operation(Operation::add, Type::u32,
                  {operation(Operation::multiply, Type::u32, {s.expressions[1], constant(Type::u32, 31)}), e});
  };
  for (const int v : variables) add(converted(Type::u32, grow_.variable(v)));
  if (k == 0) {
    Expression witness;
    witness.kind = Expression::Kind::witness;
    add(witness);
  }
  return s;
}

Statement Statements::assignment(const Context& c) {
  const auto scalars =
      grow_.which([&](const Variable& v) { return v.level >= c.control && v.length == 0 && !v.counter && !v.pointer; });
  switch (random_.below(8)) {
    case 0:
    case 1: {
      const auto found = grow_.which([&](const Variable& v) { return v.level >= c.control && v.length > 0; });
      if (found.empty()) break;
      const int array = random_.of(found);
      const auto& v = grow_.function->variables[static_cast<std::size_t>(array)];
      const Level level = v.level;
      const Type type = v.type;
      auto value = grow_.any(type, level);  // the order of evaluating arguments differs between compilers
      return assign(grow_.element(array, level), std::move(value));
    }
    case 2: {
      const auto found = grow_.which([](const Variable& v) { return v.pointer; });
      if (found.empty()) break;
      auto target = grow_.variable(random_.of(found));
      target.kind = Expression::Kind::pointee;
      return assign(target, grow_.any(Type::u32, Level::varying));
    }
    case 3:
    case 4: {
      if (!grow_.arrays) break;
      const int k = random_.below(static_cast<int>(grow_.accesses.size()));
      if (grow_.accesses[static_cast<std::size_t>(k)].read) break;
      auto value = grow_.any(Type::u32, Level::varying);
      return assign(grow_.own(k), std::move(value));
    }
    case 5:
      if (random_.one_in(3)) return output(random_.below(outputs));
      break;
    default:
      break;
  }
  if (scalars.empty()) return declaration(c);
  const auto target = grow_.variable(random_.of(scalars));
  const Level level = grow_.function->variables[static_cast<std::size_t>(target.index)].level;
  return assign(target, grow_.any(target.type, level));
}

Statement Statements::declaration(const Context& c) {
  auto s = statement(Kind::declare);
  s.number = -1;
  if (random_.one_in(4)) {  // an array
    const Level level = highest(c.control, random_.one_in(6) ? Level::hidden : Level::varying);
    const int length = random_.of({2, 4, 8, 16});
    s.variables.push_back(declare(grow_.type(), level, length));
    return s;
  }
  if (random_.one_in(5)) {
    if (pointer(s)) return s;
  }
  const int members = random_.one_in(4) ? 3 : 1;
  const Level level =
      members == 3
          ? Level::varying
          : highest(c.control, random_.of({Level::known, Level::hidden, Level::row, Level::varying, Level::varying}));
  for (int k = 0; k < members; ++k) s.expressions.push_back(grow_.any(grow_.type(), level));
  for (int k = 0; k < members; ++k) {
    s.variables.push_back(declare(s.expressions[static_cast<std::size_t>(k)].type, level));
  }
  if (members == 3) {
    for (int k = 0; k < 3; ++k) {
      auto& v = grow_.function->variables[static_cast<std::size_t>(s.variables[static_cast<std::size_t>(k)])];
      v.name = "s" + std::to_string(s.variables[0]) + "." + std::string(1, static_cast<char>('a' + k));
      v.declared_in_struct = true;
    }
  }
  return s;
}

Expression Statements::pointed(int pointer) {
  const auto found = grow_.which([&](const Variable& v) {
    return v.type == Type::u32 && v.level == Level::varying && !v.counter && !v.pointer &&
           &v < &grow_.function->variables[0] + pointer;
  });
  if (found.empty()) return {};
  const int v = random_.of(found);
  return grow_.function->variables[static_cast<std::size_t>(v)].length > 0 ? grow_.element(v, Level::varying)
                                                                           : grow_.variable(v);
}

bool Statements::pointer(Statement& s) {
  const int end = static_cast<int>(grow_.function->variables.size());
  s.expressions = {grow_.condition(Level::varying), pointed(end), pointed(end)};
  if (s.expressions[1].kind == Expression::Kind::constant) {
    s.expressions.clear();
    return false;
  }
  const int p = declare(Type::u32, Level::varying);
  grow_.function->variables.back().pointer = true;
  s.variables = {p};
  return true;
}

Statement Statements::point(const Context& c) {
  const auto found = grow_.which([](const Variable& v) { return v.pointer; });
  if (found.empty()) return declaration(c);
  const int p = random_.of(found);
  auto s = statement(Kind::point);
  s.variables = {p};
  s.expressions = {grow_.condition(Level::varying), pointed(p), pointed(p)};
  return s;
}

}  // namespace trellis::random_kernels
