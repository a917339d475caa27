// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/runtime/host_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "trellis/core/runtime/dry_run.hpp"
#include "trellis/core/view.hpp"

namespace trellis {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

class HostMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (!host_memory::keeps) GTEST_SKIP() << "with the address sanitizer nothing is kept";
    ASSERT_EQ(host_memory::kept(), 0U);
  }
};

TEST_F(HostMemory, GivesABlockOfTheSameSizeAgain) {
  void* const other = host_memory::take(8 * mib);
  void* const block = host_memory::take(8 * mib);
  host_memory::give(block, 8 * mib);
  EXPECT_EQ(host_memory::kept(), 8 * mib);
  void* const larger = host_memory::take(9 * mib);
  EXPECT_NE(larger, block);
  void* const again = host_memory::take(8 * mib);
  EXPECT_EQ(host_memory::kept(), 0U);
  host_memory::give(larger, 9 * mib);
  host_memory::give(again, 8 * mib);
  host_memory::give(other, 8 * mib);
  EXPECT_EQ(host_memory::kept(), 0U);
}

TEST_F(HostMemory, KeepsAtMostWhatIsInUse) {
  void* const used = host_memory::take(8 * mib);
  void* const large = host_memory::take(12 * mib);
  void* const small = host_memory::take(6 * mib);
  host_memory::give(large, 12 * mib);
  EXPECT_EQ(host_memory::kept(), 12 * mib);
  host_memory::give(small, 6 * mib);  // 18 MiB would be kept with 8 in use
  EXPECT_EQ(host_memory::kept(), 6 * mib);
  host_memory::give(used, 8 * mib);
  EXPECT_EQ(host_memory::kept(), 0U);
}

// The sizes are beyond what other tests have at once; no page of them is touched.
TEST_F(HostMemory, TheProcessGrowsByUsedBlocksAlone) {
  void* const used = host_memory::take(2048 * mib);
  void* const first = host_memory::take(64 * mib);
  void* const second = host_memory::take(64 * mib);
  host_memory::give(first, 64 * mib);
  host_memory::give(second, 64 * mib);
  EXPECT_EQ(host_memory::kept(), 128 * mib);
  void* const fits = host_memory::take(32 * mib);  // beside one of the two
  EXPECT_EQ(host_memory::kept(), 64 * mib);
  void* const more = host_memory::take(128 * mib);
  EXPECT_EQ(host_memory::kept(), 0U);
  host_memory::give(more, 128 * mib);
  host_memory::give(fits, 32 * mib);
  host_memory::give(used, 2048 * mib);
}

TEST_F(HostMemory, SmallBlocksGoBackAtOnce) {
  void* const used = host_memory::take(8 * mib);
  host_memory::give(host_memory::take(mib / 2), mib / 2);
  EXPECT_EQ(host_memory::kept(), 0U);
  host_memory::give(used, 8 * mib);
}

TEST_F(HostMemory, TellsWhenThereIsNoSuchMemory) { EXPECT_EQ(host_memory::take(std::size_t{1} << 60), nullptr); }

TEST_F(HostMemory, ViewsAreZeroInABlockThatWasUsed) {
  using Bytes = View<std::int64_t*, HostSpace>;
  const Bytes other("other", mib);
  const std::int64_t* place = nullptr;
  {
    const Bytes used("used", mib);
    place = used.data();
    for (std::size_t n = 0; n < mib; ++n) used(n) = -1;
  }
  const Bytes next("next", mib);
  EXPECT_EQ(next.data(), place);
  for (std::size_t n = 0; n < mib; ++n) ASSERT_EQ(next(n), 0) << n;
}

TEST_F(HostMemory, ADryRunKeepsNothing) {
  const View<std::int64_t*, HostSpace> other("other", mib);
  {
    const DryRun dry;
    const View<std::int64_t*, HostSpace> untouched("untouched", mib);
  }
  EXPECT_EQ(host_memory::kept(), 0U);
}

}  // namespace
}  // namespace trellis
