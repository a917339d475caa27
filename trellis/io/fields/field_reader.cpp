// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/field_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "trellis/comm/together.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"
#include "trellis/io/formats/field_links.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::io {
namespace {

constexpr std::int64_t field_sites_a_task = 64;

// Results for some sites; parts may be added in any order.
struct FieldChecks {
  ScidacChecksum checksum;
  ExactSum square_norm;
  FieldReport found;

  void add_numbers(const FieldInfo& field, std::span<const double> numbers) {
    bool finite = true;
    double largest = 0;
    for (const double number : numbers) {
      finite = finite && std::isfinite(number);
      if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    }
    found.non_finite += !finite;
    found.zero += finite && largest == 0;
    found.largest = std::max(found.largest, largest);
    if (field.square_norm) add_squares(numbers, square_norm);
    if (field.type != FieldType::colour_matrix) return;
    for (std::size_t k = 0; k < numbers.size(); k += 18) {
      Matrix u;
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(k), 18, u.begin());
      if (const double unitarity = examine(u).unitarity; std::isfinite(unitarity))
        found.unitarity = std::max(found.unitarity, unitarity);
    }
  }

  void add(const FieldChecks& part) {
    checksum.a ^= part.checksum.a;
    checksum.b ^= part.checksum.b;
    square_norm.add(part.square_norm);
    found.non_finite += part.found.non_finite;
    found.zero += part.found.zero;
    found.largest = std::max(found.largest, part.found.largest);
    found.unitarity = std::max(found.unitarity, part.found.unitarity);
  }

  void join(const comm::Communicator& ranks) {
    std::uint64_t sums[] = {checksum.a, checksum.b};
    ranks.bitwise_xor("checksums of a field", sums);
    checksum = {static_cast<std::uint32_t>(sums[0]), static_cast<std::uint32_t>(sums[1])};
    std::uint64_t counts[] = {static_cast<std::uint64_t>(found.non_finite), static_cast<std::uint64_t>(found.zero)};
    ranks.sum("sites of a field", counts);
    ranks.add("square norm of a field", std::span(&square_norm, 1));
    found.non_finite = static_cast<std::int64_t>(counts[0]);
    found.zero = static_cast<std::int64_t>(counts[1]);
    double most[] = {found.largest, found.unitarity};
    ranks.maximum("numbers of a field", most);
    found.largest = most[0];
    found.unitarity = most[1];
  }

  FieldReport report(const FieldInfo& field, std::uint64_t sites) const {
    auto report = found;
    if (field.square_norm)
      report.square_norm =
          SquareNormResult{*field.square_norm, square_norm.value(), square_norm_tolerance(sites, *field.square_norm)};
    for (const auto& claim : field.checksums)
      report.checksums.push_back({claim.kind, claim.value, claim.kind == "scidac a" ? checksum.a : checksum.b});
    return report;
  }
};

void decode(const FieldInfo& field, std::span<const std::byte> bytes, std::span<double> numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = field.precision == Precision::single ? double(load<float>(bytes.data() + 4 * k, field.byte_order))
                                                      : load<double>(bytes.data() + 8 * k, field.byte_order);
}

// SciDAC's checksums are those of big-endian numbers, in whatever order a file has them.
void add_to_checksum(const FieldInfo& field, std::int64_t site, std::span<const std::byte> bytes, ScidacChecksum& sum) {
  if (field.checksums.empty() || field.byte_order == ByteOrder::big) return sum.add(site, bytes.size(), bytes);
  std::vector<std::byte> swapped(bytes.begin(), bytes.end());
  const std::ptrdiff_t size = field.precision == Precision::single ? 4 : 8;
  for (auto number = swapped.begin(); number != swapped.end(); number += size) std::reverse(number, number + size);
  sum.add(site, swapped.size(), swapped);
}

// Through the library, which one thread at a time uses.
void read_pieces(const Hdf5File& file, const FieldInfo& field, const comm::Block& box, std::span<std::byte> raw) {
  auto shape = file.shape(field.array);
  Hdf5File::Shape first(shape.size(), 0);
  first[0] = field.place;
  shape[0] = 1;
  for (const std::size_t mu : {0, 1, 2, 3}) {
    first[4 - mu] = std::size_t(box.origin[mu]);
    shape[4 - mu] = std::size_t(box.extents[mu]);
  }
  file.read_block(field.array, first, shape, raw);
}

