// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/interpreter.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "spmd/random_kernels/flatten.hpp"
#include "spmd/random_kernels/operations.hpp"
#include "spmd/random_kernels/random.hpp"

namespace trellis::random_kernels {
namespace {

// A value of any type is 64 bits; those beyond its own are 0.
template <class T>
T from_bits(u64 bits) {
  T x;
  if constexpr (std::is_same_v<T, float>) {
    const u32 low = static_cast<u32>(bits);
    std::memcpy(&x, &low, sizeof x);
  } else {
    x = static_cast<T>(bits);
  }
  return x;
}
template <class T>
u64 to_bits(T x) {
  if constexpr (std::is_same_v<T, float>) {
    u32 low;
    std::memcpy(&low, &x, sizeof low);
    return low;
  } else {
    return x;
  }
}

template <class F>
auto with_type(Type type, const F& f) {
  switch (type) {
    case Type::u8:
      return f(u8{});
    case Type::u16:
      return f(u16{});
    case Type::u32:
      return f(u32{});
    case Type::u64:
      return f(u64{});
    default:
      return f(float{});
  }
}

template <class T>
u64 integers(Operation op, T a, T b) {
  switch (op) {
    case Operation::both:
      return both(a, b);
    case Operation::either:
      return either(a, b);
    case Operation::differ:
      return differ(a, b);
    case Operation::left:
      return left(a, b);
    case Operation::right:
      return right(a, b);
    case Operation::quotient:
      return quotient(a, b);
    case Operation::remainder:
      return remainder(a, b);
    case Operation::outside:
      return outside(static_cast<u32>(a), static_cast<u32>(b));
    default:
      throw std::logic_error("no operation of integers");
  }
}

template <class T>
u64 compute(Operation op, T a, T b) {
  switch (op) {
    case Operation::add:
      return to_bits(add(a, b));
    case Operation::subtract:
      return to_bits(subtract(a, b));
    case Operation::multiply:
      return to_bits(multiply(a, b));
    case Operation::lower:
      return to_bits(lower(a, b));
    case Operation::higher:
      return to_bits(higher(a, b));
    case Operation::less:
      return less(a, b);
    case Operation::equal:
      return equal(a, b);
    default:
      if constexpr (!std::is_same_v<T, float>) return integers(op, a, b);
      throw std::logic_error("no operation of floats");
  }
}

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
};

class Group {
 public:
  Group(const Kernel& kernel, const std::vector<u32>& input, const std::vector<std::vector<Step>>& code, u32 number,
        Result& result)
      : kernel_(kernel), input_(input), code_(code), group_number_(number), result_(result) {
    u32 left = number;
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

  void run() {
    std::vector<Item> items(kernel_.size());
    for (u32 i = 0; i < kernel_.size(); ++i) {
      items[i].number = i;
      items[i].id[0] = i % kernel_.local[0];
      items[i].id[1] = i / kernel_.local[0] % kernel_.local[1];
      items[i].id[2] = i / kernel_.local[0] / kernel_.local[1];
      enter(items[i], static_cast<int>(kernel_.functions.size()) - 1, nullptr);
    }
    while (true) {
      for (auto& item : items) until_barrier(item);
      for (const auto& item : items) {
        const bool same = item.waits == items[0].waits && item.frames.size() == items[0].frames.size() &&
                          std::equal(item.frames.begin(), item.frames.end(), items[0].frames.begin(),
                                     [](const Frame& a, const Frame& b) { return a.call == b.call; });
        if (!same) fail("work-items are at different barriers");
      }
      if (items[0].frames.empty()) break;
      if (items[0].waits->kind == Statement::Kind::collective) together(items);
      ++interval_;
      ++result_.barriers;
    }
    for (std::size_t k = 0; k < shared_.size(); ++k) {
      if (kernel_.shared[k].place != Shared::Place::global) continue;
      const auto& v = shared_[k].values;
      std::copy(v.begin(), v.end(), result_.scratch[k].begin() + static_cast<std::ptrdiff_t>(group_number_ * v.size()));
    }
  }

 private:
  struct Touch {
    u64 interval = 0;
    u32 item = 0;
    bool several = false;
  };
  struct Memory {
    std::vector<u32> values;
    std::vector<Touch> writer, reader;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("seed " + std::to_string(kernel_.seed) + ": " + what);
  }

  const Function& function(const Item& item) const {
    return kernel_.functions[static_cast<std::size_t>(item.frames.back().function)];
  }
  const Variable& variable(const Item& item, int index) const {
    return function(item).variables[static_cast<std::size_t>(index)];
  }

  void enter(Item& item, int index, const Statement* call) {
    const std::size_t base = item.memory.size();
    item.memory.resize(base + static_cast<std::size_t>(kernel_.functions[static_cast<std::size_t>(index)].slots));
    item.frames.push_back({index, 0, base, call});
  }

  // ---- places in private memory
  std::size_t place(const Item& item, const Variable& v) const {
    const std::size_t slot = item.frames.back().base + static_cast<std::size_t>(v.slot);
    return v.reference ? static_cast<std::size_t>(item.memory[slot]) : slot;
  }
  std::size_t place(Item& item, const Expression& e) {
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

  // ---- memory of the group
  u32 own_slot(const Item& item, const Expression& e) const {
    const u64 n = kernel_.size();
    return static_cast<u32>((u64{item.number} * e.scale + e.shift) % n + e.value * n);
  }
  u32 read(const Item& item, int array, u32 slot) {
    auto& m = shared_[static_cast<std::size_t>(array)];
    if (m.writer[slot].interval == interval_ && m.writer[slot].item != item.number) fail("a race: read after write");
    auto& r = m.reader[slot];
    r.several = r.interval == interval_ && (r.several || r.item != item.number);
    r.interval = interval_;
    r.item = item.number;
    return m.values[slot];
  }
  void write(const Item& item, int array, u32 slot, u32 value) {
    auto& m = shared_[static_cast<std::size_t>(array)];
    auto& w = m.writer[slot];
    const auto& r = m.reader[slot];
    if (w.interval == interval_ && w.item != item.number) fail("a race: two writes");
    if (r.interval == interval_ && (r.several || r.item != item.number)) fail("a race: write after read");
    w.interval = interval_;
    w.item = item.number;
    m.values[slot] = value;
  }

  u32 id(const Item& item, Id kind, std::size_t d) const {
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
  u32 global_linear(const Item& item) const {
    u64 sum = 0;
    for (int d = 2; d >= 0; --d) {
      sum = sum * kernel_.groups[d] * kernel_.local[d] + group_[d] * kernel_.local[d] + item.id[d];
    }
    return static_cast<u32>(sum);
  }

  u64 evaluate(Item& item, const Expression& e) {
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
      case Kind::convert: {
        const auto& from = e.arguments[0];
        const u64 bits = evaluate(item, from);
        return with_type(from.type, [&](auto f) {
          const auto x = from_bits<decltype(f)>(bits);
          return with_type(e.type, [&](auto t) { return to_bits(convert<decltype(t)>(x)); });
        });
      }
      case Kind::operation:
        return operate(item, e);
      default:
        fail("not a value");
    }
  }
  u64 operate(Item& item, const Expression& e) {
    const auto op = static_cast<Operation>(e.index);
    const u64 a = evaluate(item, e.arguments[0]);
    if (op == Operation::select) return evaluate(item, e.arguments[a != 0 ? 1 : 2]);
    if (op == Operation::and_then) return a != 0 && evaluate(item, e.arguments[1]) != 0 ? 1 : 0;
    const u64 b = evaluate(item, e.arguments[1]);
    return with_type(e.arguments[0].type, [&](auto t) {
      using T = decltype(t);
      return compute(op, from_bits<T>(a), from_bits<T>(b));
    });
  }

  void store(Item& item, const Expression& target, u64 value) {
    switch (target.kind) {
      case Expression::Kind::own:
        return write(item, target.index, own_slot(item, target), static_cast<u32>(value));
      case Expression::Kind::output:
        result_.out[global_linear(item) * static_cast<u32>(outputs) + static_cast<u32>(target.index)] =
            static_cast<u32>(value);
        return;
      default:
        item.memory[place(item, target)] = value;
    }
  }

  // ---- control flow
  void leave(Item& item, u64 value) {
    const Frame done = item.frames.back();
    item.frames.pop_back();
    item.memory.resize(done.base);
    if (done.call != nullptr) store(item, done.call->expressions[0], value);
  }

  void counters(Item& item, const Statement& s, bool begin) {
    for (std::size_t k = 0; k < s.variables.size(); ++k) {
      const u64 change = evaluate(item, s.expressions[k == 0 ? (begin ? 0 : 2) : (begin ? 3 : 4)]);
      auto& i = item.memory[place(item, variable(item, s.variables[k]))];
      i = begin ? change : static_cast<u32>(i + change);
    }
  }

  void until_barrier(Item& item) {
    item.waits = nullptr;
    while (!item.frames.empty()) {
      Frame& frame = item.frames.back();
      const Step& step = code_[static_cast<std::size_t>(frame.function)][frame.step++];
      const auto jump = [&](std::size_t k) { item.frames.back().step = static_cast<std::size_t>(step.targets[k]); };
      switch (step.kind) {
        case Step::Kind::jump:
          jump(0);
          break;
        case Step::Kind::jump_unless: {
          const auto& s = *step.statement;
          const bool holds =
              s.kind == Statement::Kind::loop
                  ? item.memory[place(item, variable(item, s.variables[0]))] < evaluate(item, s.expressions[1])
                  : evaluate(item, s.expressions[0]) != 0;
          if (!holds) jump(0);
          break;
        }
        case Step::Kind::jump_case: {
          const u64 last = step.targets.size() - 1;
          jump(std::min(evaluate(item, step.statement->expressions[0]), last));
          break;
        }
        case Step::Kind::start:
        case Step::Kind::advance:
          counters(item, *step.statement, step.kind == Step::Kind::start);
          break;
        case Step::Kind::end:
          leave(item, 0);
          break;
        case Step::Kind::statement:
          execute(item, *step.statement);
          break;
      }
      if (item.waits != nullptr) return;
    }
  }

  void execute(Item& item, const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::declare: {
        const auto& first = variable(item, s.variables[0]);
        if (first.length > 0) {
          std::fill_n(item.memory.begin() + static_cast<std::ptrdiff_t>(place(item, first)), first.length, 0);
        } else if (first.pointer) {
          aim(item, s);
        } else {
          for (std::size_t k = 0; k < s.variables.size(); ++k) {
            const u64 value = evaluate(item, s.expressions[k]);
            item.memory[place(item, variable(item, s.variables[k]))] = value;
          }
        }
        break;
      }
      case Statement::Kind::assign:
        store(item, s.expressions[0], evaluate(item, s.expressions[1]));
        break;
      case Statement::Kind::point:
        aim(item, s);
        break;
      case Statement::Kind::give_back:
        leave(item, s.expressions.empty() ? 0 : evaluate(item, s.expressions[0]));
        break;
      case Statement::Kind::call:
        call(item, s);
        break;
      case Statement::Kind::collective:
        item.operand = evaluate(item, s.expressions[1]);
        item.waits = &s;
        break;
      case Statement::Kind::barrier:
        item.waits = &s;
        break;
      default:
        fail("not a plain statement");
    }
  }

  void aim(Item& item, const Statement& s) {
    const bool first = evaluate(item, s.expressions[0]) != 0;
    const u64 target = place(item, s.expressions[first ? 1 : 2]);
    item.memory[place(item, variable(item, s.variables[0]))] = target;
  }

  void call(Item& item, const Statement& s) {
    const auto& f = kernel_.functions[static_cast<std::size_t>(s.index)];
    std::vector<u64> values, places;
    for (std::size_t k = 1; k < s.expressions.size(); ++k) values.push_back(evaluate(item, s.expressions[k]));
    for (const int v : s.variables) places.push_back(place(item, variable(item, v)));
    enter(item, s.index, &s);
    const std::size_t base = item.frames.back().base;
    const auto set = [&](int v, u64 value) {
      item.memory[base + static_cast<std::size_t>(f.variables[static_cast<std::size_t>(v)].slot)] = value;
    };
    for (std::size_t k = 0; k < values.size(); ++k) set(f.parameters[k], values[k]);
    for (std::size_t k = 0; k < places.size(); ++k) set(f.references[k], places[k]);
  }

  void together(std::vector<Item>& items) {
    const Statement& s = *items[0].waits;
    const auto op = static_cast<Collective>(s.index);
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::size_t first = 0, end = items.size();
      if (op == Collective::inclusive_sum) end = i + 1;
      if (op == Collective::exclusive_sum) end = i;
      if (op == Collective::sub_group_sum || op == Collective::sub_group_maximum) {
        first = i / 32 * 32;
        end = std::min(end, first + 32);
      }
      u32 sum = 0, low = ~0U, high = 0;
      bool any = false, all = true;
      for (std::size_t k = first; k < end; ++k) {
        const u32 x = static_cast<u32>(items[k].operand);
        sum += x;
        low = std::min(low, x);
        high = std::max(high, x);
        any = any || (x & 1) != 0;
        all = all && (x & 1) != 0;
      }
      u32 value = sum;
      if (op == Collective::minimum) value = low;
      if (op == Collective::maximum || op == Collective::sub_group_maximum) value = high;
      if (op == Collective::broadcast) value = static_cast<u32>(items[s.value].operand);
      if (op == Collective::any) value = any ? 1 : 0;
      if (op == Collective::all) value = all ? 1 : 0;
      store(items[i], s.expressions[0], value);
    }
  }

