// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/integrator.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"

namespace trellis::hmc {

namespace {

// Kicks change p by functions of U alone, so between two drifts they commute.
void add_kick(Plan& plan, int level, double time) {
  if (time == 0) return;
  for (auto last = plan.rbegin(); last != plan.rend() && last->kind != Step::Kind::drift; ++last)
    if (last->kind == Step::Kind::kick && last->level == level) {
      last->time += time;
      return;
    }
  plan.push_back({Step::Kind::kick, level, time, 0});
}

void add_drift(Plan& plan, int level, double time) {
  if (!plan.empty() && plan.back().kind == Step::Kind::drift)
    plan.back().time += time;
  else
    plan.push_back({Step::Kind::drift, level, time, 0});
}

// Adds the operations that move the system by `length`, from this level inwards.
void add_level(Plan& plan, const std::vector<Level>& levels, int level, double length) {
  const Level& here = levels[level];
  const double h = length / here.steps;
  for (int n = 0; n < here.steps; ++n)
    for (const Step& step : here.scheme.steps) switch (step.kind) {
        case Step::Kind::kick:
          add_kick(plan, level, step.coefficient * h);
          break;
        case Step::Kind::gradient_kick:
          plan.push_back({step.kind, level, step.coefficient * h, step.displacement * h * h});
          break;
        case Step::Kind::drift:
          if (level + 1 < int(levels.size()))
            add_level(plan, levels, level + 1, step.coefficient * h);
          else
            add_drift(plan, level, step.coefficient * h);
          break;
      }
}

}  // namespace

Plan make_plan(const std::vector<Level>& levels, double length) {
  if (levels.empty()) fail_input("the integrator has no level");
  if (!(length > 0)) fail_input("the trajectory has length {}; it must be positive", length);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].steps < 1) fail_input("integrator level {} has {} steps; at least 1", k, levels[k].steps);
    require_valid(levels[k].scheme);
  }
  Plan plan;
  add_level(plan, levels, 0, length);
  return plan;
}

int force_evaluations(const Plan& plan, int level) {
  int count = 0;
  for (const Operation& operation : plan)
    if (operation.kind != Step::Kind::drift && operation.level == level)
      count += operation.kind == Step::Kind::gradient_kick ? 2 : 1;
  return count;
}

int link_updates(const Plan& plan) {
  return int(std::count_if(plan.begin(), plan.end(),
                           [](const Operation& operation) { return operation.kind == Step::Kind::drift; }));
}

}  // namespace trellis::hmc