void read_sites(const FieldInfo& field, const comm::Block& box, std::span<const std::byte> raw, const SiteSink& sink,
                FieldChecks& checks) {
  const auto sites = static_cast<std::int64_t>(box.sites());
  const auto site_bytes = field.site_bytes();
  std::mutex mutex;
  parallel_for({"field from file", double(raw.size()) * 2},
               RangePolicy<DefaultHostExecutionSpace>(0, (sites + field_sites_a_task - 1) / field_sites_a_task),
               [&](Index task) {
                 FieldChecks own;
                 std::vector<double> numbers(static_cast<std::size_t>(field.reals()));
                 for (std::int64_t n = task * field_sites_a_task; n < std::min((task + 1) * field_sites_a_task, sites);
                      ++n) {
                   const auto bytes = raw.subspan(static_cast<std::size_t>(n) * site_bytes, site_bytes);
                   const auto site = site_in_lattice(box, n);
                   add_to_checksum(field, site, bytes, own.checksum);
                   decode(field, bytes, numbers);
                   own.add_numbers(field, numbers);
                   sink(field.z_fastest ? with_x_fastest(site, box.lattice) : site, numbers);
                 }
                 const std::lock_guard lock(mutex);
                 checks.add(own);
               });
}

}  // namespace

bool SquareNormResult::agrees() const { return std::abs(computed - claimed) <= tolerance; }

bool FieldReport::checksums_agree() const { return std::ranges::all_of(checksums, &ChecksumResult::agrees); }

FieldReader::FieldReader(const std::filesystem::path& path, const comm::Communicator& ranks)
    : path_(path), ranks_(ranks) {
  std::string found;
  comm::together(ranks, "open a file of fields", [&] {
    info_ = field_file(InputFile(path));
    found = fmt::format("{} bytes", info_.file_bytes);
    for (const auto& field : info_.fields)
      for (const auto& sum : field.checksums) found += fmt::format(", {:08x}", sum.value);
  });
  ranks.require_same("what the ranks find of a file", fmt::format("{}: {}", path.string(), found));
}

std::size_t FieldReader::find(FieldType type, int count) const {
  std::string there;
  for (std::size_t n = 0; n < info_.fields.size(); ++n) {
    const auto& field = info_.fields[n];
    if (field.type == type && field.count == count) return n;
    if (n < 3) there += fmt::format("{}{}", n == 0 ? "" : "; ", describe(field));
  }
  FieldInfo wanted;
  wanted.type = type;
  wanted.count = count;
  const auto text = describe(wanted);
  fail_input("{}: expected a field of {}, found {}", path_.string(), text.substr(0, text.find(',')), there);
}

FieldReport FieldReader::read(std::size_t number, const comm::Block& own, const SiteSink& sink, bool strict) const {
  const auto& field = info_.fields.at(number);
  if (own.lattice != info_.size)
    fail_input("{}: the lattice of the file is {}, expected {}", path_.string(), to_string(info_.size),
               to_string(own.lattice));
  FieldChecks checks;
  auto file = comm::ParallelFile::open(ranks_, path_);
  std::optional<Hdf5File> pieces;
  if (field.is_in_pieces) comm::together(ranks_, "open an HDF5 file", [&] { pieces = Hdf5File::open(path_); });
  std::vector<std::byte> raw;
  for_each_box(field.z_fastest ? with_z_first(own) : own, [&](std::int64_t, const comm::Block& box) {
    raw.resize(box.sites() * field.site_bytes());
    if (!pieces) file.read_block(field.offset, field.site_bytes(), box, raw);
    comm::together(ranks_, "numbers of a field", [&] {
      if (pieces) read_pieces(*pieces, field, box, raw);
      read_sites(field, box, raw, sink, checks);
    });
  });
  file.close();
  checks.join(ranks_);
  const auto report = checks.report(field, static_cast<std::uint64_t>(*volume(info_.size)));
  if (!strict) return report;
  for (const auto& c : report.checksums)
    if (!c.agrees())
      fail_input("{}: the data are damaged: checksum {} is {:08x}, expected {:08x} as the file states", path_.string(),
                 c.kind, c.computed, c.claimed);
  if (report.non_finite > 0)
    fail_input("{}: numbers of {} are NaN or infinity", path_.string(), plural(report.non_finite, "site"));
  if (report.square_norm && !report.square_norm->agrees())
    fail_input(
        "{}: the data are damaged, or they are no openQCD spinor field: the square norm is {:.17g}, expected {:.17g} "
        "as "
        "the file states; copy or export it again",
        path_.string(), report.square_norm->computed, report.square_norm->claimed);
  return report;
}

}  // namespace trellis::io