  const Kernel& kernel_;
  const std::vector<u32>& input_;
  const std::vector<std::vector<Step>>& code_;
  u32 group_number_;
  u32 group_[3] = {};
  Result& result_;
  std::vector<Memory> shared_;
  u64 interval_ = 1;
};

}  // namespace

std::vector<std::uint32_t> make_input(std::uint64_t seed) {
  Random random(seed ^ 0x5bd1e995U);
  std::vector<u32> input(inputs);
  for (auto& x : input) x = static_cast<u32>(random.bits() >> (random.one_in(2) ? 60 : 32));
  return input;
}

Result empty_result(const Kernel& kernel) {
  Result result;
  const std::size_t items = std::size_t{kernel.size()} * kernel.groups_in_all();
  result.out.assign(items * outputs, untouched);
  for (const auto& s : kernel.shared) {
    const bool global = s.place == Shared::Place::global;
    result.scratch.emplace_back(global ? items * static_cast<std::size_t>(s.slots) : 0, untouched);
  }
  return result;
}

Result interpret(const Kernel& kernel, const std::vector<std::uint32_t>& input) {
  std::vector<std::vector<Step>> code;
  for (const auto& f : kernel.functions) code.push_back(flatten(f));
  Result result = empty_result(kernel);
  for (u32 g = 0; g < kernel.groups_in_all(); ++g) Group(kernel, input, code, g, result).run();
  return result;
}

}  // namespace trellis::random_kernels
