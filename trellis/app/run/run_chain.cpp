// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/run_chain.hpp"

#include <atomic>

#include "trellis/analysis/statistics.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/observables.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/job/other_work.hpp"
#include "trellis/app/job/shared_folder.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/origin/table_descriptions.hpp"
#include "trellis/app/plan/disk_space.hpp"
#include "trellis/app/plan/plan_input.hpp"
#include "trellis/app/report/live_report.hpp"
#include "trellis/app/report/run_state.hpp"
#include "trellis/app/results/chain_file.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/results/configuration_file.hpp"
#include "trellis/app/results/folder_lock.hpp"
#include "trellis/app/results/link_files.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/run_results.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/certified_file.hpp"
#include "trellis/app/run/chain/end_of_chain.hpp"
#include "trellis/app/run/chain/trajectory_notes.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/run/kernel_table.hpp"
#include "trellis/app/run/largest_loss.hpp"
#include "trellis/app/run/reconsider.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/run/sound_links.hpp"
#include "trellis/app/run/stop_when.hpp"
#include "trellis/app/run/trajectory_measurement.hpp"
#include "trellis/app/tempering/replica_files.hpp"
#include "trellis/app/tempering/replica_ranks.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/hmc/tempering/tempering.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherBits =
    ". Keys that change bits were changed after it (see the log): recomputed results have the bits of the present "
    "input";

// A chain that continues from a configuration under another number than the file's draws different random numbers from
// the chain that made it.
void warn_of_other_start(const RunInput& input) {
  if (input.start.kind != StartKind::file || input.start.trajectory == 0) return;
  const auto made = io::read_provenance(input.start.file);
  if (!made || (made->trajectory == input.start.trajectory && made->seed == input.chain.seed)) return;
  log_warning(
      "start.trajectory = {} and chain.seed = {}, but {} says that it comes from trajectory {} with seed {}: this "
      "chain does not continue that one",
      input.start.trajectory, input.chain.seed, input.start.file.string(), made->trajectory, made->seed);
}

ReplicaRanks ranks_of_replicas(const RunInput& input, const comm::ProcessGrid& grid) {
  if (!input.tempering) return {{grid.ranks(), 1, 0}, grid};
  return replica_ranks(input, grid, gauge::longest_hop(input.quarks.smearing));
}

