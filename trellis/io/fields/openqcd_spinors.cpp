// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/fields/openqcd_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/files_under_way.hpp"
#include "trellis/io/formats/packed_links.hpp"

namespace trellis::io {
namespace {

constexpr int spinor_reals = 24;
constexpr std::uint64_t spinor_bytes = 8 * spinor_reals;
constexpr std::uint64_t short_header = 24, long_header = 28;  // the latter since openQCD 2.4
constexpr int most_extent = 16384;                            // below the numbers that files of MILC begin with
constexpr std::int64_t squared_sites_a_task = 64;

std::int32_t header_number(const InputFile& file, std::size_t n, ByteOrder order) {
  std::array<std::byte, 4> word{};
  file.read(4 * n, word, "the header of an openQCD file");
  return load<std::int32_t>(word.data(), order);
}

// The extents, if they are even and not large.
std::optional<Coordinate> extents_in(const InputFile& file, ByteOrder order) {
  if (file.size() < short_header) return std::nullopt;
  Coordinate size{};
  for (std::size_t n = 0; n < 4; ++n) {
    const auto extent = header_number(file, n, order);
    if (extent < 2 || extent > most_extent || extent % 2 != 0) return std::nullopt;
    size[(n + 3) % 4] = extent;
  }
  return volume(size) ? std::optional(size) : std::nullopt;
}

std::uint64_t bytes_of_spinors(const Coordinate& size) {
  return spinor_bytes * static_cast<std::uint64_t>(*volume(size));
}

// In openQCD 2.4 one parity only has a fifth integer, 1, and half of the spinors.
bool has_one_parity(const InputFile& file, const Coordinate& size, ByteOrder order) {
  return file.size() == long_header + bytes_of_spinors(size) / 2 && header_number(file, 4, order) == 1;
}

[[noreturn]] void wrong_length(const InputFile& file, const Coordinate& size) {
  const auto expected = short_header + bytes_of_spinors(size);
  if (file.size() == short_header + link_bytes(*volume(size), 3, Precision::double_))
    fail_input("{}: is a configuration of openQCD, expected a spinor field", file.name());
  fail_input(
      "{}: an openQCD spinor field on a {} lattice has {} bytes ({} as openQCD 2.4 writes it), but the file has {}: {}",
      file.name(), to_string(size), expected, expected + long_header - short_header, file.size(),
      file.size() < expected ? "it was cut off; copy or export it again"
                             : "it has more than a spinor field, or its header is damaged; copy or export it again");
}

// The field with x and z exchanged, so that its sites are numbered as in the file.
SiteNumbers in_order_of_file(const SiteNumbers& numbers) {
  auto turned = numbers;
  turned.own = with_z_first(numbers.own);
  turned.source = [source = numbers.source, extents = turned.own.extents](std::int64_t first, std::span<double> out) {
    for (std::size_t n = 0; n < out.size() / spinor_reals; ++n)
      source(with_x_fastest(first + static_cast<std::int64_t>(n), extents),
             out.subspan(n * spinor_reals, spinor_reals));
  };
  return turned;
}

double square_norm_of(const SiteNumbers& numbers) {
  const auto sites = static_cast<std::int64_t>(numbers.own.sites());
  ExactSum sum;
  std::mutex mutex;
  parallel_for({"square norm for file", double(sites) * spinor_bytes},
               RangePolicy<DefaultHostExecutionSpace>(0, (sites + squared_sites_a_task - 1) / squared_sites_a_task),
               [&](Index task) {
                 const auto first = task * squared_sites_a_task;
                 std::vector<double> some(std::size_t(std::min(squared_sites_a_task, sites - first)) * spinor_reals);
                 numbers.source(first, some);
                 ExactSum own;
                 add_squares(some, own);
                 const std::lock_guard lock(mutex);
                 sum.add(own);
               });
  numbers.ranks.add("square norm for a file", std::span(&sum, 1));
  return sum.value();
}

struct OpenqcdContents {
  std::array<std::byte, short_header> header{};
  PackedLinks numbers;
};

}  // namespace

comm::Block with_z_first(comm::Block block) {
  for (auto* const of : {&block.lattice, &block.origin, &block.extents}) std::swap((*of)[0], (*of)[2]);
  return block;
}

std::int64_t with_x_fastest(std::int64_t site, const Coordinate& exchanged) {
  const auto z = site % exchanged[0], zy = site / exchanged[0];
  const auto y = zy % exchanged[1], zyx = zy / exchanged[1];
  const auto x = zyx % exchanged[2], t = zyx / exchanged[2];
  return x + exchanged[2] * (y + exchanged[1] * (z + exchanged[0] * t));
}

void add_squares(std::span<const double> numbers, ExactSum& sum) {
  constexpr std::size_t width = 8;  // a spinor has three times as many
  ExactAccumulator<simd<double, width>> squares;
  alignas(64) double aligned[width];
  for (std::size_t k = 0; k < numbers.size(); k += width) {
    std::ranges::copy(numbers.subspan(k, width), aligned);
    const auto some = simd<double, width>::load(aligned);
    squares.add(some * some);
  }
  sum.add(squares);
}

double square_norm_tolerance(std::uint64_t sites, double square_norm) {
  return std::max(8 * std::sqrt(double(sites)), 128.0) * std::numeric_limits<double>::epsilon() * square_norm;
}

void write_openqcd_spinors(const std::filesystem::path& path, const FieldToWrite& field) {
  const auto& size = field.numbers.own.lattice;
  if (field.type != FieldType::spinor || field.count != 1)
    fail("{}: {} times '{}'; openQCD files have one spinor a site", path.string(), field.count,
         name_of(field.type).name);
  if (std::ranges::any_of(size, [](int extent) { return extent % 2 != 0 || extent > most_extent; }))
    fail("{}: the lattice is {}; openQCD's extents are even, up to {}", path.string(), to_string(size), most_extent);
  const auto contents = std::make_shared<OpenqcdContents>();
  contents->numbers = pack_links(in_order_of_file(field.numbers), Precision::double_, {}, ByteOrder::little);
  const double square_norm = square_norm_of(field.numbers);
  auto& header = contents->header;
  for (std::size_t n = 0; n < 4; ++n) store<std::int32_t>(header.data() + 4 * n, size[(n + 3) % 4], ByteOrder::little);
  store(header.data() + 16, square_norm, ByteOrder::little);
  FileBytes bytes;
  bytes.size = header.size() + bytes_of_spinors(size);
  const auto& ranks = field.numbers.ranks;
  if (ranks.is_first()) bytes.parts.push_back({0, header});
  for (const auto& piece : contents->numbers.pieces)
    bytes.parts.push_back({header.size() + piece.offset, piece.bytes()});
  bytes.owner = contents;
  FilesUnderWay files(ranks);
  files.start(path, std::move(bytes));
  files.finish();
}

bool begins_as_openqcd(const InputFile& file) {
  return extents_in(file, ByteOrder::little) || extents_in(file, ByteOrder::big);
}

bool holds_openqcd_spinors(const InputFile& file) {
  const auto size = extents_in(file, ByteOrder::little), swapped = extents_in(file, ByteOrder::big);
  if (!size && !swapped) return false;
  return file.size() - short_header < link_bytes(*volume(size ? *size : *swapped), 3, Precision::double_) / 2;
}

FieldFileInfo openqcd_spinor_file(const InputFile& file) {
  const auto size = extents_in(file, ByteOrder::little);
  if (!size)
    fail_input(
        "{}: its numbers are big-endian; openQCD's files are little-endian on any machine: export it again with "
        "openQCD",
        file.name());
  if (has_one_parity(file, *size, ByteOrder::little))
    fail_input("{}: has spinors on the sites of one parity, expected all sites: export it with eo = 0", file.name());
  const bool is_long = file.size() == long_header + bytes_of_spinors(*size);
  if (!is_long && file.size() != short_header + bytes_of_spinors(*size)) wrong_length(file, *size);
  if (is_long && header_number(file, 4, ByteOrder::little) != 0)
    fail_input("{}: the fifth number of the header is {}, expected 0 for a field on all sites", file.name(),
               header_number(file, 4, ByteOrder::little));

  FieldFileInfo info;
  info.format = "openQCD spinors:";
  info.size = *size;
  info.file_bytes = file.size();
  info.notes.emplace_back("spins are in openQCD's basis; this format has no checksum, only a square norm");
  FieldInfo field;
  field.type = FieldType::spinor;
  field.datatype = is_long ? "export_sfld of openQCD 2.4" : "export_sfld of openQCD";
  field.offset = is_long ? long_header : short_header;
  field.byte_order = ByteOrder::little;
  field.z_fastest = true;
  std::array<std::byte, 8> norm{};
  file.read(field.offset - norm.size(), norm, "the square norm");
  field.square_norm = load<double>(norm.data(), ByteOrder::little);
  if (!std::isfinite(*field.square_norm) || *field.square_norm < 0)
    fail_input(
        "{}: the square norm in the header is {}, expected a number from 0: the header is damaged; copy or export "
        "it again",
        file.name(), *field.square_norm);
  info.fields.push_back(std::move(field));
  return info;
}

}  // namespace trellis::io
