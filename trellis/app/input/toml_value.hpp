// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A TOML document as plain data, and back to text. toml++ does the parsing; keys keep the file's order and positions.
//
// parse_toml throws InputError "name:line:column: ..." for anything that is not TOML 1.0, and "name:line: ..." for keys
// of more than 16 parts, whose tables would nest so deeply that walking through them overflows the stack.
// write_toml puts a table's plain keys before its sub-tables, writes numbers with the fewest digits that read back to
// the same bits (a real number always with a point or an exponent), and reads back to the same document.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trellis::app {

struct TomlPosition {
  int line = 0;  // from 1; 0: nowhere in a file
  int column = 0;
};

struct TomlValue;
struct TomlEntry;
using TomlArray = std::vector<TomlValue>;
using TomlEntries = std::vector<TomlEntry>;

// A date or a time. No key takes one; it is kept so that a message can mention it.
struct TomlDate {};

struct TomlValue {
  std::variant<bool, std::int64_t, double, std::string, TomlDate, TomlArray, TomlEntries> content;
  TomlPosition position;
};

struct TomlEntry {
  std::string key;
  TomlValue value;
  TomlPosition position;  // of the key
};

TomlEntries parse_toml(std::string_view text, const std::string& name);
std::string write_toml(const TomlEntries& document);

// For messages: at most this many bytes of a text, then "..."; never cuts a character in half.
inline constexpr std::size_t most_shown = 100;
std::string shortened(std::string_view text, std::size_t most = most_shown);

// For messages: `the string "abc"`, `the number 1.5`, `an array`, ...
std::string describe(const TomlValue& value);

// One plain value or array on one line, as in a file.
std::string write_toml_value(const TomlValue& value);

// "a.b[1].c" and its value as text, for every plain value of a document, in order: used to compare two inputs.
std::vector<std::pair<std::string, std::string>> flatten(const TomlEntries& document);

}  // namespace trellis::app