// One call of the program on one folder.
template <int W>
class Run {
 public:
  Run(const RunInput& input, const comm::ProcessGrid& grid, const std::string& program, const std::string& command,
      ThreadChoice& threads, const KernelSettings& kernels, const Console& console, const RunOptions& options,
      LiveReport* live, std::unique_ptr<FolderLock> lock)
      : input_(input),
        plan_(input),
        program_(program),
        command_(command),
        threads_(threads),
        settings_(kernels),
        console_(console),
        grace_seconds_(options.grace_seconds),
        seconds_before_(options.seconds_before),
        chosen_(options.chosen),
        may_choose_again_(options.may_choose_again),
        live_(live),
        lattice_(input.size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid),
        ranks_(grid.ranks()),
        replica_ranks_(ranks_of_replicas(input, grid)),
        own_lattice_(replica_ranks_.groups.count == 1
                         ? lattice_
                         : Lattice(input.size, W, SiteOrder::even_odd, kernels.lattice_shape(), replica_ranks_.grid)),
        folder_{input.output.directory, input.output.name},
        columns_(input, io::from_first_rank(ranks_, "look at the table", [&] { return is_certified(input, folder_); })),
        lock_(std::move(lock)),
        notes_(double(lattice_.volume())),
        files_(ranks_) {
    auto& observables = columns_.observables();
    settings_.give_to(observables);
    if (!observables.quarks && !observables.hadrons && !observables.staggered_hadrons) return;
    auto* const noise = observables.quarks ? &observables.quarks->selection : nullptr;
    const auto memory = measuring_memory(plan_, noise ? noise->vectors_together() : 1,
                                         options.memory_of_rank.value_or(memory_of_rank(ranks_)), ranks_.size());
    beside_chain_ = memory.beside_chain;
    if (noise) noise->batch = memory.noise_vectors;
    if (!beside_chain_)
      descriptions_.push_back(
          fmt::format("for lack of memory the chain's work space is freed while quarks are measured{}",
                      noise ? fmt::format(", {} at once", plural(memory.noise_vectors, "noise vector")) : ""));
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
    const auto& quarks = plan_.quarks();
    certificate_ = make_certificate<W>(input_, lattice_, quarks, [this](const std::string& text) { tell(text); });
    if (certificate_ && is_new) certificate_->keep_at_rest(state_.links);
    if (replica_ranks_.groups.count > 1)
      descriptions_.push_back(describe(replica_ranks_, int(input_.tempering->couplings.size())));
    const auto defect = coupled_defect<W>(input_, own_lattice_);
    auto terms = make_terms<W>(input_, own_lattice_, quarks, settings_, defect);
    for (const auto& term : terms)
      if (!term->description().empty()) descriptions_.push_back(term->description());
    algorithm_ = make_algorithm<W>(input_, own_lattice_, std::move(terms), quarks, certificate_, settings_, defect);
    const auto remade = [&](const auto&... request) {  // made again if it was freed
      if (!algorithm_)
        algorithm_ =
            make_algorithm<W>(input_, own_lattice_, make_terms<W>(input_, own_lattice_, quarks, settings_, defect),
                              quarks, certificate_, settings_, defect);
      return algorithm_(request...);
    };
    const hmc::Algorithm<double, W> algorithm = defect ? tempered(remade, defect) : remade;
    by_first("make the folder", [&] {
      make_folder(folder_.directory);
      if (!lock_) lock_ = std::make_unique<FolderLock>(folder_.lock());
      remove_parts(folder_);
      if (is_new && has_checkpoint(folder_))
        fail("{}: another run has just been started here", folder_.lock().string());
    });
    require_lock_is_seen(ranks_, folder_.lock());
    const comm::AtWatchdogEnd last_words([this](const std::string& message) {
      append_log(folder_.log(), fmt::format("error: {}", message));
      return what_is_safe().value_or("");
    });
    try {
      is_new ? begin() : resume();
      by_first("look at the input", [&] {
        write_table_descriptions(folder_, origin_of(input_),
                                 described_tables(folder_, "trajectory", columns_.names(), columns_.observables()));
        if (!fs::exists(folder_.input()) || !resolved_input_is_whole(folder_))
          write_resolved_input(folder_, write_toml(input_.resolved));
      });
      if (state_.completed >= total() || is_precise_enough()) return finished();
      if (!is_new && refused_by_stop_file()) return stopped_early;
      by_first("write the input", [&] { write_resolved_input(folder_, write_toml(input_.resolved)); });
      going_on_ = true;
      return go_on(algorithm);
    } catch (const Error& error) {
      if (error.exit_code() != 2) log(fmt::format("error: {}", error.what()));
      const auto safe = error.exit_code() == 1 ? what_is_safe() : std::nullopt;
      if (!safe) throw;
      throw Error(fmt::format("{}\n{}", error.what(), *safe));
    }
  }

 private:
  hmc::Algorithm<double, W> tempered(hmc::Algorithm<double, W> algorithm,
                                     const std::shared_ptr<hmc::CoupledDefect<W>>& defect) {
    const auto start = state_.links.is_allocated() ? state_.links : GaugeField<double, W>(lattice_);
    tempering_ = std::make_shared<hmc::Tempering<W>>(input_.tempering->parameters(), input_.action.weights(), defect,
                                                     std::move(algorithm), start, own_lattice_, replica_ranks_.groups);
    return [all = tempering_](const auto& request, const auto& u, const auto& between_steps) {
      return (*all)(request, u, between_steps);
    };
  }

