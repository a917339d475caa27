// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/machine_file.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/app/input/toml_reader.hpp"

namespace trellis::app {
namespace {

using bench::MachineDescription;

constexpr RealRange positive{.min = 0, .open = true}, from_0{.min = 0};

void read_node(const Table& table, MachineDescription& machine) {
  machine.name = table.text("name");
  machine.devices = int(table.integer("devices", {.min = 1, .max = 65536}, 1));
  machine.cores = int(table.integer("cores", {.min = 0, .max = 1 << 20}, 0));
  machine.memory_bytes = table.real("memory_bytes", from_0, 0.0);
}

void read_kernels(const Table& device, MachineDescription& machine) {
  if (!device.has("kernels")) return;
  for (const Table& table : device.tables("kernels")) {
    const auto name = table.text("name");
    const bool single = table.choice("precision", {"double", "single"}, "double") == "single";
    machine.kernels.push_back({name, single, table.real("of_floor", positive)});
    table.finish_section();
  }
}

void read_device(const Table& table, MachineDescription& machine) {
  machine.device = table.text("name");
  machine.device_memory_bytes = table.real("memory_bytes", positive);
  machine.triad = table.reals("triad", positive);
  if (machine.triad.empty()) table.wrong("triad", "is empty; expected at least one bandwidth");
  if (machine.triad.size() > 1 || table.has("array_bytes")) {
    machine.array_bytes = table.reals("array_bytes", positive);
    const auto& sizes = machine.array_bytes;
    if (sizes.size() != machine.triad.size())
      table.wrong("array_bytes", "found {} sizes, but {} bandwidths in triad; expected equal numbers", sizes.size(),
                  machine.triad.size());
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) != sizes.end())
      table.wrong("array_bytes", "sizes must ascend");
  } else {
    machine.array_bytes = {1e9};  // of any size
  }
  machine.single_flops = table.real("single_flops", positive);
  machine.double_flops = table.real("double_flops", positive);
  machine.launch_seconds = table.real("launch_seconds", from_0, 0.0);
  machine.wait_seconds = table.real("wait_seconds", from_0, 0.0);
  machine.host_bandwidth = table.real("host_bandwidth", from_0, 0.0);
  machine.other_kernels = table.real("other_kernels", positive, machine.other_kernels);
  read_kernels(table, machine);
  table.finish_section();
}

// Both keys or neither.
std::optional<bench::LinkDescription> read_link(const Table& table, const std::string& prefix) {
  const auto latency = prefix + "latency", bandwidth = prefix + "bandwidth";
  if (!table.has(latency) && !table.has(bandwidth)) return {};
  return bench::LinkDescription{table.real(latency, from_0), table.real(bandwidth, positive)};
}

MachineDescription read(const Table& root) {
  MachineDescription machine;
  const Table node = root.table("node");
  read_node(node, machine);
  node.finish_section();
  read_device(root.table("device"), machine);
  if (root.has("links")) {
    const Table links = root.table("links");
    machine.inside = read_link(links, "inside_");
    machine.across = read_link(links, "");
    links.finish_section();
  }
  root.finish();
  return machine;
}

template <class T>
std::string line(const char* key, const T& value, const char* meaning = "") {
  const auto text = fmt::format("{} = {}", key, write_toml_value({value, {}}));
  return *meaning == 0 ? text + "\n" : fmt::format("{:<32} # {}\n", text, meaning);
}

// Integers are written without a decimal point.
TomlValue number(double value) {
  constexpr double exact = 1e15;
  if (value == std::floor(value) && std::abs(value) < exact) return {std::int64_t(value), {}};
  return {value, {}};
}

std::string line(const char* key, const std::vector<double>& values, const char* meaning) {
  TomlArray array;
  for (const double value : values) array.push_back(number(value));
  return line(key, array, meaning);
}

}  // namespace

MachineDescription read_machine_file(const std::filesystem::path& file) { return read(Table::open(file)); }

MachineDescription parse_machine_file(const std::string& text, const std::string& name) {
  return read(Table::parse(text, name));
}

TomlEntries resolved_machine_file(const std::string& text, const std::string& name) {
  const auto root = Table::parse(text, name);
  read(root);
  return root.resolved();
}

std::string machine_file_text(const MachineDescription& machine, const std::string& origin) {
  std::string text = "# " + origin + "\n# Units: bytes, seconds, bytes/s, flops/s.\n\n[node]\n";
  text += line("name", machine.name);
  text += line("devices", std::int64_t{machine.devices}, "per machine: a rank runs on each");
  text += line("cores", std::int64_t{machine.cores});
  text += fmt::format("memory_bytes = {}\n", write_toml_value(number(machine.memory_bytes)));
  text += "\n[device]\n" + line("name", machine.device) +
          fmt::format("memory_bytes = {}\n", write_toml_value(number(machine.device_memory_bytes)));
  text += line("array_bytes", machine.array_bytes, "total size of a triad's three arrays, for which it reaches");
  text += line("triad", machine.triad, "these bandwidths");
  text += line("single_flops", machine.single_flops, "fused multiply-adds");
  text += line("double_flops", machine.double_flops);
  text += line("launch_seconds", machine.launch_seconds, "an empty kernel, one after the other");
  text += line("wait_seconds", machine.wait_seconds, "a single one, until the host knows that it has ended");
  if (machine.host_bandwidth > 0)
    text += line("host_bandwidth", machine.host_bandwidth, "to and from the host, through which messages travel");
  text += line("other_kernels", machine.other_kernels, "of_floor of kernels not named below");
  if (!machine.kernels.empty()) {
    text += "# of_floor: the larger of bytes / triad and flops / peak, divided by the time.\nkernels = [\n";
    for (const auto& kernel : machine.kernels)
      text += fmt::format(
          "  {},\n",
          write_toml_value({TomlEntries{{"name", {kernel.kernel, {}}, {}},
                                        {"precision", {std::string(kernel.single ? "single" : "double"), {}}, {}},
                                        {"of_floor", {kernel.of_floor, {}}, {}}},
                            {}}));
    text += "]\n";
  }
  if (!machine.inside && !machine.across)
    return text +
           "\n# The speed of messages is not known: measure it with two ranks on a machine, and on two machines, e.g.\n"
           "#   mpirun -n 2 trellis bench machine\n# [links]\n# inside_latency, inside_bandwidth: between devices of a "
           "machine\n# latency, bandwidth: between machines; per device, one way, while all devices send\n";
  text += "\n[links] # per device, one way, while all devices send\n";
  if (machine.inside) {
    text += line("inside_latency", machine.inside->latency, "between devices of a machine");
    text += line("inside_bandwidth", machine.inside->bandwidth);
  } else {
    text += "# inside_latency, inside_bandwidth: not known; measured with two ranks on a machine\n";
  }
  if (machine.across) {
    text += line("latency", machine.across->latency, "between machines");
    text += line("bandwidth", machine.across->bandwidth);
  } else {
    text += "# latency, bandwidth: not known; measured with ranks on two machines\n";
  }
  return text;
}

}  // namespace trellis::app
