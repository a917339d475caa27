// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// MILC binary files. Version 5: magic 20103, four sizes, a 64-byte time stamp, the order of the sites, sum29, sum31,
// then the links in single precision. Versions 1 to 4: magic 59354, four sizes, two couplings, links; no checksum.
// There may be a text file NAME.info beside NAME.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/checksum.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/formats/link_stream.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/tables/clean_text.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

struct Magic {
  std::uint32_t value;
  const char* refused;  // why it is not supported; null if it is
};
constexpr std::array<Magic, 4> magics{{
    {20103, nullptr},
    {59354, nullptr},
    {53546, "a MILC file of the 1996 format (magic 53546)"},
    {0x71626434, "a Fermilab (FNAL) file (magic 0x71626434), ordered by field"},
}};

constexpr const char* milc_accepted_key = "trellis.accepted";

const Magic* find_magic(std::uint32_t word) {
  const auto* found = std::find_if(magics.begin(), magics.end(), [&](const Magic& m) { return m.value == word; });
  return found == magics.end() ? nullptr : found;
}

std::string_view unquote(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return trim(text);
}

constexpr const char* info_source = ".info file";
constexpr const char *two_rows_kind = "nersc of two rows", *two_rows_key = "gauge.nersc_checksum";

std::optional<Claim> info_claim(const char* key, const std::string& text, double factor = 1) {
  auto claim = parse_claim(key, text, factor);
  if (claim) claim->source = info_source;
  return claim;
}

// Its lattice is the header's.
void require_same_lattice(const InputFile& file, const std::filesystem::path& path, const GaugeFileInfo& info,
                          const std::vector<std::pair<std::string, std::string>>& keys) {
  constexpr std::array names{"nx", "ny", "nz", "nt"};
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (const auto* v = find_key(keys, names[mu]); v != nullptr && unquote(*v) != fmt::format("{}", info.size[mu]))
      fail_input("{}: contradicts {}: {} is {} in the header, {} there; remove the .info file if it is another file's",
                 file.name(), path.filename().string(), names[mu], info.size[mu], unquote(*v));
}

// The .info file belongs to the lattice file if their time stamps agree.
void read_info_file(const InputFile& file, GaugeFileInfo& info, std::string_view time_stamp) {
  auto path = file.path();
  path += ".info";
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return;
  const InputFile side(path);
  std::vector<std::pair<std::string, std::string>> keys;
  parse_key_values(side.text(0, std::min<std::uint64_t>(side.size(), 1U << 16), "the info file"), keys);
  const auto* stamp = find_key(keys, time_stamp_key);
  if (stamp == nullptr || unquote(*stamp) != time_stamp) {
    info.notes.push_back(
        fmt::format("{} is not used: {}", path.filename().string(),
                    stamp == nullptr ? "it has no time_stamp, as MILC's .info files do" : "its time_stamp differs"));
    return;
  }
  require_same_lattice(file, path, info, keys);
  // Two numbers in hexadecimal, which the header has as well: beside the header's own only if they differ.
  if (const auto* v = find_key(keys, "checksums")) {
    const std::string_view both = unquote(*v);
    const auto space = std::min(both.find(' '), both.size());
    try {
      for (const std::size_t n : {0, 1}) {
        const auto value = parse_checksum(trim(n == 0 ? both.substr(0, space) : both.substr(space)), "checksums");
        if (value != info.checksums[n].value) info.checksums.push_back({info.checksums[n].kind, value, info_source});
      }
    } catch (const InputError& error) {
      info.notes.push_back(fmt::format("{}: {}", path.filename().string(), error.what()));
    }
  }
  info.conventions.emplace_back("gauge.ssplaq and gauge.stplaq are averages of Re tr: 3 times ours");
  if (const auto* v = find_key(keys, "gauge.ssplaq")) {
    info.plaquette_spatial = info_claim("gauge.ssplaq", *v, 1.0 / 3);
  }
  if (const auto* v = find_key(keys, "gauge.stplaq")) {
    info.plaquette_temporal = info_claim("gauge.stplaq", *v, 1.0 / 3);
  }
  if (const auto* v = find_key(keys, "gauge.nersc_linktr")) info.link_trace = info_claim("gauge.nersc_linktr", *v);
  // In decimal.
  if (const auto* v = find_key(keys, two_rows_key)) {
    const auto text = unquote(*v);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size())
      info.checksums.push_back({two_rows_kind, value, info_source});
    else
      info.notes.push_back(fmt::format("{}: {}: found '{}', expected a checksum in decimal digits",
                                       path.filename().string(), two_rows_key, text));
  }
  if (const auto* v = find_key(keys, milc_accepted_key)) info.accepted.emplace_back(unquote(*v));
  for (auto& [key, value] : keys) info.header.emplace_back(".info/" + key, unquote(value));
}

