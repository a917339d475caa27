// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/containers/dual_view.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace trellis {

// A memory of its own, as a device has, although hosts reach it, so that a test can see both sides.
struct FarSpace {
  static constexpr bool is_memory_space = true, host_reaches = true, cuda_reaches = false;
  static constexpr const char* name = "FarSpace";
};
namespace dual_view_test {
int copies = 0;
}
Allocation* allocate(FarSpace, std::string_view label, std::size_t bytes, bool zero) {
  return allocate(HostSpace{}, label, bytes, zero);
}
void copy_bytes(FarSpace, void* to, HostSpace, const void* from, std::size_t bytes) {
  ++dual_view_test::copies;
  std::memcpy(to, from, bytes);
}
void copy_bytes(HostSpace, void* to, FarSpace, const void* from, std::size_t bytes) {
  ++dual_view_test::copies;
  std::memcpy(to, from, bytes);
}

namespace dual_view_test {

using Far = DualView<double**, LayoutRight, FarSpace>;

TEST(DualView, CopiesWhatChangedOnce) {
  const Far x("x", 3, 2);
  EXPECT_NE(static_cast<void*>(x.host().data()), static_cast<void*>(x.device().data()));
  const int before = copies;
  x.sync_device();
  x.sync_host();
  EXPECT_EQ(copies, before) << "nothing changed";
  x.modify_host();
  x.host()(2, 1) = 5;
  EXPECT_TRUE(x.device_needs_sync());
  x.sync_host();
  EXPECT_EQ(x.device()(2, 1), 0) << "the host has it already";
  x.sync_device();
  EXPECT_EQ(x.device()(2, 1), 5);
  EXPECT_FALSE(x.device_needs_sync());
  x.sync_device();
  EXPECT_EQ(copies, before + 1);
  x.modify_device();
  x.device()(0, 0) = 7;
  EXPECT_TRUE(x.host_needs_sync());
  x.sync_host();
  EXPECT_EQ(x.host()(0, 0), 7);
  EXPECT_EQ(x.host()(2, 1), 5);
  EXPECT_EQ(copies, before + 2);
}

TEST(DualView, ALostChangeIsAnError) {
  const Far x("x", 3, 2);
  const Far same = x;  // shares the record
  x.modify_host();
  x.modify_host();
  try {
    same.modify_device();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("DualView 'x': kernels would modify it"), 0U) << error.what();
  }
  x.sync_device();
  same.modify_device();
  EXPECT_THROW(x.modify_host(), Error);
  x.sync_host();
  EXPECT_NO_THROW(x.modify_host());
}

// Where both sides are the same memory, the same mistakes are found.
TEST(DualView, OnAHostIsOneArray) {
  const DualView<int*, HostSpace> x("x", 4);
  EXPECT_EQ(x.host().data(), x.device().data());
  x.modify_host();
  x.host()(3) = 1;
  EXPECT_THROW(x.modify_device(), Error);
  x.sync_device();
  EXPECT_EQ(x.device()(3), 1);
  EXPECT_NO_THROW(x.modify_device());
}

TEST(DualView, OfAnExistingArray) {
  const View<double**, LayoutRight, FarSpace> device("old", 2, 2);
  device(1, 1) = 3;
  const Far x(device);
  EXPECT_EQ(x.label(), "old");
  EXPECT_THROW(x.modify_host(), Error);
  x.sync_host();
  EXPECT_EQ(x.host()(1, 1), 3);
  const Far none;
  EXPECT_FALSE(none.host_needs_sync() || none.device().is_allocated());
}

}  // namespace dual_view_test
}  // namespace trellis
