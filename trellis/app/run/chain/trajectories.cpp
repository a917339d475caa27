// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/trajectories.hpp"

#include "trellis/app/run/chain/trajectory_notes.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/trajectory_measurement.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {
namespace {

constexpr double kSecondsBetweenPlots = 30;

template <int W>
class TrajectoryLoop {
 public:
  TrajectoryLoop(const TrajectoryParts<W>& parts, hmc::ChainState<double, W>& state)
      : p_(parts),
        state_(state),
        ranks_(state.links.lattice().ranks()),
        notes_(double(state.links.lattice().volume())) {
    notes_.begin();
  }

  TrajectoriesDone operator()() {
    KernelProfile kernels;
    const double waited_before = p_.files.waited_seconds();
    auto result = timed(times_.seconds, [&] {
      const ActiveProfile active(kernels);
      const Region region("trajectories");
      auto parameters = chain_parameters(p_.input);
      if (p_.grace_seconds) parameters.grace_seconds = *p_.grace_seconds;
      try {
        return hmc::run_chain<double, W>(parameters, std::ref(p_.algorithm), state_, callbacks());
      } catch (const Error&) {
        p_.files.finish_after_error();
        throw;
      }
    });
    p_.files.remove_unused_replicas();
    times_.waiting = p_.files.waited_seconds() - waited_before;
    times_.writing -= times_.waiting;
    p_.progress.end();
    double signal = p_.interrupt.signal();
    ranks_.maximum("signals", {&signal, 1});
    times_.lost = p_.progress.share_lost();
    ranks_.maximum("other work", {&times_.lost, 1});
    return {.result = std::move(result),
            .stop = stop_,
            .signal = static_cast<int>(signal),
            .times = times_,
            .kernels = kernels.kernels(),
            .filter = notes_.filter_text()};
  }

 private:
  hmc::ChainCallbacks<double, W> callbacks() {
    hmc::ChainCallbacks<double, W> c;
    c.clock = [this] { return p_.seconds_before + p_.since_start.seconds(); };
    c.should_stop = [this] { return should_stop(); };
    c.on_trajectory = [this](const auto& record, const auto& state) { after_trajectory(record, state); };
    c.in_a_hurry = [this] { return p_.interrupt.signal() != 0; };
    c.between_steps = [this] { timed(times_.writing, [&] { p_.files.look(); }); };
    c.finish_saving = [this] { timed(times_.writing, [&] { p_.files.finish(); }); };
    c.saving_seconds = [this] { return p_.files.longest_seconds(); };
    c.on_checkpoint = [this](const auto& state) { timed(times_.writing, [&] { checkpoint(state); }); };
    return c;
  }

  std::optional<std::string> should_stop() {
    if (p_.interrupt.signal() != 0) return name_of_signal(p_.interrupt.signal());
    if (!ranks_.is_first()) return {};
    stop_ = reason_to_stop(p_.input, p_.files.results().table(), state_.completed, p_.may_choose_again);
    return stop_ ? std::optional(stop_->text) : std::nullopt;
  }

  void after_trajectory(const hmc::TrajectoryRecord& record, const hmc::ChainState<double, W>& state) {
    const auto m = timed(times_.measuring, [&] {
      const Region region("measurements");
      if (!p_.measured_beside_chain && measures_quarks(p_.input.measure, state.completed))
        p_.algorithm.free_work_space();
      return measure_trajectory(p_.input, p_.observables, state.completed, state.links);
    });
    for (const auto& [section, seconds] : m.seconds) times_.sections[section] += seconds;
    timed(times_.writing, [&] { write(record, m, state); });
    times_.add(record);
    notes_.look(record, state.completed, [&](const std::string& text) { p_.progress.tell(text); });
    const double budget = 60 * p_.input.chain.time_budget_minutes;
    p_.progress.show(state.completed, budget > 0 ? budget - p_.since_start.seconds() : 1e300, [&] {
      return progress_text(p_.input, p_.files.results().table(), state.statistics.acceptance());
    });
  }

  void write(const hmc::TrajectoryRecord& record, const Measurement& m, const hmc::ChainState<double, W>& state) {
    p_.files.add_row(record, m);
    const auto every = p_.input.chain.save_every;
    if (every <= 0 || state.completed % every != 0) return;
    timed(times_.saving, [&] {
      p_.files.save_configuration(state, [&progress = p_.progress](const std::filesystem::path& file) {
        progress.message("saved " + file.string());
      });
    });
  }

  void checkpoint(const hmc::ChainState<double, W>& state) {
    const Region region("checkpoint");
    timed(times_.checkpoints, [&] { p_.files.save_checkpoint(state); });
    ++times_.checkpoint_count;
    io::on_first_rank(ranks_, "plot", [&] {
      if (!(p_.since_start.seconds() - plotted_ > kSecondsBetweenPlots)) return;
      p_.files.write_plot();
      plotted_ = p_.since_start.seconds();
    });
  }

  const TrajectoryParts<W>& p_;
  hmc::ChainState<double, W>& state_;
  const comm::Communicator ranks_;
  TrajectoryNotes notes_;
  RunTimes times_;
  std::optional<StopReason> stop_;
  double plotted_ = 0;  // when, in seconds since the start
};

}  // namespace

template <int W>
TrajectoriesDone run_trajectories(const TrajectoryParts<W>& parts, hmc::ChainState<double, W>& state) {
  return TrajectoryLoop<W>(parts, state)();
}

#define TRELLIS_INSTANTIATE(W) \
  template TrajectoriesDone run_trajectories<W>(const TrajectoryParts<W>&, hmc::ChainState<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
