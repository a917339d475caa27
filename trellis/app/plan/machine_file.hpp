// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Machine descriptions as TOML, written by `trellis bench machine` and read by `trellis plan`; docs/manual.md lists the
// keys. They are read as strictly as inputs (toml_reader.hpp), and what is written reads back the same.

#include <filesystem>
#include <string>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/bench/model/machine_description.hpp"

namespace trellis::app {

bench::MachineDescription read_machine_file(const std::filesystem::path& file);
// From text; `name` is what messages call the file.
bench::MachineDescription parse_machine_file(const std::string& text, const std::string& name);

// With every default explicit.
TomlEntries resolved_machine_file(const std::string& text, const std::string& name);

// `origin`: a comment at the top that says where the numbers come from.
std::string machine_file_text(const bench::MachineDescription& machine, const std::string& origin);

}  // namespace trellis::app
