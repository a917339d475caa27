// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis info: what this program was built for and what machine it runs on.
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/version.hpp"
#include "trellis/bench/machine/machine.hpp"
#include "trellis/comm/session.hpp"
#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/lattice/halo/transport.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

using Json = nlohmann::ordered_json;

Json facts_of(const Device& device) {
  Json facts = {
      {"name", device.name},   {"capability", device.capability},     {"multiprocessors", device.multiprocessors},
      {"clock", device.clock}, {"memory_clock", device.memory_clock}, {"memory_bytes", device.bytes},
      {"free_bytes", nullptr}, {"l2_bytes", device.l2_bytes},         {"ecc", device.ecc}};
  if (device.free_bytes) facts["free_bytes"] = *device.free_bytes;
  return facts;
}

Json facts_of(const Devices& devices) {
  Json facts = {{"driver", devices.driver},
                {"runtime", devices.runtime},
                {"compiled_for", devices.architectures},
                {"devices", Json::array()}};
  for (const auto& device : devices.found) facts["devices"].push_back(facts_of(device));
  if (!devices.why_none.empty()) facts["why_none"] = devices.why_none;
  return facts;
}

// Bytes per second.
Json bandwidth() {
  const auto w = bench::measure_bandwidth(std::int64_t{1} << 30, {5, 0.02});
  Json facts = {
      {"copy", std::max(w.copy, w.copy_streaming)}, {"triad", w.best()}, {"read", w.read}, {"write", w.write}};
  if (kernels_on_host) return facts;
  const auto copies = bench::measure_host_copies({5, 0.02});
  facts["host_to_device"] = copies.to_device;
  facts["device_to_host"] = copies.from_device;
  facts["pinned_to_device"] = copies.pinned_to_device;
  facts["device_to_pinned"] = copies.pinned_from_device;
  return facts;
}

// Names of the machines, and the number of ranks on each.
Json machines() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  std::map<std::string, std::vector<int>> ranks;
  int rank = 0;
  for (const auto& machine : job().gather("machines", name)) ranks[machine].push_back(rank++);
  return ranks;
}

// The transport of the ranks' messages, or why there can be none.
std::string transport() {
  try {
    require_devices();
    return name_of(choose_transport(job()));
  } catch (const Error& error) {
    return fmt::format("none: {}", error.what());
  }
}

Json all_facts(const Devices& devices, bool measure) {
  Json facts = {{"version", version_number()},     {"space", DefaultExecutionSpace::name}, {"threads", concurrency()},
                {"lanes", compiled_lane_counts()}, {"processor", tuning::processor()},     {"compiler", __VERSION__}};
  facts["commit"] = commit();
  facts["isa"] = {{"name", backend::compiled_instruction_set()},
                  {"processor", backend::processor_instruction_set()},
                  {"portable", is_portable()}};
  facts["mpi"] = comm::Session::has_mpi();
  facts["ranks"] = job().size();
  if (job().size() > 1) {
    facts["machines"] = machines();
    facts["transport"] = transport();
  }
  if (!kernels_on_host) facts["cuda"] = facts_of(devices);
  if (measure && (kernels_on_host || devices.why_none.empty())) facts["bandwidth"] = bandwidth();
  return facts;
}

void print_line(const std::string& key, const std::string& value) { fmt::print("{:<10} {}\n", key, value); }

void print(const Devices& devices) {
  constexpr double gibi = 1 << 30, mebi = 1 << 20;
  print_line("CUDA", fmt::format("runtime {}, driver {}, compiled for {}", devices.runtime, devices.driver,
                                 devices.architectures));
  for (const auto& one : devices.found) {
    const auto free =
        one.free_bytes ? fmt::format("{:.1f} free", double(*one.free_bytes) / gibi) : std::string("not usable");
    print_line("GPU",
               fmt::format("{}, capability {}, {} multiprocessors at {:.0f} MHz; memory {:.1f} GiB ({}) at {:.0f} "
                           "MHz, ECC {}; L2 {:.0f} MiB",
                           one.name, one.capability, one.multiprocessors, one.clock * 1e-6, double(one.bytes) / gibi,
                           free, one.memory_clock * 1e-6, one.ecc ? "on" : "off", double(one.l2_bytes) / mebi));
  }
  if (!devices.why_none.empty()) print_line("GPU", "none: " + devices.why_none);
}

int run(bool json, bool measure) {
  const auto devices = find_devices();
  const auto facts = all_facts(devices, measure);
  if (json) {
    fmt::print("{}\n", facts.dump(2));
    return 0;
  }
  for (const auto& [key, value] : facts.items()) {
    if (key == "cuda") {
      print(devices);
    } else if (key == "isa") {
      print_line(key, instruction_set_text());
    } else if (key == "bandwidth") {
      std::string text;
      for (const auto& [what, rate] : value.items())
        text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", what, rate.template get<double>() * 1e-9);
      print_line(key, text + " GB/s");
    } else {
      print_line(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  return 0;
}

struct InfoOptions {
  bool json = false, measure = false;
};

}  // namespace

void add_info(const Command& program, Action& action) {
  auto options = std::make_shared<InfoOptions>();
  const auto command =
      program.add_subcommand("info", "Show what this program was built for and what machine it runs on");
  command.add_flag("--json", options->json, "print JSON");
  command.add_flag("--bandwidth", options->measure, "measure memory bandwidth (the GPU's, if there is one)");
  command.footer("Example: trellis info --bandwidth");
  command.callback([options, &action] { action = [options] { return run(options->json, options->measure); }; });
}

}  // namespace trellis::app
