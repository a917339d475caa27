// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/mpi/ranks.hpp"

#include <algorithm>
#include <climits>

#include "trellis/comm/detail/exact_words.hpp"
#include "trellis/comm/mpi/waiting.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

namespace {

constexpr int labels = 256;
constexpr std::size_t largest_count = 1U << 28;  // per call, in bytes or words

// NOLINTNEXTLINE(readability-non-const-parameter): MPI_User_function
extern "C" void add_exact_sums(void* in, void* in_out, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const std::uint64_t*>(in);
  auto* to = static_cast<std::uint64_t*>(in_out);
  for (int i = 0; i < *count; ++i, from += exact_words, to += exact_words) {
    ExactSum sum = unpack(to);
    sum.add(unpack(from));
    pack(sum, to);
  }
}

}  // namespace

std::string mpi_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) return fmt::format("MPI error {}", code);
  return {text, static_cast<std::size_t>(length)};
}

void check(const char* call, int code) {
  if (code != MPI_SUCCESS) fail("{} failed: {}", call, mpi_text(code));
}

MpiRanks::MpiRanks(double watchdog_seconds, bool owns_mpi) : watchdog_seconds_(watchdog_seconds), owns_mpi_(owns_mpi) {
  check("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  {
    const auto watched = watch("MPI_Comm_dup", "all ranks");
    check("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &talk_));
  }
  set_up(MPI_COMM_WORLD);
}

MpiRanks::MpiRanks(MPI_Comm some, const MpiRanks& job, int first_in_job)
    : job_(&job), first_in_job_(first_in_job), watchdog_seconds_(job.watchdog_seconds_) {
  set_up(some);
}

void MpiRanks::set_up(MPI_Comm from) {
  const auto watched = watch("MPI_Comm_split_type", "the ranks of a machine");
  // Errors are returned, as for the communicators that they are copies of.
  check("MPI_Comm_dup", MPI_Comm_dup(from, &collectives_));
  check("MPI_Comm_rank", MPI_Comm_rank(collectives_, &rank));
  check("MPI_Comm_size", MPI_Comm_size(collectives_, &size));

  MPI_Comm machine = MPI_COMM_NULL;
  check("MPI_Comm_split_type", MPI_Comm_split_type(collectives_, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine));
  check("MPI_Comm_rank", MPI_Comm_rank(machine, &rank_on_machine));
  check("MPI_Comm_size", MPI_Comm_size(machine, &ranks_on_machine));
  check("MPI_Comm_free", MPI_Comm_free(&machine));

  check("MPI_Type_contiguous", MPI_Type_contiguous(exact_words, MPI_UINT64_T, &exact_type_));
  check("MPI_Type_commit", MPI_Type_commit(&exact_type_));
  check("MPI_Op_create", MPI_Op_create(add_exact_sums, 1, &exact_add_));

  int* largest_tag = nullptr;
  int known = 0;
  check("MPI_Comm_get_attr", MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest_tag, &known));
  messages_a_communicator_ = std::uint64_t(known != 0 ? *largest_tag : 32767) / labels;
}

std::shared_ptr<const Ranks> MpiRanks::first(int count) const {
  auto& part = parts_[count];
  if (part) return part;
  barrier("a part of the ranks");
  MPI_Comm mine = MPI_COMM_NULL;
  {
    const auto watched = watch("MPI_Comm_split", "a part of the ranks");
    check("MPI_Comm_split", MPI_Comm_split(collectives_, rank < count ? 0 : 1, rank, &mine));
  }
  part = std::make_shared<MpiRanks>(mine, *job_, first_in_job_ + (rank < count ? 0 : count));
  check("MPI_Comm_free", MPI_Comm_free(&mine));
  return part;
}

void MpiRanks::begin_collective() const {
  if (ended_) fail("the Session has ended: its ranks can no longer be used");
  ++collective_;
}

void MpiRanks::finish(const char* name, const char* call, MPI_Request request) const {
  Waiting waiting(*this);
  for (;;) {
    int done = 0;
    if (const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE); code != MPI_SUCCESS)
      fail("{} failed in '{}' (collective {}; do all ranks call the same?): {}", call, name, collective_,
           mpi_text(code));
    if (done != 0) return;
    waiting.pause([&] { return place(name); });
  }
}

