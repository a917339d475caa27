// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/profile.hpp"

#include "trellis/core/spaces.hpp"

namespace trellis {

using profile_detail::active;

double KernelProfile::seconds() const {
  double sum = 0;
  for (const auto& kernel : kernels_) sum += kernel.seconds;
  return sum;
}

// Dozens of names: looking through them is quicker than hashing one.
std::size_t KernelProfile::entry(const Kernel& kernel) {
  std::size_t n = 0;
  while (n < kernels_.size() && !(kernels_[n].single == kernel.single && kernels_[n].name == kernel.name)) ++n;
  if (n == kernels_.size()) {
    kernels_.emplace_back();
    kernels_.back().name = kernel.name;
    kernels_.back().single = kernel.single;
  }
  return n;
}

ActiveProfile::ActiveProfile(KernelProfile& profile) : before_(active) {
  fence();  // what was dispatched before is not counted
  active = &profile;
}

ActiveProfile::~ActiveProfile() { active = before_; }

// The pointer is null while a kernel runs: what that dispatches belongs to it.
void KernelTimer::start(const Kernel& kernel) {
  entry_ = profile_->entry(kernel);
  auto& totals = profile_->kernels_[entry_];
  ++totals.calls;
  totals.bytes += kernel.bytes;
  totals.flops += kernel.flops;
  active = nullptr;
  start_ = std::chrono::steady_clock::now();
}

void KernelTimer::stop() {
  const auto time = std::chrono::steady_clock::now() - start_;
  profile_->kernels_[entry_].seconds += std::chrono::duration<double>(time).count();
  active = profile_;
}

}  // namespace trellis
