// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The processes ("ranks") of a job, and what all of them do together. One process without MPI is a job of one rank, in
// which all of this is free. A Communicator is a value: copies speak for the same ranks.
//
// Collectives are called by every rank, in the same order. Their names are for people: a rank that waits longer than
// the watchdog allows (Session) ends the job with a message that names who is missing, and where.
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
struct Ranks;  // what MPI knows of them; null for one process
}

class Communicator {
 public:
  // This process alone.
  Communicator() = default;
  // All ranks of the job, once a Session has begun; this process alone before.
  static Communicator world();
  // The first `count` of these ranks, and the others among themselves: what one belongs to. All ranks call it. It lasts
  // as long as the Session.
  Communicator first(int count) const;

  int rank() const;
  int size() const;
  bool is_first() const { return rank() == 0; }
  // The place of this rank among those of its machine, and how many there are.
  int rank_on_machine() const;
  int ranks_on_machine() const;

  void barrier(const char* name) const;
  // In place, for all ranks; as many values on each. Integer sums wrap; the maximum of what holds a NaN is NaN.
  void sum(const char* name, std::span<std::uint64_t> values) const;
  void bitwise_xor(const char* name, std::span<std::uint64_t> values) const;
  void maximum(const char* name, std::span<double> values) const;
  // Exact, so that the bits do not depend on which rank had which terms (core/sums/exact_sum.hpp, whose limit of 2^37
  // terms a sum holds for all ranks together).
  void add(const char* name, std::span<ExactSum> sums) const;
  // What rank `from` has.
  void broadcast(const char* name, std::span<std::byte> bytes, int from = 0) const;
  std::string broadcast(const char* name, const std::string& text, int from = 0) const;
  // What all ranks have, in order of ranks.
  std::vector<std::string> gather(const char* name, const std::string& text) const;

  // What went wrong on this rank, empty if nothing did. Where something went wrong anywhere, throws the first such
  // rank's text on all of them, as an InputError if that rank's code is 2, else as an Error; "rank 3: " is before
  // it unless all ranks say the same.
  void agree(const char* name, const std::string& problem, int code = 2) const;
  // Throws on all ranks unless they all have the same text: `what` names it ("the input file").
  void require_same(const char* what, const std::string& text) const;

  bool operator==(const Communicator& other) const { return ranks_ == other.ranks_; }
  // For the rest of this room.
  const std::shared_ptr<const detail::Ranks>& ranks() const { return ranks_; }

 private:
  std::shared_ptr<const detail::Ranks> ranks_;
};

// agree() around something that may throw: f runs on every rank, and where it throws a std::exception on one, all throw
// an Error (InputError for InputError). Returns what f does. f itself may wait for no other rank.
template <class F>
auto together(const Communicator& ranks, const char* name, const F& f);

}  // namespace trellis::comm

#include "trellis/comm/together.hpp"
