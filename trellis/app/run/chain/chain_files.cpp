// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/chain_files.hpp"

#include <memory>
#include <utility>

#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/results/checkpoints.hpp"
#include "trellis/app/results/configuration_file.hpp"
#include "trellis/app/run/certified_file.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/app/tempering/replica_files.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {

template <int W>
ChainFiles<W>::ChainFiles(const RunInput& input, const RunFolder& folder, const comm::Communicator& ranks,
                          const TrajectoryColumns& columns, const FolderLock* lock,
                          hmc::Certificate<double, W>* certificate, const hmc::Tempering<W>* replicas)
    : input_(input),
      folder_(folder),
      ranks_(ranks),
      columns_(columns),
      lock_(lock),
      certificate_(certificate),
      replicas_(replicas),
      links_(ranks) {}

template <int W>
void ChainFiles<W>::begin(const hmc::ChainState<double, W>& start) {
  const SavedChain chain{.completed = start.completed, .results = no_results(input_, folder_, columns_)};
  io::on_first_rank(ranks_, "look for a table", [&] { clear_results(folder_); });
  save(start, chain.results);
  finish();
  io::on_first_rank(ranks_, "make the tables", [&] { results_.emplace(input_, folder_, columns_, chain); });
}

template <int W>
void ChainFiles<W>::go_on(const SavedChain& saved, std::uint32_t tunings) {
  tunings_ = tunings;
  io::on_first_rank(ranks_, "read the results", [&] { results_.emplace(input_, folder_, columns_, saved); });
}

template <int W>
void ChainFiles<W>::add_row(const hmc::TrajectoryRecord& record, const Measurement& m) {
  io::on_first_rank(ranks_, "write the table", [&] {
    lock_->require_held();
    results_->add(record, tunings_, m);
  });
}

template <int W>
void ChainFiles<W>::save_configuration(const hmc::ChainState<double, W>& state,
                                       const std::function<void(const std::filesystem::path&)>& when_there) {
  const auto file = folder_.configuration(state.completed);
  if (certificate_ == nullptr) {
    links_.save_configuration(file, input_, state.completed, state.links, [when_there, file] { when_there(file); });
    return;
  }
  write_certified<W>(
      certificate_, file, state.links, [&] { return as_saved(input_, state.links); },
      [&] {
        links_.forget();
        links_.save_configuration(file, input_, state.completed, state.links, {});
        links_.finish();
      });
  when_there(file);
}

template <int W>
void ChainFiles<W>::save_checkpoint(const hmc::ChainState<double, W>& state) {
  io::on_first_rank(ranks_, "write curves", [&] { results_->write_curves(); });
  std::string results;
  io::on_first_rank(ranks_, "look at the results", [&] { results = to_text(results_->saved()); });
  save(state, parse_results(ranks_.broadcast("results", results)));
}

template <int W>
void ChainFiles<W>::save(const hmc::ChainState<double, W>& state, const SavedResults& results) {
  io::on_first_rank(ranks_, "look at the lock", [&] { lock_->require_held(); });
  const auto replicas = saved_replicas(state.completed);
  // A file that is written again must not become the previous one.
  const auto write = [&, kept = std::make_shared<bool>(false)] {
    links_.save_chain(folder_.checkpoint(),
                      {state.completed, state.statistics, physics_of(input_.resolved), tunings_, results, replicas},
                      state.links, [this, kept] {
                        lock_->require_held();
                        if (!std::exchange(*kept, true)) keep_previous_checkpoint(folder_);
                      });
  };
  if (certificate_ == nullptr) return write();
  write_certified<W>(
      certificate_, folder_.checkpoint(), state.links, [&] { return state.links; },
      [&] {
        links_.forget();
        write();
        links_.finish();
      });
}

template <int W>
SavedReplicas ChainFiles<W>::saved_replicas(std::uint32_t completed) {
  if (replicas_ == nullptr) return {};
  finish();
  remove_unused_replicas();
  return save_replicas(folder_, input_, completed, *replicas_);
}

template <int W>
void ChainFiles<W>::remove_unused_replicas() const {
  if (replicas_ == nullptr) return;
  io::on_first_rank(ranks_, "remove links of replicas", [&] { app::remove_unused_replicas(folder_); });
}

template <int W>
void ChainFiles<W>::finish_after_error() {
  if (ranks_.size() > 1) return;
  try {
    finish();
  } catch (const Error&) {
    // The first error is the one to report.
  }
}

template <int W>
void ChainFiles<W>::write_plot() const {
  write_text_file(folder_.plot(), history_plot(input_, results_->table()));
}

#define TRELLIS_INSTANTIATE(W) template class ChainFiles<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
