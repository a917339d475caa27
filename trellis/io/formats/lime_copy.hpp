// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A LIME file again, with another logical file name: ILDG wants the record ildg-data-lfn of a file to be the name under
// which its metadata know it.

#include <filesystem>
#include <string>

namespace trellis::io {

// Every record with its type, flags and data, but `name` in ildg-data-lfn, which is put before ildg-binary-data if it
// is not there. Memory: a few MiB. Throws InputError for an input that is not a LIME file or is the output, Error as
// AtomicFile does.
void copy_with_logical_file_name(const std::filesystem::path& in, const std::filesystem::path& out,
                                 const std::string& name);

}  // namespace trellis::io
