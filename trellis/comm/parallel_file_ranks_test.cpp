// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <random>

#include "trellis/comm/parallel_file.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    folder_ = ranks.broadcast("folder", (fs::temp_directory_path() / ("trellis_ranks_" + std::to_string(::getpid()))));
    if (ranks.is_first()) fs::create_directories(folder_);
    ranks.barrier("folder");
  }
  ~Files() override {
    ranks.barrier("folder");
    if (ranks.is_first()) fs::remove_all(folder_);
  }

  const Communicator ranks = Communicator::world();
  const int rank = ranks.rank(), size = ranks.size();
  fs::path folder_;

  std::string error(const std::function<void()>& f) const {
    try {
      f();
    } catch (const Error& caught) {
      return caught.what();
    }
    return "";
  }

  // Blocks of different extents: t is divided as equally as possible, then z.
  Block block_of(const Coordinate& lattice, int of) const {
    const int parts_of_t = size % 2 == 0 ? size / 2 : size, parts_of_z = size / parts_of_t;
    const auto piece = [](int extent, int parts, int i) {
      const int begin = extent * i / parts;
      return std::pair(begin, extent * (i + 1) / parts - begin);
    };
    const auto [t, nt] = piece(lattice[3], parts_of_t, of / parts_of_z);
    const auto [z, nz] = piece(lattice[2], parts_of_z, of % parts_of_z);
    return {lattice, {0, 0, z, t}, {lattice[0], lattice[1], nz, nt}};
  }
};

std::vector<std::byte> random_bytes(std::size_t n, unsigned seed) {
  std::mt19937_64 numbers(seed);
  std::vector<std::byte> bytes(n);
  for (auto& byte : bytes) byte = std::byte(numbers());
  return bytes;
}

// The bytes of a block within a field of the complete lattice, by plain loops.
std::vector<std::byte> cut(const std::vector<std::byte>& field, std::size_t bytes_per_site, const Block& b) {
  std::vector<std::byte> bytes;
  for (int t = b.origin[3]; t < b.origin[3] + b.extents[3]; ++t)
    for (int z = b.origin[2]; z < b.origin[2] + b.extents[2]; ++z)
      for (int y = b.origin[1]; y < b.origin[1] + b.extents[1]; ++y)
        for (int x = b.origin[0]; x < b.origin[0] + b.extents[0]; ++x) {
          const auto site = std::size_t(x + b.lattice[0] * (y + b.lattice[1] * (z + b.lattice[2] * t)));
          const auto begin = field.begin() + std::ptrdiff_t(site * bytes_per_site);
          bytes.insert(bytes.end(), begin, begin + std::ptrdiff_t(bytes_per_site));
        }
  return bytes;
}

std::vector<std::byte> all_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST_F(Files, HoldFieldsOfAllRanks) {
  const Coordinate lattice{6, 4, 10, 16};
  constexpr std::size_t bytes_per_site = 72, offset = 1234;
  const auto field = random_bytes(bytes_per_site * 6 * 4 * 10 * 16, 1), header = random_bytes(offset, 2);
  const auto block = block_of(lattice, rank);
  const auto mine = cut(field, bytes_per_site, block);
  const auto path = folder_ / "field";

  // A longer file that existed before leaves no traces.
  if (ranks.is_first()) std::ofstream(path) << std::string(1000000, 'x');
  ranks.barrier("old file");
  auto file = ParallelFile::create(ranks, path, offset + field.size() + 5);
  EXPECT_EQ(file.bytes(), offset + field.size() + 5);
  if (ranks.is_first()) file.write_at(0, header);
  file.write_block(offset, bytes_per_site, block, mine);
  if (rank == size - 1) file.write_at(offset + field.size(), std::as_bytes(std::span("tail!", 5)));
  file.sync();
  std::vector<std::byte> back(mine.size());
  file.read_block(offset, bytes_per_site, block, back);
  EXPECT_EQ(back, mine);
  file.close();

  auto expected = header;
  expected.insert(expected.end(), field.begin(), field.end());
  for (const char c : std::string("tail!")) expected.push_back(std::byte(c));
  EXPECT_TRUE(all_of(path) == expected);

  // Read back in other blocks, and by each rank alone.
  const auto in = ParallelFile::open(ranks, path);
  EXPECT_EQ(in.bytes(), expected.size());
  const auto other = block_of(lattice, size - 1 - rank);
  std::vector<std::byte> theirs(other.sites() * bytes_per_site);
  in.read_block(offset, bytes_per_site, other, theirs);
  EXPECT_EQ(theirs, cut(field, bytes_per_site, other));
  // All ranks read the same block, cut in every direction.
  const Block inner{lattice, {1, 1, 2, 3}, {4, 2, 5, 7}};
  std::vector<std::byte> part(inner.sites() * bytes_per_site);
  in.read_block(offset, bytes_per_site, inner, part);
  EXPECT_EQ(part, cut(field, bytes_per_site, inner));
  std::vector<std::byte> some(100);
  const auto at = std::size_t(777 * (rank + 1));
  in.read_at(at, some);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), expected.begin() + std::ptrdiff_t(at)));
}

