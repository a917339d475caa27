// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// SmearedLinks of a function that returns smeared links, for smearings that only measurements use.

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/gauge/smearing/smearing.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {

template <class T, int W>
class SmearedLinksWithoutForce final : public SmearedLinks<T, W> {
 public:
  using Function = std::function<GaugeField<T, W>(const GaugeField<T, W>&)>;
  explicit SmearedLinksWithoutForce(Function function) : work_(std::make_shared<Work>(std::move(function))) {}

  const GaugeField<T, W>& smear(const GaugeField<T, W>& u) const override {
    const std::uint64_t found = fingerprint(u);
    if (work_->of != found) {
      work_->smeared = {};  // its memory first
      work_->smeared = work_->function(u);
      work_->of = found;
    }
    return work_->smeared;
  }
  void forget() const override { work_->of.reset(); }
  void add_force(const GaugeField<T, W>&, double, const AlgebraField<T, W>&) const override {
    fail("these smeared links have no force");
  }

 private:
  struct Work {
    explicit Work(Function f) : function(std::move(f)) {}

    Function function;
    GaugeField<T, W> smeared;
    std::optional<std::uint64_t> of;  // fingerprint of the links that were smeared
  };
  std::shared_ptr<Work> work_;
};

}  // namespace trellis::gauge
