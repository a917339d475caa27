// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Started by session_test.cpp, as one process and as several: session_program MODE.
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/detail/ranks.hpp"
#include "trellis/comm/messages.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/error.hpp"

namespace {

using namespace trellis;

void norm(const comm::Communicator& ranks) {
  std::uint64_t one = 1;
  ranks.sum("norm", {&one, 1});
}

int run(const std::string& mode) {
  const auto ranks = comm::Communicator::world();
  const int rank = ranks.rank(), last = ranks.size() - 1;
  const auto away = [] { std::this_thread::sleep_for(std::chrono::minutes(10)); };
  ranks.barrier("begin");
  if (mode == "absent") {  // the last rank is busy
    if (rank == last) away();
    norm(ranks);
  } else if (mode == "last_words") {  // like absent, in a program that has something to add
    const comm::AtWatchdogEnd outer([](const std::string&) { return std::string("not these"); });
    const comm::AtWatchdogEnd inner([rank](const std::string& message) {
      return "rank " + std::to_string(rank) + " adds to " + std::to_string(message.size()) + " letters";
    });
    if (rank == last) away();
    norm(ranks);
  } else if (mode == "message") {  // rank 0 waits for the last rank, which waits for nothing; all others for all
    std::byte out[1]{}, in[1];
    comm::Messages messages(ranks, "halo", {{last, 1, out, last, 1, in}});
    if (rank == last) away();
    if (rank != 0) norm(ranks);
    messages.expect();
    messages.send(0);
    while (messages.next(comm::Wait::no) != -1) {
    }
  } else if (mode == "part") {  // like absent, among the ranks from 1 on
    const auto others = ranks.first(1);
    if (rank == last) away();
    if (rank > 0) norm(others);
  } else if (mode.starts_with("silent_file ")) {  // two ranks wait for a file system, and the first for them
    const auto part = ranks.first(1);
    if (rank > 0) part.ranks()->open(mode.substr(12), false);
    ranks.barrier("read");
  } else if (mode == "first_messages") {  // MPI creates a communicator for them
    if (rank == last) away();
    std::byte out[1]{}, in[1];
    const comm::Messages messages(ranks, "halo", {{(rank + 1) % 3, 1, out, (rank + 2) % 3, 1, in}});
  } else if (mode == "early") {  // the last rank is done
    if (rank == last) return 0;
    norm(ranks);
  } else if (mode == "one_throws") {
    if (rank == last) fail_input("no such key");
    norm(ranks);
  } else if (mode == "all_throw") {
    ranks.agree("input", "no such key");
  } else if (mode == "each_throws") {
    throw std::runtime_error("I am " + std::to_string(rank));
  } else if (mode == "returns") {
    return 7;
  }
  const auto all = ranks.gather("report", std::to_string(rank));
  if (ranks.is_first()) {
    std::string text;
    for (const auto& one : all) text += " " + one;
    std::printf("ranks%s\n", text.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    comm::Session session(argc, argv);
    return run(argc > 1 ? argv[1] : "");
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());
  } catch (const std::exception& error) {
    comm::Session::abort(1, error.what());
  }
}
