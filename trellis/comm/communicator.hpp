// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes ("ranks") of a job, and their collective operations. One process without MPI is a job of one rank, for
// which all of this is free. A Communicator is a value: copies refer to the same ranks.
//
// Collectives must be called by every rank, in the same order. Their names are for error messages: if a rank waits
// longer than the watchdog allows (Session), the job ends with a message that names who is missing, and where.
// Errors: a failed MPI call is an Error that names it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/core/sums/exact_sum.hpp"

namespace trellis::comm {

namespace detail {
struct Ranks;  // MPI's data; null for one process
}

class Communicator {
 public:
  // This process alone.
  Communicator() = default;
  // All ranks of the job, once a Session has begun; before that, this process alone.
  static Communicator world();
  // The group of the first `count` of these ranks, or that of the others: the one that this rank belongs to. All ranks
  // must call it. It is valid as long as the Session.
  Communicator first(int count) const;

  int rank() const;
  int size() const;
  bool is_first() const { return rank() == 0; }
  // The number of this rank among those on its machine, and how many there are.
  int rank_on_machine() const;
  int ranks_on_machine() const;

  void barrier(const char* name) const;
  // In place, for all ranks; the same number of values on each. Integer sums wrap; the maximum is NaN if any value is
  // NaN.
  void sum(const char* name, std::span<std::uint64_t> values) const;
  void bitwise_xor(const char* name, std::span<std::uint64_t> values) const;
  void maximum(const char* name, std::span<double> values) const;
  // Exact, so the bits do not depend on which rank had which terms (core/sums/exact_sum.hpp, whose limit of 2^37 terms
  // per sum applies to all ranks together).
  void add(const char* name, std::span<ExactSum> sums) const;
  // Sends the data of rank `from` to all.
  void broadcast(const char* name, std::span<std::byte> bytes, int from = 0) const;
  std::string broadcast(const char* name, const std::string& text, int from = 0) const;
  // The texts of all ranks, in order of ranks.
  std::vector<std::string> gather(const char* name, const std::string& text) const;

  // problem: what went wrong on this rank, or empty. If anything went wrong anywhere, all ranks throw the text of the
  // first such rank, as an InputError if that rank's code is 2, otherwise as an Error; prefixed by "rank 3: " unless
  // all ranks have the same text.
  void agree(const char* name, const std::string& problem, int code = 2) const;
  // Throws on all ranks unless they all have the same text; `what` names it ("the input file").
  void require_same(const char* what, const std::string& text) const;

  bool operator==(const Communicator& other) const { return ranks_ == other.ranks_; }
  // Only for use in this room.
  const std::shared_ptr<const detail::Ranks>& ranks() const { return ranks_; }

 private:
  std::shared_ptr<const detail::Ranks> ranks_;
};

// agree() around code that may throw: f runs on every rank, and if it throws a std::exception on one, all throw an
// Error (InputError for InputError). Returns the result of f. f must not wait for other ranks.
template <class F>
auto together(const Communicator& ranks, const char* name, const F& f);

}  // namespace trellis::comm

#include "trellis/comm/together.hpp"
