// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/run_call.hpp"

#include <atomic>

#include "trellis/app/command.hpp"
#include "trellis/app/input/read_options.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/job/shared_folder.hpp"
#include "trellis/app/origin/table_descriptions.hpp"
#include "trellis/app/plan/disk_space.hpp"
#include "trellis/app/plan/plan_input.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/run/chain/continuation.hpp"
#include "trellis/app/run/chain/end_of_chain.hpp"
#include "trellis/app/run/chain/trajectories.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/stop_when.hpp"
#include "trellis/app/tempering/replica_files.hpp"
#include "trellis/app/tempering/replica_ranks.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

template <int W>
class ChainRun {
 public:
  ChainRun(const RunCall& call, std::unique_ptr<FolderLock> lock)
      : call_(call),
        input_(call.input),
        plan_(input_),
        lattice_(input_.size, W, SiteOrder::even_odd, call.kernels.lattice_shape(), call.grid),
        ranks_(call.grid.ranks()),
        replica_ranks_(replica_ranks(input_, call.grid, gauge::longest_hop(input_.quarks.smearing))),
        own_lattice_(replica_ranks_.groups.count == 1 ? lattice_
                                                      : Lattice(input_.size, W, SiteOrder::even_odd,
                                                                call.kernels.lattice_shape(), replica_ranks_.grid)),
        folder_{input_.output.directory, input_.output.name},
        columns_(input_,
                 io::from_first_rank(ranks_, "look at the table", [&] { return is_certified(input_, folder_); })),
        lock_(std::move(lock)) {
    share_memory();
  }

  int operator()() {
    require_valid(columns_.observables(), input_.size, input_.boundary);
    if (ranks_.is_first())
      warn_of_walls(input_.measure,
                    "save configurations, and measure them with `trellis measure` and a table [gauge_fixing]");
    if (ranks_.is_first()) warn_of_width(columns_.observables().hadrons);
    const bool is_new = io::from_first_rank(ranks_, "look for a checkpoint", [&] { return !has_checkpoint(folder_); });
    if (is_new) {
      // Everything that can be wrong is found before anything is written.
      if (refused_by_stop_file()) return stopped_early;
      state_.completed = static_cast<std::uint32_t>(input_.start.trajectory);
      state_.links = start_links<W>(input_, lattice_);
    }
    make_algorithm(is_new);
    take_folder(is_new);
    files_.emplace(input_, folder_, ranks_, columns_, lock_.get(), certificate_.get(), algorithm_->replicas().get());
    const comm::AtWatchdogEnd last_words([this](const std::string& message) {
      append_log(folder_.log(), fmt::format("error: {}", message));
      return safe_so_far().value_or("");
    });
    try {
      is_new ? begin() : resume();
      io::on_first_rank(ranks_, "look at the input", [&] {
        write_table_descriptions(folder_, origin_of(input_),
                                 described_tables(folder_, "trajectory", columns_.names(), columns_.observables()));
        if (!std::filesystem::exists(folder_.input()) || !resolved_input_is_whole(folder_))
          write_resolved_input(folder_, write_toml(input_.resolved));
      });
      if (state_.completed >= total() || is_precise_enough()) return finished();
      if (!is_new && refused_by_stop_file()) return stopped_early;
      io::on_first_rank(ranks_, "write the input", [&] { write_resolved_input(folder_, write_toml(input_.resolved)); });
      going_on_ = true;
      return go_on();
    } catch (const Error& error) {
      if (error.exit_code() != 2) log_.log(fmt::format("error: {}", error.what()));
      const auto safe = error.exit_code() == 1 ? safe_so_far() : std::nullopt;
      if (!safe) throw;
      throw Error(fmt::format("{}\n{}", error.what(), *safe));
    }
  }

 private:
  std::uint32_t total() const { return static_cast<std::uint32_t>(input_.chain.trajectories); }

  std::optional<std::string> safe_so_far() const {
    return going_on_ ? what_is_safe(folder_, call_.command) : std::nullopt;
  }

  // Measurements of quarks get what memory the chain leaves them, or if that is too little, its work space too.
  void share_memory() {
    auto& observables = columns_.observables();
    call_.kernels.give_to(observables);
    if (!observables.quarks && !observables.hadrons && !observables.staggered_hadrons) return;
    auto* const noise = observables.quarks ? &observables.quarks->selection : nullptr;
    const auto memory = measuring_memory(plan_, noise ? noise->vectors_together() : 1,
                                         call_.options.memory_of_rank.value_or(memory_of_rank(ranks_)), ranks_.size());
    measured_beside_chain_ = memory.beside_chain;
    if (noise) noise->batch = memory.noise_vectors;
    if (!memory.beside_chain)
      descriptions_.push_back(
          fmt::format("for lack of memory the chain's work space is freed while quarks are measured{}",
                      noise ? fmt::format(", {} at once", plural(memory.noise_vectors, "noise vector")) : ""));
  }

