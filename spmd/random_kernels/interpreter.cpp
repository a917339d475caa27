// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/interpreter.hpp"

#include <algorithm>

#include "spmd/random_kernels/evaluator.hpp"
#include "spmd/random_kernels/flatten.hpp"
#include "spmd/random_kernels/random.hpp"

namespace trellis::random_kernels {
namespace {

class Group : private Evaluator {
 public:
  Group(const Kernel& kernel, const std::vector<u32>& input, Races races, const std::vector<std::vector<Step>>& code,
        u32 number, Result& result)
      : Evaluator(kernel, input, races, number, result), code_(code) {}

  void run() {
    std::vector<Item> items(kernel_.size());
    for (u32 i = 0; i < kernel_.size(); ++i) {
      items[i].number = i;
      items[i].id[0] = i % kernel_.local[0];
      items[i].id[1] = i / kernel_.local[0] % kernel_.local[1];
      items[i].id[2] = i / kernel_.local[0] / kernel_.local[1];
      items[i].witness = global_linear(items[i]);
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

  const std::vector<std::vector<Step>>& code_;
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

Result interpret(const Kernel& kernel, const std::vector<std::uint32_t>& input, Races races) {
  std::vector<std::vector<Step>> code;
  for (const auto& f : kernel.functions) code.push_back(flatten(f));
  Result result = empty_result(kernel);
  for (u32 g = 0; g < kernel.groups_in_all(); ++g) Group(kernel, input, races, code, g, result).run();
  return result;
}

}  // namespace trellis::random_kernels
