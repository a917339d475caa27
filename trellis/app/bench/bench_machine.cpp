// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench machine: what this machine's devices and links can do, as a file that `trellis plan` reads.
#include <fmt/format.h>

#include <cmath>

#include "trellis/app/command.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/plan/machine_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/bench/machine/machine_measurement.hpp"
#include "trellis/core/base/local_time.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

struct MachineOptions {
  std::string output, lattice = fields_on_host ? "16,16,16,16" : "32,32,32,32";
  int threads = 0;
  double seconds = 0.2, largest_arrays = 1 << 30;
  bool no_kernels = false;
};

// More digits would claim more precision than a measurement has.
void round_to_three_digits(double& value) {
  if (value == 0) return;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
  value = std::stod(fmt::format("{:.2e}", std::round(value / unit) * unit));
}

void round_measured(bench::MachineDescription& machine) {
  for (double& value : machine.triad) round_to_three_digits(value);
  for (double* value : {&machine.single_flops, &machine.double_flops, &machine.launch_seconds, &machine.wait_seconds,
                        &machine.host_bandwidth})
    round_to_three_digits(*value);
  for (auto* link : {&machine.inside, &machine.across})
    if (*link) {
      round_to_three_digits((*link)->latency);
      round_to_three_digits((*link)->bandwidth);
    }
  for (auto& kernel : machine.kernels) round_to_three_digits(kernel.of_floor);
}

int run(const MachineOptions& options) {
  require_thread_count("bench machine", options.threads);
  if (!(options.seconds > 0)) fail_input("bench machine: --seconds is {}; it must be positive", options.seconds);
  if (options.threads > 0) set_thread_count(options.threads);
  if (!(options.largest_arrays >= 1 << 20))
    fail_input("bench machine: --largest-arrays is {}; it must be at least {}", options.largest_arrays, 1 << 20);
  bench::MachineMeasurement how{.seconds = options.seconds, .largest_arrays = options.largest_arrays, .lattice = {}};
  if (options.no_kernels && options.lattice != MachineOptions().lattice)
    fail_input("bench machine: --lattice is for kernels, and --no-kernels leaves them out");
  if (!options.no_kernels) how.lattice = parse_size(options.lattice, "--lattice");
  require_output_file("bench machine: --output", options.output);
  require_devices();  // before a lattice, which has tables on a GPU, is made to check the size
  const auto ranks = job();
  if (how.lattice) {
    const double links = 72, momenta = 32;  // of pure gauge theory
    require_memory("bench machine: --lattice", *how.lattice, (2 * links + 3 * momenta) * sizeof(double) * ranks.size(),
                   ranks.size());
    const Lattice lattice(*how.lattice, 1);
  }
  auto machine = bench::measure_machine(ranks, how);
  if (!ranks.is_first()) return 0;
  // Sizes go up by factors of four.
  if (const double largest = machine.array_bytes.back(); fields_on_host && 4 * largest <= options.largest_arrays)
    log_warning(
        "bench machine: --largest-arrays is {:.3g} bytes, but the triads' arrays end at {:.3g}: larger ones would "
        "take more than an eighth of the memory of a rank",
        options.largest_arrays, largest);
  round_measured(machine);
  const auto text =
      machine_file_text(machine, fmt::format("Measured by {} bench machine, {}, on {} rank{}{}.", version_text(),
                                             local_time("%Y-%m-%d"), ranks.size(), ranks.size() == 1 ? "" : "s",
                                             how.lattice ? ", kernels on " + options.lattice + " sites of each" : ""));
  if (options.output.empty()) {
    fmt::print("{}", text);
  } else {
    write_text_file(options.output, text);
    fmt::print("{}\nNext: trellis plan INPUT --machine {}\n", options.output, options.output);
  }
  return 0;
}

}  // namespace

void add_bench_machine(const Command& bench, Action& action) {
  auto options = std::make_shared<MachineOptions>();
  const auto command = bench.add_subcommand(
      "machine", "Measure this machine, and with several ranks its links, for trellis plan: memory, peak, kernels");
  command.add_option("--output", options->output, "write to this file instead of printing");
  command.add_option("--lattice", options->lattice, "sites x,y,z,t per rank on which kernels are timed")
      .capture_default_str();
  command.add_flag("--no-kernels", options->no_kernels, "leave kernels out");
  command.add_option("--threads", options->threads, "threads per rank; 0: all available").capture_default_str();
  command.add_option("--seconds", options->seconds, "minimum time for each figure").capture_default_str();
  command.add_option("--largest-arrays", options->largest_arrays, "bytes of the largest triad's arrays")
      .capture_default_str();
  command.footer("Example: mpirun -n 2 trellis bench machine --output machine.toml");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
