// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Strict, typed reading of a TOML document. A key is known once it has been read: finish() refuses every key that
// nobody asked for. Every answer, given or default, is recorded; resolved() is the input with all defaults explicit,
// and reading that again gives the same answers and the same resolved().
//
//   Table root = Table::open("input.toml");
//   Table action = root.table("action");
//   double beta = action.real("beta", {.min = 0, .open = true});       // required
//   std::string name = action.choice("name", {"wilson", "symanzik"}, "wilson");   // with default
//   if (action.has("c1")) ...                                          // optional without default
//   root.finish();
//
// A Table is a handle: copies share the document. Errors are InputErrors that begin "file:line:column: a.b[1].c: " and
// say what was found and what was expected; for a typo in a key or a word, also the nearest known one.
// An integer is accepted where a real number is expected, and words that are chosen from a list whatever their case and
// with - for _, but not keys; nothing else is converted.

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/app/input/toml_value.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {

struct IntegerRange {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

// Finite numbers in [min, max], or in (min, max] when open.
struct RealRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open = false;
};

// The text of such a file; InputError if it cannot be read.
std::string read_toml_text(const std::filesystem::path& file);

class Table {
 public:
  // From a file; InputError if it cannot be read. From text; `name` is what messages call the file.
  static Table open(const std::filesystem::path& file);
  static Table parse(std::string_view text, std::string name);

  // True if the key is there. From now on it is a known key of this table.
  bool has(const std::string& key) const;

  // A value; the key is required if no default is given.
  bool flag(const std::string& key, std::optional<bool> fallback = {}) const;
  std::int64_t integer(const std::string& key, IntegerRange range, std::optional<std::int64_t> fallback = {}) const;
  double real(const std::string& key, RealRange range, std::optional<double> fallback = {}) const;
  std::string text(const std::string& key, std::optional<std::string> fallback = {}) const;
  // One of the allowed words; capitals and - for _ do not matter. Returns the allowed spelling. other: what the key
  // also takes, "an array of 4 integers", for messages.
  std::string choice(const std::string& key, const std::vector<std::string>& allowed,
                     std::optional<std::string> fallback = {}, const std::string& other = {}) const;

  // True if the value is a string, for keys that also accept other types.
  bool is_text(const std::string& key) const;

  // Exactly `count` integers; any number of integers, of rows of `count` integers, of reals, of texts, of different
  // allowed words.
  std::vector<std::int64_t> integers(const std::string& key, std::size_t count, IntegerRange range,
                                     std::optional<std::vector<std::int64_t>> fallback = {}) const;
  std::vector<std::int64_t> integer_list(const std::string& key, IntegerRange range,
                                         std::optional<std::vector<std::int64_t>> fallback = {}) const;
  std::vector<std::vector<std::int64_t>> integer_rows(
      const std::string& key, std::size_t count, IntegerRange range,
      std::optional<std::vector<std::vector<std::int64_t>>> fallback = {}) const;
  std::vector<double> reals(const std::string& key, RealRange range,
                            std::optional<std::vector<double>> fallback = {}) const;
  std::vector<std::string> texts(const std::string& key, std::optional<std::vector<std::string>> fallback = {}) const;
  std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& allowed,
                                   std::optional<std::vector<std::string>> fallback = {}) const;

  // What resolved() shows for a key instead of the words that were read: their expansion.
  void resolve_as(const std::string& key, const std::vector<std::string>& words) const;

  // [key], required; the same, but empty if missing, so that all its defaults apply; [[key]], at least one.
  Table table(const std::string& key) const;
  Table table_or_empty(const std::string& key) const;
  std::vector<Table> tables(const std::string& key) const;

  // The key is known, but not allowed here; `why` completes "not allowed ".
  void refuse(const std::string& key, std::string_view why) const;
  // Throws if the key is missing and an unknown one is so close that it must be a typo; for optional tables, so that
  // the typo is reported before some dependent check fails.
  void refuse_slip(const std::string& key) const;
  // "file:line:column: a.b[1].c", for messages about a value that is checked later; of the table if the key is not in
  // the file.
  std::string where(const std::string& key) const;
  // Throws for a key of this table, saying what is wrong with its value, or with the table if the key is not in the
  // file.
  template <class... Args>
  [[noreturn]] void wrong(const std::string& key, fmt::format_string<Args...> format, Args&&... args) const {
    throw_wrong(key, fmt::format(format, std::forward<Args>(args)...));
  }

  // Throws if anything in the whole document is unknown.
  void finish() const;
  // The same for this table alone, once all its keys have been read: a misspelt key is then reported before some
  // dependent check fails.
  void finish_section() const;
  // The whole document with the answers so far.
  TomlEntries resolved() const;

 private:
  struct Node;
  void refuse_unknown(const Node& top) const;
  struct Document;
  Table(std::shared_ptr<Document> document, Node* node) : document_(std::move(document)), node_(node) {}

  const TomlEntry* find(const std::string& key) const;
  [[noreturn]] void throw_wrong(const std::string& key, const std::string& message) const;
  [[noreturn]] void missing(const std::string& key, std::string_view what) const;
  // The entry of a key that must be `what`; null if it is missing and not required.
  const TomlEntry* ask(const std::string& key, bool required, std::string_view what) const;
  void answer(const std::string& key, TomlValue value) const;
  // `count` integers in the range; `expected` is for the message.
  std::vector<std::int64_t> row(const std::string& key, const TomlValue& value, std::size_t count, IntegerRange range,
                                const std::string& expected) const;

  std::shared_ptr<Document> document_;
  Node* node_;
};

}  // namespace trellis::app
