// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// ParallelFile by MPI-IO.
#include <algorithm>

#include "trellis/comm/mpi/ranks.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

namespace {

constexpr std::size_t largest_call = std::size_t(1) << 28;  // bytes

// A type that frees itself.
class Type {
 public:
  Type(const char* call, int code, MPI_Datatype made) : type_(made) {
    check(call, code);
    check("MPI_Type_commit", MPI_Type_commit(&type_));
  }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  MPI_Datatype operator*() const { return type_; }

 private:
  MPI_Datatype type_;
};

// Parts of a block, in its order, each of at most so many sites (or of one z).
std::vector<Block> slabs_of(const Block& block, std::uint64_t largest) {
  const auto plane = std::uint64_t(block.extents[0]) * std::uint64_t(block.extents[1]);
  const auto fitting = [&](std::uint64_t sites, int extent) {
    return int(std::clamp<std::uint64_t>(largest / sites, 1, std::uint64_t(extent)));
  };
  const int depth = fitting(plane, block.extents[2]);
  const int length = depth < block.extents[2] ? 1 : fitting(plane * std::uint64_t(depth), block.extents[3]);
  std::vector<Block> slabs;
  for (int t = 0; t < block.extents[3]; t += length) {
    for (int z = 0; z < block.extents[2]; z += depth) {
      auto slab = block;
      slab.origin[2] += z;
      slab.origin[3] += t;
      slab.extents[2] = std::min(depth, block.extents[2] - z);
      slab.extents[3] = std::min(length, block.extents[3] - t);
      slabs.push_back(slab);
    }
  }
  return slabs;
}

class MpiFile final : public SharedFile {
 public:
  MpiFile(const MpiRanks& ranks, const std::filesystem::path& path, bool write) : ranks_(ranks), path_(path) {
    const int mode = write ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
    require("MPI_File_open", MPI_File_open(ranks.collectives(), path.c_str(), mode, MPI_INFO_NULL, &file_));
  }

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) override {
    for (std::size_t begin = 0; begin < bytes.size(); begin += largest_call) {
      const auto part = bytes.subspan(begin, std::min(largest_call, bytes.size() - begin));
      MPI_Status status;
      require("MPI_File_read_at",
              MPI_File_read_at(file_, MPI_Offset(offset + begin), part.data(), int(part.size()), MPI_BYTE, &status));
      require_count(status, part.size());
    }
  }

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    for (std::size_t begin = 0; begin < bytes.size(); begin += largest_call) {
      const auto part = bytes.subspan(begin, std::min(largest_call, bytes.size() - begin));
      MPI_Status status;
      require("MPI_File_write_at",
              MPI_File_write_at(file_, MPI_Offset(offset + begin), part.data(), int(part.size()), MPI_BYTE, &status));
      require_count(status, part.size());
    }
  }

  void read_block(std::uint64_t offset, std::size_t bytes_a_site, const Block& block,
                  std::span<std::byte> bytes) override {
    by_slabs(offset, bytes_a_site, block, [&](std::size_t begin, int sites, MPI_Datatype site, MPI_Status* status) {
      require("MPI_File_read_at_all", MPI_File_read_at_all(file_, 0, bytes.data() + begin, sites, site, status));
    });
  }

  void write_block(std::uint64_t offset, std::size_t bytes_a_site, const Block& block,
                   std::span<const std::byte> bytes) override {
    by_slabs(offset, bytes_a_site, block, [&](std::size_t begin, int sites, MPI_Datatype site, MPI_Status* status) {
      require("MPI_File_write_at_all", MPI_File_write_at_all(file_, 0, bytes.data() + begin, sites, site, status));
    });
  }

  void sync() override { require("MPI_File_sync", MPI_File_sync(file_)); }

  void close() override { require("MPI_File_close", MPI_File_close(&file_)); }

 private:
  void require(const char* call, int code) const {
    if (code != MPI_SUCCESS) fail("{}: {} failed: {}", path_.string(), call, mpi_text(code));
  }

  void require_count(const MPI_Status& status, std::size_t bytes) const {
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (std::size_t(count) != bytes)
      fail("{}: {} bytes were read or written where {} were asked for", path_.string(), count, bytes);
  }

  // move(first byte, sites, type of a site, status) for each slab of the block, under a view of the file that has it.
  // All ranks make as many calls; a failure waits until they have.
  template <class F>
  void by_slabs(std::uint64_t offset, std::size_t bytes_a_site, const Block& block, const F& move) {
    const auto slabs = slabs_of(block, std::max<std::size_t>(1, largest_call / bytes_a_site));
    std::uint64_t calls = slabs.size();
    ranks_.reduce("a field's slabs", Reduction::largest, {&calls, 1});

    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int code = MPI_Type_contiguous(int(bytes_a_site), MPI_BYTE, &made);
    const Type site("MPI_Type_contiguous", code, made);
    std::string problem;
    std::size_t begin = 0;
    for (std::size_t call = 0; call < calls; ++call) {
      try {
        const bool mine = call < slabs.size();
        const auto& slab = slabs[mine ? call : 0];
        const int code_of_slab = MPI_Type_create_subarray(4, slab.lattice.data(), slab.extents.data(),
                                                          slab.origin.data(), MPI_ORDER_FORTRAN, *site, &made);
        const Type sites("MPI_Type_create_subarray", code_of_slab, made);
        require("MPI_File_set_view",
                MPI_File_set_view(file_, MPI_Offset(offset), *site, *sites, "native", MPI_INFO_NULL));
        MPI_Status status;
        move(begin, mine ? int(slab.sites()) : 0, *site, &status);
        if (!mine) continue;
        begin += slab.sites() * bytes_a_site;
        require_count(status, slab.sites() * bytes_a_site);
      } catch (const Error& error) {
        if (problem.empty()) problem = error.what();
      }
    }
    require("MPI_File_set_view", MPI_File_set_view(file_, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    if (!problem.empty()) fail("{}", problem);
  }

  const MpiRanks& ranks_;
  std::filesystem::path path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace

std::unique_ptr<SharedFile> MpiRanks::open(const std::filesystem::path& path, bool write) const {
  return std::make_unique<MpiFile>(*this, path, write);
}

}  // namespace trellis::comm::detail
