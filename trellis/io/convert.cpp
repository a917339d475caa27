// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/openqcd_functional.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/inspect.hpp"
#include "trellis/io/paths/different_files.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

// `more` are lines about the new file.
std::string describe(const std::filesystem::path& in, const GaugeFileInfo& info, const std::string& more) {
  auto text = fmt::format("converted from {}\n{}format = {}\n", in.filename().string(), more, info.variant);
  for (const auto& [key, value] : info.header) text += fmt::format("{} = {}\n", key, value);
  return text;
}

// That openQCD's file is of a Schroedinger functional.
std::string lines_of(const FunctionalBoundaries& boundaries, const Coordinate& size,
                     const std::optional<std::array<double, 3>>& phi_prime) {
  return functional_text(boundaries.extent, angles_of(boundaries.first, size), phi_prime);
}

// The links of sites that are mostly requested one after another.
class SitesAhead {
 public:
  SitesAhead(const LinkSource& source, std::int64_t sites) : source_(source), sites_(sites) {}

  std::span<const double> at(std::int64_t site) {
    if (site < first_ || site >= first_ + count_) {
      // After a jump there may be more.
      count_ = site == first_ + count_ ? std::min(most, sites_ - site) : 1;
      first_ = site;
      links_.resize(static_cast<std::size_t>(count_) * 72);
      source_(first_, links_);
    }
    return std::span(links_).subspan(static_cast<std::size_t>(site - first_) * 72, 72);
  }

 private:
  static constexpr std::int64_t most = 1024;
  const LinkSource& source_;
  std::int64_t sites_, first_ = 0, count_ = 0;
  std::vector<double> links_;
};

// Compares the file with the expected links.
GaugeFileInfo verify(const std::filesystem::path& path, const LinkSource& expected, const Coordinate& size) {
  const GaugeReader reader(path, {.size = size});
  SitesAhead sites(expected, volume(size).value());
  reader.read([&](std::span<const Link> batch) {
    for (const auto& link : batch) {
      const auto site = sites.at(link.site);
      for (std::size_t i = 0; i < 18; ++i) {
        const double want = site[static_cast<std::size_t>(link.mu) * 18 + i];
        if (std::bit_cast<std::uint64_t>(link.u[i]) != std::bit_cast<std::uint64_t>(want)) {
          fail("{}: reads back {} for number {} of link {} at site {}, but {} was written", path.string(), link.u[i], i,
               link.mu, link.site, want);
        }
      }
    }
  });
  return reader.info();
}

// What an ILDG or MILC file says of the run that made it; of a checkpoint at least the trajectory.
RunRecords earlier_records(const std::filesystem::path& in, const GaugeFileInfo& info, const ConvertOptions& options) {
  if (info.format != "ildg") return {.input = {}, .provenance = run_text(info.header)};
  auto records = read_run_records(in);
  if (const auto* trajectory = find_key(options.origin, "trajectory");
      trajectory != nullptr && records.provenance.empty())
    records.provenance = fmt::format("trajectory = {}", *trajectory);
  if (!records.provenance.empty() && !records.provenance.ends_with('\n')) records.provenance += '\n';
  return records;
}

// The links of a checked input: in memory, or in its file.
struct Input {
  GaugeFileInfo info;
  LinkSource links;
  std::optional<FunctionalBoundaries> completed_by = {};
};

Input checked_input(const std::filesystem::path& path, const ConvertOptions& options) {
  const auto reader = std::make_shared<const GaugeReader>(path, options.read);
  const auto bytes = static_cast<std::uint64_t>(volume(reader->info().size).value()) * 72 * sizeof(double);
  if (!reader->has_sites_in_order() || bytes <= options.links_in_memory) {
    const auto loaded = std::make_shared<const LoadedLinks>(load_links(path, options.read));
    return {loaded->info, [loaded](std::int64_t first, std::span<double> out) { source_of(loaded->links)(first, out); },
            reader->is_completed() ? std::optional(*reader->completed_by()) : std::nullopt};
  }
  auto info = reader->info();
  if (reader->read([](std::span<const Link>) {}).single_numbers) allow_single_precision(info);
  return {info, [reader](std::int64_t first, std::span<double> out) { reader->read_sites(first, out); }};
}

}  // namespace

