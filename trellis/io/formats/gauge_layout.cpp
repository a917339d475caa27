// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/gauge_layout.hpp"

#include <algorithm>
#include <array>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

std::string what_hdf5(const InputFile& file) {
  if (holds_hdf5_fields(file)) return "HDF5 with lattice fields";
  try {
    static_cast<void>(Hdf5File::open(file.path()));
  } catch (const Error& error) {
    return fmt::format("damaged HDF5 ({})", std::string_view(error.what()).substr(file.name().size() + 2));
  }
  return fmt::format("HDF5 without lattice fields (whose attribute 'format' is '{}'), such as results of a run",
                     hdf5_format_name);
}

// Files that are often taken for configurations, and what to do about them; empty for others.
std::string what_else(const InputFile& file, std::string_view start) {
  const auto begins = [&](std::string_view with) { return start.starts_with(with); };
  if (begins("magic_number"))
    return fmt::format("the text beside a MILC configuration; that is {}", file.path().stem().string());
  if (begins("\x89HDF")) return what_hdf5(file);
  if (begins("\x1f\x8b") || begins("BZh") ||
      begins("\xfd"
             "7zXZ") ||
      begins("\x28\xb5\x2f\xfd"))
    return "a compressed file; unpack it first";
  if (begins("[lattice]") || begins("[configurations]")) return "an input of `trellis run` or `trellis measure`";
  return {};
}

const FileFormat& recognise(const InputFile& file) {
  if (file.size() == 0) fail_input("{}: the file is empty", file.name());
  const auto start = file.text(0, std::min<std::uint64_t>(file.size(), 256), "the start of the file");
  const FileFormat* best = nullptr;
  auto highest = Likeness::none;
  for (const auto& format : file_formats()) {
    const auto likeness = format.match(file, start);
    if (likeness <= highest) continue;
    best = &format;
    highest = likeness;
  }
  if (best == nullptr && !what_else(file, start).empty())
    fail_input("{}: not a gauge configuration, but {}", file.name(), what_else(file, start));
  if (best == nullptr)
    fail_input("{}: not a gauge configuration of a known format ({}); it begins with '{}'", file.name(),
               joined(format_titles(), ", "), printable(start.substr(0, 16)));
  return *best;
}

}  // namespace

GaugeLayout find_layout(const InputFile& file, const ReadOptions& options) {
  const auto& format = recognise(file);
  auto layout = format.layout(file, options);
  layout.format = &format;
  auto& info = layout.info;
  info.format = format.name;
  info.file_bytes = file.size();
  if (options.size && *options.size != info.size) {
    fail_input("{}: the lattice is {}, expected {}", file.name(), to_string(info.size), to_string(*options.size));
  }
  if (info.precision == Precision::single) allow_single_precision(info);
  if (format.read == nullptr) {
    const auto other = info.byte_order == ByteOrder::big ? ByteOrder::little : ByteOrder::big;
    if (first_link_violation(file, layout, info.byte_order) > 0.1 && first_link_violation(file, layout, other) < 1e-3) {
      info.notes.push_back(fmt::format("the links look right in {}-endian order, but the header says {}",
                                       name_of(other), name_of(info.byte_order)));
    }
  }
  return layout;
}

std::int64_t require_fit(const InputFile& file, std::string_view where, const GaugeFileInfo& info,
                         std::uint64_t available) {
  const auto sites = volume(info.size);
  if (!sites)
    fail_input("{}: {} says the lattice is {}, which is not possible", file.name(), where, to_string(info.size));
  const auto needed = link_bytes(*sites, info.rows, info.precision);
  if (needed != available) {
    fail_input("{}: {}: a {} lattice in {} precision with {} rows a matrix takes {} bytes of links, but there are {}{}",
               file.name(), where, to_string(info.size), name_of(info.precision), info.rows, needed, available,
               available < needed ? " (truncated?)" : "");
  }
  return *sites;
}

double first_link_violation(const InputFile& file, const GaugeLayout& layout, ByteOrder order) {
  const auto& info = layout.info;
  const std::size_t bytes = link_bytes(1, info.rows, info.precision) / 4;
  std::array<std::byte, 144> raw{};
  file.read(layout.data_offset, std::span(raw).first(bytes), "the first link");
  Link link;
  decode_link(raw.data(), info.rows, info.precision, order, link.u);
  return examine(link.u).unitarity;
}

}  // namespace trellis::io