void MpiRanks::barrier(const char* name) const {
  begin_collective();
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Ibarrier", MPI_Ibarrier(collectives_, &request));
  finish(name, "MPI_Ibarrier", request);
}

void MpiRanks::reduce(const char* name, Reduction reduction, std::span<std::uint64_t> words) const {
  begin_collective();
  const bool exact = reduction == Reduction::exact;
  const std::size_t unit = exact ? exact_words : 1;
  const auto type = exact ? exact_type_ : reduction == Reduction::largest ? MPI_INT64_T : MPI_UINT64_T;
  const auto operation = exact                                 ? exact_add_
                         : reduction == Reduction::sum         ? MPI_SUM
                         : reduction == Reduction::bitwise_xor ? MPI_BXOR
                                                               : MPI_MAX;
  for (std::size_t begin = 0; begin < words.size();) {
    const auto count = std::min(words.size() - begin, largest_count * unit);
    MPI_Request request = MPI_REQUEST_NULL;
    check("MPI_Iallreduce", MPI_Iallreduce(MPI_IN_PLACE, words.data() + begin, int(count / unit), type, operation,
                                           collectives_, &request));
    finish(name, "MPI_Iallreduce", request);
    begin += count;
  }
}

void MpiRanks::broadcast(const char* name, std::span<std::byte> bytes, int from) const {
  begin_collective();
  for (std::size_t begin = 0; begin < bytes.size();) {
    const auto count = std::min(bytes.size() - begin, largest_count);
    MPI_Request request = MPI_REQUEST_NULL;
    check("MPI_Ibcast", MPI_Ibcast(bytes.data() + begin, int(count), MPI_BYTE, from, collectives_, &request));
    finish(name, "MPI_Ibcast", request);
    begin += count;
  }
}

void MpiRanks::gather(const char* name, std::span<const std::byte> own, std::span<const std::uint64_t> counts,
                      std::span<std::byte> all) const {
  begin_collective();
  if (all.size() > INT_MAX) fail("'{}' would gather {} bytes: at most 2 GiB are possible", name, all.size());
  std::vector<int> sizes, begins;
  int begin = 0;
  for (const auto count : counts) {
    sizes.push_back(int(count));
    begins.push_back(begin);
    begin += int(count);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Iallgatherv", MPI_Iallgatherv(own.data(), int(own.size()), MPI_BYTE, all.data(), sizes.data(),
                                           begins.data(), MPI_BYTE, collectives_, &request));
  finish(name, "MPI_Iallgatherv", request);
}

MpiRanks::Tags MpiRanks::new_tags() const {
  if (ended_) fail("the Session has ended: its ranks can no longer be used");
  const auto number = messages_++;
  if (number / messages_a_communicator_ >= message_ranks_.size()) {
    MPI_Comm fresh = MPI_COMM_NULL;
    const auto watched = watch("MPI_Comm_dup", "the first messages");
    check("MPI_Comm_dup", MPI_Comm_dup(collectives_, &fresh));
    message_ranks_.push_back(fresh);
  }
  return {message_ranks_.back(), int(number % messages_a_communicator_) * labels};
}

void MpiRanks::end() {
  if (ended_) return;
  // In a separate communicator: ranks that arrive early must not meet others in a regular collective.
  begin_collective();
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Ibarrier", MPI_Ibarrier(talk_, &request));
  finish("the end of the program", "MPI_Ibarrier", request);
  const auto watched = watch("MPI_Finalize", "the end of the program");
  free();
  if (owns_mpi_) check("MPI_Finalize", MPI_Finalize());
}

void MpiRanks::free() {
  for (const auto& [count, part] : parts_) part->free();
  ended_ = true;
  MPI_Op_free(&exact_add_);
  MPI_Type_free(&exact_type_);
  for (auto& ranks : message_ranks_) MPI_Comm_free(&ranks);
  if (talk_ != MPI_COMM_NULL) MPI_Comm_free(&talk_);
  MPI_Comm_free(&collectives_);
}

void MpiRanks::abort(int code) const {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);  // MPI_Abort does not return
}

}  // namespace trellis::comm::detail
