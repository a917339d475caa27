// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/generator.hpp"

#include <algorithm>

#include "spmd/random_kernels/statements.hpp"

namespace trellis::random_kernels {
namespace {

class Generator : private Statements {
 public:
  explicit Generator(std::uint64_t seed) : Statements(seed) {}

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
    static const std::vector<std::vector<std::uint32_t>> lines{{1},  {2},  {3},  {7},  {13}, {16},  {31},
                                                               {32}, {33}, {37}, {64}, {67}, {100}, {255}};
    static const std::vector<std::vector<std::uint32_t>> planes{{4, 4},  {3, 5},  {8, 2},  {1, 9},  {16, 3},
                                                                {7, 11}, {35, 2}, {32, 4}, {16, 8}, {8, 16}};
    static const std::vector<std::vector<std::uint32_t>> boxes{{2, 2, 2}, {3, 1, 5}, {4, 3, 2},
                                                               {1, 1, 6}, {5, 4, 3}, {3, 7, 4}};
    kernel_.dimensions = random_.of({1, 1, 1, 2, 2, 3});
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
    give_back(f.body, -1);
  }

  void main() {
    open(Function::Form::lambda);
    auto& f = *grow_.function;
    f.barriers = true;
    cost_.push_back(0);
    grow_.arrays = true;
    for (int k = 0; k < static_cast<int>(kernel_.shared.size()); ++k) {  // initialises every slot
      for (int s = 0; s < kernel_.shared[static_cast<std::size_t>(k)].slots; ++s) {
        grow_.arrays = false;
        const auto value =
            grow_.any(Type::u32, Level::varying);  // the order of evaluating arguments differs between compilers
        auto a = assign(grow_.own(k), value);
        a.number = -1;
        a.expressions[0].value = static_cast<std::uint64_t>(s);
        f.body.push_back(a);
        grow_.arrays = true;
      }
    }
    Context c;
    c.barriers = true;
    c.returns = true;
    for (const Level level : {Level::known, Level::hidden, Level::row, Level::varying, Level::varying}) {
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
