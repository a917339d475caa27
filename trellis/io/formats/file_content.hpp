// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tells one configuration file from another, whatever their names: the checksums of links that its header states,
// "1c6a4dcf-6e2a4b0f"; where a format has none, the CRC-32 of the whole file, which is read for it.

#include <filesystem>
#include <string>

namespace trellis::io {

// Throws InputError for a file that cannot be read.
std::string content_of(const std::filesystem::path& file);

}  // namespace trellis::io
