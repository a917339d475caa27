// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is timed when a kernel is tuned: one application on random links and vectors, with any settings.

#include <memory>

#include "trellis/tuning/tuning.hpp"

namespace trellis::tuning {

class KernelWork {
 public:
  virtual ~KernelWork() = default;
  virtual const Lattice& lattice() const = 0;
  // That an application moves, each number once; 0 where no setting depends on it.
  virtual double bytes() const = 0;
  virtual void run(const dirac::HopSettings& settings) const = 0;
};

// On a lattice of this shape. Throws InputError if the case cannot be run.
std::shared_ptr<const KernelWork> make_work(const TuningCase& what, LatticeShape shape);

}  // namespace trellis::tuning
