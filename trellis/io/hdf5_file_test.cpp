// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "trellis/core/error.hpp"

namespace trellis::io {
namespace {

class Hdf5FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("trellis_hdf5_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "data.h5";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_, file_;
};

TEST_F(Hdf5FileTest, WhatIsWrittenIsReadBack) {
  const std::vector<double> reals{1.0 / 3, -0.0, 5e-324, std::numeric_limits<double>::infinity(), 4, 5};
  const std::vector<std::int64_t> integers{1, -2, std::numeric_limits<std::int64_t>::max()};
  {
    auto out = Hdf5File::create(file_);
    out.write<double>("flow/energy", reals, {3, 2});
    out.write<std::int64_t>("trajectories", integers);
    out.write<double>("nothing", {});
    out.create_group("a/b");
    out.set_attribute("/", "version", std::string("0.1.0"));
    out.set_attribute("flow", "beta", 6.5);
    out.set_attribute("flow", "beta", 6.0);
    out.set_attribute("flow/energy", "steps", std::int64_t{7});
    EXPECT_FALSE(std::filesystem::exists(file_)) << "nothing is there before commit()";
    out.commit();
  }
  const auto in = Hdf5File::open(file_);
  const auto back = in.read<double>("flow/energy");
  ASSERT_EQ(back.size(), reals.size());
  EXPECT_EQ(std::memcmp(back.data(), reals.data(), sizeof(double) * reals.size()), 0);
  EXPECT_EQ(in.shape("flow/energy"), (Hdf5File::Shape{3, 2}));
  EXPECT_EQ(in.read<std::int64_t>("trajectories"), integers);
  EXPECT_TRUE(in.read<double>("nothing").empty());
  EXPECT_EQ(in.children(), (std::vector<std::string>{"a", "flow", "nothing", "trajectories"}));
  EXPECT_EQ(in.children("a"), (std::vector<std::string>{"b"}));
  EXPECT_EQ(std::get<std::string>(in.attribute("/", "version")), "0.1.0");
  EXPECT_EQ(std::get<double>(in.attribute("flow", "beta")), 6.0);
  EXPECT_EQ(std::get<std::int64_t>(in.attribute("flow/energy", "steps")), 7);
  EXPECT_TRUE(in.has("flow/energy"));
  EXPECT_FALSE(in.has("flow/charge"));
  EXPECT_FALSE(in.has("none/at/all"));
  EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(Hdf5FileTest, Appends) {
  {
    auto out = Hdf5File::create(file_);
    for (int i = 0; i < 10000; ++i) out.append<double>("g/history", std::vector<double>{i + 0.0, i + 0.5});
    EXPECT_THROW(out.append<double>("g/history", std::vector<double>{1}), Error);
    out.commit();
  }
  const auto in = Hdf5File::open(file_);
  EXPECT_EQ(in.shape("g/history"), (Hdf5File::Shape{10000, 2}));
  const auto values = in.read<double>("g/history");
  EXPECT_EQ(values[2 * 9999 + 1], 9999.5);
  EXPECT_EQ(values[2 * 5000], 5000);
}

TEST_F(Hdf5FileTest, WithoutCommitNothingStays) {
  Hdf5File::create(file_).write<double>("x", std::vector<double>{1});
  EXPECT_EQ(files_in_folder(), 0U);
}

TEST_F(Hdf5FileTest, ReplacesOnlyAtCommit) {
  for (const double x : {1.0, 2.0}) {
    auto out = Hdf5File::create(file_);
    out.write<double>("x", std::vector<double>{x});
    if (x == 2.0) {
      EXPECT_EQ(Hdf5File::open(file_).read<double>("x")[0], 1.0);
    }
    out.commit();
  }
  EXPECT_EQ(Hdf5File::open(file_).read<double>("x")[0], 2.0);
}

TEST_F(Hdf5FileTest, RefusesWhatDoesNotFit) {
  auto out = Hdf5File::create(file_);
  out.write<double>("x", std::vector<double>{1, 2});
  EXPECT_THROW(out.write<double>("x", std::vector<double>{1}), Error) << "is there already";
  EXPECT_THROW(out.write<double>("y", std::vector<double>{1, 2}, {3}), Error) << "wrong shape";
  EXPECT_THROW(out.read<std::int64_t>("x"), Error) << "wrong type";
  EXPECT_THROW(out.read<double>("z"), Error) << "not there";
  EXPECT_THROW(out.attribute("x", "none"), Error);
  EXPECT_THROW(out.set_attribute("none", "a", 1.0), Error);
  EXPECT_THROW(Hdf5File::create(file_), Error) << "being written already";
  out.commit();
  EXPECT_THROW(Hdf5File::open(file_).commit(), Error);
}

TEST_F(Hdf5FileTest, RefusesWhatIsNotHdf5) {
  EXPECT_THROW(Hdf5File::open(file_), Error);
  std::ofstream(file_) << "not HDF5";
  try {
    Hdf5File::open(file_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind(file_.string() + ": cannot open as HDF5: ", 0), 0U) << error.what();
  }
  EXPECT_THROW(Hdf5File::create(folder_ / "none" / "x.h5"), Error);
}

TEST_F(Hdf5FileTest, FindsAFlippedBit) {
  const std::vector<double> values(100, 0.71828);
  {
    auto out = Hdf5File::create(file_);
    out.write<double>("x", values);
    out.commit();
  }
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  auto bytes = text.str();
  const auto at = bytes.find(std::string(reinterpret_cast<const char*>(values.data()), 80));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 11] ^= 1;
  std::ofstream(file_, std::ios::binary) << bytes;
  EXPECT_THROW(Hdf5File::open(file_).read<double>("x"), Error);
}

}  // namespace
}  // namespace trellis::io
