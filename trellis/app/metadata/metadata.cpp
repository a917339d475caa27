// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis metadata FILES --publication FILE --folder FOLDER: the QCDml of an ensemble and of its configurations.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "trellis/app/command.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/metadata/published_configuration.hpp"
#include "trellis/app/metadata/qcdml.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/formats/lime_copy.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

struct MetadataOptions {
  std::vector<std::string> files;
  std::string publication, folder;
  bool copies = false, shows_template = false;
};

// Configurations that are named, and those of the runs in folders that are.
std::vector<fs::path> configurations(const std::vector<std::string>& names) {
  std::vector<std::string> patterns;
  for (const auto& name : names) {
    if (!fs::is_directory(name)) {
      patterns.push_back(name);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(name))
      if (entry.path().extension() == ".ildg" && io::read_provenance(entry.path()))
        found.push_back(entry.path().string());
    if (found.empty())
      fail_input("{}: the folder has no configurations of a run; chain.save_every lets a run write them", name);
    std::ranges::sort(found);
    patterns.insert(patterns.end(), found.begin(), found.end());
  }
  return expand_files(patterns);
}

std::vector<PublishedConfiguration> read_all(const MetadataOptions& options, const Publication& publication) {
  std::vector<PublishedConfiguration> all;
  for (const auto& file : configurations(options.files)) {
    all.push_back(read_configuration(file, publication));
    require_same_ensemble(all.front(), all.back());
    const auto& now = all.back();
    const auto same = std::ranges::find_if(all, [&](const PublishedConfiguration& other) {
      return &other != &now &&
             (other.metadata.logical_file_name == now.metadata.logical_file_name ||
              (other.metadata.series == now.metadata.series && other.metadata.update == now.metadata.update));
    });
    if (same != all.end())
      fail_input("{} and {} would have the same place in the ensemble: series {}, update {}, {}", same->file.string(),
                 now.file.string(), now.metadata.series, now.metadata.update, now.metadata.logical_file_name);
  }
  return all;
}

// An ensemble is described once: later calls add configurations to it.
void write_ensemble(const fs::path& file, const RunInput& input, const Publication& publication) {
  write_text_file(file, ensemble_xml(input, publication));
  fmt::print("{}: {}\n", file.string(), publication.chain_uri());
}

int run(const MetadataOptions& options) {
  if (options.shows_template) {
    fmt::print("{}", publication_template());
    return 0;
  }
  if (options.files.empty()) fail_input("no files; expected configurations of a run, or the folder of a run");
  if (options.publication.empty())
    fail_input("--publication: missing, the file that says who publishes; trellis metadata --template prints one");
  if (options.folder.empty()) fail_input("--folder: missing, for the files to be written");
  const auto publication = read_publication(options.publication);
  const fs::path folder = options.folder;
  require_writable("--folder", folder);
  // Everything is read and described before anything is written.
  const auto all = read_all(options, publication);
  std::vector<std::string> descriptions;
  descriptions.reserve(all.size());
  ensemble_xml(all.front().input, publication);
  for (const auto& one : all) descriptions.push_back(configuration_xml(one.input, publication, one.metadata));
  make_folder("--folder", folder);
  write_ensemble(folder / (publication.label + ".ensemble.xml"), all.front().input, publication);
  std::size_t other_names = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto& [file, lfn, input, metadata] = all[n];
    const auto name = folder / (file.stem().string() + ".xml");
    write_text_file(name, descriptions[n]);
    if (options.copies)
      io::copy_with_logical_file_name(file, folder / file.filename(), metadata.logical_file_name);
    else if (lfn != metadata.logical_file_name)
      ++other_names;
    fmt::print("{}: {}, series {}, update {}, checksum {}, plaquette {:.12f}\n", name.string(),
               metadata.logical_file_name, metadata.series, metadata.update, metadata.posix_checksum,
               metadata.plaquette);
    std::fflush(stdout);
  }
  if (other_names > 0)
    fmt::print(
        "{} another name in the record ildg-data-lfn than the metadata, which ILDG does not accept; with --copies, "
        "files with the right one are written beside the metadata.\n",
        other_names == 1 ? "1 file has" : fmt::format("{} files have", other_names));
  return 0;
}

}  // namespace

void add_metadata(const Command& program, Action& action) {
  auto options = std::make_shared<MetadataOptions>();
  const auto command = program.add_subcommand(
      "metadata",
      "Describe an ensemble and its configurations for the International Lattice Data Grid, as QCDml 2.0.0");
  command.add_option("FILE", options->files, "configurations that trellis run saved, or folders of runs");
  command.add_option("--publication", options->publication,
                     "a TOML file with what configurations cannot know: collaboration, licence, machine, ...");
  command.add_option("--folder", options->folder, "where to write LABEL.ensemble.xml, and an XML file for each FILE");
  command.add_flag("--copies", options->copies,
                   "also copy each FILE there, with its name of the metadata in the record ildg-data-lfn");
  command.add_flag("--template", options->shows_template, "print a publication file to start from");
  command.footer(
      "Every file is read and checked before anything is written.\n"
      "Example: trellis metadata --template > publication.toml\n"
      "then     trellis metadata quenched-results --publication publication.toml --folder ildg --copies");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app
