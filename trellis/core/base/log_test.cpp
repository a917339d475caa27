// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/base/log.hpp"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "trellis/core/error.hpp"

namespace trellis {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { unsetenv("TRELLIS_LOG"); }
};

TEST_F(LogTest, LevelComesFromTheEnvironment) {
  unsetenv("TRELLIS_LOG");
  start_logging();
  EXPECT_EQ(spdlog::get_level(), spdlog::level::info);
  setenv("TRELLIS_LOG", "debug", 1);
  start_logging();
  EXPECT_EQ(spdlog::get_level(), spdlog::level::debug);
  setenv("TRELLIS_LOG", "off", 1);
  start_logging();
  EXPECT_EQ(spdlog::get_level(), spdlog::level::off);
}

TEST_F(LogTest, AnUnknownLevelIsAnError) {
  setenv("TRELLIS_LOG", "loud", 1);
  try {
    start_logging();
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "TRELLIS_LOG is 'loud'; it must be trace, debug, info, warn, error or off");
  }
}

}  // namespace
}  // namespace trellis
