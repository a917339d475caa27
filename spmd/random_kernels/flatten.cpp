// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/flatten.hpp"

namespace trellis::random_kernels {
namespace {

using Kind = Statement::Kind;

class Flattener {
 public:
  std::vector<Step> steps;

  void block(const Block& b) {
    for (const auto& s : b) statement(s);
  }
  int add(Step::Kind kind, const Statement* s) {
    steps.push_back({kind, s, {-1}});
    return static_cast<int>(steps.size()) - 1;
  }

 private:
  void aim(int jump, int target) { steps[static_cast<std::size_t>(jump)].targets = {target}; }
  int here() const { return static_cast<int>(steps.size()); }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Kind::branch: {
        const int otherwise = add(Step::Kind::jump_unless, &s);
        block(s.blocks[0]);
        const int end = add(Step::Kind::jump, &s);
        aim(otherwise, here());
        block(s.blocks[1]);
        aim(end, here());
        break;
      }
      case Kind::choose:
        choose(s);
        break;
      case Kind::loop:
        loop(s);
        break;
      case Kind::leave:
        leaves_.push_back(add(Step::Kind::jump, &s));
        break;
      case Kind::next:
        nexts_.push_back(add(Step::Kind::jump, &s));
        break;
      default:
        add(Step::Kind::statement, &s);
    }
  }

  void choose(const Statement& s) {
    const int head = add(Step::Kind::jump_case, &s);
    std::vector<int> cases, ends;
    for (std::size_t k = 0; k < s.blocks.size(); ++k) {
      cases.push_back(here());
      block(s.blocks[k]);
      const bool falls = ((s.value >> k) & 1) != 0;
      if (!falls) ends.push_back(add(Step::Kind::jump, &s));
    }
    for (const int e : ends) aim(e, here());
    steps[static_cast<std::size_t>(head)].targets = cases;
  }

  void loop(const Statement& s) {
    std::vector<int> outer_leaves, outer_nexts;
    outer_leaves.swap(leaves_);
    outer_nexts.swap(nexts_);
    add(Step::Kind::start, &s);
    const int top = here();
    int out = -1;
    if (s.index != 2) out = add(Step::Kind::jump_unless, &s);
    if (s.index != 0) add(Step::Kind::advance, &s);
    block(s.blocks[0]);
    for (const int n : nexts_) aim(n, here());
    if (s.index == 0) add(Step::Kind::advance, &s);
    if (s.index == 2) out = add(Step::Kind::jump_unless, &s);
    aim(add(Step::Kind::jump, &s), top);
    aim(out, here());
    for (const int l : leaves_) aim(l, here());
    leaves_.swap(outer_leaves);
    nexts_.swap(outer_nexts);
  }

  std::vector<int> leaves_, nexts_;
};

}  // namespace

std::vector<Step> flatten(const Function& function) {
  Flattener f;
  f.block(function.body);
  f.add(Step::Kind::end, nullptr);
  return f.steps;
}

}  // namespace trellis::random_kernels
