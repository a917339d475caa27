// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/parallel_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trellis/comm/detail/plain_file.hpp"
#include "trellis/comm/detail/ranks.hpp"
#include "trellis/core/base/uninterrupted.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {

namespace {

// The bytes of the complete field. Throws unless the data a rank passes match its block.
std::uint64_t bytes_of_field(const std::string& file, std::size_t bytes_per_site, const Block& block,
                             std::size_t given) {
  std::uint64_t field = bytes_per_site;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    field *= std::uint64_t(block.lattice[mu]);
    if (block.origin[mu] < 0 || block.extents[mu] < 1 || block.origin[mu] + block.extents[mu] > block.lattice[mu])
      fail("{}: a block from {} of extents {} is not inside the lattice {}", file, to_string(block.origin),
           to_string(block.extents), to_string(block.lattice));
  }
  if (given != block.sites() * bytes_per_site)
    fail("{}: a block has {} bytes, but {} were given", file, block.sites() * bytes_per_site, given);
  return field;
}

}  // namespace

std::unique_ptr<detail::SharedFile> detail::open_file(const Communicator& ranks, const std::filesystem::path& path,
                                                      bool write) {
  if (!ranks.ranks()) return std::make_unique<PlainFile>(path, write);
  return ranks.ranks()->open(path, write);
}

struct ParallelFile::State {
  Communicator ranks;
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::unique_ptr<detail::SharedFile> file;  // null if closed

  detail::SharedFile& opened() const {
    if (!file) fail("{}: the file is closed", path.string());
    return *file;
  }
  void require_inside(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes || count > bytes - offset)
      fail("{}: bytes {} to {} were requested, but the file has {}", path.string(), offset, offset + count, bytes);
  }
  // Throws unless the data a rank passes match its block, and the field is inside the file.
  void require_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block, std::size_t given) const {
    require_inside(offset, bytes_of_field(path.string(), bytes_per_site, block, given));
  }
};

namespace {

[[noreturn]] void fail_errno(const std::filesystem::path& path, const char* what) {
  fail("{}: {}: {}", path.string(), what, std::strerror(errno));
}

// One rank checks, since it can tell what is wrong better than MPI can.
std::uint64_t size_of(const std::filesystem::path& path) {
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (descriptor < 0) fail_errno(path, "cannot open the file");
  struct stat status{};
  const bool known = ::fstat(descriptor, &status) == 0;
  ::close(descriptor);
  if (!known || !S_ISREG(status.st_mode)) fail("{}: is not a regular file", path.string());
  return std::uint64_t(status.st_size);
}

void make(const std::filesystem::path& path, std::uint64_t bytes) {
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
  if (descriptor < 0) fail_errno(path, "cannot create the file");
  const auto size = static_cast<off_t>(bytes);
  bool made = uninterrupted([&] { return ::ftruncate(descriptor, 0); }) == 0;
  if (made && bytes > 0 && uninterrupted([&] { return ::fallocate(descriptor, 0, 0, size); }) != 0)
    made =
        (errno == EOPNOTSUPP || errno == ENOSYS) && uninterrupted([&] { return ::ftruncate(descriptor, size); }) == 0;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (!made) fail("{}: cannot reserve {} bytes: {}", path.string(), bytes, std::strerror(errno));
}

}  // namespace

void hand_out_block(const Communicator& ranks, std::size_t bytes_per_site, const Block& block,
                    std::span<const std::byte> bytes, const KeepPiece& keep) {
  together(ranks, "hand out a field", [&] { bytes_of_field("a field", bytes_per_site, block, bytes.size()); });
  together(ranks, "hand out a field", [&] {
    if (ranks.ranks()) return ranks.ranks()->hand_out(bytes_per_site, block, bytes, keep);
    detail::for_each_run(block, [&](std::uint64_t in_lattice, std::uint64_t in_block, std::uint64_t sites) {
      keep(in_lattice * bytes_per_site, bytes.subspan(in_block * bytes_per_site, sites * bytes_per_site));
    });
  });
}

ParallelFile::ParallelFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParallelFile::ParallelFile(ParallelFile&&) noexcept = default;
ParallelFile& ParallelFile::operator=(ParallelFile&&) noexcept = default;

ParallelFile::~ParallelFile() = default;

ParallelFile ParallelFile::open(const Communicator& ranks, const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  state->ranks = ranks;
  state->path = path;
  together(ranks, "open a file", [&] {
    if (ranks.is_first()) state->bytes = size_of(path);
  });
  ranks.broadcast("open a file", std::as_writable_bytes(std::span(&state->bytes, 1)));
  together(ranks, "open a file", [&] { state->file = detail::open_file(ranks, path, false); });
  return ParallelFile(std::move(state));
}

ParallelFile ParallelFile::create(const Communicator& ranks, const std::filesystem::path& path, std::uint64_t bytes) {
  auto state = std::make_unique<State>();
  state->ranks = ranks;
  state->path = path;
  state->bytes = bytes;
  together(ranks, "create a file", [&] {
    if (ranks.is_first()) make(path, bytes);
  });
  together(ranks, "create a file", [&] { state->file = detail::open_file(ranks, path, true); });
  return ParallelFile(std::move(state));
}

const std::filesystem::path& ParallelFile::path() const { return state_->path; }
std::uint64_t ParallelFile::bytes() const { return state_->bytes; }

void ParallelFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  state_->require_inside(offset, bytes.size());
  state_->opened().read_at(offset, bytes);
}

void ParallelFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  state_->require_inside(offset, bytes.size());
  state_->opened().write_at(offset, bytes);
}

void ParallelFile::read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                              std::span<std::byte> bytes) const {
  auto& file = state_->opened();
  const auto& ranks = state_->ranks;
  together(ranks, "read a field", [&] { state_->require_block(offset, bytes_per_site, block, bytes.size()); });
  together(ranks, "read a field", [&] { file.read_block(offset, bytes_per_site, block, bytes); });
}

void ParallelFile::write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                               std::span<const std::byte> bytes) {
  auto& file = state_->opened();
  const auto& ranks = state_->ranks;
  together(ranks, "write a field", [&] { state_->require_block(offset, bytes_per_site, block, bytes.size()); });
  together(ranks, "write a field", [&] { file.write_block(offset, bytes_per_site, block, bytes); });
}

void ParallelFile::sync() {
  auto& file = state_->opened();
  // Not before all have finished writing.
  state_->ranks.barrier("sync a file");
  together(state_->ranks, "sync a file", [&] { file.sync(); });
}

void ParallelFile::close() {
  auto& file = state_->opened();
  state_->ranks.barrier("close a file");
  together(state_->ranks, "close a file", [&] {
    const auto gone = std::move(state_->file);
    file.close();
  });
}

}  // namespace trellis::comm
