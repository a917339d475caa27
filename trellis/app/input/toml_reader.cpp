// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "trellis/app/input/nearest.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/joined.hpp"

namespace trellis::app {

// One table: its entries in the file, the keys that were asked for, and the answers.
struct Table::Node {
  TomlEntries found;
  TomlPosition position;
  std::string path;  // "algorithm.levels[1]"; empty for the root
  std::vector<std::string> known;
  TomlEntries plain;  // answers in the order of the questions
  struct Inner {
    std::string key;
    bool is_array;
    std::vector<std::unique_ptr<Node>> nodes;
  };
  std::vector<Inner> inner;

  std::string full(const std::string& key) const { return path.empty() ? shortened(key) : path + "." + shortened(key); }
  bool knows(const std::string& key) const { return std::find(known.begin(), known.end(), key) != known.end(); }

  TomlEntries resolved() const {
    TomlEntries out = plain;
    for (const auto& [key, is_array, nodes] : inner) {
      TomlArray elements;
      for (const auto& node : nodes) elements.push_back({node->resolved(), {}});
      out.push_back({key, is_array ? TomlValue{std::move(elements), {}} : elements.front(), {}});
    }
    return out;
  }
};

struct Table::Document {
  std::string name;
  Node root;
};

namespace {

std::string place(const std::string& name, TomlPosition position) {
  return position.line == 0 ? name : fmt::format("{}:{}:{}", name, position.line, position.column);
}

std::string expectation(IntegerRange range, std::string_view one) {
  const IntegerRange all;
  if (range.min == all.min && range.max == all.max) return std::string(one);
  if (range.max == all.max) return fmt::format("{} of at least {}", one, range.min);
  if (range.min == all.min) return fmt::format("{} of at most {}", one, range.max);
  return fmt::format("{} from {} to {}", one, range.min, range.max);
}

std::string expectation(RealRange range) {
  const bool below = std::isfinite(range.min), above = std::isfinite(range.max);
  if (!below && !above) return "a finite number";
  if (!above) return fmt::format("a number {} {}", range.open ? "above" : "of at least", range.min);
  if (!below) return fmt::format("a number of at most {}", range.max);
  return fmt::format("a number {} {} and at most {}", range.open ? "above" : "of at least", range.min, range.max);
}

bool inside(std::int64_t x, IntegerRange range) { return x >= range.min && x <= range.max; }

// The number, or an integer converted to one, if it is in the range.
std::optional<double> real_in(const TomlValue& value, RealRange range) {
  double x = 0;
  if (const auto* real = std::get_if<double>(&value.content)) {
    x = *real;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    x = static_cast<double>(*integer);
  } else {
    return {};
  }
  if (!std::isfinite(x) || x > range.max || (range.open ? x <= range.min : x < range.min)) return {};
  return x;
}

// The allowed word that equals the given one up to case and - for _.
const std::string* same_word(std::string_view given, const std::vector<std::string>& allowed) {
  for (const auto& word : allowed) {
    if (given.size() == word.size() && edit_distance(given, word) == 0) return &word;
  }
  return nullptr;
}

TomlArray as_array(const auto& items) {
  TomlArray out;
  for (const auto& item : items) out.push_back({item, {}});
  return out;
}

}  // namespace

Table Table::parse(std::string_view text, std::string name) {
  auto document = std::make_shared<Document>();
  document->root.found = parse_toml(text, name);
  document->name = std::move(name);
  Node* root = &document->root;
  return {std::move(document), root};
}

std::string read_toml_text(const std::filesystem::path& file) {
  std::error_code code;
  if (!std::filesystem::exists(file, code)) fail_input("{}: there is no such file", file.string());
  if (std::filesystem::is_directory(file, code)) fail_input("{}: is a folder; expected a TOML file", file.string());
  // It may be a device that never ends.
  constexpr std::size_t most = std::size_t(4) << 20;
  auto stream = input_stream(file);
  std::string text(most + 1, '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  if (!stream.is_open() || stream.bad()) fail_input("{}: cannot be read", file.string());
  text.resize(std::size_t(stream.gcount()));
  if (text.size() > most) fail_input("{}: has more than 4 MiB; expected a TOML file", file.string());
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    fail_input("{}: is empty; expected a TOML file, as those in examples/ are", file.string());
  return text;
}

Table Table::open(const std::filesystem::path& file) { return parse(read_toml_text(file), file.string()); }

const TomlEntry* Table::find(const std::string& key) const {
  for (const auto& entry : node_->found) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

bool Table::has(const std::string& key) const {
  if (!node_->knows(key)) node_->known.push_back(key);
  return find(key) != nullptr;
}

bool Table::is_text(const std::string& key) const {
  return has(key) && std::holds_alternative<std::string>(find(key)->value.content);
}

std::string Table::where(const std::string& key) const {
  const auto* entry = find(key);
  const auto position = entry != nullptr ? entry->value.position : node_->position;
  return fmt::format("{}: {}", place(document_->name, position), node_->full(key));
}

void Table::throw_wrong(const std::string& key, const std::string& message) const {
  fail_input("{}: {}", where(key), message);
}

void Table::refuse_slip(const std::string& key) const {
  if (find(key) != nullptr) return;
  for (const auto& entry : node_->found) {
    if (node_->knows(entry.key)) continue;
    if (const std::string wanted[] = {key}; !nearest(entry.key, wanted).empty()) {
      fail_input("{}: {}: unknown key; did you mean '{}'?", place(document_->name, entry.position),
                 node_->full(entry.key), key);
    }
  }
}

void Table::missing(const std::string& key, std::string_view what) const {
  refuse_slip(key);  // the likelier explanation
  fail_input("{}: {}: missing; expected {}", place(document_->name, node_->position), node_->full(key), what);
}

const TomlEntry* Table::ask(const std::string& key, bool required, std::string_view what) const {
  if (has(key)) return find(key);
  if (required) missing(key, what);
  return nullptr;
}

void Table::answer(const std::string& key, TomlValue value) const {
  for (auto& entry : node_->plain) {
    if (entry.key == key) {
      entry.value = std::move(value);
      return;
    }
  }
  node_->plain.push_back({key, std::move(value), {}});
}

bool Table::flag(const std::string& key, std::optional<bool> fallback) const {
  const auto* entry = ask(key, !fallback, "true or false");
  if (entry != nullptr && !std::holds_alternative<bool>(entry->value.content)) {
    wrong(key, "found {}, expected true or false", describe(entry->value));
  }
  const bool value = entry == nullptr ? *fallback : std::get<bool>(entry->value.content);
  answer(key, {value, {}});
  return value;
}

std::int64_t Table::integer(const std::string& key, IntegerRange range, std::optional<std::int64_t> fallback) const {
  const auto expected = expectation(range, "an integer");
  const auto* entry = ask(key, !fallback, expected);
  std::int64_t value = fallback.value_or(0);
  if (entry != nullptr) {
    const auto* integer = std::get_if<std::int64_t>(&entry->value.content);
    if (integer == nullptr || !inside(*integer, range)) {
      wrong(key, "found {}, expected {}", describe(entry->value), expected);
    }
    value = *integer;
  }
  answer(key, {value, {}});
  return value;
}

double Table::real(const std::string& key, RealRange range, std::optional<double> fallback) const {
  const auto expected = expectation(range);
  const auto* entry = ask(key, !fallback, expected);
  double value = fallback.value_or(0);
  if (entry != nullptr) {
    const auto given = real_in(entry->value, range);
    if (!given) wrong(key, "found {}, expected {}", describe(entry->value), expected);
    value = *given;
  }
  answer(key, {value, {}});
  return value;
}

std::string Table::text(const std::string& key, std::optional<std::string> fallback) const {
  const auto* entry = ask(key, !fallback, "a string");
  if (entry != nullptr && !std::holds_alternative<std::string>(entry->value.content)) {
    wrong(key, "found {}, expected a string", describe(entry->value));
  }
  auto value = entry == nullptr ? *fallback : std::get<std::string>(entry->value.content);
  answer(key, {value, {}});
  return value;
}

std::string Table::choice(const std::string& key, const std::vector<std::string>& allowed,
                          std::optional<std::string> fallback, const std::string& other) const {
  const auto expected = fmt::format("{}\"{}\"{}", allowed.size() == 1 ? "" : "one of ", joined(allowed, "\", \""),
                                    other.empty() ? "" : " or " + other);
  const auto* entry = ask(key, !fallback, expected);
  if (entry != nullptr) {
    const auto* given = std::get_if<std::string>(&entry->value.content);
    const auto* word = given == nullptr ? nullptr : same_word(*given, allowed);
    if (word == nullptr) {
      const auto near = given == nullptr ? "" : nearest(*given, allowed);
      wrong(key, "found {}, expected {}{}", describe(entry->value), expected,
            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
    }
    fallback = *word;
  }
  answer(key, {*fallback, {}});
  return *fallback;
}

std::vector<std::int64_t> Table::row(const std::string& key, const TomlValue& value, std::size_t count,
                                     IntegerRange range, const std::string& expected) const {
  const auto* array = std::get_if<TomlArray>(&value.content);
  if (array == nullptr || array->size() != count) wrong(key, "found {}, expected {}", describe(value), expected);
  std::vector<std::int64_t> numbers;
  for (const auto& element : *array) {
    const auto* integer = std::get_if<std::int64_t>(&element.content);
    if (integer == nullptr || !inside(*integer, range)) {
      wrong(key, "found {} in the array, expected {}", describe(element), expected);
    }
    numbers.push_back(*integer);
  }
  return numbers;
}

std::vector<std::int64_t> Table::integers(const std::string& key, std::size_t count, IntegerRange range,
                                          std::optional<std::vector<std::int64_t>> fallback) const {
  const auto expected = fmt::format("an array of {} integers, each {}", count, expectation(range, "one"));
  if (const auto* entry = ask(key, !fallback, expected); entry != nullptr)
    fallback = row(key, entry->value, count, range, expected);
  answer(key, {as_array(*fallback), {}});
  return *fallback;
}

std::vector<std::int64_t> Table::integer_list(const std::string& key, IntegerRange range,
                                              std::optional<std::vector<std::int64_t>> fallback) const {
  const auto expected = fmt::format("an array of integers, each {}", expectation(range, "one"));
  if (const auto* entry = ask(key, !fallback, expected); entry != nullptr) {
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    if (array == nullptr) wrong(key, "found {}, expected {}", describe(entry->value), expected);
    fallback = row(key, entry->value, array->size(), range, expected);
  }
  answer(key, {as_array(*fallback), {}});
  return *fallback;
}

std::vector<std::vector<std::int64_t>> Table::integer_rows(
    const std::string& key, std::size_t count, IntegerRange range,
    std::optional<std::vector<std::vector<std::int64_t>>> fallback) const {
  const auto expected = fmt::format("an array of arrays of {} integers, each {}", count, expectation(range, "one"));
  if (const auto* entry = ask(key, !fallback, expected); entry != nullptr) {
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    if (array == nullptr) wrong(key, "found {}, expected {}", describe(entry->value), expected);
    fallback.emplace();
    for (const auto& element : *array) fallback->push_back(row(key, element, count, range, expected));
  }
  TomlArray rows;
  for (const auto& one : *fallback) rows.push_back({as_array(one), {}});
  answer(key, {rows, {}});
  return *fallback;
}

std::vector<double> Table::reals(const std::string& key, RealRange range,
                                 std::optional<std::vector<double>> fallback) const {
  const auto expected = fmt::format("an array of numbers, each {}", expectation(range));
  if (const auto* entry = ask(key, !fallback, expected); entry != nullptr) {
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    if (array == nullptr) wrong(key, "found {}, expected {}", describe(entry->value), expected);
    fallback.emplace();
    for (const auto& element : *array) {
      const auto value = real_in(element, range);
      if (!value) wrong(key, "found {} in the array, expected {}", describe(element), expected);
      fallback->push_back(*value);
    }
  }
  answer(key, {as_array(*fallback), {}});
  return *fallback;
}

std::vector<std::string> Table::texts(const std::string& key, std::optional<std::vector<std::string>> fallback) const {
  if (const auto* entry = ask(key, !fallback, "an array of strings"); entry != nullptr) {
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    if (array == nullptr) wrong(key, "found {}, expected an array of strings", describe(entry->value));
    fallback.emplace();
    for (const auto& element : *array) {
      const auto* word = std::get_if<std::string>(&element.content);
      if (word == nullptr) wrong(key, "found {} in the array, expected a string", describe(element));
      fallback->push_back(*word);
    }
  }
  answer(key, {as_array(*fallback), {}});
  return *fallback;
}

std::vector<std::string> Table::choices(const std::string& key, const std::vector<std::string>& allowed,
                                        std::optional<std::vector<std::string>> fallback) const {
  auto words = texts(key, std::move(fallback));
  std::set<std::string> seen;
  for (auto& given : words) {
    const auto* word = same_word(given, allowed);
    if (word == nullptr) {
      const auto near = nearest(given, allowed);
      wrong(key, "found \"{}\" in the array, expected some of \"{}\"{}", shortened(given), joined(allowed, "\", \""),
            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
    }
    given = *word;
    if (!seen.insert(given).second) wrong(key, "\"{}\" is listed twice", given);
  }
  answer(key, {as_array(words), {}});
  return words;
}

void Table::resolve_as(const std::string& key, const std::vector<std::string>& words) const {
  answer(key, {as_array(words), {}});
}

Table Table::table_or_empty(const std::string& key) const {
  const auto* entry = ask(key, false, "a table");
  for (auto& inner : node_->inner) {
    if (inner.key == key) return {document_, inner.nodes.front().get()};
  }
  auto node = std::make_unique<Node>();
  node->path = node_->full(key);
  node->position = node_->position;
  if (entry != nullptr) {
    const auto* found = std::get_if<TomlEntries>(&entry->value.content);
    if (found == nullptr) wrong(key, "found {}, expected a table: [{}]", describe(entry->value), node->path);
    node->found = *found;
    node->position = entry->position;
  }
  Node* pointer = node.get();
  node_->inner.push_back({key, false, {}});
  node_->inner.back().nodes.push_back(std::move(node));
  return {document_, pointer};
}

Table Table::table(const std::string& key) const {
  ask(key, true, fmt::format("a table: [{}]", node_->full(key)));
  return table_or_empty(key);
}

std::vector<Table> Table::tables(const std::string& key) const {
  const auto expected = fmt::format("one or more tables: [[{}]]", node_->full(key));
  const auto* entry = ask(key, true, expected);
  const auto* array = std::get_if<TomlArray>(&entry->value.content);
  if (array == nullptr || array->empty()) wrong(key, "found {}, expected {}", describe(entry->value), expected);
  std::vector<Table> out;
  for (const auto& known : node_->inner)
    if (known.key == key) {
      for (const auto& node : known.nodes) out.push_back(Table(document_, node.get()));
      return out;
    }
  Node::Inner inner{key, true, {}};
  for (const auto& element : *array) {
    const auto* found = std::get_if<TomlEntries>(&element.content);
    if (found == nullptr) wrong(key, "found {} in the array, expected {}", describe(element), expected);
    auto node = std::make_unique<Node>();
    node->found = *found;
    node->position = element.position;
    node->path = fmt::format("{}[{}]", node_->full(key), inner.nodes.size());
    out.push_back(Table(document_, node.get()));
    inner.nodes.push_back(std::move(node));
  }
  node_->inner.push_back(std::move(inner));
  return out;
}

void Table::refuse(const std::string& key, std::string_view why) const {
  if (const auto* entry = find(key); entry != nullptr) {
    fail_input("{}: {}: not allowed {}", place(document_->name, entry->position), node_->full(key), why);
  }
}

void Table::finish() const { refuse_unknown(document_->root); }
void Table::finish_section() const { refuse_unknown(*node_); }

void Table::refuse_unknown(const Node& top) const {
  struct Unknown {
    const Node* node;
    const TomlEntry* entry;
  };
  std::vector<Unknown> unknown;
  std::vector<const Node*> all{&top};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& entry : all[i]->found) {
      if (!all[i]->knows(entry.key)) unknown.push_back({all[i], &entry});
    }
    for (const auto& inner : all[i]->inner) {
      for (const auto& node : inner.nodes) all.push_back(node.get());
    }
  }
  if (unknown.empty()) return;
  const auto [node, entry] = *std::min_element(unknown.begin(), unknown.end(), [](const auto& a, const auto& b) {
    const auto place_of = [](const Unknown& u) { return std::pair(u.entry->position.line, u.entry->position.column); };
    return place_of(a) < place_of(b);
  });

  auto hint = suggestion(entry->key, node->known);
  if (nearest(entry->key, node->known).empty()) {
    for (const auto* other : all) {
      if (other->knows(entry->key)) hint = fmt::format("; did you mean '{}'?", other->full(entry->key));
    }
  }
  const auto others = unknown.size() == 1 ? "" : fmt::format(" (unknown keys in all: {})", unknown.size());
  fail_input("{}: {}: unknown key{}{}", place(document_->name, entry->position), node->full(entry->key), hint, others);
}

TomlEntries Table::resolved() const { return document_->root.resolved(); }

}  // namespace trellis::app
