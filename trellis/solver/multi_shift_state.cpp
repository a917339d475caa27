// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/multi_shift_state.hpp"

#include <algorithm>

#include "trellis/solver/algebra/kernel_copy.hpp"

namespace trellis::solver {

namespace {

// Before and after a step.
FieldView<BaseScalars*> base_of(double bb, bool single) {
  return kernel_copy("base system", std::vector<BaseScalars>(2, {.rr = bb, .single = single}));
}

std::vector<DeferredStep> flat(const std::vector<std::vector<DeferredStep>>& steps) {
  std::vector<DeferredStep> all;
  for (const auto& of_shift : steps) {
    all.insert(all.end(), of_shift.begin(), of_shift.end());
    all.resize(all.size() + std::size_t(maximum_deferred) - of_shift.size());
  }
  return all;
}

}  // namespace

DeferredSteps::DeferredSteps(int shifts) : table_("deferred steps", Index(shifts) * maximum_deferred) {}
DeferredSteps::DeferredSteps(const std::vector<std::vector<DeferredStep>>& steps)
    : table_(kernel_copy("deferred steps", flat(steps))) {}

MultiShiftState::MultiShiftState(std::vector<ShiftProgress> shifts, double first, double bb, bool single)
    : first_(first),
      shifts_(std::move(shifts)),
      base_(base_of(bb, single)),
      there_(kernel_copy("shifts", shifts_)),
      seen_base_{Readback<BaseScalars, FieldSpace>(1), Readback<BaseScalars, FieldSpace>(1)},
      seen_{Readback<ShiftProgress, FieldSpace>(shifts_.size()), Readback<ShiftProgress, FieldSpace>(shifts_.size())},
      steps_(static_cast<int>(shifts_.size())),
      curvatures_(1),
      norms_(1),
      direction_norms_(1) {
  if (first != 0) direction_norms_.set(std::vector<double>{bb});
}

int MultiShiftState::live() const {
  return static_cast<int>(std::count_if(shifts_.begin(), shifts_.end(), [](const auto& shift) { return shift.live; }));
}

MultiShiftState::Access MultiShiftState::access() const {
  return {base_.data() + turn_,
          base_.data() + (1 - turn_),
          there_.data(),
          steps_.data(),
          curvatures_.data(),
          norms_.data(),
          direction_norms_.data(),
          first_,
          static_cast<int>(shifts_.size())};
}

// Once all have converged, it does not matter whether more steps were possible.
void MultiShiftState::take(int which) {
  const BaseScalars& base = *seen_base_[which].look();
  std::copy_n(seen_[which].look(), shifts_.size(), shifts_.begin());
  if (base.refused && live() > 0)
    throw NotPositive(fmt::format(
        "multi-shift conjugate gradient: <p, A p> = {} and |r|^2 = {} in iteration {}; the operator must be positive",
        base.curvature, base.rr, base.iterations + 1));
}

void MultiShiftState::advance() {
  asked_ = 1 - asked_;
  seen_base_[asked_].ask(FieldSpace{}, base_.data() + turn_);
  seen_[asked_].ask(FieldSpace{}, there_.data());
  if (fields_on_host) return take(asked_);
  if (under_way_) take(1 - asked_);
  under_way_ = true;
}

void MultiShiftState::settle() {
  if (under_way_) take(asked_);
  under_way_ = false;
}

}  // namespace trellis::solver
