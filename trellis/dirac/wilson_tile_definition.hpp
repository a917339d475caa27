// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What wilson_tile_{single,single_wide,double,fixed}.cpp instantiate: a precision or a part of it in each, for the time
// that they take to compile.

#include <new>

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/wilson_driver.hpp"
#include "trellis/dirac/wilson_tile.hpp"

namespace trellis::dirac {

template <class T, int W>
WilsonTile<T, W>::WilsonTile(const WilsonLinks<T, W>& links, const SpinorField<T, W>& in, HopSign sign,
                             const PrefetchDistances& ahead) {
  with_wilson_kernel(links, in, sign, ahead, [&](const auto& kernel) { set(kernel); });
}

template <class T, int W>
template <class Kernel>
void WilsonTile<T, W>::set(const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel> && sizeof(Kernel) <= sizeof kernel_ && alignof(Kernel) <= 16);
  new (kernel_) Kernel(kernel);
  run_ = [](const std::byte* p, int tile, int n, Spinor<C>& total) {
    // A loop of one turn: g++ 12 unrolls those inside it early enough for half spinors to stay in registers, as it does
    // in a loop over vectors. 202 stores of registers instead of 579, and 15 % less time in double precision.
    for (int once = 0; once < 1; ++once) {
      Spinor<C> sum;
      std::launder(reinterpret_cast<const Kernel*>(p))->sum(tile, n, sum);
      total = sum;
    }
  };
}

}  // namespace trellis::dirac
