// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis convert IN OUT: rewrites a configuration file of any known format in one that Trellis writes.
#include "trellis/io/convert.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/io/formats/file_formats.hpp"

namespace trellis::app {
namespace {

struct ConvertCommandOptions {
  std::string in, out, format, precision, size;
  bool accept_damage = false;
};

std::vector<std::string> written_formats() {
  std::vector<std::string> names;
  for (const auto& format : io::file_formats())
    if (format.write != nullptr) names.push_back(format.name);
  return names;
}

// From the extension of OUT unless given.
std::string output_format(const ConvertCommandOptions& options) {
  auto word = options.format;
  if (word.empty()) {
    word = std::filesystem::path(options.out).extension().string();
    if (!word.empty()) word.erase(0, 1);
  }
  std::vector<std::string> extensions;
  for (const auto& format : io::file_formats()) {
    if (format.write == nullptr) continue;
    if (word == format.name || std::ranges::count(format.extensions, word) > 0) return format.name;
    for (const auto& extension : format.extensions) extensions.push_back("." + extension);
  }
  const auto known = written_formats();
  if (options.format.empty())
    fail_input("{}: its extension matches no format ({}); add --format {}", options.out, joined(extensions, ", "),
               joined(known, " or "));
  fail_input("--format: found '{}', expected {}{}", options.format, joined(known, " or "),
             nearest(word, known).empty() ? "" : suggestion(word, known));
}

int run(const ConvertCommandOptions& options) {
  io::ConvertOptions convert;
  convert.format = output_format(options);
  if (!options.precision.empty())
    convert.precision = named("--precision", io::file_precisions, options.precision).value;
  if (!options.size.empty()) convert.read.size = parse_size(options.size);
  convert.accept_damage = options.accept_damage;
  convert.provenance = version_text() + " convert";
  const auto written = io::convert(options.in, options.out, convert);
  fmt::print("{}: {}, {}, {} precision, {} bytes; read back and compared\n", options.out, written.variant,
             to_string(written.size), name_of(written.precision), written.file_bytes);
  return 0;
}

}  // namespace

void add_convert(const Command& program, Action& action) {
  auto options = std::make_shared<ConvertCommandOptions>();
  const auto command =
      program.add_subcommand("convert", "Rewrite a configuration file as " + joined(io::format_titles(true), ", "));
  command.add_option("IN", options->in, "configuration file of any format that `trellis inspect` knows").required();
  command.add_option("OUT", options->out, "file to write; an existing one is replaced once the new one is complete")
      .required();
  command.add_option("--format", options->format,
                     joined(written_formats(), " or ") + "; default: from the extension of OUT");
  command.add_option("--precision", options->precision,
                     joined(names_of(io::file_precisions), " or ") + "; default: as IN");
  command.add_option("--size", options->size, "x,y,z,t of the lattice, if IN does not say").option_text("x,y,z,t");
  command.add_flag("--accept-damage", options->accept_damage,
                   "convert even if plaquette or link trace differ from what the header of IN says");
  command.footer("Example: trellis convert lat.100.milc lat.100.ildg --precision single");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app