  void make_algorithm(bool is_new) {
    certificate_ =
        make_certificate<W>(input_, lattice_, plan_.quarks(), [this](const std::string& text) { log_.tell(text); });
    if (certificate_ && is_new) certificate_->keep_at_rest(state_.links);
    if (replica_ranks_.groups.count > 1)
      descriptions_.push_back(describe(replica_ranks_, int(input_.tempering->couplings.size())));
    algorithm_.emplace(input_, own_lattice_, plan_.quarks(), call_.kernels, certificate_);
    const auto& of_terms = algorithm_->descriptions();
    descriptions_.insert(descriptions_.end(), of_terms.begin(), of_terms.end());
    if (input_.tempering)
      algorithm_->add_replicas(is_new ? state_.links : GaugeField<double, W>(lattice_), replica_ranks_.groups);
  }

  // Makes the folder, and keeps other processes out of it.
  void take_folder(bool is_new) {
    io::on_first_rank(ranks_, "make the folder", [&] {
      make_folder(folder_.directory);
      if (!lock_) lock_ = std::make_unique<FolderLock>(folder_.lock());
      remove_parts(folder_);
      if (is_new && has_checkpoint(folder_))
        fail("{}: another run has just been started here", folder_.lock().string());
    });
    require_lock_is_seen(ranks_, folder_.lock());
  }

  bool refused_by_stop_file() {
    if (!io::from_first_rank(ranks_, "look for the stop file", [&] { return stop_file_exists(input_); })) return false;
    log_.say(fmt::format("The stop file {} exists, so nothing was done. Remove it, and the same command continues.",
                         input_.chain.stop_file.string()));
    return true;
  }

  void begin() {
    files_->begin(state_);
    io::on_first_rank(ranks_, "look at the start", [&] {
      warn_of_other_start(input_);
      warn_of_full_disk(input_);
    });
    log_.say(fmt::format("Start: plaquette {:.10f}", gauge::plaquette(input_.boundary, state_.links).average));
  }

  void resume() {
    from_ = continue_chain(input_, columns_, log_, call_.program, [this](const Continuation& from) { restore(from); });
  }

  void restore(const Continuation& from) {
    const auto& file = from.checkpoint;
    state_ = {GaugeField<double, W>(lattice_), from.saved.completed, from.saved.statistics};
    io::read_links(io::GaugeReader(file, read_options(input_.boundary, input_.size), ranks_), file, state_.links);
    gauge::reunitarise(state_.links);  // for checkpoints of earlier versions
    if (certificate_) certificate_->keep_at_rest(state_.links);
    if (const auto& replicas = algorithm_->replicas()) read_replicas(folder_, from.saved, *replicas);
    files_->go_on(from.saved, from.tunings());
    if (state_.completed < total()) io::on_first_rank(ranks_, "look at the disk", [&] { warn_of_full_disk(input_); });
  }

  // Whether [chain.stop_when] is fulfilled. What is said about it is for the first rank.
  bool is_precise_enough() {
    return io::from_first_rank(ranks_, "look at the precision", [&] {
      precise_ = precise_enough(input_, files_->results().table(), state_.completed).value_or("");
      return !precise_.empty();
    });
  }

  int finished() {
    io::on_first_rank(ranks_, "write the results", [&] {
      const auto end = end_of_chain();
      end.say_finished(precise_);
      files_->write_plot();
      end.say_averages();
      end.say_files("");
    });
    return 0;
  }

  void say_what_runs() {
    if (state_.completed > 0) log_.say(fmt::format("Continuing after trajectory {} of {}", state_.completed, total()));
    log_.log(fmt::format("{}: {}; {}, {}; {} of {} trajectories done", version_text(), describe(input_),
                         describe(lattice_.grid()), plural(W, "lane"), state_.completed, total()));
    if (ranks_.is_first()) log_.log(program_entry_text());
    if (call_.threads.is_fewer()) log_.log(call_.threads.text());
    for (const auto& line : call_.kernels.lines()) log_.log(line);
    for (const auto& description : descriptions_) log_.log(description);
    for (const auto& key : from_.new_measurements)
      log_.tell(fmt::format("measured from trajectory {} on: {}", state_.completed + 1, key));
    for (const auto& change : from_.changed_tuning)
      log_.tell(fmt::format("from trajectory {} on: {}", state_.completed + 1, change));
  }

