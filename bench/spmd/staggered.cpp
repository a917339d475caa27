// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A kernel of the library: the hops of the staggered operator on eight vectors (trellis/dirac/staggered). A group has
// all vectors of some tiles, and shares their links in local memory. In production the same sum is a loop over
// registers.
#include "trellis/dirac/staggered/staggered_groups.hpp"

#include "bench/spmd/problem_tools.hpp"
#include "bench/spmd/staggered_data.hpp"

namespace trellis::bench::spmd {
namespace {

class Staggered : public Problem {
 public:
  Staggered(int group, Index items) : group_(group), data_(items) {}

  Work work() const override {
    const double vectors = double(data_.lattice.local_parity_volume()) * staggered_vectors;
    return {Index(vectors) / staggered_each, 570 * vectors, 8 * vectors * (12 + 96.0 / staggered_vectors)};
  }

  void run(WorkItems way) override {
    with_way(way, [&]<WorkItems Way>(WorkItemsConstant<Way>) {
      dirac::apply_hops_by_groups<Way, staggered_each>(data_.links, data_.table, data_.in, data_.out, group_);
    });
  }

  bool has_production() const override { return true; }
  void run_production() override { data_.run_production(); }

  void spoil() override { data_.spoil(); }
  std::string check() const override { return data_.check(); }

 private:
  int group_;
  StaggeredData data_;
};

}  // namespace

KernelEntry variant::staggered_kernel() {
  return {"staggered",
          "staggered hops of 8 vectors as operators make them, links in local memory, double",
          true,
          staggered_groups(),
          [](int group, Index items) { return std::make_unique<Staggered>(group, items); },
          8 * 8 * 8 * 16 / 2 * staggered_vectors,
          1024,
          /*items_of_threads=*/4 * 4 * 4 * 8 / 2 * staggered_vectors};
}

}  // namespace trellis::bench::spmd
