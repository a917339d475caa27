// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/reproduce/compare_results.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <span>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/hdf5_file.hpp"
#include "trellis/io/input_file.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// Rows with their numbers. Cells stay texts: numbers are written so that the same bits give the same digits.
struct TextTable {
  std::vector<std::string> columns;
  std::vector<std::pair<std::int64_t, std::vector<std::string>>> rows;
};

TextTable read_text_table(const fs::path& file, std::int64_t from, std::int64_t to) {
  auto all = io::read_csv_texts(file);
  TextTable table{.columns = std::move(all.columns), .rows = {}};
  for (auto& cells : all.rows)
    if (const auto number = std::strtoll(cells[0].c_str(), nullptr, 10); number >= from && number <= to)
      table.rows.emplace_back(number, std::move(cells));
  return table;
}

// A host compares other fingerprints than a GPU (hmc/certificate.hpp).
bool is_compared(const std::string& column) {
  return !column.starts_with("seconds") && column != "certified_fingerprints" && column != "tuning" && column != "file";
}

// A check of reversibility counts in these columns (trajectory_table.hpp), and changes no other.
bool counts_way_back(const std::string& column) {
  return column.starts_with("iterations_") || column.starts_with("largest_eigenvalue_");
}

// Empty where there is no such column.
std::string cell(const TextTable& table, std::size_t row, const std::string& column) {
  const auto found = std::ranges::find(table.columns, column);
  if (found == table.columns.end()) return "";
  return table.rows[row].second[static_cast<std::size_t>(found - table.columns.begin())];
}

// Whether reversibility was checked in this row.
bool went_back(const TextTable& table, std::size_t row) { return !cell(table, row, "reversibility_links").empty(); }

// Propagators that are read take no iterations, and their residual has the rounding of what was written.
bool counts_solves(const std::string& column) { return column == "hadron_iterations" || column == "hadron_residual"; }

// Of an HDF5 file: each array that has one row per configuration.
struct NumberedArrays {
  std::vector<std::int64_t> numbers;
  std::map<std::string, std::vector<double>> arrays;
};

bool counts_configurations(const io::Hdf5File& file, const std::string& array) {
  if (file.has_attribute(array, "DIMENSION_LABELS"))
    return std::get<std::vector<std::string>>(file.attribute(array, "DIMENSION_LABELS")).at(0) == "configuration";
  // Files of earlier versions.
  return !array.ends_with("/time") && !array.ends_with("/sources") && !array.ends_with("/momenta");
}

void collect_arrays(const io::Hdf5File& file, const std::string& group, const std::string& number,
                    NumberedArrays& found) {
  for (const auto& child : file.children(group)) {
    const auto name = group == "/" ? child : fmt::format("{}/{}", group, child);
    if (file.is_group(name))
      collect_arrays(file, name, number, found);
    else if (child == number)
      found.numbers = file.read<std::int64_t>(name);
    else if (counts_configurations(file, name))
      found.arrays.emplace(name, file.read<double>(name));
  }
}

NumberedArrays read_arrays(const fs::path& path, const std::string& number) {
  NumberedArrays found;
  collect_arrays(io::Hdf5File::open(path), "/", number, found);
  for (const auto& [name, values] : found.arrays)
    if (found.numbers.empty() || values.size() % found.numbers.size() != 0)
      fail("{}: {} has {} values for {} configurations", path.string(), name, values.size(), found.numbers.size());
  return found;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::span<const double> row_of(const std::vector<double>& values, std::size_t rows, std::size_t row) {
  const auto length = values.size() / rows;
  return std::span(values).subspan(row * length, length);
}

// The bytes of the links, in pieces.
struct LinkBytes {
  explicit LinkBytes(const fs::path& path) : file(path) {
    info = io::GaugeReader(path).info();
    const auto found = std::find_if(info.records.begin(), info.records.end(),
                                    [](const io::LimeRecord& r) { return r.type == "ildg-binary-data"; });
    if (found == info.records.end()) fail("{}: has no record ildg-binary-data", path.string());
    record = *found;
  }
  io::InputFile file;
  io::GaugeFileInfo info;
  io::LimeRecord record;
};

std::vector<std::byte> in_double_precision(std::span<const std::byte> singles) {
  std::vector<std::byte> doubles(2 * singles.size());
  for (std::size_t at = 0; at < singles.size(); at += sizeof(float))
    io::store(doubles.data() + 2 * at, double{io::load<float>(singles.data() + at, io::ByteOrder::big)},
              io::ByteOrder::big);
  return doubles;
}

// "site (0, 1, 2, 3), direction y" of the link that holds this byte.
std::string place_of(const io::GaugeFileInfo& info, std::uint64_t byte) {
  const std::uint64_t real = info.precision == Precision::double_ ? 8 : 4;
  const auto link = byte / (18 * real);
  auto site = link / 4;
  Coordinate x{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    x[mu] = static_cast<int>(site % static_cast<std::uint64_t>(info.size[mu]));
    site /= static_cast<std::uint64_t>(info.size[mu]);
  }
  return fmt::format("the link at site ({}, {}, {}, {}), direction {}", x[0], x[1], x[2], x[3], "xyzt"[link % 4]);
}

}  // namespace