// A block that does not fit into memory is read in parts, each of which covers only some of the lattice.
TEST_F(Files, HoldFieldsThatComeInParts) {
  const Coordinate lattice{4, 6, 4, 16};
  constexpr std::size_t bytes_per_site = 40, offset = 17;
  const auto field = random_bytes(bytes_per_site * 4 * 6 * 4 * 16, 4);
  const auto path = folder_ / "parts";
  auto file = ParallelFile::create(ranks, path, offset + field.size());
  const auto whole = block_of(lattice, rank);
  for (int y = 0; y < lattice[1]; y += 2) {
    auto part = whole;
    part.origin[1] = y;
    part.extents[1] = 2;
    const auto mine = cut(field, bytes_per_site, part);
    file.write_block(offset, bytes_per_site, part, mine);
    file.sync();
    std::vector<std::byte> back(mine.size());
    file.read_block(offset, bytes_per_site, part, back);
    EXPECT_EQ(back, mine);
  }
  file.close();
  auto found = all_of(path);
  found.erase(found.begin(), found.begin() + offset);
  EXPECT_TRUE(found == field);
  if (size == 1) return;
  auto again = ParallelFile::create(ranks, folder_ / "twice", field.size());
  const auto first = block_of(lattice, 0);
  EXPECT_NE(error([&] {
              again.write_block(0, bytes_per_site, first, cut(field, bytes_per_site, first));
            }).find("the ranks' blocks have sites in common"),
            std::string::npos);
}

TEST_F(Files, SayWhatIsWrongOnAllRanks) {
  const auto missing = folder_ / "missing";
  EXPECT_EQ(error([&] { ParallelFile::open(ranks, missing); }),
            fmt::format("{}{}: cannot open the file: No such file or directory",
                        size == 1 ? "" : "rank 0: ", missing.string()));
  EXPECT_NE(error([&] { ParallelFile::open(ranks, folder_); }).find("is not a regular file"), std::string::npos);
  EXPECT_NE(error([&] { ParallelFile::create(ranks, folder_ / "no" / "file", 10); }).find("cannot create the file"),
            std::string::npos);
  EXPECT_NE(
      error([&] { ParallelFile::create(ranks, folder_ / "huge", std::uint64_t(1) << 60); }).find("cannot reserve"),
      std::string::npos);

  const Coordinate lattice{2, 2, 2, 16};
  auto file = ParallelFile::create(ranks, folder_ / "small", 8 * 128 - 1);
  auto block = block_of(lattice, rank);
  std::vector<std::byte> bytes(block.sites() * 8);
  EXPECT_NE(error([&] { file.write_block(0, 8, block, bytes); }).find("the file has 1023"), std::string::npos);
  // An error on one rank is an error on all.
  if (rank == size - 1) block.origin[3] += 1;
  EXPECT_NE(error([&] {
              file.write_block(0, 7, block, std::span(bytes).first(block.sites() * 7));
            }).find("is not inside the lattice 2x2x2x16"),
            std::string::npos);
  EXPECT_NE(error([&] { file.read_at(1000, std::span(bytes).first(24)); }), "");
  file.close();
  EXPECT_NE(error([&] { file.sync(); }).find("the file is closed"), std::string::npos);

  // A file that is truncated after it was opened.
  {
    auto cut_file = ParallelFile::create(ranks, folder_ / "cut", 8 * 128);
    ranks.barrier("cut");
    if (ranks.is_first()) fs::resize_file(folder_ / "cut", 100);
    ranks.barrier("cut");
    EXPECT_NE(error([&] { cut_file.read_block(0, 8, block_of(lattice, rank), bytes); }), "");
    // And again: after an error all ranks are in a consistent state.
    EXPECT_NE(error([&] { cut_file.read_block(0, 8, block_of(lattice, rank), bytes); }), "");
    cut_file.write_block(0, 8, block_of(lattice, rank), bytes);
    cut_file.sync();
    EXPECT_EQ(error([&] { cut_file.read_block(0, 8, block_of(lattice, rank), bytes); }), "");
  }
}

