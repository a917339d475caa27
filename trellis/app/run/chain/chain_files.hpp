// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a chain writes: its tables, curves and plot, which are the first rank's, and its configurations and checkpoints,
// which all ranks write together while the chain goes on (results/link_files.hpp), with the links of its replicas and
// certified where the chain has these.
//
// A checkpoint says what the tables hold at its trajectory, so rows come before it, and it replaces the last one when
// all that it covers is on the disk. Rows and checkpoints are refused with an Error if the folder's lock is lost.

#include <filesystem>
#include <functional>
#include <optional>

#include "trellis/app/results/link_files.hpp"
#include "trellis/app/results/run_results.hpp"
#include "trellis/hmc/certificate.hpp"
#include "trellis/hmc/tempering/tempering.hpp"

namespace trellis::app {

// By all ranks together, unless it says otherwise.
template <int W>
class ChainFiles {
 public:
  // lock: of the folder, on the first rank; certificate and replicas: null if there is none. All must outlive it.
  ChainFiles(const RunInput& input, const RunFolder& folder, const comm::Communicator& ranks,
             const TrajectoryColumns& columns, const FolderLock* lock, hmc::Certificate<double, W>* certificate,
             const hmc::Tempering<W>* replicas);

  // Of a new chain. The first checkpoint is the start: from then on the folder knows its input, and no kill can leave a
  // table without a checkpoint. Throws as clear_results() does.
  void begin(const hmc::ChainState<double, W>& start);
  // Of a chain that continues from a checkpoint. tunings: how often keys that change bits have been changed. Throws as
  // RunResults does.
  void go_on(const SavedChain& saved, std::uint32_t tunings);

  void add_row(const hmc::TrajectoryRecord& record, const Measurement& m);
  // when_there is called once the file is in place.
  void save_configuration(const hmc::ChainState<double, W>& state,
                          const std::function<void(const std::filesystem::path&)>& when_there);
  void save_checkpoint(const hmc::ChainState<double, W>& state);
  // For the first rank.
  void write_plot() const;

  // Puts in place what is written, without waiting.
  void look() { links_.look(); }
  // Waits until all files are in place.
  void finish() { links_.finish(); }
  // After an error: what was saved before it. Several ranks need not be at the same place, so they cannot agree on it.
  void finish_after_error();
  // Links of replicas that no checkpoint needs.
  void remove_unused_replicas() const;

  // link_files.hpp
  double waited_seconds() const { return links_.waited_seconds(); }
  double longest_seconds() const { return links_.longest_seconds(); }
  // For the first rank.
  const RunResults& results() const { return *results_; }

 private:
  void save(const hmc::ChainState<double, W>& state, const SavedResults& results);
  SavedReplicas saved_replicas(std::uint32_t completed);

  const RunInput& input_;
  const RunFolder& folder_;
  const comm::Communicator& ranks_;
  const TrajectoryColumns& columns_;
  const FolderLock* lock_;
  hmc::Certificate<double, W>* certificate_;
  const hmc::Tempering<W>* replicas_;
  std::uint32_t tunings_ = 0;
  std::optional<RunResults> results_;  // on the first rank
  LinkFiles<W> links_;
};

}  // namespace trellis::app
