// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// main() of tests that all ranks of a job run together. The first rank prints everything; the others only failures. The
// exit code of every rank says whether a test failed on any rank.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "trellis/comm/communicator.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"

namespace {

using namespace trellis;

class OnlyFailures : public testing::EmptyTestEventListener {
 public:
  explicit OnlyFailures(int rank) : rank_(rank) {}

 private:
  // Asking GoogleTest for the current test while it reports a failure would deadlock.
  void OnTestStart(const testing::TestInfo& test) override { test_ = &test; }
  void OnTestEnd(const testing::TestInfo&) override { test_ = nullptr; }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    fmt::print(stderr, "rank {}: {}.{}: {}:{}: {}\n", rank_, test_ != nullptr ? test_->test_suite_name() : "",
               test_ != nullptr ? test_->name() : "", result.file_name() != nullptr ? result.file_name() : "",
               result.line_number(), result.message());
    std::fflush(stderr);
  }
  int rank_;
  const testing::TestInfo* test_ = nullptr;
};

int run() {
  const auto ranks = comm::Communicator::world();
  if (const int devices = int(find_devices().found.size()); devices > 0)
    select_device(ranks.rank_on_machine() % devices);
  if (!ranks.is_first()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(std::make_unique<OnlyFailures>(ranks.rank()).release());
  }
  double code = RUN_ALL_TESTS();
  ranks.maximum("the tests' exit code", {&code, 1});
  return int(code);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    comm::Session session(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return run();
  } catch (const Error& error) {
    comm::Session::abort(error.exit_code(), error.what());
  } catch (const std::exception& error) {
    comm::Session::abort(1, error.what());
  }
}