  // For an error while trajectories are under way: up to which of them nothing is lost, if the checkpoint on the disk
  // can be read.
  std::optional<std::string> what_is_safe() const {
    if (!going_on_) return {};
    try {
      return fmt::format(
          "Nothing up to trajectory {} is lost: that is the last checkpoint, {}. Once the cause is removed, the same "
          "command continues from there: {}",
          read_saved_chain(folder_.checkpoint()).completed, folder_.checkpoint().string(), command_);
    } catch (const Error&) {
      return {};
    }
  }

  // All files except those of links belong to the first rank.
  template <class F>
  void by_first(const char* what, const F& f) const {
    io::on_first_rank(ranks_, what, f);
  }
  void log(std::string_view text) const {
    if (ranks_.is_first()) append_log(folder_.log(), text);
  }

  // On the console and in the log.
  void tell(const std::string& text) {
    console_.write(text + "\n");
    log(text);
  }

  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    console_.write(fmt::format(format, std::forward<Args>(args)...) + "\n");
  }

  bool stop_file_exists() const {
    std::error_code ignored;
    return fs::exists(input_.chain.stop_file, ignored);
  }

  bool refused_by_stop_file() {
    if (!io::from_first_rank(ranks_, "look for the stop file", [&] { return stop_file_exists(); })) return false;
    say("The stop file {} exists, so nothing was done. Remove it, and the same command continues.",
        input_.chain.stop_file.string());
    return true;
  }

  std::uint32_t total() const { return static_cast<std::uint32_t>(input_.chain.trajectories); }

  // The first checkpoint is the start: from then on the folder knows its input, and no kill can leave a table without a
  // checkpoint.
  void begin() {
    SavedChain chain{.completed = state_.completed, .results = no_results(input_, folder_, columns_)};
    by_first("look for a table", [&] { clear_results(folder_); });
    save(state_, chain.results);
    files_.finish();
    by_first("make the tables", [&] { results_.emplace(input_, folder_, columns_, chain); });
    by_first("look at the start", [&] {
      warn_of_other_start(input_);
      warn_of_full_disk();
    });
    say("Start: plaquette {:.10f}", gauge::plaquette(input_.boundary, state_.links).average);
  }

  void warn_of_full_disk() const {
    if (const auto space = disk_space(input_); !space.is_enough())
      log_warning(
          "the results of this chain will take {}, and only {} are free where {} is: the disk will be full before its "
          "end",
          gigabytes(space.needed), gigabytes(*space.free), folder_.directory.string());
  }

  // From the last checkpoint; or from the previous one if the last, or a result file that belongs to it, is damaged:
  // some trajectories are then recomputed, with the same bits.
  void resume() {
    std::string problems;
    for (const auto& file : {folder_.checkpoint(), folder_.previous_checkpoint()}) {
      try {
        if (!io::from_first_rank(ranks_, "look for a checkpoint", [&] { return fs::exists(file); }))
          fail("{}: is missing", file.string());
        const auto saved = damage_is_no_input(
            [&] { return comm::together(ranks_, "read the checkpoint", [&] { return read_saved_chain(file); }); });
        require_fitting(saved, file);
        const bool tuned = !problems.empty() && other_tuning(saved);
        damage_is_no_input([&] { resume_from(saved, file); });
        if (problems.empty()) return;
        by_first("set a checkpoint aside", [&] { set_checkpoint_aside(folder_); });
        tell(fmt::format("Going back to trajectory {} ({}), because: {}{}", state_.completed, file.string(), problems,
                         tuned ? kOtherBits : ""));
        return;
      } catch (const InputError&) {
        throw;
      } catch (const Error& error) {
        if (problems != error.what()) problems += fmt::format("{}{}", problems.empty() ? "" : "; ", error.what());
      }
    }
    fail("{}\nNothing was changed. `{}` finds the last intact state and goes back to it", problems,
         repair_command(folder_, program_));
  }

  // Whether rows after this state were made with different values of keys that change bits.
  bool other_tuning(const SavedChain& saved) {
    return io::from_first_rank(ranks_, "look at the table",
                               [&] { return last_tuning(folder_, columns_) != saved.tunings; });
  }

  // A damaged file is an InputError if the user named it; here nobody did.
  template <class F>
  static auto damage_is_no_input(const F& f) {
    try {
      return f();
    } catch (const InputError& error) {
      throw Error(error.what());
    }
  }

  // Throws InputError if the input asks for another chain.
  void require_fitting(const SavedChain& saved, const fs::path& file) {
    const auto physics = physics_of(input_.resolved);
    require_same_physics(saved.physics, physics, file);
    tuning_ = changed_tuning(saved.physics, physics);
    measured_ = new_measurements(saved.physics, physics);
  }

  void resume_from(const SavedChain& saved, const fs::path& file) {
    state_.completed = saved.completed;
    state_.statistics = saved.statistics;
    tunings_ = saved.tunings + (tuning_.empty() ? 0 : 1);
    state_.links = GaugeField<double, W>(lattice_);
    io::read_links(io::GaugeReader(file, read_options(input_.boundary, input_.size), ranks_), file, state_.links);
    gauge::reunitarise(state_.links);  // for checkpoints of earlier versions
    if (certificate_) certificate_->keep_at_rest(state_.links);
    if (tempering_) read_replicas(folder_, saved, *tempering_);
    by_first("read the results", [&] {
      results_.emplace(input_, folder_, columns_, saved);
      if (state_.completed < total()) warn_of_full_disk();
    });
  }

  // Whether [chain.stop_when] is fulfilled. What is said about it is for the first rank.
  bool is_precise_enough() {
    return io::from_first_rank(ranks_, "look at the precision", [&] {
      const auto reason = precise_enough(input_, results_->table(), state_.completed);
      precise_ = reason.value_or("");
      return reason.has_value();
    });
  }

  int finished() {
    if (state_.completed < total())
      say("This run is finished after {} of {} trajectories: {}. Change or remove chain.stop_when to continue.",
          state_.completed, total(), precise_);
    else
      say("This run is finished: {} trajectories are done, the input asks for {}. Raise chain.trajectories to "
          "continue.",
          state_.completed, total());
    by_first("write the results", [&] {
      write_text_file(folder_.plot(), history_plot(input_, results_->table()));
      end_of_chain().say_averages();
      end_of_chain().say_files("");
    });
    return 0;
  }

  int go_on(const hmc::Algorithm<double, W>& algorithm) {
    if (state_.completed > 0) say("Continuing after trajectory {} of {}", state_.completed, total());
    log(fmt::format("{}: {}; {}, {}; {} of {} trajectories done", version_text(), describe(input_),
                    describe(lattice_.grid()), plural(W, "lane"), state_.completed, total()));
    if (ranks_.is_first()) log(program_entry_text());
    if (threads_.is_fewer()) log(threads_.text());
    for (const auto& line : settings_.lines()) log(line);
    for (const auto& description : descriptions_) log(description);
    for (const auto& key : measured_)
      tell(fmt::format("measured from trajectory {} on: {}", state_.completed + 1, key));
    for (const auto& change : tuning_) tell(fmt::format("from trajectory {} on: {}", state_.completed + 1, change));

    limits_ = measure_limits(104.0 * sizeof(double) * double(lattice_.local_volume()));  // links and momenta
    const InterruptGuard interrupt;
    Progress progress(console_, total());
    notes_.begin();
    const auto first = state_.completed;
    const Stopwatch here;
    times_.crowd = crowd_text(shared_cores().ranks, limits_.threads, shared_cores().cores);
    OtherWork other_work(times_.crowd);
    hmc::ChainCallbacks<double, W> callbacks;
    callbacks.clock = [this] { return seconds_before_ + watch_.seconds(); };
    callbacks.should_stop = [&]() -> std::optional<std::string> {
      if (interrupt.signal() != 0) return name_of_signal(interrupt.signal());
      if (!ranks_.is_first()) return {};
      if (stop_file_exists()) return "the stop file " + input_.chain.stop_file.string();
      // Not if it has just been chosen again.
      if (may_choose_again_ && tuning_.empty())
        poor_acceptance_ = poor_acceptance(input_, results_->table(), state_.completed);
      if (poor_acceptance_) return "its steps do not fit";
      const auto precise = precise_enough(input_, results_->table(), state_.completed);
      precise_ = precise.value_or("");
      return precise;
    };
    callbacks.on_trajectory = [&](const hmc::TrajectoryRecord& record, const hmc::ChainState<double, W>& state) {
      after_trajectory(record, state, progress);
      if (const auto lost = other_work.look()) {
        const auto tell = [&](const std::string& text) {
          progress.message(text);
          log(text);
        };
        if (const auto news = other_work.news(*lost); news && ranks_.is_first()) tell(*news);
        if (threads_.again(*lost)) tell(threads_.text());
      }
      const double budget = 60 * input_.chain.time_budget_minutes;
      const double each = here.seconds() / (state.completed - first),
                   left = budget > 0 ? budget - watch_.seconds() : 1e300;
      if (live_ != nullptr)
        live_->tell(
            {state.completed, total(), each, std::max(0.0, std::min(each * (total() - state.completed), left))});
      if (ranks_.is_first() && progress.due(state.completed))
        progress.show(state.completed, each, progress_text(input_, results_->table(), state_.statistics.acceptance()),
                      left);
    };
    callbacks.in_a_hurry = [&] { return interrupt.signal() != 0; };
    callbacks.between_steps = [&] { timed(times_.writing, [&] { files_.look(); }); };
    callbacks.finish_saving = [&] { timed(times_.writing, [&] { files_.finish(); }); };
    callbacks.saving_seconds = [&] { return files_.longest_seconds(); };
    callbacks.on_checkpoint = [&](const hmc::ChainState<double, W>& state) {
      timed(times_.writing, [&] {
        const Region region("checkpoint");
        timed(times_.checkpoints, [&] {
          by_first("write curves", [&] { results_->write_curves(); });
          save(state);
        });
        ++times_.checkpoint_count;
        by_first("plot", [&] {
          if (plotted_.seconds() > 30) plot();
        });
      });
    };
    const double waited_before = files_.waited_seconds();
    const auto result = timed(chain_seconds_, [&] {
      const ActiveProfile active(kernels_);
      const Region region("trajectories");
      auto parameters = chain_parameters(input_);
      if (grace_seconds_) parameters.grace_seconds = *grace_seconds_;
      try {
        return hmc::run_chain(parameters, algorithm, state_, callbacks);
      } catch (const Error&) {
        keep_written_files();
        throw;
      }
    });
    if (tempering_) by_first("remove links of replicas", [&] { remove_unused_replicas(folder_); });
    times_.waiting = files_.waited_seconds() - waited_before;
    times_.writing -= times_.waiting;
    progress.end();
    // The largest loss on any rank.
    double signal = interrupt.signal();
    ranks_.maximum("signals", {&signal, 1});
    times_.lost = other_work.share();
    ranks_.maximum("other work", {&times_.lost, 1});
    if (io::from_first_rank(ranks_, "look at the acceptance", [&] { return poor_acceptance_.has_value(); })) {
      by_first("say why", [&] {
        tell(fmt::format(
            "After {} trajectories of thermalisation, of whose last half {:.0f} % would have been accepted, "
            "the steps that were chosen for this chain do not fit.",
            state_.completed, 100 * *poor_acceptance_));
      });
      return steps_do_not_fit;
    }
    by_first("write the results", [&] {
      plot();
      times_.seconds = chain_seconds_;
      end_of_chain().report({.all = result.end == hmc::ChainEnd::finished,
                             .reason = result.reason,
                             .precise = precise_,
                             .times = times_,
                             .kernels = kernels_.kernels(),
                             .limits = limits_,
                             .circumstances = circumstances(),
                             .certificate = certificate_ ? certificate_text(certificate_->counts()) : "",
                             .filter = notes_.filter_text(),
                             .command = command_});
    });
    const bool precise = io::from_first_rank(ranks_, "look at the precision", [&] { return !precise_.empty(); });
    const bool done = result.end == hmc::ChainEnd::finished || precise;
    return done ? 0 : signal != 0 ? stopped_by_signal + static_cast<int>(signal) : stopped_early;
  }

  void after_trajectory(const hmc::TrajectoryRecord& record, const hmc::ChainState<double, W>& state,
                        Progress& progress) {
    const auto due = [&](std::int64_t every) { return every > 0 && state.completed % every == 0; };
    const auto m = timed(times_.measuring, [&] {
      const Region region("measurements");
      if (!beside_chain_ && measures_quarks(input_.measure, state.completed)) algorithm_ = nullptr;
      return measure_trajectory(input_, columns_.observables(), state.completed, state.links);
    });
    for (const auto& [section, seconds] : m.seconds) times_.sections[section] += seconds;
    timed(times_.writing, [&] {
      by_first("write the table", [&] {
        lock_->require_held();
        results_->add(record, tunings_, m);
      });
      if (due(input_.chain.save_every)) {
        timed(times_.saving, [&] { save_configuration(state, progress); });
      }
    });
    times_.add(record);
    notes_.look(record, state_.completed, [&](const std::string& text) {
      if (ranks_.is_first()) progress.message(text);
      log(text);
    });
  }

  void save_configuration(const hmc::ChainState<double, W>& state, Progress& progress) {
    const auto file = folder_.configuration(state.completed);
    const auto tell = [&progress, file] { progress.message("saved " + file.string()); };
    if (certificate_ == nullptr) {
      files_.save_configuration(file, input_, state.completed, state.links, tell);
      return;
    }
    write_certified<W>(
        certificate_.get(), file, state.links, [&] { return as_saved(input_, state.links); },
        [&] {
          files_.forget();
          files_.save_configuration(file, input_, state.completed, state.links, {});
          files_.finish();
        });
    tell();
  }

  EndOfChain end_of_chain() const {
    return {input_, folder_, columns_.observables(), *results_, console_, program_, state_.completed};
  }

  RunCircumstances circumstances() const {
    const auto& statistics = state_.statistics;
    return {.ranks = ranks_.size(),
            .cores = shared_cores().cores,
            .local_sites = lattice_.local_volume(),
            .threads_set_by = threads_.set_by(),
            .counted = std::int64_t(statistics.trajectories),
            .acceptance = statistics.trajectories > 0 ? statistics.acceptance() : 0,
            .chosen = chosen_};
  }

  void save(const hmc::ChainState<double, W>& state) {
    std::string results;
    by_first("look at the results", [&] { results = to_text(results_->saved()); });
    save(state, parse_results(ranks_.broadcast("results", results)));
  }

  void save(const hmc::ChainState<double, W>& state, const SavedResults& results) {
    by_first("look at the lock", [&] { lock_->require_held(); });
    const auto replicas = saved_replicas(state.completed);
    // A file that is written again must not become the previous one.
    const auto write = [&, kept = std::make_shared<bool>(false)] {
      files_.save_chain(folder_.checkpoint(),
                        {state.completed, state.statistics, physics_of(input_.resolved), tunings_, results, replicas},
                        state.links, [this, kept] {
                          lock_->require_held();
                          if (!std::exchange(*kept, true)) keep_previous_checkpoint(folder_);
                        });
    };
    if (certificate_ == nullptr) return write();
    write_certified<W>(
        certificate_.get(), folder_.checkpoint(), state.links, [&] { return state.links; },
        [&] {
          files_.forget();
          write();
          files_.finish();
        });
  }

  SavedReplicas saved_replicas(std::uint32_t completed) {
    if (!tempering_) return {};
    files_.finish();
    by_first("remove links of replicas", [&] { remove_unused_replicas(folder_); });
    return save_replicas(folder_, input_, completed, *tempering_);
  }

  // After an error: what was saved before it. Several ranks need not be at the same place, so they cannot agree on it.
  void keep_written_files() {
    if (ranks_.size() > 1) return;
    try {
      files_.finish();
    } catch (const Error&) {
      // The first error is the one to report.
    }
  }

  void plot() {
    write_text_file(folder_.plot(), history_plot(input_, results_->table()));
    plotted_ = {};
  }

  const RunInput& input_;
  const PlanInput plan_;
  std::string program_, command_;
  ThreadChoice& threads_;
  const KernelSettings& settings_;
  Console console_;
  std::optional<double> grace_seconds_;
  double seconds_before_;
  bool chosen_, may_choose_again_;
  LiveReport* live_;  // on the first rank, if somebody wants it
  Lattice lattice_;
  comm::Communicator ranks_;
  ReplicaRanks replica_ranks_;
  Lattice own_lattice_;  // of this rank's group, on which the algorithm works
  RunFolder folder_;
  TrajectoryColumns columns_;
  std::vector<std::string> descriptions_;                     // of quark terms
  std::vector<std::string> tuning_;                           // changes to it since the checkpoint
  std::vector<std::string> measured_;                         // what was not measured before
  std::uint32_t tunings_ = 0;                                 // how often it was changed
  std::atomic<bool> going_on_ = false;                        // trajectories are under way
  std::shared_ptr<hmc::Certificate<double, W>> certificate_;  // null: none
  std::shared_ptr<hmc::Tempering<W>> tempering_;              // null: none
  hmc::ChainState<double, W> state_;
  // On the first rank:
  std::unique_ptr<FolderLock> lock_;
  hmc::Algorithm<double, W> algorithm_;
  bool beside_chain_ = true;  // quarks are measured beside the fields of the algorithm
  std::optional<RunResults> results_;
  std::optional<double> poor_acceptance_;  // if the algorithm is to be chosen again
  std::string precise_;                    // why the run ends early, if its results are precise enough
  RunTimes times_;
  TrajectoryNotes notes_;
  KernelProfile kernels_;
  MachineLimits limits_;
  double chain_seconds_ = 0;
  Stopwatch watch_, plotted_;
  LinkFiles<W> files_;
};

}  // namespace

