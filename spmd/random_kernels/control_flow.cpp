// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Branches, switches, loops, and ways to leave them.
#include "spmd/random_kernels/statements.hpp"

namespace trellis::random_kernels {

using Kind = Statement::Kind;

namespace {

Context inner(Context c, Level level) {
  c.control = highest(c.control, level);
  return c;
}

}  // namespace

Level Statements::decide(const Context& c, Context& inside) {
  const bool may = uniform(c) && !random_.one_in(3);
  const Level level =
      may ? (random_.one_in(2) ? Level::known : limit()) : random_.of({Level::hidden, Level::row, Level::varying});
  inside = c;
  inside.control = highest(c.control, level);
  inside.barriers = may;
  inside.depth = c.depth + 1;
  if (!may && c.barriers) inside.returns = inside.leaves = inside.continues = false;
  if (inside.control > c.exits) inside.leaves = inside.continues = false;
  return level;
}

Statement Statements::branch(const Context& c) {
  Context inside;
  auto s = statement(Kind::branch);
  s.expressions.push_back(grow_.condition(decide(c, inside)));
  const auto before = grow_.accesses;
  s.blocks.push_back(region(inside, 1 + random_.below(3), before));
  s.blocks.push_back(random_.one_in(2) ? region(inside, 1 + random_.below(2), before) : Block{});
  return s;
}

Block Statements::region(const Context& c, int n, const std::vector<Access>& before) {
  Block b = block(c, n);
  restore(b, before);
  return b;
}

Statement Statements::choose(const Context& c) {
  Context inside;
  auto s = statement(Kind::choose);
  const Level level = decide(c, inside);
  inside.leaves = false;
  s.expressions.push_back(
      operation(Operation::remainder, Type::u32, {grow_.any(Type::u32, level), constant(Type::u32, 5)}));
  const auto before = grow_.accesses;
  const int cases = 2 + random_.below(3);
  for (int k = 0; k < cases; ++k) s.blocks.push_back(region(inside, 1 + random_.below(2), before));
  s.value = random_.one_in(2) ? 0 : random_.bits() & 7;
  return s;
}

int Statements::counter(Level level) {
  const int i = declare(Type::u32, level);
  grow_.function->variables.back().counter = true;
  return i;
}

Statement Statements::loop(const Context& c) {
  Context inside;
  auto s = statement(Kind::loop);
  s.index = random_.below(3);
  const Level level = decide(c, inside);
  const auto outer = grow_.visible;
  inside.exits = inside.barriers ? limit() : Level::varying;
  inside.leaves = inside.continues = random_.one_in(2);
  if (inside.leaves) inside.control = highest(inside.control, inside.exits);
  inside.turns = c.turns * 3;
  inside.loop = grow_.accesses;
  s.expressions = {
      constant(Type::u32, static_cast<std::uint64_t>(random_.below(2))),
      operation(Operation::add, Type::u32,
                {constant(Type::u32, 1),
                 operation(Operation::remainder, Type::u32, {grow_.any(Type::u32, level, 1), constant(Type::u32, 4)})}),
      constant(Type::u32, static_cast<std::uint64_t>(1 + random_.below(2)))};
  if (random_.one_in(3)) {
    s.expressions[2] =
        operation(Operation::add, Type::u32,
                  {constant(Type::u32, 1),
                   operation(Operation::both, Type::u32, {grow_.any(Type::u32, level, 1), constant(Type::u32, 1)})});
  }
  if (s.index == 0 && random_.one_in(3)) {
    s.expressions.push_back(grow_.any(Type::u32, level, 1));
    s.expressions.push_back(grow_.any(Type::u32, level, 1));
  }
  s.variables.push_back(counter(inside.control));
  if (s.expressions.size() > 3) s.variables.push_back(counter(inside.control));
  s.blocks.push_back(region(inside, 1 + random_.below(4), inside.loop));
  grow_.visible = outer;
  return s;
}

Statement Statements::late_leavers(const Context& c, bool returns) {
  auto s = statement(Kind::loop);
  s.index = random_.below(3);
  const auto outer = grow_.visible;
  const auto before = grow_.accesses;
  Expression together = constant(Type::u32, static_cast<std::uint64_t>(1 + random_.below(3)));
  if (random_.one_in(2)) {
    Expression p;
    p.kind = Expression::Kind::parameter;
    p.index = random_.below(4);
    together =
        operation(Operation::add, Type::u32,
                  {constant(Type::u32, 1), operation(Operation::remainder, Type::u32, {p, constant(Type::u32, 3)})});
  }
  const auto more =
      operation(Operation::remainder, Type::u32, {grow_.any(Type::u32, Level::varying, 2), constant(Type::u32, 4)});
  s.expressions = {constant(Type::u32, 0), operation(Operation::add, Type::u32, {together, more}),
                   constant(Type::u32, 1)};
  s.variables.push_back(counter(Level::varying));
  const auto i = grow_.variable(s.variables[0]);
  const auto plus = [](const Expression& e, std::uint64_t n) {
    return operation(Operation::add, Type::u32, {e, constant(Type::u32, n)});
  };
  Context all = c;
  all.control = highest(c.control, limit());
  all.turns = c.turns * 3;
  all.depth = c.depth + 1;
  all.leaves = all.continues = all.returns = false;
  auto b = statement(Kind::branch);
  b.expressions.push_back(operation(Operation::less, Type::u32, {i, s.index == 0 ? together : plus(together, 1)}));
  b.blocks.push_back(region(all, 2 + random_.below(3), before));
  Context each = all;
  each.control = Level::varying;
  each.barriers = false;
  b.blocks.push_back(random_.one_in(2) ? block(each, 1) : Block{});
  Block body{b};
  each.continues = true;
  append(body, block(each, 1 + random_.below(3)));
  auto out = statement(Kind::branch);
  out.expressions.push_back(operation(Operation::and_then, Type::u32,
                                      {operation(Operation::less, Type::u32, {together, plus(i, s.index == 0 ? 2 : 1)}),
                                       grow_.condition(Level::varying)}));
  out.blocks.resize(2);
  if (returns && random_.one_in(2)) {
    give_back(out.blocks[0], numbers_++);
  } else {
    out.blocks[0].push_back(statement(random_.of({Kind::leave, Kind::next})));
  }
  body.push_back(out);
  s.blocks.push_back(body);
  grow_.visible = outer;
  return s;
}

Statement Statements::leaving(const Context& c) {
  auto s = statement(Kind::branch);
  const bool out = c.returns && (!(c.leaves || c.continues) || random_.one_in(3));
  const auto before = grow_.accesses;
  const auto outer = grow_.visible;
  const Level level = out ? (c.barriers ? limit() : Level::varying) : c.exits;
  s.expressions.push_back(operation(Operation::and_then, Type::u32, {grow_.condition(level), grow_.condition(level)}));
  Block b;
  if (random_.one_in(3)) b.push_back(assignment(inner(c, level)));
  if (out) {
    if (c.barriers && !is_main()) restore(b, entries_.back());
    give_back(b, numbers_++);
  } else {
    if (c.barriers) restore(b, c.loop);
    b.push_back(statement(c.leaves && (!c.continues || random_.one_in(2)) ? Kind::leave : Kind::next));
  }
  grow_.accesses = before;
  grow_.visible = outer;
  s.blocks = {b, {}};
  return s;
}

}  // namespace trellis::random_kernels
