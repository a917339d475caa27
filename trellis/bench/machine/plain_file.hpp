// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a disk can do with one file, in pieces of 8 MiB: write() to a new file until fsync() and close() have returned,
// and read() of a file that is not in memory. Each returns its seconds, and throws Error naming the file.

#include <cstddef>
#include <filesystem>
#include <span>

namespace trellis::bench {

double write_plainly(const std::filesystem::path& file, std::span<const std::byte> bytes);
// Drops the file from the system's memory first, as far as the system allows. `into` has the file's size.
double read_plainly(const std::filesystem::path& file, std::span<std::byte> into);
void drop_from_memory(const std::filesystem::path& file);

}  // namespace trellis::bench
