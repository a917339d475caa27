// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/files.hpp"

#include "trellis/bench/machine/plain_file.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::bench {
namespace {

template <int W>
FileTimes times_of(const Coordinate& size, Precision precision, const std::filesystem::path& where, int rounds) {
  const GaugeField<double, W> u(Lattice(size, W));
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  const io::TemporaryFolder folder(where);
  const auto plain = folder / "plain", file = folder / "links.ildg";
  io::IldgParameters parameters;
  parameters.size = size;
  parameters.precision = precision;
  FileTimes times;
  std::vector<std::byte> bytes;
  const auto save = [&](bool is_timed) {
    std::filesystem::remove(file);
    const Stopwatch watch;
    io::FilesUnderWay files;
    io::start_ildg(files, file, parameters,
                   std::make_shared<const io::PackedLinks>(io::pack_links(io::link_source(u), precision)));
    if (is_timed) times.take.push_back(watch.seconds());
    files.finish();
    if (is_timed) times.save.push_back(watch.seconds());
  };
  save(false);  // warms up, and provides the bytes
  times.bytes = std::filesystem::file_size(file);
  bytes.resize(times.bytes);
  read_plainly(file, bytes);
  for (int round = 0; round < rounds; ++round) {
    std::filesystem::remove(plain);
    times.plain_write.push_back(write_plainly(plain, bytes));
    save(true);
    times.plain_read.push_back(read_plainly(plain, bytes));
    drop_from_memory(file);
    const Stopwatch watch;
    io::read_links(io::GaugeReader(file), file, u);
    times.load.push_back(watch.seconds());
  }
  return times;
}

}  // namespace

FileTimes time_files(const Coordinate& size, int lanes, Precision precision, const std::filesystem::path& folder,
                     int rounds) {
  if (!std::filesystem::is_directory(folder)) fail_input("{}: is not a folder", folder.string());
  return with_lanes<double>(lanes, [&]<int W>() { return times_of<W>(size, precision, folder, rounds); });
}

}  // namespace trellis::bench
