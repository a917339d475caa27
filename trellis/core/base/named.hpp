// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables of things that a user chooses by name: each entry has a member `name`, and no two have the same.
//
//   const auto& action = named("gauge action", gauge::named_actions(), "iwasaki");
//
// All code that reads, prints or checks such a name uses the table, so that a new entry is a line there and nowhere
// else.

#include <string>
#include <string_view>
#include <vector>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis {

// An entry that is a name and nothing else: of an enumerator, say.
template <class Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

// The name of a value that is in the table.
template <class Table, class Value>
constexpr std::string_view name_in(const Table& table, Value value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.name;
  return "?";
}

// The entry with that name; throws InputError that lists the known ones if there is none. what: "gauge action".
template <class Table>
const auto& named(std::string_view what, const Table& table, std::string_view name) {
  for (const auto& entry : table)
    if (entry.name == name) return entry;
  fail_input("unknown {} '{}'; known are {}", what, name, joined(names_of(table), ", "));
}

}  // namespace trellis
