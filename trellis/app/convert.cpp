// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis convert IN OUT, or FILES --folder FOLDER: rewrites configuration files of any known format in one that
// Trellis writes.
#include "trellis/io/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "trellis/app/command.hpp"
#include "trellis/app/input/functional_option.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/origin/configuration_origin.hpp"
#include "trellis/app/origin/recorded_boundary.hpp"
#include "trellis/app/origin/recorded_replica.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/base/standard_streams.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/io/fields/convert_fields.hpp"
#include "trellis/io/fields/inspect_fields.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/io/formats/file_formats.hpp"

namespace trellis::app {
namespace {

// ", scidac a 1c6a4dcf, scidac b 6e2a4b0f"
std::string checksums_text(const io::GaugeFileInfo& info) {
  std::string text;
  for (const auto& sum : info.checksums) text += fmt::format(", {} {:08x}", sum.kind, sum.value);
  return text.empty() ? text : "; checksums" + text.substr(1);
}

struct ConvertCommandOptions {
  std::vector<std::string> files;
  std::string folder, format, precision, size;
  FunctionalOption functional;
  bool accept_damage = false, brief = false;
};

// Of configurations, or of fields.
std::vector<io::FieldFormat> output_formats(bool of_fields) {
  const auto of_fields_only = io::field_formats();
  if (of_fields) return {of_fields_only.begin(), of_fields_only.end()};
  std::vector<io::FieldFormat> formats;
  for (const auto& format : io::file_formats())
    if (format.write != nullptr) formats.push_back({format.name, format.extensions});
  return formats;
}

std::vector<std::string> written_formats(bool of_fields = false) {
  std::vector<std::string> names;
  for (const auto& format : output_formats(of_fields)) names.push_back(format.name);
  return names;
}

// From the extension of OUT unless given.
io::FieldFormat output_format(const ConvertCommandOptions& options, const std::string& out, bool of_fields) {
  auto word = options.format;
  if (word.empty()) {
    word = std::filesystem::path(out).extension().string();
    if (!word.empty()) word.erase(0, 1);
  }
  std::vector<std::string> extensions;
  for (const auto& format : output_formats(of_fields)) {
    if (word == format.name || std::ranges::count(format.extensions, word) > 0) return format;
    for (const auto& extension : format.extensions) extensions.push_back("." + extension);
  }
  const auto known = written_formats(of_fields);
  if (options.format.empty())
    fail_input("{}: its extension matches no format ({}); add --format {}", out, joined(extensions, ", "),
               joined(known, " or "));
  fail_input("--format: found '{}', expected {}{}", options.format, joined(known, " or "),
             nearest(word, known).empty() ? "" : suggestion(word, known));
}

// "12 fields, the first one spinor a site, double precision"
std::string describe_fields(const io::FieldFileInfo& info) {
  const auto one = io::describe(info.fields.front());
  return info.fields.size() == 1 ? one : fmt::format("{} fields, the first {}", info.fields.size(), one);
}

struct Conversion {
  std::filesystem::path in, out;
};

// The files, without patterns; names of what does not exist stay, for conversion to report.
std::vector<std::filesystem::path> files_of(const ConvertCommandOptions& options) {
  std::vector<std::filesystem::path> files;
  std::set<std::filesystem::path> seen;
  for (const auto& pattern : options.files) {
    std::vector<std::filesystem::path> found{pattern};
    if (pattern.find_first_of("*?[") != std::string::npos || std::filesystem::exists(pattern))
      found = expand_files({pattern});
    for (const auto& file : found)
      if (seen.insert(std::filesystem::weakly_canonical(file)).second) files.push_back(file);
  }
  return files;
}

// FOLDER/name.ildg for each file, whatever the extension of its name was, if that is one of a known format.
std::vector<Conversion> into_folder(const ConvertCommandOptions& options,
                                    const std::vector<std::filesystem::path>& files, bool of_fields) {
  if (options.format.empty()) fail_input("--folder: needs --format {}", joined(written_formats(of_fields), " or "));
  const auto extension = output_format(options, "", of_fields).extensions.front();
  std::set<std::string> extensions;
  for (const auto& format : io::file_formats()) {
    extensions.insert("." + format.name);
    for (const auto& known : format.extensions) extensions.insert("." + known);
  }
  for (const auto& format : io::field_formats())
    for (const auto& known : format.extensions) extensions.insert("." + known);
  std::vector<Conversion> all;
  std::map<std::filesystem::path, std::filesystem::path> taken;
  for (const auto& in : files) {
    auto name = in.filename();
    if (extensions.contains(name.extension().string())) name = name.stem();
    name += "." + extension;
    const auto out = std::filesystem::path(options.folder) / name;
    if (const auto [other, is_new] = taken.emplace(out, in); !is_new)
      fail_input("{} and {} would both become {}", other->second.string(), in.string(), out.string());
    all.push_back({in, out});
  }
  return all;
}

std::vector<Conversion> conversions(const ConvertCommandOptions& options) {
  if (options.files.size() != 2)
    fail_input("found {}, expected IN and OUT; --folder FOLDER converts any number of files",
               plural(static_cast<std::int64_t>(options.files.size()), "file"));
  const std::filesystem::path out = options.files[1];
  if (std::filesystem::is_directory(out))
    fail_input("{}: is a folder; --folder {} writes new files there, under the names of the old ones", out.string(),
               out.string());
  if (const auto folder = std::filesystem::absolute(out).parent_path(); !std::filesystem::is_directory(folder))
    fail_input("{}: there is no folder {}", out.string(), folder.string());
  require_writable("OUT", std::filesystem::absolute(out).parent_path());
  return {{options.files[0], out}};
}

bool holds_fields(const std::filesystem::path& file) {
  bool holds = false;
  try {
    holds = io::holds_fields(io::InputFile(file));
    return holds || io::inspect_fields(file).has_value();
  } catch (const Error&) {
    return holds;  // what is wrong is reported where it is converted
  }
}

std::optional<gauge::Boundary> told_functional(const std::optional<io::SchroedingerFunctional>& functional) {
  if (!functional) return std::nullopt;
  return gauge::Boundary{.kind = gauge::BoundaryKind::schroedinger_functional, .extent = functional->extent};
}

int run(const ConvertCommandOptions& options) {
  const auto files =
      options.folder.empty() ? std::vector<std::filesystem::path>{options.files.front()} : files_of(options);
  const auto functional = options.functional.functional();
  // A folder has no format; InputFile says what to give instead.
  if (options.folder.empty() && std::filesystem::is_directory(files.front()))
    static_cast<void>(io::InputFile(files.front()));
  const auto fields = std::ranges::find_if(files, holds_fields);
  const bool of_fields = fields != files.end();
  if (of_fields && (!options.size.empty() || functional || options.accept_damage))
    fail_input("--size, --time-extent, --phi-prime and --accept-damage are for configurations; {} holds fields",
               fields->string());
  const auto all = options.folder.empty() ? conversions(options) : into_folder(options, files, of_fields);
  io::ConvertOptions convert;
  convert.format = output_format(options, all.front().out.string(), of_fields).name;
  if (!options.precision.empty())
    convert.precision = option_named("--precision", io::file_precisions, options.precision).value;
  if (!options.size.empty()) convert.read.size = parse_size(options.size);
  convert.accept_damage = options.accept_damage;
  convert.provenance = version_text() + " convert";
  if (!options.folder.empty()) {
    require_writable("--folder", options.folder);
    make_folder("--folder", options.folder);
  }
  const InterruptGuard interrupt;
  convert.is_stopped = [&] { return interrupt.signal() != 0; };
  const auto require_not_stopped = [&](std::size_t done) {
    if (interrupt.signal() == 0) return;
    fail("stopped by {}: {} of {} converted; what is there is complete", name_of_signal(interrupt.signal()), done,
         plural(static_cast<std::int64_t>(all.size()), "file"));
  };
  int code = 0;
  std::size_t converted = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    require_not_stopped(converted);
    const auto& [in, out] = all[n];
    const Stopwatch watch;
    const auto recorded = recorded_functional(in);
    convert.origin = configuration_origin(in);
    convert.read.functional = functional;
    convert.functional = recorded ? functional_text(*recorded) : std::string();
    if (recorded && convert.format == "openqcd" && !functional)
      convert.read.functional = io::SchroedingerFunctional{.extent = recorded->extent};
    const auto count = all.size() > 1 ? fmt::format("{}/{} ", n + 1, all.size()) : "";
    try {
      if (of_fields) {
        const auto written = io::convert_fields(in, out, convert.format, convert.precision);
        ++converted;
        fmt::print("{}{}{}\n", count, out.string(),
                   options.brief ? ""
                                 : fmt::format(": {}, {}, {}; read back", written.format, to_string(written.size),
                                               describe_fields(written)));
        std::fflush(stdout);
        continue;
      }
      warn_of_replica(in);
      const auto written = io::convert(in, out, convert);
      ++converted;
      if (options.brief) {
        fmt::print("{}{}\n", count, out.string());
      } else {
        fmt::print("{}{}: {}, {}, {} precision, {} bytes; read back and compared{}{}\n", count, out.string(),
                   written.variant, to_string(written.size), name_of(written.precision), written.file_bytes,
                   checksums_text(written), all.size() > 1 ? fmt::format("; {:.2f} s", watch.seconds()) : "");
        if (const auto boundary = recorded ? recorded : told_functional(functional))
          fmt::print("  links of a {}, which the new file {}\n", gauge::name_of(*boundary),
                     recorded_functional(out) ? "records" : "does not say; `trellis measure` has to be told");
      }
      std::fflush(stdout);
    } catch (const Error& error) {
      require_not_stopped(converted);
      if (all.size() == 1) throw;
      // The others are converted all the same.
      print_to_stderr(fmt::format("trellis: error: {}\n", error.what()));
      code = std::max(code, error.exit_code());
    }
  }
  return code;
}

}  // namespace

