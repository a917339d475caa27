// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Bridge++ text: only numbers, one after another, site by site in our order.
#include <fmt/format.h>

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

Likeness match_numbers(const InputFile&, std::string_view start) {
  const bool numbers = start.find_first_of("0123456789") != start.npos &&
                       start.find_first_not_of("0123456789+-.eEdD \t\r\n") == start.npos;
  return numbers ? Likeness::likely : Likeness::none;
}

GaugeLayout bridge_text_layout(const InputFile& file, const ReadOptions& options) {
  GaugeLayout layout;
  auto& info = layout.info;
  info.variant = "Bridge++ text";
  info.byte_order = native_order;
  info.decimal_text = true;
  if (!options.size) {
    fail_input(
        "{}: this looks like Bridge++ text, which does not say the lattice size: add --size 4,4,4,4 (x,y,z,t), or size "
        "= [4, 4, 4, 4] to an input's [configurations], or in Python size=(4, 4, 4, 4)",
        file.name());
  }
  info.size = *options.size;
  const auto sites = volume(info.size);
  if (!sites) fail_input("{}: the size given, {}, is not possible", file.name(), to_string(info.size));
  // A number takes at least two bytes, so the file's length bounds the work.
  if (static_cast<std::uint64_t>(*sites) * 72 > file.size() / 2 + 1) {
    fail_input("{}: a {} lattice needs {} numbers, but the file has only {} bytes", file.name(), to_string(info.size),
               *sites * 72, file.size());
  }
  info.notes.emplace_back("this format has neither sizes nor checksum");
  return layout;
}

// Returns the numbers of a text file one by one, reading it in pieces.
class Numbers {
 public:
  explicit Numbers(const InputFile& file) : file_(file) {}

  // The next number, or empty at the end of the file.
  std::optional<double> next() {
    std::string token;
    for (;;) {
      if (at_ == text_.size() && !refill()) break;
      const char c = text_[at_];
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (blank && !token.empty()) break;
      ++at_;
      if (!blank) token += c;
      if (token.size() > 100) break;
    }
    if (token.empty()) return std::nullopt;
    ++found_;
    const auto value = parse_double(token);
    if (!value) fail_input("{}: number {} is '{}', expected a number", file_.name(), found_, printable(token));
    return value;
  }
  std::int64_t found() const { return found_; }

 private:
  static constexpr std::uint64_t piece_bytes = 1U << 20;

  bool refill() {
    offset_ += text_.size();
    text_ = file_.text(offset_, std::min<std::uint64_t>(piece_bytes, file_.size() - offset_), "the links");
    at_ = 0;
    return !text_.empty();
  }
  const InputFile& file_;
  std::uint64_t offset_ = 0;
  std::string text_;
  std::size_t at_ = 0;
  std::int64_t found_ = 0;
};

void read_bridge_text(const InputFile& file, const GaugeLayout& layout, const GaugeReader::Sink& sink) {
  const std::int64_t sites = volume(layout.info.size).value();
  Numbers numbers(file);
  for (std::int64_t site = 0; site < sites; ++site) {
    std::array<Link, 4> batch;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      batch[mu].site = site;
      batch[mu].mu = static_cast<int>(mu);
      for (double& x : batch[mu].u) {
        const auto value = numbers.next();
        if (!value) {
          fail_input("{}: the file is truncated: {} numbers, but a {} lattice has {}", file.name(), numbers.found(),
                     to_string(layout.info.size), sites * 72);
        }
        x = *value;
      }
    }
    sink(batch);
  }
  if (numbers.next()) {
    fail_input("{}: has more than the {} numbers of a {} lattice", file.name(), sites * 72,
               to_string(layout.info.size));
  }
}

}  // namespace

FileFormat bridge_text_format() {
  return {.name = "bridge-text",
          .title = "Bridge++ text",
          .match = match_numbers,
          .layout = bridge_text_layout,
          .read = read_bridge_text};
}

}  // namespace trellis::io
