// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranks by MPI. All collectives are nonblocking, and this thread polls them until they are done (waiting.hpp), so that
// the watchdog sees who is missing, and processors shared between ranks are left to those that have work. A Watcher
// monitors calls that block in MPI: files and new communicators.

#include <mpi.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "trellis/comm/detail/ranks.hpp"
#include "trellis/comm/detail/stall.hpp"
#include "trellis/comm/mpi/watcher.hpp"

namespace trellis::comm::detail {

// MPI's text for an error code.
std::string mpi_text(int code);
// Throws Error "call: what MPI says" unless the code is MPI_SUCCESS.
void check(const char* call, int code);

class MpiRanks final : public Ranks {
 public:
  // The complete job.
  MpiRanks(double watchdog_seconds, bool owns_mpi);
  // Some ranks of a job, of which this is the first.
  MpiRanks(MPI_Comm some, const MpiRanks& job, int first_in_job);

  std::shared_ptr<const Ranks> first(int count) const override;
  void barrier(const char* name) const override;
  void reduce(const char* name, Reduction reduction, std::span<std::uint64_t> words) const override;
  void broadcast(const char* name, std::span<std::byte> bytes, int from) const override;
  void gather(const char* name, std::span<const std::byte> own, std::span<const std::uint64_t> counts,
              std::span<std::byte> all) const override;
  std::unique_ptr<Exchange> exchange(const char* name, const std::vector<Outgoing>& out,
                                     const std::vector<Incoming>& in) const override;
  std::unique_ptr<SharedFile> open(const std::filesystem::path& path, bool write) const override;
  void hand_out(std::size_t bytes_per_site, const Block& block, std::span<const std::byte> bytes,
                const KeepPiece& keep) const override;
  void end() override;
  [[noreturn]] void abort(int code) const override;

  // Polls the requests until all are done; one collective.
  void finish(const char* name, const char* call, MPI_Request request) const;
  // Tags that no Messages used before: labels are added to the first. All ranks must call it together.
  struct Tags {
    MPI_Comm ranks;
    int first;
  };
  Tags new_tags() const;

  // Where this rank is: in the current collective, with this name; or at a message.
  Place place(const char* name) const { return {Place::collective, name, collective_, first_in_job_, size}; }
  Place place(const char* name, Place::Kind kind, int peer) const { return {kind, name, 0, first_in_job_ + peer, 1}; }
  const MpiRanks& job() const { return *job_; }
  bool ended() const { return ended_; }
  MPI_Comm collectives() const { return collectives_; }
  MPI_Comm talk() const { return talk_; }
  double watchdog_seconds() const { return watchdog_seconds_; }
  // To be held around a call that blocks.
  [[nodiscard]] Watcher::Call watch(const char* call, const std::string& of) const {
    return job_->watcher_.watch(call, of);
  }

 private:
  void set_up(MPI_Comm from);
  void begin_collective() const;
  void free();

  const MpiRanks* job_ = this;
  int first_in_job_ = 0;
  double watchdog_seconds_ = 0;
  bool owns_mpi_ = false, ended_ = false;
  MPI_Comm collectives_ = MPI_COMM_NULL, talk_ = MPI_COMM_NULL;  // the latter only for a job
  MPI_Datatype exact_type_ = MPI_DATATYPE_NULL;
  MPI_Op exact_add_ = MPI_OP_NULL;
  mutable std::uint64_t collective_ = 0;
  mutable std::vector<MPI_Comm> message_ranks_;
  mutable std::uint64_t messages_ = 0;
  std::uint64_t messages_a_communicator_ = 1;
  mutable Watcher watcher_{watchdog_seconds_, rank};        // only for a job
  mutable std::map<int, std::shared_ptr<MpiRanks>> parts_;  // by count
};

}  // namespace trellis::comm::detail
