// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/text.hpp"

#include <charconv>
#include <cmath>

namespace trellis::io {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
  auto s = trim(text);
  if (s.starts_with('+')) s.remove_prefix(1);
  T value{};
  const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (s.empty() || code != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

// Half a unit of the last digit printed: 0.5 10^(exponent - digits after the point).
double half_digit(std::string_view text) {
  const auto mark = text.find_first_of("eE");
  const auto exponent = mark == text.npos ? std::optional<int>(0) : parse_int(text.substr(mark + 1));
  const auto mantissa = text.substr(0, mark);
  const auto point = mantissa.find('.');
  const auto digits = point == mantissa.npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return 0.5 * std::pow(10.0, static_cast<double>(exponent.value_or(0)) - digits);
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank(" \t\r\n\0", 5);
  const auto first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string printable(std::string_view text) {
  std::string s(text.substr(0, 60));
  for (char& c : s) {
    if (c < ' ' || c > '~') c = '.';
  }
  if (text.size() > 60) s += "...";
  return s;
}

std::optional<int> parse_int(std::string_view text) { return parse_number<int>(text); }

std::optional<double> parse_double(std::string_view text) { return parse_number<double>(text); }

std::optional<Claim> parse_claim(std::string_view key, std::string_view text, double scale) {
  const auto value = parse_double(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  const auto digits = trim(text);
  // Adds the rounding error of our own sum to that of the last digit.
  return Claim{std::string(key), std::string(digits), *value * scale, (half_digit(digits) + 1e-13) * scale};
}

void parse_key_values(std::string_view text, std::vector<std::pair<std::string, std::string>>& header) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    const auto equals = line.find('=');
    if (equals == line.npos) continue;
    header.emplace_back(trim(line.substr(0, equals)), trim(line.substr(equals + 1)));
  }
}

const std::string* find_key(const std::vector<std::pair<std::string, std::string>>& header, std::string_view key) {
  for (const auto& [k, v] : header) {
    if (k == key) return &v;
  }
  return nullptr;
}

}  // namespace trellis::io