  int go_on() {
    say_what_runs();
    const auto limits = measure_limits(104.0 * sizeof(double) * double(lattice_.local_volume()));  // links and momenta
    const InterruptGuard interrupt;
    const auto crowd = crowd_text(shared_cores().ranks, limits.threads, shared_cores().cores);
    ChainProgress progress(log_, call_.threads, call_.live, total(), state_.completed, crowd);
    auto done = run_trajectories<W>({.input = input_,
                                     .observables = columns_.observables(),
                                     .algorithm = *algorithm_,
                                     .files = *files_,
                                     .progress = progress,
                                     .interrupt = interrupt,
                                     .since_start = watch_,
                                     .seconds_before = call_.options.seconds_before,
                                     .grace_seconds = call_.options.grace_seconds,
                                     // Not if it has just been chosen again.
                                     .may_choose_again = call_.options.may_choose_again && from_.changed_tuning.empty(),
                                     .measured_beside_chain = measured_beside_chain_},
                                    state_);
    done.times.crowd = crowd;
    const auto on_first = [&](const char* what, auto question) {
      return io::from_first_rank(ranks_, what, [&] { return done.stop && question(*done.stop); });
    };
    if (on_first("look at the acceptance", [](const StopReason& stop) { return stop.poor_acceptance.has_value(); })) {
      io::on_first_rank(ranks_, "say why", [&] {
        log_.tell(fmt::format(
            "After {} trajectories of thermalisation, of whose last half {:.0f} % would have been accepted, "
            "the steps that were chosen for this chain do not fit.",
            state_.completed, 100 * *done.stop->poor_acceptance));
      });
      return steps_do_not_fit;
    }
    const std::string precise = done.stop && done.stop->precise ? done.stop->text : "";
    const bool is_precise = on_first("look at the precision", [](const StopReason& stop) { return stop.precise; });
    io::on_first_rank(ranks_, "write the results", [&] {
      files_->write_plot();
      end_of_chain().report({.all = done.result.end == hmc::ChainEnd::finished,
                             .reason = done.result.reason,
                             .precise = precise,
                             .times = done.times,
                             .kernels = done.kernels,
                             .limits = limits,
                             .circumstances = circumstances(),
                             .certificate = certificate_ ? certificate_text(certificate_->counts()) : "",
                             .filter = done.filter,
                             .command = call_.command});
    });
    if (done.result.end == hmc::ChainEnd::finished || is_precise) return 0;
    return done.signal != 0 ? stopped_by_signal + done.signal : stopped_early;
  }

  EndOfChain end_of_chain() const {
    return {input_, folder_, columns_.observables(), files_->results(), call_.console, call_.program, state_.completed};
  }

  RunCircumstances circumstances() const {
    const auto& statistics = state_.statistics;
    return {.ranks = ranks_.size(),
            .cores = shared_cores().cores,
            .local_sites = lattice_.local_volume(),
            .threads_set_by = call_.threads.set_by(),
            .counted = std::int64_t(statistics.trajectories),
            .acceptance = statistics.trajectories > 0 ? statistics.acceptance() : 0,
            .chosen = call_.options.chosen};
  }

  const RunCall& call_;
  const RunInput& input_;
  const PlanInput plan_;
  Lattice lattice_;
  comm::Communicator ranks_;
  ReplicaRanks replica_ranks_;
  Lattice own_lattice_;  // of this rank's group, on which the algorithm works
  RunFolder folder_;
  const RunLog log_{folder_, ranks_, call_.console};
  TrajectoryColumns columns_;
  std::vector<std::string> descriptions_;                     // of what runs, for the log
  bool measured_beside_chain_ = true;                         // quarks, beside the fields of the algorithm
  Continuation from_;                                         // empty: a new chain
  std::atomic<bool> going_on_ = false;                        // trajectories are under way
  std::unique_ptr<FolderLock> lock_;                          // on the first rank
  std::shared_ptr<hmc::Certificate<double, W>> certificate_;  // null: none
  std::optional<ChainAlgorithm<W>> algorithm_;
  hmc::ChainState<double, W> state_;
  std::string precise_;  // why the run was finished before, if its results are precise enough
  Stopwatch watch_;
  std::optional<ChainFiles<W>> files_;
};

}  // namespace

template <int W>
int run_call(const RunCall& call, std::unique_ptr<FolderLock> lock) {
  return ChainRun<W>(call, std::move(lock))();
}

#define TRELLIS_INSTANTIATE(W) template int run_call<W>(const RunCall&, std::unique_ptr<FolderLock>);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