void add_convert(const Command& program, Action& action) {
  auto options = std::make_shared<ConvertCommandOptions>();
  const auto command =
      program.add_subcommand("convert", "Rewrite a configuration file as " + joined(io::format_titles(true), ", ") +
                                            ", or a file of fields as SciDAC, HDF5 or openQCD spinors");
  command
      .add_option(
          "FILE", options->files,
          "IN and OUT: a configuration file of any format that `trellis inspect` knows, and the file to write; an "
          "existing one is replaced once the new one is complete. With --folder: any number of files to convert")
      .required();
  command.add_option("--folder", options->folder, "write each file's new version to this folder, under its name");
  command.add_option("--format", options->format,
                     joined(written_formats(), " or ") + "; default: from the extension of OUT");
  command.add_option("--precision", options->precision,
                     joined(names_of(io::file_precisions), " or ") + "; default: as IN");
  command.add_option("--size", options->size, "x,y,z,t of the lattice, if IN does not say").option_text("x,y,z,t");
  options->functional.add_to(command);
  command.add_flag("--accept-damage", options->accept_damage,
                   "convert even if plaquette or link trace differ from what the header of IN says");
  command.add_flag("--brief", options->brief, "print the names of the new files only");
  command.footer(
      "Of several files those that can be converted are. Exit code: 0 all files were converted, 2 an input is not "
      "sound or "
      "not known, 1 another error.\n"
      "Example: trellis convert lat.100.milc lat.100.ildg --precision single\n"
      "or       trellis convert lat.* --folder ildg --format ildg");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app
