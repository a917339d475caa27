// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/generator.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "spmd/random_kernels/expressions.hpp"
#include "spmd/random_kernels/random.hpp"

namespace trellis::random_kernels {
namespace {

using Kind = Statement::Kind;

// Where a statement stands.
struct Context {
  Level control = Level::known;  // of the conditions on which it runs
  bool barriers = false;         // may stand here
  bool leaves = false, continues = false, returns = false;
  Level exits = Level::varying;  // of the conditions of break and continue
  std::vector<Access> loop;      // how arrays are accessed where the loop's body begins
  int depth = 0, turns = 1;      // of loops around it
};

Level highest(Level a, Level b) { return std::max(a, b); }

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed), grow_(kernel_, random_) { kernel_.seed = seed; }

  Kernel kernel() {
    shape();
    const int functions = random_.below(3);
    for (int k = 0; k < functions; ++k) function(random_.one_in(2));
    main();
    kernel_.statements = numbers_;
    return kernel_;
  }

 private:
  // ---- the kernel's sizes
  void shape() {
    static const std::vector<std::vector<std::uint32_t>> lines{{1},  {2},  {3},  {7},  {8},   {16},
                                                               {31}, {32}, {33}, {64}, {100}, {255}};
    static const std::vector<std::vector<std::uint32_t>> planes{{4, 4}, {3, 5}, {8, 2}, {1, 9}, {16, 3}, {7, 11}};
    static const std::vector<std::vector<std::uint32_t>> boxes{{2, 2, 2}, {3, 1, 5}, {4, 3, 2}, {1, 1, 6}, {5, 4, 3}};
    kernel_.dimensions = 1 + std::max(0, random_.below(6) - 3);
    const auto& sizes = random_.of(kernel_.dimensions == 1 ? lines : kernel_.dimensions == 2 ? planes : boxes);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      kernel_.local[d] = sizes[d];
      kernel_.groups[d] = static_cast<std::uint32_t>(1 + random_.below(2));
    }
    for (auto& p : kernel_.parameters) p = static_cast<std::uint32_t>(random_.below(random_.of({3, 10, 1000000000})));
    kernel_.for_fission = !random_.one_in(3);
    kernel_.literal_size = random_.one_in(2);
    const int arrays = 1 + random_.below(3);
    for (int k = 0; k < arrays; ++k) {
      Shared s;
      s.place = random_.of({Shared::Place::sized, Shared::Place::fixed, Shared::Place::global});
      s.slots = 1 + random_.below(2);
      kernel_.shared.push_back(s);
    }
  }

  Level limit() const { return kernel_.for_fission ? Level::known : Level::hidden; }
  bool uniform(const Context& c) const { return c.barriers && c.control <= limit(); }

  // ---- functions
  void open(Function::Form form) {
    kernel_.functions.emplace_back();
    kernel_.functions.back().form = form;
    grow_.function = &kernel_.functions.back();
    grow_.visible.clear();
    grow_.accesses.assign(kernel_.shared.size(), Access{});
  }

  void function(bool barriers) {
    open(random_.of({Function::Form::plain, Function::Form::member, Function::Form::lambda}));
    auto& f = *grow_.function;
    f.barriers = barriers;
    cost_.push_back(0);
    for (int k = random_.below(3); k >= 0; --k) {
      const Level level = barriers && random_.one_in(2) ? limit() : Level::varying;
      f.parameters.push_back(declare(grow_.type(), level));
    }
    for (int k = random_.below(3); k > 0; --k) {
      f.references.push_back(declare(Type::u32, Level::varying));
      f.variables.back().reference = true;
    }
    Context c;
    if (barriers) {
      for (auto& a : grow_.accesses) a = access();
      entries_.push_back(grow_.accesses);
      grow_.arrays = true;
      c.barriers = true;
      c.returns = true;
      f.body = block(c, 3 + random_.below(4));
      restore(f.body, entries_.back());
    } else {
      entries_.push_back({});
      grow_.arrays = false;
    }
    Context end;
    end.control = Level::varying;
    end.returns = true;
    append(f.body, block(end, 2 + random_.below(3)));
    f.body.push_back(give_back(-1));
  }

  void main() {
    open(Function::Form::lambda);
    auto& f = *grow_.function;
    f.barriers = true;
    cost_.push_back(0);
    grow_.arrays = true;
    for (int k = 0; k < static_cast<int>(kernel_.shared.size()); ++k) {  // every slot holds something
      for (int s = 0; s < kernel_.shared[static_cast<std::size_t>(k)].slots; ++s) {
        grow_.arrays = false;
        auto a = assign(grow_.own(k), grow_.any(Type::u32, Level::varying));
        a.number = -1;
        a.expressions[0].value = static_cast<std::uint64_t>(s);
        f.body.push_back(a);
        grow_.arrays = true;
      }
    }
    Context c;
    c.barriers = true;
    c.returns = true;
    for (const Level level : {Level::known, Level::hidden, Level::varying, Level::varying}) {
      Context any;
      any.control = level;
      f.body.push_back(declaration(any));
    }
    append(f.body, block(c, 5 + random_.below(5)));
    Context end;
    end.control = Level::varying;
    end.returns = true;
    if (!kernel_.for_fission && random_.one_in(2)) {
      Context last = c;
      f.body.push_back(late_leavers(last, true));
    }
    append(f.body, block(end, 2 + random_.below(4)));
    for (int k = 0; k < outputs; ++k) f.body.push_back(output(k));
  }

  Statement give_back(int number) {
    auto s = statement(Kind::give_back);
    s.number = number;
    if (!is_main()) s.expressions.push_back(grow_.any(Type::u32, Level::varying));
    return s;
  }
  bool is_main() const { return cost_.size() > entries_.size(); }

  // ---- statements
  Statement statement(Kind kind) {
    Statement s;
    s.kind = kind;
    s.number = numbers_++;
    return s;
  }
  static void append(Block& to, Block from) {
    for (auto& s : from) to.push_back(std::move(s));
  }

  int declare(Type type, Level level, int length = 0) {
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

  Access access() {
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
  Statement barrier(const std::vector<Access>& then) {
    auto s = statement(Kind::barrier);
    if (then != grow_.accesses) s.number = -1;
    grow_.accesses = then;
    return s;
  }
  void restore(Block& block, const std::vector<Access>& before) {
    if (grow_.accesses != before) block.push_back(barrier(before));
  }

  Statement assign(Expression target, Expression value) {
    auto s = statement(Kind::assign);
    s.expressions = {std::move(target), std::move(value)};
    return s;
  }
  Statement output(int k) {
    Expression target;
    target.kind = Expression::Kind::output;
    target.index = k;
    auto s = assign(target, grow_.any(Type::u32, Level::varying));
    const auto all = grow_.which([](const Variable& v) { return !v.pointer && v.length == 0; });
    for (std::size_t i = static_cast<std::size_t>(k); i < all.size(); i += outputs) {  // nothing is dead
      s.expressions[1] =
          operation(Operation::add, Type::u32,
                    {operation(Operation::multiply, Type::u32, {s.expressions[1], constant(Type::u32, 31)}),
                     converted(Type::u32, grow_.variable(all[i]))});
    }
    return s;
  }

  Statement assignment(const Context& c) {
    const auto scalars = grow_.which(
        [&](const Variable& v) { return v.level >= c.control && v.length == 0 && !v.counter && !v.pointer; });
    switch (random_.below(8)) {
      case 0:
      case 1: {
        const auto found = grow_.which([&](const Variable& v) { return v.level >= c.control && v.length > 0; });
        if (found.empty()) break;
        const int array = random_.of(found);
        const auto& v = grow_.function->variables[static_cast<std::size_t>(array)];
        const Level level = v.level;
        const Type type = v.type;
        return assign(grow_.element(array, level), grow_.any(type, level));
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
        return assign(grow_.own(k), grow_.any(Type::u32, Level::varying));
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

  Statement declaration(const Context& c) {
    auto s = statement(Kind::declare);
    s.number = -1;
    if (random_.one_in(4)) {  // an array
      const Level level = highest(c.control, random_.one_in(6) ? Level::hidden : Level::varying);
      s.variables.push_back(declare(grow_.type(), level, random_.of({2, 4, 8, 16})));
      return s;
    }
    if (random_.one_in(5)) {
      if (pointer(s)) return s;
    }
    const int members = random_.one_in(4) ? 3 : 1;
    const Level level =
        members == 3 ? Level::varying
                     : highest(c.control, random_.of({Level::known, Level::hidden, Level::varying, Level::varying}));
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

  // What a pointer may point to: older than itself, so that it is there as long as the pointer.
  Expression pointed(int pointer) {
    const auto found = grow_.which([&](const Variable& v) {
      return v.type == Type::u32 && v.level == Level::varying && !v.counter && !v.pointer &&
             &v < &grow_.function->variables[0] + pointer;
    });
    if (found.empty()) return {};
    const int v = random_.of(found);
    return grow_.function->variables[static_cast<std::size_t>(v)].length > 0 ? grow_.element(v, Level::varying)
                                                                             : grow_.variable(v);
  }
  bool pointer(Statement& s) {
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
  Statement point(const Context& c) {
    const auto found = grow_.which([](const Variable& v) { return v.pointer; });
    if (found.empty()) return declaration(c);
    const int p = random_.of(found);
    auto s = statement(Kind::point);
    s.variables = {p};
    s.expressions = {grow_.condition(Level::varying), pointed(p), pointed(p)};
    return s;
  }

  // A condition for control flow that begins here, and what holds inside.
  Level decide(const Context& c, Context& inside) {
    const bool may = uniform(c) && !random_.one_in(3);
    const Level level =
        may ? (random_.one_in(2) ? Level::known : limit()) : random_.of({Level::hidden, Level::varying});
    inside = c;
    inside.control = highest(c.control, level);
    inside.barriers = may;
    inside.depth = c.depth + 1;
    if (!may && c.barriers) inside.returns = inside.leaves = inside.continues = false;
    if (inside.control > c.exits) inside.leaves = inside.continues = false;
    return level;
  }

  Statement branch(const Context& c) {
    Context inside;
    auto s = statement(Kind::branch);
    s.expressions.push_back(grow_.condition(decide(c, inside)));
    const auto before = grow_.accesses;
    s.blocks.push_back(region(inside, 1 + random_.below(3), before));
    s.blocks.push_back(random_.one_in(2) ? region(inside, 1 + random_.below(2), before) : Block{});
    return s;
  }

  Block region(const Context& c, int n, const std::vector<Access>& before) {
    Block b = block(c, n);
    restore(b, before);
    return b;
  }

  Statement choose(const Context& c) {
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

  int counter(Level level) {
    const int i = declare(Type::u32, level);
    grow_.function->variables.back().counter = true;
    return i;
  }

  Statement loop(const Context& c) {
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
                  {constant(Type::u32, 1), operation(Operation::remainder, Type::u32,
                                                     {grow_.any(Type::u32, level, 1), constant(Type::u32, 4)})}),
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

  // All work-items run the first turns of a loop, which alone have barriers, and leave it at different times after.
  Statement late_leavers(const Context& c, bool returns) {
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
    out.expressions.push_back(
        operation(Operation::and_then, Type::u32,
                  {operation(Operation::less, Type::u32, {together, plus(i, s.index == 0 ? 2 : 1)}),
                   grow_.condition(Level::varying)}));
    out.blocks.push_back(
        {returns && random_.one_in(2) ? give_back(numbers_++) : statement(random_.of({Kind::leave, Kind::next}))});
    out.blocks.emplace_back();
    body.push_back(out);
    s.blocks.push_back(body);
    grow_.visible = outer;
    return s;
  }

  // if (condition) break, continue or return.
  Statement leaving(const Context& c) {
    auto s = statement(Kind::branch);
    const bool out = c.returns && (!(c.leaves || c.continues) || random_.one_in(3));
    const auto before = grow_.accesses;
    const auto outer = grow_.visible;
    const Level level = out ? (c.barriers ? limit() : Level::varying) : c.exits;
    s.expressions.push_back(
        operation(Operation::and_then, Type::u32, {grow_.condition(level), grow_.condition(level)}));
    Block b;
    if (random_.one_in(3)) b.push_back(assignment(inner(c, level)));
    if (out) {
      if (c.barriers && !is_main()) restore(b, entries_.back());
      b.push_back(give_back(numbers_++));
    } else {
      if (c.barriers) restore(b, c.loop);
      b.push_back(statement(c.leaves && (!c.continues || random_.one_in(2)) ? Kind::leave : Kind::next));
    }
    grow_.accesses = before;
    grow_.visible = outer;
    s.blocks = {b, {}};
    return s;
  }
  static Context inner(Context c, Level level) {
    c.control = highest(c.control, level);
    return c;
  }

  Statement call(const Context& c) {
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

  Statement collective(const Context& c) {
    auto s = statement(Kind::collective);
    const auto op = static_cast<Collective>(random_.below(static_cast<int>(Collective::sub_group_maximum) + 1));
    s.index = static_cast<int>(op);
    const bool same = op != Collective::inclusive_sum && op != Collective::exclusive_sum &&
                      op != Collective::sub_group_sum && op != Collective::sub_group_maximum;
    const auto targets = grow_.which([&](const Variable& v) {
      return v.level >= (same ? Level::hidden : Level::varying) && v.level >= c.control && v.length == 0 &&
             !v.counter && !v.pointer && v.type == Type::u32;
    });
    if (targets.empty()) return declaration(c);
    s.value = static_cast<std::uint64_t>(random_.below(static_cast<int>(kernel_.size())));
    s.expressions = {grow_.variable(random_.of(targets)), grow_.any(Type::u32, Level::varying)};
    cost_.back() += 2 * c.turns;
    return s;
  }

  Statement next(const Context& c, Block& before) {
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
      cost_.back() += c.turns;
      return barrier(then);
    }
    if (choice < 22 && uniform(c)) return collective(c);
    if (choice < 25) {
      auto s = call(c);
      if (s.kind == Kind::call && kernel_.functions[static_cast<std::size_t>(s.index)].barriers) {
        // Its arguments are evaluated after the barrier that gives the function the arrays as it wants them.
        const auto& entry = entries_[static_cast<std::size_t>(s.index)];
        if (grow_.accesses != entry) {
          before.push_back(barrier(entry));
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

  Block block(const Context& c, int n) {
    Block b;
    const auto outer = grow_.visible;
    for (int k = 0; k < n; ++k) {
      auto s = next(c, b);
      b.push_back(std::move(s));
    }
    if (c.depth > 0) grow_.visible = outer;
    return b;
  }

  Kernel kernel_;
  Random random_;
  Expressions grow_;
  int numbers_ = 0;
  std::vector<int> cost_;                     // of functions, in barriers
  std::vector<std::vector<Access>> entries_;  // how functions want the arrays, and leave them
};

void drop(Block& block, const std::vector<int>& dropped) {
  std::erase_if(block, [&](const Statement& s) {
    return s.number >= 0 && std::find(dropped.begin(), dropped.end(), s.number) != dropped.end();
  });
  for (auto& s : block) {
    for (auto& b : s.blocks) drop(b, dropped);
  }
}

}  // namespace

Kernel generate_kernel(std::uint64_t seed, const std::vector<int>& dropped) {
  Kernel kernel = Generator(seed).kernel();
  for (auto& f : kernel.functions) drop(f.body, dropped);
  return kernel;
}

}  // namespace trellis::random_kernels