void read_version_5(const InputFile& file, GaugeLayout& layout) {
  auto& info = layout.info;
  std::array<std::byte, 96> h{};
  file.read(0, h, "the MILC header");
  info.variant = "MILC version 5";
  layout.data_offset = h.size();
  const auto* stamp = reinterpret_cast<const char*>(h.data() + 20);
  const std::string time_stamp(trim(std::string_view(stamp, 64).substr(0, std::string_view(stamp, 64).find('\0'))));
  info.header.emplace_back(time_stamp_key, time_stamp);
  const auto order = load<std::int32_t>(h.data() + 84, info.byte_order);
  if (order != 0) {
    fail_input(
        "{}: MILC header: site order is {}, expected 0 (natural order); a checkpoint in node order must be rewritten "
        "by MILC's save_serial",
        file.name(), order);
  }
  info.checksums.push_back({"milc sum29", load<std::uint32_t>(h.data() + 88, info.byte_order)});
  info.checksums.push_back({"milc sum31", load<std::uint32_t>(h.data() + 92, info.byte_order)});
  read_info_file(file, info, time_stamp);
}

void read_version_1(const InputFile& file, GaugeLayout& layout) {
  auto& info = layout.info;
  std::array<std::byte, 28> h{};
  file.read(0, h, "the MILC header");
  info.variant = "MILC version 1 to 4";
  layout.data_offset = h.size();
  info.header.emplace_back("c1", fmt::format("{}", load<float>(h.data() + 20, info.byte_order)));
  info.header.emplace_back("c2", fmt::format("{}", load<float>(h.data() + 24, info.byte_order)));
  info.notes.emplace_back("this format has no checksum");
}

// The magic numbers, in both byte orders, of versions that are read or refused by name.
Likeness match_milc(const InputFile&, std::string_view start) {
  if (start.size() < 4) return Likeness::none;
  const auto word = load<std::uint32_t>(std::as_bytes(std::span(start)).data(), ByteOrder::big);
  const bool known = find_magic(word) != nullptr || find_magic(swap_bytes(word)) != nullptr;
  return known ? Likeness::certain : Likeness::none;
}

GaugeLayout milc_layout(const InputFile& file, const ReadOptions&) {
  GaugeLayout layout;
  auto& info = layout.info;
  info.precision = Precision::single;
  std::array<std::byte, 20> h{};
  file.read(0, h, "the MILC header");
  const auto* magic = find_magic(load<std::uint32_t>(h.data(), ByteOrder::little));
  info.byte_order = magic != nullptr ? ByteOrder::little : ByteOrder::big;
  if (magic == nullptr) magic = find_magic(load<std::uint32_t>(h.data(), ByteOrder::big));
  if (magic->refused != nullptr) {
    fail_input("{}: this is {}, which is not read; convert it to MILC version 5 or ILDG", file.name(), magic->refused);
  }
  for (std::size_t mu = 0; mu < 4; ++mu) info.size[mu] = load<std::int32_t>(h.data() + 4 + 4 * mu, info.byte_order);
  info.header.emplace_back("magic_number", fmt::format("{}", magic->value));
  if (magic->value == 20103) {
    read_version_5(file, layout);
  } else {
    read_version_1(file, layout);
  }
  require_fit(file, "MILC header", info, file.size() - layout.data_offset);
  return layout;
}

void add_to_milc_sums(const GaugeFileInfo& info, std::int64_t first_site, std::size_t site_bytes,
                      std::span<const std::byte> bytes, std::span<std::uint32_t> sums) {
  MilcChecksum checksum{sums[0], sums[1]};
  checksum.add(static_cast<std::uint64_t>(first_site) * (site_bytes / 4), bytes, info.byte_order);
  sums[0] = checksum.sum29;
  sums[1] = checksum.sum31;
  if (std::ranges::count(info.checksums, two_rows_kind, &ChecksumClaim::kind) > 0)
    sums[2] = two_rows_sum(sums[2], bytes, info.byte_order);
}

