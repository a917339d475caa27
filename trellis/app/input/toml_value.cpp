// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/toml_value.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TomlPosition at(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

TomlValue convert(const toml::node& node);

TomlEntries convert_table(const toml::table& table) {
  TomlEntries entries;
  for (const auto& [key, node] : table) entries.push_back({std::string(key.str()), convert(node), at(key.source())});
  // toml++ sorts by name; we keep the order of the file.
  std::sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
    return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
  });
  return entries;
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.position = at(node.source());
  if (const auto* flag = node.as_boolean()) {
    value.content = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    value.content = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.content = real->get();
  } else if (const auto* text = node.as_string()) {
    value.content = text->get();
  } else if (const auto* array = node.as_array()) {
    TomlArray elements;
    for (const auto& element : *array) elements.push_back(convert(element));
    value.content = std::move(elements);
  } else if (const auto* table = node.as_table()) {
    value.content = convert_table(*table);
  } else {
    value.content = TomlDate{};
  }
  return value;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\u{:04X}", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

std::string real_text(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  auto text = fmt::format("{}", x);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string key_text(std::string_view key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? std::string(key) : toml_string(key);
}

// Counts dots outside of strings since the last character that can precede or follow a key.
void refuse_long_keys(std::string_view text, const std::string& name) {
  constexpr int most_parts = 16;
  int line = 1, dots = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      dots = 0;
      quote = 0;
    } else if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {  // up to the end of the line
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '.') {
      if (++dots >= most_parts) fail_input("{}:{}: a key of more than {} parts", name, line, most_parts);
    } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
}

bool is_table(const TomlValue& value) { return std::holds_alternative<TomlEntries>(value.content); }

bool is_array_of_tables(const TomlValue& value) {
  const auto* array = std::get_if<TomlArray>(&value.content);
  return array != nullptr && !array->empty() && std::all_of(array->begin(), array->end(), is_table);
}

void write_table(const TomlEntries& table, const std::string& path, std::string& out) {
  for (const auto& [key, value, position] : table) {
    if (!is_table(value) && !is_array_of_tables(value)) out += key_text(key) + " = " + write_toml_value(value) + "\n";
  }
  for (const auto& [key, value, position] : table) {
    const auto inner = path.empty() ? key_text(key) : path + "." + key_text(key);
    const auto section = [&](const TomlValue& entries, const char* open, const char* close) {
      out += fmt::format("{}{}{}{}\n", out.empty() ? "" : "\n", open, inner, close);
      write_table(std::get<TomlEntries>(entries.content), inner, out);
    };
    if (is_table(value)) section(value, "[", "]");
    if (is_array_of_tables(value)) {
      for (const auto& element : std::get<TomlArray>(value.content)) section(element, "[[", "]]");
    }
  }
}

void flatten_value(const TomlValue& value, const std::string& path,
                   std::vector<std::pair<std::string, std::string>>& out) {
  if (const auto* table = std::get_if<TomlEntries>(&value.content)) {
    for (const auto& entry : *table) flatten_value(entry.value, path.empty() ? entry.key : path + "." + entry.key, out);
  } else if (is_array_of_tables(value)) {
    const auto& array = std::get<TomlArray>(value.content);
    for (std::size_t i = 0; i < array.size(); ++i) flatten_value(array[i], fmt::format("{}[{}]", path, i), out);
  } else {
    out.emplace_back(path, write_toml_value(value));
  }
}

}  // namespace

TomlEntries parse_toml(std::string_view text, const std::string& name) {
  refuse_long_keys(text, name);
  try {
    return convert_table(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const auto position = at(error.source());
    fail_input("{}:{}:{}: this is not TOML: {}", name, position.line, position.column,
               shortened(error.description(), 300));
  }
}

std::string write_toml(const TomlEntries& document) {
  std::string out;
  write_table(document, "", out);
  return out;
}

std::string write_toml_value(const TomlValue& value) {
  const auto list = [](const auto& items, auto&& text) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
    return out;
  };
  if (const auto* flag = std::get_if<bool>(&value.content)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value.content)) return real_text(*real);
  if (const auto* text = std::get_if<std::string>(&value.content)) return toml_string(*text);
  if (const auto* array = std::get_if<TomlArray>(&value.content))
    return fmt::format("[{}]", list(*array, write_toml_value));
  if (const auto* table = std::get_if<TomlEntries>(&value.content)) {
    return fmt::format("{{ {} }}", list(*table, [](const TomlEntry& entry) {
                         return fmt::format("{} = {}", key_text(entry.key), write_toml_value(entry.value));
                       }));
  }
  fail("a date or time cannot be written as an input value");
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  auto end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string describe(const TomlValue& value) {
  if (std::holds_alternative<bool>(value.content)) return "the flag " + write_toml_value(value);
  if (std::holds_alternative<std::int64_t>(value.content)) return "the integer " + write_toml_value(value);
  if (std::holds_alternative<double>(value.content)) return "the number " + write_toml_value(value);
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    return "the string " + toml_string(shortened(*text, 60));
  }
  if (const auto* array = std::get_if<TomlArray>(&value.content)) {
    return array->size() == 1 ? "an array of 1 value" : fmt::format("an array of {} values", array->size());
  }
  if (is_table(value)) return "a table";
  return "a date or time";
}

std::vector<std::pair<std::string, std::string>> flatten(const TomlEntries& document) {
  std::vector<std::pair<std::string, std::string>> out;
  flatten_value({document, {}}, "", out);
  return out;
}

}  // namespace trellis::app
