// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench files: how fast configurations are written and read, and what the disk can do.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/interrupt.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/bench/files.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/file_precision.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/lattice/lattice.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::app {
namespace {

struct FilesOptions {
  std::string lattice = "32,32,32,32", format = "ildg", precision, folder = ".", ranks;
  int threads = 0, rounds = 5;
  bool json = false;
};

struct FileRate {
  std::string what;
  double gbytes = 0;   // per second, median
  double of_disk = 0;  // median of the rounds' ratios to the plain time; 0 for the plain ones
};

int run(const FilesOptions& options) {
  require_thread_count("bench files", options.threads);
  if (options.rounds < 1) fail_input("bench files: --rounds is {}; it must be at least 1", options.rounds);
  std::vector<io::FileFormat> written;
  std::ranges::copy_if(io::file_formats(), std::back_inserter(written),
                       [](const io::FileFormat& format) { return format.write != nullptr; });
  const auto only = option_named("--format", written, options.format).only;
  const auto precision = options.precision.empty()
                             ? only.value_or(Precision::double_)
                             : option_named("--precision", io::file_precisions, options.precision).value;
  const auto size = parse_size(options.lattice, "--lattice");
  // Links, and the file's bytes.
  require_memory("bench files: --lattice", size, 72.0 * (sizeof(double) + double(arithmetic_bytes(precision))),
                 job().size());
  const auto grid = job_grid(size, options.ranks);
  const int lanes = lanes_for(grid, size, MachineInput{});
  require_devices();
  if (options.threads > 0) set_thread_count(options.threads);
  const InterruptGuard interrupt;  // or its files would stay
  const auto times = bench::time_files(size, lanes, {options.format, precision}, options.folder, options.rounds, grid,
                                       [&] { return interrupt.signal() != 0; });
  double signal = interrupt.signal();
  grid.ranks().maximum("signals", {&signal, 1});
  const int rounds = static_cast<int>(times.load.size());
  const int code = signal == 0 ? 0 : stopped_by_signal + static_cast<int>(signal);
  if (!job().is_first() || rounds == 0) return code;
  const auto rate = [&](const char* what, const std::vector<double>& seconds, const std::vector<double>* plain) {
    return FileRate{what, double(times.bytes) / median(seconds) * 1e-9,
                    plain != nullptr ? tuning::median_ratio(*plain, seconds) : 0};
  };
  std::vector<FileRate> rates{rate("write and fsync", times.plain_write, nullptr),
                              rate("save", times.save, &times.plain_write)};
  if (!times.take.empty()) rates.push_back(rate("take", times.take, nullptr));
  rates.push_back(rate("read", times.plain_read, nullptr));
  rates.push_back(rate("load", times.load, &times.plain_read));
  if (options.json) {
    nlohmann::ordered_json out = {{"lattice", to_string(size)},
                                  {"format", options.format},
                                  {"precision", name_of(precision)},
                                  {"ranks", grid.ranks().size()},
                                  {"threads", concurrency()},
                                  {"bytes", times.bytes},
                                  {"rounds", rounds},
                                  {"rates", nlohmann::ordered_json::array()}};
    for (const auto& one : rates) {
      out["rates"].push_back({{"what", one.what}, {"gbytes", one.gbytes}});
      if (one.of_disk > 0) out["rates"].back()["of_disk"] = one.of_disk;
    }
    fmt::print("{}\n", out.dump(2));
    return code;
  }
  fmt::print("A configuration of {} as {} in {} precision, {:.1f} MB; {}; {}.\n{:<18} {:>8} {:>9}\n", to_string(size),
             options.format, name_of(precision), double(times.bytes) * 1e-6, describe(grid),
             rounds == 1 ? std::string("one round") : fmt::format("medians of {} rounds", rounds), "", "GB/s",
             "of disk");
  for (const auto& one : rates)
    fmt::print("{:<18} {:>8.2f} {:>9}\n", one.what, one.gbytes,
               one.of_disk > 0 ? fmt::format("{:.0f} %", 100 * one.of_disk) : "");
  fmt::print(
      "save: until the file has its name, synced and read back{}.\n"
      "load: decoded and checked. The disk's own: the same bytes, in the same rounds, by one process.\n",
      times.take.empty() ? "" : "; of that, a chain waits for take only");
  return code;
}

}  // namespace

void add_bench_files(const Command& bench, Action& action) {
  auto options = std::make_shared<FilesOptions>();
  const auto command =
      bench.add_subcommand("files", "How fast configurations are saved and loaded, compared with the disk itself");
  command.add_option("--lattice", options->lattice, "size x,y,z,t").capture_default_str();
  command.add_option("--format", options->format, "ildg, nersc, openqcd (double) or milc (single precision)")
      .capture_default_str();
  command.add_option("--ranks", options->ranks, "how the ranks of the job share the lattice, such as 1x1x1x2");
  command.add_option(
      "--precision", options->precision,
      "of the file: " + joined(names_of(io::file_precisions), " or ") + "; default: the format's, or double");
  command.add_option("--folder", options->folder, "where to write; what is written there is removed")
      .capture_default_str();
  command.add_option("--rounds", options->rounds, "how often each is timed, in turn").capture_default_str();
  command.add_option("--threads", options->threads, "threads; 0: all available").capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis bench files --lattice 32,32,32,64 --folder /scratch");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
