// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Descriptions of machines as TOML, which `trellis bench machine` writes and `trellis plan` reads; docs/manual.md has
// the keys. Reading is as strict as that of inputs (toml_reader.hpp), and what is written reads back the same.

#include <filesystem>
#include <string>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/bench/model/machine_description.hpp"

namespace trellis::app {

bench::MachineDescription read_machine_file(const std::filesystem::path& file);
// From text; `name` stands for the file.
bench::MachineDescription parse_machine_file(const std::string& text, const std::string& name);

// With every default explicit.
TomlEntries resolved_machine_file(const std::string& text, const std::string& name);

// `origin`: a comment at the top, where the numbers are from.
std::string machine_file_text(const bench::MachineDescription& machine, const std::string& origin);

}  // namespace trellis::app