// A file system that accepts no more: like a full disk, if space could not be reserved.
TEST_F(Files, AreErrorsWhenTheyCannotBeWritten) {
  const Coordinate lattice{4, 4, 64, 16};
  constexpr std::size_t bytes_per_site = 1024;  // 16 MiB, so that up to four ranks write
  const auto block = block_of(lattice, rank);
  const std::vector<std::byte> bytes(block.sites() * bytes_per_site, std::byte{1});
  auto file = ParallelFile::create(ranks, folder_ / "full", 4 * 4 * 64 * 16 * bytes_per_site);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit all{};
  ::getrlimit(RLIMIT_FSIZE, &all);
  const rlimit few{9 << 20, all.rlim_max};
  ranks.barrier("limit");
  ::setrlimit(RLIMIT_FSIZE, &few);
  const auto complaint = error([&] { file.write_block(0, bytes_per_site, block, bytes); });
  const auto no_room = error([&] { ParallelFile::create(ranks, folder_ / "fuller", 10 << 20); });
  ::setrlimit(RLIMIT_FSIZE, &all);
  std::signal(SIGXFSZ, before);
  EXPECT_NE(complaint.find("full"), std::string::npos) << complaint;
  EXPECT_NE(no_room.find("fuller: cannot reserve 10485760 bytes: File too large"), std::string::npos) << no_room;
  EXPECT_EQ(error([&] { file.write_block(0, bytes_per_site, block, bytes); }), "");
}

// One rank has no file descriptor left: all ranks report it, and none waits.
TEST_F(Files, AreErrorsOnAllRanksWhenOneCannotOpenThem) {
  {
    ParallelFile::create(ranks, folder_ / "some", 100);
  }
  rlimit all{};
  ::getrlimit(RLIMIT_NOFILE, &all);
  const auto with_none_on_the_last = [&](const std::function<void()>& f) {
    const rlimit none{0, all.rlim_max};
    if (rank == size - 1) ::setrlimit(RLIMIT_NOFILE, &none);
    auto complaint = error(f);
    ::setrlimit(RLIMIT_NOFILE, &all);
    return complaint;
  };
  const auto opened = with_none_on_the_last([&] { ParallelFile::open(ranks, folder_ / "some"); });
  EXPECT_NE(opened.find("some: "), std::string::npos) << opened;
  EXPECT_NE(opened.find("cannot open the file: Too many open files"), std::string::npos) << opened;
  EXPECT_NE(with_none_on_the_last([&] { ParallelFile::create(ranks, folder_ / "more", 100); }), "");
  EXPECT_EQ(error([&] { ParallelFile::open(ranks, folder_ / "some"); }), "");
}

// The folder contains nothing but the requested file.
TEST_F(Files, LeaveNothingBehind) {
  {
    auto file = ParallelFile::create(ranks, folder_ / "one", 100);
    file.write_at(std::uint64_t(rank), random_bytes(1, 3));
  }
  ranks.barrier("closed");
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) files += entry.path().filename() == "one" ? 1 : 100;
  EXPECT_EQ(files, 1);
}

}  // namespace
}  // namespace trellis::comm
