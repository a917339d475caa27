// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the columns of all tables mean, for the description beside them (table_descriptions.hpp).

#include <string>

namespace trellis::app {

struct ColumnText {
  std::string what;   // "average of Re tr P / 3 over all plaquettes"
  std::string units;  // powers of the lattice spacing a, "s", ...; "1" for pure numbers; empty for texts
  enum class Type { real, integer, flag, text } type = Type::real;
};

// By a column's name, which may end in the name of a term, a flavour or two flavours. A column of an observable that
// a program added is described by the observable; what is unknown, by its name alone.
ColumnText column_text(const std::string& name);

// Whether column_text() knows more than the name.
bool is_known_column(const std::string& name);

}  // namespace trellis::app