GaugeFileInfo convert(const std::filesystem::path& in, const std::filesystem::path& out,
                      const ConvertOptions& options) {
  const auto& format = named("format", file_formats(), options.format);
  if (format.write == nullptr)
    fail_input("files of the format {} are not written; {} are", format.title, joined(format_titles(true), " and "));
  if (format.only && options.precision && options.precision != format.only)
    fail_input("{}: files of the format {} are in {} precision; leave out the precision, or write another format",
               out.string(), format.title, *format.only == Precision::single ? "single" : "double");
  require_different_files(in, out);
  const auto [info, links, completed_by] = checked_input(in, options);
  const bool slices_as_openqcd = options.read.functional && format.name == "openqcd";
  if (options.read.functional && !completed_by && (options.read.functional->phi_prime || !slices_as_openqcd))
    fail_input(
        "{}: is no openQCD file with the {} slices of a Schroedinger functional of this extent, the only ones that are "
        "completed",
        in.string(), options.read.functional->extent);
  const LinkSource source = [&of_input = links, &options, &in](std::int64_t first, std::span<double> numbers) {
    if (options.is_stopped && options.is_stopped()) fail("{}: stopped; nothing was written", in.string());
    of_input(first, numbers);
  };
  auto accepted = info.accepted;
  for (const auto& comparison : compare_loops(info, measure_loops(info.size, source))) {
    if (comparison.agrees) continue;
    if (!options.accept_damage)
      fail_input(
          "{}: {}{}; --accept-damage converts it anyway{}", in.string(), disagreement(comparison), comparison.advice,
          format.name == "openqcd" ? ", but this format cannot record that" : ", and records that in the new file");
    accepted.push_back(disagreement(comparison));
  }
  if (format.only == Precision::single && info.precision == Precision::double_ && !options.precision)
    fail_input("{}: files of the format {} are in single precision; --precision single rounds the links", out.string(),
               format.title);
  const auto precision = format.only.value_or(options.precision.value_or(info.precision));
  const LinkCoding coding{info.size, precision, ByteOrder::big, 3};
  const auto stored = as_stored(coding, source);

  auto size = info.size;
  std::optional<double> plaquette;
  if (slices_as_openqcd) {
    const auto slices = openqcd_slices(in, options.read.functional->extent, size,
                                       info.precision == Precision::single ? 1e-6 : 1e-12, source);
    size = slices.size;
    plaquette = slices.plaquette;
  }
  auto more = options.provenance.empty() ? std::string() : fmt::format("converted_by = {}\n", options.provenance);
  if (precision != info.precision) more += fmt::format("precision = {}\n", name_of(precision));
  const auto [input, earlier] = earlier_records(in, info, options);
  auto functional = options.functional;
  if (completed_by) functional = lines_of(*completed_by, size, options.read.functional->phi_prime);
  if (slices_as_openqcd) functional.clear();
  // Records that are kept say it already.
  if (completed_by || info.format != "ildg" || (input.empty() && earlier.empty())) more += functional;
  auto accepted_now = accepted;
  for (const auto& known : accepted_lines(earlier)) std::erase(accepted_now, known);
  GaugeFileInfo written;
  const FileCheck check = [&](const std::filesystem::path& file) { written = verify(file, stored, size); };

  format.write(out,
               {.size = size,
                .precision = precision,
                .provenance = describe(in, info, more + accepted_text(accepted_now)),
                .input = input,
                .earlier_provenance = earlier,
                .accepted = accepted,
                .header = info.header,
                .origin = options.origin,
                .functional = functional,
                .plaquette = plaquette,
                .check = check},
               source);
  return written;
}

}  // namespace trellis::io
