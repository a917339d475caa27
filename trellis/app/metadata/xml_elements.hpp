// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Elements that hold a text or a number, and those that several parts of QCDml have in common.

#include <fmt/format.h>

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace trellis::app {

inline void add(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).text().set(text.c_str());
}
// Numbers with the fewest digits that read back as the same.
template <class Number>
  requires std::is_arithmetic_v<Number>
void add(pugi::xml_node parent, const char* name, Number number) {
  add(parent, name, fmt::format("{}", number));
}
// Nothing for an empty text.
inline void add_if(pugi::xml_node parent, const char* name, const std::string& text) {
  if (!text.empty()) add(parent, name, text);
}

// Where the ILDG explains an element.
inline std::string action_glossary(std::string_view element) {
  return fmt::format("http://www.lqcd.org/ildg/actionGlossaries/{}.pdf", element);
}

// Periodic in space.
inline void add_boundary(pugi::xml_node field, const char* in_time) {
  auto boundary = field.append_child("boundaryCondition");
  for (const char* direction : {"x", "y", "z"}) add(boundary, direction, "periodic");
  add(boundary, "t", in_time);
}

}  // namespace trellis::app
