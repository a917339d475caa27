// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/mpi/waiting.hpp"

#include <sched.h>

#include <thread>

#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::microseconds without_pause = 30us, without_sleep = 3ms, sleep = 50us, between_news = 100ms,
                                    collecting = 2s, for_the_lowest = 5s;

bool news(MPI_Comm talk, int& from) {
  int there = 0;
  MPI_Status status;
  check("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, 0, talk, &there, &status));
  if (there != 0) from = status.MPI_SOURCE;
  return there != 0;
}

}  // namespace

bool Waiting::leave_processor() {
  const auto now = Clock::now();
  const bool speak = too_long(now);
  const auto waited = now - begin_;
  if (waited >= without_sleep) {
    std::this_thread::sleep_for(sleep);
  } else if (waited >= without_pause) {
    ::sched_yield();
  }
  return speak;
}

bool Waiting::too_long(Clock::time_point now) {
  if (begin_ == Clock::time_point{}) {
    begin_ = now;
    next_look_for_news_ = now + between_news;
  }
  const auto limit = job_.watchdog_seconds();
  if (limit > 0 && now - begin_ > std::chrono::duration<double>(limit)) return true;
  if (now < next_look_for_news_) return false;
  next_look_for_news_ = now + between_news;
  int from = 0;
  return news(job_.talk(), from);
}

void Waiting::report(const Place& place) const {
  const auto talk = job_.talk();
  std::map<int, Place> waiting{{job_.rank, place}};
  for (int to = 0; to < job_.size; ++to) {
    if (to == job_.rank) continue;
    MPI_Request request = MPI_REQUEST_NULL;  // never waited for, since the job ends
    check("MPI_Isend", MPI_Isend(&place, sizeof place, MPI_BYTE, to, 0, talk, &request));
  }
  for (const auto end = Clock::now() + collecting; Clock::now() < end;) {
    for (int from = 0; news(talk, from);) {
      Place theirs;
      check("MPI_Recv", MPI_Recv(&theirs, sizeof theirs, MPI_BYTE, from, 0, talk, MPI_STATUS_IGNORE));
      waiting[from] = theirs;
    }
    std::this_thread::sleep_for(1ms);
  }
  if (waiting.begin()->first < job_.rank) std::this_thread::sleep_for(for_the_lowest);
  speak_as_watchdog(
      fmt::format("{} (TRELLIS_WATCHDOG sets the time)", stall_text(waiting, job_.size, job_.watchdog_seconds())));
  job_.abort(1);
}

}  // namespace trellis::comm::detail
