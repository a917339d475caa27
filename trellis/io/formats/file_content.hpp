// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Identifies the content of a configuration file, whatever its name: the checksums of links that its header states,
// "1c6a4dcf-6e2a4b0f"; if a format has none, the CRC-32 of the complete file, which is read for this.

#include <filesystem>
#include <string>

#include "trellis/io/gauge_reader.hpp"

namespace trellis::io {

// Throws InputError if the file cannot be read; options: the size, for formats that do not state it.
std::string content_of(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace trellis::io
