// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/files.hpp"

#include <optional>

#include "trellis/bench/machine/plain_file.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/gauge_field_io.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::bench {
namespace {

// Saves links as one of the formats.
class Saver {
 public:
  Saver(const io::FieldLinks& links, const FileKind& kind)
      : links_(links), kind_(kind), format_(named("format", io::file_formats(), kind.format)) {}

  // Seconds until a chain could go on, or nothing if it would have to wait.
  std::optional<double> save(const std::filesystem::path& file) const {
    const Stopwatch watch;
    if (kind_.format != "ildg") {
      io::WriteParameters parameters;
      parameters.size = links_.own.lattice;
      parameters.precision = kind_.precision;
      io::with_all_links(links_, [&](const io::LinkSource& all) { format_.write(file, parameters, all); });
      return {};
    }
    io::IldgParameters parameters;
    parameters.size = links_.own.lattice;
    parameters.precision = kind_.precision;
    io::FilesUnderWay files(links_.ranks);
    io::start_ildg(files, file, parameters,
                   std::make_shared<const io::PackedLinks>(io::pack_links(links_, kind_.precision)));
    const double taken = watch.seconds();
    files.finish();
    return taken;
  }

 private:
  const io::FieldLinks& links_;
  const FileKind& kind_;
  const io::FileFormat& format_;
};

// The folder that the first rank made, on all ranks.
std::filesystem::path shared_folder(const comm::Communicator& ranks, const std::filesystem::path& where,
                                    std::optional<io::TemporaryFolder>& own) {
  io::on_first_rank(ranks, "a folder for files", [&] { own.emplace(where); });
  return ranks.broadcast("a folder for files", own ? own->path().string() : "");
}

template <int W>
FileTimes times_of(const Coordinate& size, const FileKind& kind, const std::filesystem::path& where, int rounds,
                   const comm::ProcessGrid& grid, const std::function<bool()>& stop) {
  const auto ranks = grid.ranks();
  const auto goes_on = [&] {
    double stopped = stop && stop() ? 1 : 0;
    ranks.maximum("whether to stop", {&stopped, 1});
    return stopped == 0;
  };
  const GaugeField<double, W> u(Lattice(size, W, SiteOrder::even_odd, {}, grid));
  gauge::hot_start({1, 0, gauge::hot_start_purpose}, u);
  std::optional<io::TemporaryFolder> own;
  const auto folder = shared_folder(ranks, where, own);
  const auto plain = folder / "plain", file = folder / ("links." + kind.format);
  const auto links = io::link_source(u);
  const Saver saver(links, kind);
  const auto first = [&](const auto& f) { io::on_first_rank(ranks, "a file", f); };
  FileTimes times;
  std::vector<std::byte> bytes;
  saver.save(file);  // warms up, and provides the bytes
  first([&] {
    times.bytes = std::filesystem::file_size(file);
    bytes.resize(times.bytes);
    read_plainly(file, bytes);
  });
  for (int round = 0; round < rounds && goes_on(); ++round) {
    first([&] {
      std::filesystem::remove(plain);
      times.plain_write.push_back(write_plainly(plain, bytes));
      std::filesystem::remove(file);
    });
    const Stopwatch saving;
    const auto taken = saver.save(file);
    times.save.push_back(saving.seconds());
    if (taken) times.take.push_back(*taken);
    first([&] {
      times.plain_read.push_back(read_plainly(plain, bytes));
      drop_from_memory(file);
    });
    const Stopwatch loading;
    io::read_links(io::GaugeReader(file, {}, ranks), file, u);
    times.load.push_back(loading.seconds());
  }
  ranks.barrier("the last file");  // before its folder goes
  return times;
}

}  // namespace

FileTimes time_files(const Coordinate& size, int lanes, const FileKind& kind, const std::filesystem::path& folder,
                     int rounds, const comm::ProcessGrid& grid, const std::function<bool()>& stop) {
  if (!std::filesystem::is_directory(folder)) fail_input("{}: is not a folder", folder.string());
  const auto& format = named("format", io::file_formats(), kind.format);
  if (format.write == nullptr) fail_input("files of the format {} are not written", format.title);
  if (format.only.value_or(kind.precision) != kind.precision)
    fail_input("files of the format {} are in {} precision", format.title, name_of(*format.only));
  return with_lanes<double>(lanes, [&]<int W>() { return times_of<W>(size, kind, folder, rounds, grid, stop); });
}

}  // namespace trellis::bench