// As a value of an .info file can be.
std::string plain_text(std::string_view value) {
  std::string text = clean_ascii(unquote(value));
  std::erase(text, '"');
  return text;
}

// What the run that made the links says of itself: under MILC's names where they mean the same, and as it is.
void add_origin(const std::vector<std::pair<std::string, std::string>>& origin,
                std::vector<std::pair<std::string, std::string>>& info) {
  if (origin.empty()) return;
  const auto* const name = find_key(origin, "action.name");
  const std::string action = name != nullptr ? plain_text(*name) : "wilson";
  std::string masses, tastes;
  for (const auto& [key, value] : origin) {
    if (!key.starts_with("flavours[")) continue;
    if (key.ends_with("].mass")) masses += (masses.empty() ? "" : " ") + value;
    if (key.ends_with("].tastes")) tastes += (tastes.empty() ? "" : " ") + value;
  }
  if (std::ranges::any_of(origin, [](const auto& line) { return line.first.starts_with("action."); }))
    info.emplace_back("action.description", masses.empty() ? "Pure gauge" : "Gauge plus fermion");
  // Of these actions MILC's beta is ours.
  if (const auto* beta = find_key(origin, "action.beta"); beta != nullptr && find_key(origin, "action.c1") == nullptr &&
                                                          (action == "wilson" || action == "one_loop_symanzik"))
    info.emplace_back("gauge.beta11", *beta);
  if (const auto* u0 = find_key(origin, "action.u0")) info.emplace_back("gauge.tadpole.u0", *u0);
  if (!masses.empty()) {
    info.emplace_back("quark.flavors", tastes);
    info.emplace_back("quark.mass", masses);
  }
  if (const auto* gauge = find_key(origin, "gauge"); gauge != nullptr && find_key(info, milc_gauge_key) == nullptr) {
    auto text = plain_text(*gauge);
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    info.emplace_back(milc_gauge_key, text);
  }
  for (const auto& [key, value] : origin)
    if (key != time_stamp_key) info.emplace_back("trellis." + key, plain_text(value));
}

// A converted MILC file keeps its time stamp and what its .info file says of the action; other files are named there.
std::vector<ChecksumClaim> write_converted(const std::filesystem::path& path, const WriteParameters& p,
                                           const LinkSource& source) {
  constexpr std::string_view of_info = ".info/";
  constexpr std::array computed{
      milc_accepted_key, "magic_number", time_stamp_key,       "checksums", "nx", "ny", "nz", "nt",
      "gauge.ssplaq",    "gauge.stplaq", "gauge.nersc_linktr", two_rows_key};
  MilcParameters milc{.size = p.size, .info = {}, .check = p.check};
  if (const auto* stamp = find_key(p.origin, time_stamp_key)) milc.time_stamp = plain_text(*stamp);
  for (const auto& [key, value] : p.header) {
    if (key == time_stamp_key) milc.time_stamp = value;
    if (!key.starts_with(of_info)) continue;
    const auto name = key.substr(of_info.size());
    if (std::ranges::count(computed, name) == 0) milc.info.emplace_back(name, clean_ascii(value));
  }
  if (find_key(p.header, time_stamp_key) == nullptr)
    milc.info.emplace_back("gauge.description", plain_text(p.provenance.substr(0, p.provenance.find('\n'))));
  add_origin(p.origin, milc.info);
  const auto has_boundary = [](const auto& line) {
    return line.first == "trellis.boundary" || line.first == "trellis.lattice.boundary";
  };
  if (std::ranges::none_of(milc.info, has_boundary))
    for (const auto& [key, value] : functional_keys(p.functional)) milc.info.emplace_back("trellis." + key, value);
  if (!p.accepted.empty()) milc.info.emplace_back(milc_accepted_key, plain_text(joined(p.accepted, "; ")));
  return write_milc(path, milc, source);
}

}  // namespace

FileFormat milc_format() {
  return {.name = "milc",
          .title = "MILC",
          .match = match_milc,
          .layout = milc_layout,
          .checksum = {{{"milc sum29", true}, {"milc sum31", true}, {two_rows_kind}}, add_to_milc_sums},
          .write = write_converted,
          .only = Precision::single,
          .extensions = {"milc"}};
}

}  // namespace trellis::io