FileComparison compare_tables(const fs::path& before, const fs::path& now, std::int64_t from, std::int64_t to,
                              bool kept_propagators) {
  FileComparison result{.file = before};
  const auto old = read_text_table(before, from, to);
  auto fresh = read_text_table(now, from, to);
  // What was not measured at that time is not compared.
  std::set<std::int64_t> numbers;
  for (const auto& [number, cells] : old.rows) numbers.insert(number);
  std::erase_if(fresh.rows, [&](const auto& row) { return !numbers.contains(row.first); });
  std::int64_t last = 0;
  for (std::size_t row = 0; row < old.rows.size(); ++row) {
    const auto& [number, cells] = old.rows[row];
    if (row >= fresh.rows.size() || fresh.rows[row].first != number) {
      result.first = {number, "the repetition has other rows"};
      return result;
    }
    const bool same_work = went_back(old, row) == went_back(fresh, row);
    const bool same_solves =
        !kept_propagators || cell(old, row, "hadron_iterations") == cell(fresh, row, "hadron_iterations");
    for (std::size_t c = 0; c < old.columns.size(); ++c) {
      const auto& name = old.columns[c];
      if (!same_solves && counts_solves(name)) continue;
      if (!same_work && counts_way_back(name)) continue;
      const auto same = std::find(fresh.columns.begin(), fresh.columns.end(), name);
      if (!is_compared(name) || same == fresh.columns.end()) continue;
      const auto& value = fresh.rows[row].second[static_cast<std::size_t>(same - fresh.columns.begin())];
      if (value == cells[c] || value.empty() || cells[c].empty()) continue;
      result.first = {number, fmt::format("{} is '{}', was '{}'", name, value, cells[c])};
      return result;
    }
    result.compared += number != last ? 1 : 0;
    last = number;
  }
  return result;
}

FileComparison compare_arrays(const fs::path& before, const fs::path& now, const std::string& number, std::int64_t from,
                              std::int64_t to) {
  FileComparison result{.file = before};
  const auto old = read_arrays(before, number), fresh = read_arrays(now, number);
  for (std::size_t row = 0; row < old.numbers.size(); ++row) {
    const auto n = old.numbers[row];
    if (n < from || n > to) continue;
    const auto found = std::find(fresh.numbers.begin(), fresh.numbers.end(), n);
    if (found == fresh.numbers.end()) {
      result.first = {n, "the repetition lacks it"};
      return result;
    }
    const auto other = static_cast<std::size_t>(found - fresh.numbers.begin());
    for (const auto& [name, values] : old.arrays) {
      const auto same = fresh.arrays.find(name);
      if (same == fresh.arrays.end()) continue;
      const auto a = row_of(values, old.numbers.size(), row), b = row_of(same->second, fresh.numbers.size(), other);
      const auto differs = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same_bits).first;
      const auto place = static_cast<std::size_t>(differs - a.begin());
      if (place == a.size() && place == b.size()) continue;
      result.first = {n, place < std::min(a.size(), b.size())
                             ? fmt::format("{}: value {} is {}, was {}", name, place, b[place], a[place])
                             : fmt::format("{}: has {} values, had {}", name, b.size(), a.size())};
      return result;
    }
    ++result.compared;
  }
  return result;
}

FileComparison compare_links(const fs::path& before, const fs::path& now, std::int64_t number) {
  FileComparison result{.file = before, .compared = 1};
  const LinkBytes old(before), fresh(now);
  const bool widened = old.info.precision == Precision::double_ && fresh.info.precision == Precision::single;
  if (old.info.size != fresh.info.size || old.record.length != (widened ? 2 : 1) * fresh.record.length) {
    result.first = {number, "record ildg-binary-data: another lattice or precision"};
    return result;
  }
  constexpr std::uint64_t piece = 1U << 20;
  std::vector<std::byte> a, b;
  for (std::uint64_t begin = 0; begin < old.record.length; begin += piece) {
    const auto length = static_cast<std::size_t>(std::min(piece, old.record.length - begin));
    a.resize(length);
    b.resize(widened ? length / 2 : length);
    old.file.read(old.record.offset + begin, a, "the links");
    fresh.file.read(fresh.record.offset + (widened ? begin / 2 : begin), b, "the links");
    if (widened) b = in_double_precision(b);
    const auto differs = std::mismatch(a.begin(), a.end(), b.begin()).first;
    if (differs == a.end()) continue;
    result.first = {number, "record ildg-binary-data: first in " +
                                place_of(old.info, begin + static_cast<std::uint64_t>(differs - a.begin()))};
    return result;
  }
  return result;
}

}  // namespace trellis::app
