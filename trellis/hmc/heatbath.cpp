// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/heatbath.hpp"

#include <optional>
#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::hmc {

namespace {

// A trajectory of sweeps(stream, u).
template <class T, int W, class Sweeps>
Algorithm<T, W> always_accepted(const Sweeps& sweeps) {
  return [sweeps](const TrajectoryRequest& request, const GaugeField<T, W>& u, const BetweenSteps<T, W>&) {
    const Stopwatch watch;
    const RandomStream stream{request.seed, request.trajectory, gauge::heatbath_purpose};
    TrajectoryRecord record;
    record.trajectory = request.trajectory;
    timed(record.profile.links, [&] { sweeps(stream, u); });
    timed(record.profile.copies, [&] { gauge::reunitarise(u); });
    record.profile.total = watch.seconds();
    return record;
  };
}

// Sweeps over the whole lattice, which keep what they know of it.
template <class T, int W>
class KeptSweeps {
 public:
  explicit KeptSweeps(const gauge::HeatbathParameters& parameters) : parameters_(parameters) {}
  const gauge::HeatbathSweeps<T, W>& on(const Lattice& lattice) {
    if (!sweeps_ || !(sweeps_->lattice() == lattice) || in_dry_run()) sweeps_.emplace(parameters_, lattice);
    return *sweeps_;
  }

 private:
  gauge::HeatbathParameters parameters_;
  std::optional<gauge::HeatbathSweeps<T, W>> sweeps_;
};

}  // namespace

template <class T, int W>
Algorithm<T, W> heatbath(const gauge::HeatbathParameters& parameters) {
  return always_accepted<T, W>(
      [kept = std::make_shared<KeptSweeps<T, W>>(parameters)](const RandomStream& stream, const GaugeField<T, W>& u) {
        kept->on(u.lattice())(stream, u);
      });
}

template <int W>
Algorithm<double, W> heatbath(const gauge::HeatbathParameters& parameters,
                              std::shared_ptr<const CoupledDefect<W>> defect) {
  return always_accepted<double, W>(
      [kept = std::make_shared<KeptSweeps<double, W>>(parameters), defect = std::move(defect)](
          const RandomStream& stream, const GaugeField<double, W>& u) {
        kept->on(u.lattice())(stream, u, defect->action, defect->coupling);
      });
}

#define TRELLIS_INSTANTIATE(W)                                                                    \
  template Algorithm<double, W> heatbath<double, W>(const gauge::HeatbathParameters& parameters); \
  template Algorithm<double, W> heatbath<W>(const gauge::HeatbathParameters& parameters,          \
                                            std::shared_ptr<const CoupledDefect<W>> defect);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
