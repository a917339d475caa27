// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/statements.hpp"

#include <numeric>
#include <utility>

namespace trellis::random_kernels {

using Kind = Statement::Kind;

namespace {

std::size_t index_of(int k) { return static_cast<std::size_t>(k); }

Expression witness() {
  Expression e;
  e.kind = Expression::Kind::witness;
  return e;
}

}  // namespace

Statement Statements::statement(Kind kind) {
  Statement s;
  s.kind = kind;
  s.number = numbers_++;
  return s;
}

Access Statements::access() {
  Access a;
  const std::uint32_t n = kernel_.size();
  a.read = random_.one_in(2);
  if (a.read || n == 1) return a;
  switch (random_.below(4)) {
    case 0:  // backwards
      a.scale = n - 1;
      a.shift = n - 1;
      break;
    case 1:
      a.shift = static_cast<std::uint32_t>(random_.below(static_cast<int>(n)));
      break;
    case 2:
      a.scale = static_cast<std::uint32_t>(1 + random_.below(static_cast<int>(n)));
      while (std::gcd(a.scale, n) != 1) ++a.scale;
      break;
    default:
      break;
  }
  return a;
}

// The witness receives what the work-items with the next higher and lower number wrote.
void Statements::look_around(Block& block, int array) {
  Expression lid;
  lid.kind = Expression::Kind::id;
  lid.index = static_cast<int>(Id::linear);
  const std::uint32_t all = kernel_.size() * static_cast<std::uint32_t>(kernel_.shared[index_of(array)].slots);
  const auto neighbour = [&](std::uint64_t distance) {
    Expression e;
    e.kind = Expression::Kind::shared;
    e.index = array;
    e.arguments.push_back(operation(Operation::add, Type::u32, {lid, constant(Type::u32, distance)}));
    return e;
  };
  const auto times = [](const Expression& e, std::uint64_t n) {
    return operation(Operation::multiply, Type::u32, {e, constant(Type::u32, n)});
  };
  const auto both = operation(Operation::add, Type::u32, {neighbour(1), times(neighbour(all - 1), 7)});
  block.push_back(assign(witness(), operation(Operation::add, Type::u32, {times(witness(), 31), both})));
}

void Statements::leave_behind(Block& block, int array) {
  auto slot = grow_.own(array);
  slot.value = 0;
  block.push_back(assign(witness(), operation(Operation::add, Type::u32, {slot, witness()})));
  block.push_back(
      assign(slot, operation(Operation::multiply, Type::u32, {witness(), constant(Type::u32, 2654435761U)})));
}

void Statements::meet(Block& block, const std::vector<Access>& then) {
  std::vector<int> changed;
  for (std::size_t k = 0; k < then.size(); ++k) {
    if (then[k] != grow_.accesses[k]) changed.push_back(static_cast<int>(k));
  }
  const int array = changed.empty() ? random_.below(static_cast<int>(then.size())) : random_.of(changed);
  const auto touch = [&] {
    if (grow_.accesses[index_of(array)].read) {
      look_around(block, array);
    } else {
      leave_behind(block, array);
    }
  };
  touch();
  block.push_back(statement(Kind::barrier));
  if (!changed.empty()) block.back().number = -1;
  grow_.accesses = then;
  touch();
}

void Statements::restore(Block& block, const std::vector<Access>& before) {
  if (grow_.accesses != before) meet(block, before);
}

void Statements::give_back(Block& block, int number) {
  auto s = statement(Kind::give_back);
  s.number = number;
  if (is_main()) {
    block.push_back(output(0, {}));
  } else {
    s.expressions.push_back(grow_.any(Type::u32, Level::varying));
  }
  block.push_back(s);
}

Statement Statements::call(const Context& c) {
  std::vector<int> may;
  const int functions = static_cast<int>(kernel_.functions.size()) - 1;
  for (int k = 0; k < functions; ++k) {
    const auto& f = kernel_.functions[static_cast<std::size_t>(k)];
    if (!f.barriers || (uniform(c) && c.turns * (1 + cost_[static_cast<std::size_t>(k)]) < 60)) may.push_back(k);
  }
  const auto targets = grow_.which([](const Variable& v) {
    return v.level == Level::varying && v.length == 0 && !v.counter && !v.pointer && v.type == Type::u32;
  });
  if (may.empty() || targets.empty()) return assignment(c);
  const int k = random_.of(may);
  const auto& f = kernel_.functions[static_cast<std::size_t>(k)];
  auto s = statement(Kind::call);
  s.index = k;
  s.expressions.push_back(grow_.variable(random_.of(targets)));
  for (const int p : f.parameters) {
    const auto& v = f.variables[static_cast<std::size_t>(p)];
    s.expressions.push_back(grow_.any(v.type, v.level, 2));
  }
  if (targets.size() < f.references.size()) return assignment(c);
  std::vector<int> left = targets;
  for (std::size_t r = 0; r < f.references.size(); ++r) {
    const int at = random_.below(static_cast<int>(left.size()));
    s.variables.push_back(left[static_cast<std::size_t>(at)]);
    left.erase(left.begin() + at);
  }
  if (f.barriers) cost_.back() += c.turns * (1 + cost_[static_cast<std::size_t>(k)]);
  return s;
}

Statement Statements::collective(const Context& c) {
  auto s = statement(Kind::collective);
  const auto op = static_cast<Collective>(random_.below(static_cast<int>(Collective::sub_group_maximum) + 1));
  s.index = static_cast<int>(op);
  const bool same = op != Collective::inclusive_sum && op != Collective::exclusive_sum &&
                    op != Collective::sub_group_sum && op != Collective::sub_group_maximum;
  const auto targets = grow_.which([&](const Variable& v) {
    return v.level >= (same ? Level::hidden : Level::varying) && v.level >= c.control && v.length == 0 && !v.counter &&
           !v.pointer && v.type == Type::u32;
  });
  if (targets.empty()) return declaration(c);
  s.value = static_cast<std::uint64_t>(random_.below(static_cast<int>(kernel_.size())));
  s.expressions = {grow_.variable(random_.of(targets)), grow_.any(Type::u32, Level::varying)};
  cost_.back() += 2 * c.turns;
  return s;
}

Statement Statements::next(const Context& c, Block& before) {
  const int choice = random_.below(34);
  const bool deep = c.depth >= 3;
  if (choice < 6) return declaration(c);
  if (choice < 8) return point(c);
  if (choice < 11 && !deep) return branch(c);
  if (choice < 14 && !deep && c.turns < 20) return loop(c);
  if (choice < 15 && !deep) return choose(c);
  if (choice < 20 && uniform(c)) {
    auto then = grow_.accesses;
    for (auto& a : then) {
      if (!random_.one_in(3)) a = access();
    }
    // At least one array changes hands.
    auto& one = then[index_of(random_.below(static_cast<int>(then.size())))];
    while (then == grow_.accesses && kernel_.size() > 1) one = access();
    cost_.back() += c.turns;
    meet(before, then);
    auto last = before.back();
    before.pop_back();
    return last;
  }
  if (choice < 22 && uniform(c)) return collective(c);
  if (choice < 25) {
    auto s = call(c);
    if (s.kind == Kind::call && kernel_.functions[static_cast<std::size_t>(s.index)].barriers) {
      // Its arguments are evaluated after the barrier that hands the function the arrays as it wants them.
      const auto& entry = entries_[static_cast<std::size_t>(s.index)];
      if (grow_.accesses != entry) {
        meet(before, entry);
        const int number = s.number;
        for (std::size_t k = 1; k < s.expressions.size(); ++k) {
          const auto& f = kernel_.functions[static_cast<std::size_t>(s.index)];
          const auto& v = f.variables[static_cast<std::size_t>(f.parameters[k - 1])];
          s.expressions[k] = grow_.any(v.type, v.level, 2);
        }
        s.number = number;
      }
    }
    return s;
  }
  const bool may_return = c.returns && (!c.barriers || (c.control <= limit() && random_.one_in(4)));
  if (choice < 27 && (c.leaves || c.continues || may_return)) {
    Context here = c;
    here.returns = may_return;
    if (!(c.barriers && c.control > limit())) return leaving(here);
  }
  if (choice < 28 && uniform(c) && !kernel_.for_fission && c.turns < 8 && !deep) return late_leavers(c, false);
  return assignment(c);
}

Block Statements::block(const Context& c, int n) {
  Block b;
  const auto outer = grow_.visible;
  for (int k = 0; k < n; ++k) {
    auto s = next(c, b);
    b.push_back(std::move(s));
  }
  if (c.depth > 0) grow_.visible = outer;
  return b;
}

}  // namespace trellis::random_kernels
