// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a smearing was last applied to, so that links with the same bits are not smeared again.

#include <cstdint>
#include <optional>
#include <string_view>

#include "trellis/core/error.hpp"
#include "trellis/lattice/field.hpp"
#include "trellis/lattice/fingerprint.hpp"

namespace trellis::gauge {

template <class T, int W>
class LastSmeared {
 public:
  // Calls smear(), unless it has done so for the same bits. Shares the memory of u.
  template <class Smear>
  void take(const GaugeField<T, W>& u, const Smear& smear) {
    thin_ = u;
    const std::uint64_t found = fingerprint(u);
    if (of_ == found) return;
    of_.reset();
    smear();
    of_ = found;
  }
  // There is nothing to do for u.
  void share(const GaugeField<T, W>& u) { thin_ = u; }
  void forget() { of_.reset(); }

  // Of the last call.
  const GaugeField<T, W>& thin() const { return thin_; }
  // Error if there was none; `what` is the smearing's name.
  void require_smeared(std::string_view what) const {
    if (!thin_.is_allocated()) fail("{}: a force was requested before links were smeared", what);
  }

 private:
  GaugeField<T, W> thin_;
  std::optional<std::uint64_t> of_;  // fingerprint of thin_ when it was smeared
};

}  // namespace trellis::gauge