int run_chain(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
              const RunOptions& options, std::unique_ptr<FolderLock> lock) {
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  io::on_first_rank(grid.ranks(), "look at the folder", [&] { require_writable(input.output.directory); });
  require_shared_folder(grid.ranks(), input.output.directory);
  std::optional<LiveReport> live;
  if (options.watch_port)
    io::on_first_rank(grid.ranks(), "open the port", [&] {
      live.emplace(*options.watch_port, RunFolder{input.output.directory, input.output.name}, program);
    });
  ignore_broken_pipes();
  if (input.machine.threads > 0) set_thread_count(static_cast<int>(input.machine.threads));
  const int lanes = lanes_for(grid, input.size, input.machine);
  const KernelSettings kernels(kernels_of(input, grid, lanes, concurrency()), input.machine, grid.ranks(),
                               gauge::longest_hop(input.quarks.smearing));
  ThreadChoice threads(grid, input.size, lanes, !input.quarks.flavours.empty(), input.machine);
  const Transport transport = choose_transport(grid.ranks());
  const auto messages = grid.size() == 1 ? std::string() : fmt::format(", messages by {}", name_of(transport));
  console.write(fmt::format("{}: {}; {}{}, {}\n", version_text(), describe(input), describe(grid), messages,
                            plural(lanes, "lane")));
  if (threads.is_fewer()) console.write(threads.text() + "\n");
  if (!kernels.summary().empty()) console.write(kernels.summary() + "\n");
  if (live) console.write(fmt::format("Watch it at {}\n", live->address()));
  return with_lanes(lanes, [&]<int W>() {
    return Run<W>(input, grid, program, command, threads, kernels, console, options, live ? &*live : nullptr,
                  std::move(lock))();
  });
}

}  // namespace trellis::app
