// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "trellis/core/error.hpp"

namespace {

// How many writes succeed before one fails, as on a full disk; if negative, none fails.
int writes_until_failure = -1;

bool fails_now() {
  if (writes_until_failure < 0 || writes_until_failure-- > 0) return false;
  errno = ENOSPC;
  return true;
}

}  // namespace

// Replaces the C library's function for the whole program, since libraries call it too.
extern "C" ssize_t write(int file, const void* data, std::size_t bytes) {
  return fails_now() ? -1 : ::syscall(SYS_write, file, data, bytes);
}
extern "C" ssize_t pwrite(int file, const void* data, std::size_t bytes, off_t offset) {
  return fails_now() ? -1 : ::syscall(SYS_pwrite64, file, data, bytes, offset);
}
extern "C" ssize_t pwrite64(int file, const void* data, std::size_t bytes, off64_t offset) {
  return fails_now() ? -1 : ::syscall(SYS_pwrite64, file, data, bytes, offset);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define TRELLIS_LEAKS_ARE_SOUGHT
#endif
#endif

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

TEST_F(Hdf5FileTest, AttributesMayBeListsAndLongTexts) {
  const std::string longer(200000, 'x');  // more than fits into an object's header
  const std::vector<std::string> texts{"configuration", "", "t"};
  const auto write = [&](const std::filesystem::path& file) {
    auto out = Hdf5File::create(file);
    out.create_group("group");
    out.set_attribute("/", "size", std::vector<std::int64_t>{4, 4, 4, 8});
    out.set_attribute("/", "masses", std::vector<double>{0.5});
    out.set_attribute("group", "names", texts);
    out.set_attribute("group", "input", longer);
    out.commit();
  };
  write(file_);
  const auto in = Hdf5File::open(file_);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(in.attribute("/", "size")), (std::vector<std::int64_t>{4, 4, 4, 8}));
  EXPECT_EQ(std::get<std::vector<double>>(in.attribute("/", "masses")), std::vector{0.5});
  EXPECT_EQ(std::get<std::vector<std::string>>(in.attribute("group", "names")), texts);
  EXPECT_EQ(std::get<std::string>(in.attribute("group", "input")), longer);
  EXPECT_TRUE(in.is_group("group"));
  EXPECT_FALSE(in.is_group("none"));
  write(folder_ / "again.h5");
  const auto bytes = [](const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  EXPECT_TRUE(bytes(file_) == bytes(folder_ / "again.h5"));
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

// A disk that is full for a moment: each single write fails once, and whatever the library does afterwards, the result
// is an error and the old file is kept.
TEST_F(Hdf5FileTest, AWriteThatFailsOnceIsAnErrorAndTheOldFileStays) {
  const std::vector<double> values(20000, 2.5);
  const auto write = [&](double x) {
    auto out = Hdf5File::create(file_);
    out.write<double>("x", std::vector<double>{x});
    out.write<double>("values", values);
    for (int i = 0; i < 3; ++i) out.append<double>("group/history", values);
    out.set_attribute("group", "x", x);
    out.commit();
  };
  write(1);
  int failed = 0;
  for (;; ++failed) {
    ASSERT_LT(failed, 1000);
    writes_until_failure = failed;
    bool refused = false;
    try {
      write(2);
    } catch (const Error&) {
      refused = true;
    }
    const bool was_injected = std::exchange(writes_until_failure, -1) < 0;
    if (!was_injected) break;
    EXPECT_TRUE(refused) << "write number " << failed;
    EXPECT_EQ(Hdf5File::open(file_).read<double>("x")[0], 1.0) << "write number " << failed;
    EXPECT_EQ(files_in_folder(), 1U) << "write number " << failed;
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 0);
  const auto in = Hdf5File::open(file_);
  EXPECT_EQ(in.read<double>("x")[0], 2.0);
  EXPECT_EQ(in.read<double>("values"), values);
  EXPECT_EQ(in.shape("group/history"), (Hdf5File::Shape{3, values.size()}));
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

// As other programs write them: addresses that count from a later byte, headers of any version, several pieces of one.
TEST_F(Hdf5FileTest, TextsOfOtherPrograms) {
  for (const bool newest : {false, true})
    for (const int attributes : {3, 60}) {
      const auto access = H5Pcreate(H5P_FILE_ACCESS), made = H5Pcreate(H5P_FILE_CREATE);
      if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
      H5Pset_userblock(made, 1024);
      H5Pset_attr_phase_change(made, 100, 50);
      const auto out = H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, made, access);
      const auto group_made = H5Pcreate(H5P_GROUP_CREATE);
      H5Pset_attr_creation_order(group_made, H5P_CRT_ORDER_TRACKED);
      H5Pset_attr_phase_change(group_made, 100, 50);
      const auto group = H5Gcreate2(out, "group", H5P_DEFAULT, group_made, H5P_DEFAULT);
      const auto type = H5Tcopy(H5T_C_S1), fixed = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
      H5Tset_size(type, H5T_VARIABLE);
      H5Tset_size(fixed, 8);
      const auto put = [&](hid_t owner, const std::string& name, hid_t stored, const void* data) {
        const auto attribute = H5Acreate2(owner, name.c_str(), stored, one, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(H5Awrite(attribute, stored, data), 0);
        H5Aclose(attribute);
      };
      const auto text_of = [](int n) { return "text " + std::to_string(n * n * n); };
      for (int n = 0; n < attributes; ++n)
        for (const auto owner : {out, group}) {
          const auto text = text_of(n);
          const char* pointer = text.c_str();
          put(owner, "a" + std::to_string(n), type, &pointer);
        }
      const char* none = nullptr;
      put(out, "none", type, &none);
      put(out, "fixed", fixed, "seven c");
      for (const auto id : {type, fixed}) H5Tclose(id);
      for (const auto id : {access, made, group_made}) H5Pclose(id);
      H5Sclose(one);
      H5Gclose(group);
      H5Fclose(out);
      const auto in = Hdf5File::open(file_);
      for (int n = 0; n < attributes; ++n)
        for (const auto* owner : {"/", "group"})
          EXPECT_EQ(std::get<std::string>(in.attribute(owner, "a" + std::to_string(n))), text_of(n)) << owner;
      EXPECT_EQ(std::get<std::string>(in.attribute("/", "none")), "");
      EXPECT_EQ(std::get<std::string>(in.attribute("/", "fixed")), "seven c");
    }
}

// The library (1.10.8) writes beyond its buffers where the lengths of texts do not fit: it is not asked for them.
TEST_F(Hdf5FileTest, DamagedTextsAreTextsOrErrors) {
  const std::vector<std::string> names{"configuration", "", "t"};
  {
    auto out = Hdf5File::create(file_);
    out.set_attribute("/", "program", std::string("a program"));
    out.set_attribute("/", "input", std::string(20, 'x'));
    out.set_attribute("/", "names", names);
    out.commit();
  }
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  const auto bytes = text.str();
  const auto heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  const auto end = bytes.find("configuration", heap) + 64;
  std::vector<std::size_t> places;
  for (auto at = heap; at < end; ++at) places.push_back(at);
  // Also where the attributes refer to the heap: the length, 9 for "a program", and its address.
  const std::string reference = std::string("\x09\0\0\0", 4) + [&] {
    std::string address(8, '\0');
    std::memcpy(address.data(), &heap, 8);
    return address;
  }();
  const auto refers = bytes.find(reference);
  ASSERT_NE(refers, std::string::npos);
  for (std::size_t n = 0; n < 16; ++n) places.push_back(refers + n);
  int errors = 0;
  for (const auto at : places)
    for (const int value : {0, 127, 255, bytes[at] ^ 1, bytes[at] ^ 128}) {
      auto damaged = bytes;
      damaged[at] = static_cast<char>(value);
      std::ofstream(file_, std::ios::binary) << damaged;
      const auto in = Hdf5File::open(file_);
      for (const auto* name : {"program", "input", "names"}) {
        try {
          static_cast<void>(in.attribute("/", name));
        } catch (const Error& error) {
          EXPECT_EQ(std::string(error.what()).find(file_.string() + ": /@" + name + ": is damaged: "), 0U)
              << error.what();
          ++errors;
        }
      }
    }
  EXPECT_GT(errors, 100);
}

// The library (1.10.8) frees what it never had where one of the attributes that it lists cannot be read, and reads
// beyond numbers whose type is damaged.
TEST_F(Hdf5FileTest, DamagedAttributesAreListedOrErrors) {
  {
    auto out = Hdf5File::create(file_);
    out.set_attribute("/", "title", std::string("a title"));
    out.set_attribute("/", "count", std::int64_t{3});
    out.set_attribute("/", "masses", std::vector{0.5, 0.25});
    out.commit();
  }
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  const auto bytes = text.str();
  const auto begin = bytes.find("title") - 16, end = bytes.find("masses") + 80;
  ASSERT_LT(begin, end);
  int listed = 0, refused = 0, types_refused = 0;
  for (auto at = begin; at < end; ++at)
    for (const std::string& damage : {std::string(1, '\0'), std::string(1, '\2'), std::string(1, '\377'),
                                      std::string(1, char(bytes[at] ^ 8)), std::string("\2\0\0\0", 4)}) {
      auto damaged = bytes;
      damaged.replace(at, damage.size(), damage);
      std::ofstream(file_, std::ios::binary) << damaged;
      try {
        const auto in = Hdf5File::open(file_);
        for (const auto& name : in.attribute_names("/")) {
          ++listed;
          static_cast<void>(in.attribute("/", name));
        }
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find(file_.string() + ": "), 0U) << error.what();
        if (std::string(error.what()).find("a type that is not read, or that is damaged") != std::string::npos)
          ++types_refused;
      }
    }
  EXPECT_GT(listed, 100);
  EXPECT_GT(refused, 100);
  EXPECT_GT(types_refused, 10);
}

TEST_F(Hdf5FileTest, DamagedShapesAreErrors) {
  {
    auto out = Hdf5File::create(file_);
    out.write<double>("x", std::vector<double>(6, 0.5), {2, 3});
    out.set_attribute("/", "list", std::vector<double>(5, 0.25));
    out.commit();
  }
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  const auto bytes = text.str();
  const auto number = [](std::uint64_t n) {
    std::string all(8, '\0');
    std::memcpy(all.data(), &n, 8);
    return all;
  };
  const auto damaged = [&](const std::string& before, const std::string& after) {
    auto all = bytes;
    const auto at = all.find(before);
    EXPECT_NE(at, std::string::npos);
    std::ofstream(file_, std::ios::binary) << all.replace(at, after.size(), after);
    return Hdf5File::open(file_);
  };
  for (const std::uint64_t extent : {std::uint64_t{1} << 40, ~std::uint64_t{0} / 2}) {
    EXPECT_THROW(damaged(number(2) + number(3), number(extent)).read<double>("x"), Error) << extent;
    EXPECT_THROW(static_cast<void>(damaged(number(5), number(extent)).attribute("/", "list")), Error) << extent;
  }
}

// The library (1.10.8) divides by extents of chunks, and follows shared messages where there are none. It leaks some
// bytes of a header that it refuses itself.
TEST_F(Hdf5FileTest, DamagedHeadersOfArraysAreErrors) {
#if defined(TRELLIS_LEAKS_ARE_SOUGHT)
  const __lsan::ScopedDisabler of_the_library;
#endif
  {
    auto out = Hdf5File::create(file_);
    out.write<double>("group/x", std::vector<double>(6, 0.5), {2, 3});
    out.commit();
  }
  std::ostringstream text;
  text << std::ifstream(file_, std::ios::binary).rdbuf();
  const auto bytes = text.str();
  const auto end = bytes.find("fletcher32") + 80, begin = end - 300;
  int refused = 0;
  for (auto at = begin; at < end; ++at)
    for (const int value : {0, 1, 2, 8}) {
      auto damaged = bytes;
      damaged[at] = static_cast<char>(value);
      std::ofstream(file_, std::ios::binary) << damaged;
      try {
        const auto in = Hdf5File::open(file_);
        static_cast<void>(in.has_attribute("group/x", "none"));
        static_cast<void>(in.attribute_names("group/x"));
        static_cast<void>(in.read<double>("group/x"));
      } catch (const Error&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 50);
}

TEST_F(Hdf5FileTest, ManyAttributesAreListed) {
  const auto access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);  // keeps more than 8 in a heap
  const auto out = H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const auto one = H5Screate(H5S_SCALAR);
  std::vector<std::string> names;
  for (int n = 10; n < 30; ++n) {
    names.push_back("a" + std::to_string(n));
    const auto attribute = H5Acreate2(out, names.back().c_str(), H5T_STD_I32BE, one, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT, &n), 0);
    H5Aclose(attribute);
  }
  H5Sclose(one);
  H5Pclose(access);
  H5Fclose(out);
  const auto in = Hdf5File::open(file_);
  EXPECT_EQ(in.attribute_names("/"), names);
  EXPECT_EQ(std::get<std::int64_t>(in.attribute("/", "a17")), 17);
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
