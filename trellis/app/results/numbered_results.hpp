// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of many configurations in memory, by number; FlowFile and HadronFile keep them on disk.
// Value: the results of one configuration; add_numbers(rows, value) adds them to a check.

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::app {

template <class Value, void (*add_numbers)(io::CheckedRows&, const Value&)>
class NumberedResults {
 public:
  // To be written. What was read counts as changed, so that parts of a file that nobody reads are repaired as well.
  Value& operator[](std::int64_t number) {
    changed_ = true;
    return values_[number];
  }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  bool empty() const { return values_.empty(); }
  std::int64_t last() const { return values_.empty() ? 0 : values_.rbegin()->first; }  // the largest number

  io::CheckedRows rows() const { return first_rows(values_.size()); }
  // Drops what follows the rows of `saved`; throws, naming the file, unless those rows are as they were saved.
  void go_back_to(const io::CheckedRows& saved, const std::filesystem::path& file) {
    io::require_same(file, first_rows(saved.rows), saved);
    values_.erase(std::next(values_.begin(), static_cast<std::ptrdiff_t>(saved.rows)), values_.end());
  }
  // Drops what is numbered above `last`.
  void drop_after(std::int64_t last) {
    const auto first = values_.upper_bound(last);
    if (first == values_.end()) return;
    values_.erase(first, values_.end());
    changed_ = true;
  }
  // True if something has changed since the last call.
  bool take_changed() { return std::exchange(changed_, false); }

  // The check of all numbers is an attribute of the file's group; files of earlier versions lack it.
  void set_check(io::Hdf5File& file, const char* group) const {
    file.set_attribute(group, "check", std::int64_t{rows().crc});
  }
  void require_check(const io::Hdf5File& file, const char* group, const std::filesystem::path& path) const {
    if (file.has_attribute(group, "check") &&
        file.attribute(group, "check") != io::Hdf5File::Attribute(std::int64_t{rows().crc}))
      fail("{}: is damaged: its numbers do not match their checksum", path.string());
  }

 private:
  io::CheckedRows first_rows(std::uint64_t count) const {
    io::CheckedRows found;
    for (const auto& [number, value] : values_) {
      if (found.rows == count) break;
      ++found.rows;
      found.add(&number, sizeof number);
      add_numbers(found, value);
    }
    return found;
  }

  std::map<std::int64_t, Value> values_;
  bool changed_ = false;
};

}  // namespace trellis::app
