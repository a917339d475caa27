// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Configurations in files: `tour_files [FOLDER]` writes a checkpoint (ILDG with two extra records), reads it back,
// converts it to NERSC format, inspects the result, and damages it. FOLDER is created and removed; the default is a
// temporary folder.
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "examples/tour/tour.hpp"
#include "trellis/core/base/precision.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/io/gauge_file.hpp"
#include "trellis/io/inspect.hpp"

using namespace trellis;

namespace {

struct Folder {
  std::filesystem::path path;
  explicit Folder(std::filesystem::path where) : path(std::move(where)) { std::filesystem::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
};

template <int W>
void write_and_read(const std::filesystem::path& file) {
  const GaugeField<double, W> u(Lattice({4, 4, 4, 4}, W));
  gauge::hot_start({.seed = 3, .purpose = gauge::hot_start_purpose}, u);
  // The state of a chain is stored as text next to the links, in one file so that the two cannot be separated.
  io::write_checkpoint(file, io::link_source(u), {.state = {{"completed", "17"}}, .input = "beta = 6.0\n"});
  tour::expect(io::read_checkpoint_text(file).value("completed") == "17", "the state is read back");
  // Reading verifies the checksums and requires links in SU(3); anything else is an error.
  const auto again = io::load_gauge_field<double, W>(file);
  tour::expect(gauge::plaquette(again).average == gauge::plaquette(u).average, "links are read back bit for bit");
  tour::expect(again.link({1, 2, 3, 0}, 2) == u.link({1, 2, 3, 0}, 2), "links are read back bit for bit");
}

}  // namespace

int main(int argc, char** argv) {
  return tour::run([&] {
    const Folder folder(argc > 1 ? std::filesystem::path(argv[1])
                                 : std::filesystem::temp_directory_path() /
                                       fmt::format("trellis_tour_files_{}", std::random_device{}()));
    const auto ildg = folder.path / "checkpoint.ildg", nersc = folder.path / "copy.nersc";
    with_lanes<double>(Lattice::best_lanes({4, 4, 4, 4}, sizeof(double)), [&]<int W>() { write_and_read<W>(ildg); });

    fmt::print("known formats:");
    for (const io::FileFormat& format : io::file_formats())
      fmt::print(" {}{}", format.name, format.write == nullptr ? " (read only)" : "");
    fmt::print("\n");
    const io::GaugeFileInfo info = io::convert(ildg, nersc, {.format = "nersc", .precision = Precision::single});
    fmt::print("{}, {}, {} precision\n", info.variant, to_string(info.size), name_of(info.precision));
    tour::expect(info.plaquette.has_value() && info.format == "nersc", "NERSC headers contain the plaquette");
    const std::int64_t sites = io::volume(info.size).value();
    tour::expect(info.file_bytes > io::link_bytes(sites, info.rows, info.precision),
                 "the file holds the links and a header");

    const io::Inspection inspection = io::inspect(nersc);
    tour::expect(inspection.sound() && inspection.report.checksums_agree(), "the files we write are sound");
    for (const io::Comparison& of : inspection.comparisons) {
      fmt::print("{}: {} in the header, {} found\n", of.what, of.claimed, of.recomputed);
      tour::expect(of.agrees, "the links match the header");
    }

    std::fstream bytes(nersc, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(-100, std::ios::end);
    bytes.put('!');
    bytes.close();
    tour::expect(!io::inspect(nersc).sound(), "inspect() detects a single wrong byte");
    try {
      static_cast<void>(io::load_gauge_field<double, 1>(nersc));
      tour::expect(false, "and is an error of who reads the links");
    } catch (const InputError& error) {
      fmt::print("damaged: {}\n", std::string(error.what()).substr(folder.path.string().size() + 1));
    }
  });
}
