// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What several ranks can do: the only interface between this room and MPI, which is used only in comm/mpi. One process
// has no Ranks, and a program without MPI (comm/without_mpi) never creates them.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/comm/parallel_file.hpp"

namespace trellis::comm::detail {

// `exact`: five words per sum, see pack() in exact_words.hpp.
enum class Reduction { sum, bitwise_xor, largest, exact };

// One message of a round; `part` is its owner's number for it.
struct Outgoing {
  int part, to, label;
  std::span<const std::byte> bytes;
};
struct Incoming {
  int part, from, label;
  std::span<std::byte> bytes;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void expect() = 0;
  // The i-th outgoing message.
  virtual void send(int i) = 0;
  // Appends parts that have arrived since, at least one if it is to wait. Some must not have arrived yet.
  virtual void collect(bool wait, std::vector<int>& come) = 0;
  virtual void finish_sends() = 0;
};

// ParallelFile for several ranks. Errors are this rank's own; the caller makes ranks agree.
class SharedFile {
 public:
  virtual ~SharedFile() = default;
  virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) = 0;
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  virtual void read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                          std::span<std::byte> bytes) = 0;
  virtual void write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                           std::span<const std::byte> bytes) = 0;
  virtual void sync() = 0;
  virtual void close() = 0;
  // Begins to move these bytes to the disk, without waiting.
  virtual void start_writing(std::uint64_t offset, std::uint64_t bytes) = 0;
  // Waits until they are there, drops the system's copy in memory, and begins to read them again.
  virtual void start_reading_back(std::uint64_t offset, std::uint64_t bytes) = 0;
};

// An existing file, on this rank.
std::unique_ptr<SharedFile> open_file(const Communicator& ranks, const std::filesystem::path& path, bool write);

struct Ranks {
  virtual ~Ranks() = default;

  // All ranks, in the same order.
  virtual std::shared_ptr<const Ranks> first(int count) const = 0;  // this rank's group: below `count`, or the others
  virtual void barrier(const char* name) const = 0;
  virtual void reduce(const char* name, Reduction reduction, std::span<std::uint64_t> words) const = 0;
  virtual void broadcast(const char* name, std::span<std::byte> bytes, int from) const = 0;
  // counts[r]: how many bytes rank r has. `all` gets them in order.
  virtual void gather(const char* name, std::span<const std::byte> own, std::span<const std::uint64_t> counts,
                      std::span<std::byte> all) const = 0;
  virtual std::unique_ptr<Exchange> exchange(const char* name, const std::vector<Outgoing>& out,
                                             const std::vector<Incoming>& in) const = 0;
  virtual std::unique_ptr<SharedFile> open(const std::filesystem::path& path, bool write) const = 0;
  // hand_out_block() of parallel_file.hpp; errors are this rank's own.
  virtual void hand_out(std::size_t bytes_per_site, const Block& block, std::span<const std::byte> bytes,
                        const KeepPiece& keep) const = 0;

  // Waits for all ranks and ends MPI; nothing may be called afterwards.
  virtual void end() = 0;
  // Ends the job, with all its processes.
  [[noreturn]] virtual void abort(int code) const = 0;

  int rank = 0, size = 1;
  int rank_on_machine = 0, ranks_on_machine = 1;
};

// What a launcher's environment says about this process; -1 if it says nothing.
struct Launch {
  int rank = -1, size = -1;
  bool found() const { return rank >= 0 || size >= 0; }
};

// The ranks of the job that a launcher started; null for one rank. seconds: the watchdog's limit, 0 for none. Throws
// InputError if the launcher and MPI do not match.
std::shared_ptr<Ranks> begin(int& argc, char**& argv, const Launch& launch, double seconds);
extern const bool has_mpi;

// The ranks of Communicator::world(); null before and after a Session.
std::shared_ptr<const Ranks>& world();

// The watchdog's last words, from whichever thread it is in: prints the message, then what the program has to add
// (AtWatchdogEnd in session.hpp). The caller ends the job; should this or that take longer than 20 seconds, an alarm
// ends this process, and the launcher the others.
void speak_as_watchdog(const std::string& message);

}  // namespace trellis::comm::detail
