// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/own_file.hpp"

#include "trellis/comm/detail/ranks.hpp"

namespace trellis::comm {

OwnFile::OwnFile(const Communicator& ranks, const std::filesystem::path& path)
    : file_(detail::open_file(ranks, path, true)) {}
OwnFile::OwnFile(OwnFile&&) noexcept = default;
OwnFile::~OwnFile() = default;

void OwnFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) { file_->write_at(offset, bytes); }
void OwnFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const { file_->read_at(offset, bytes); }
void OwnFile::start_writing(std::uint64_t offset, std::uint64_t bytes) { file_->start_writing(offset, bytes); }
void OwnFile::start_reading_back(std::uint64_t offset, std::uint64_t bytes) {
  file_->start_reading_back(offset, bytes);
}
void OwnFile::sync() { file_->sync(); }
void OwnFile::close() { file_->close(); }

}  // namespace trellis::comm
