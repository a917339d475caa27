// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/plan_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "trellis/app/run/run_report.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/base/precision.hpp"

namespace trellis::app {
namespace {

using bench::DevicePlan;

// "12.3 GB"
std::string amount(double value, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t k = 0;
  for (; value >= 999.5 && k + 1 < std::size(prefixes); ++k) value /= 1000;
  return fmt::format("{:.3g} {}{}", value, prefixes[k], unit);
}
std::string bytes(double value) { return amount(value, "B"); }

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  if (seconds < 6000) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 48 * 3600.0) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.0f} %", 100 * part / whole) : std::string("-");
}

std::string machine_text(const PlanReport& report) {
  const auto& m = report.machine;
  auto text = fmt::format("Machine: {}\n  {} of {} on each: {}/s, {} ({} single)\n", m.name,
                          plural(m.devices, "device"), bytes(m.device_memory_bytes), bytes(m.triad.back()),
                          amount(m.double_flops, "FLOP/s"), amount(m.single_flops, "FLOP/s"));
  const auto link = [](const char* where, const bench::LinkDescription& l) {
    return fmt::format("  links {}: {:.3g} us, {}/s each way\n", where, l.latency * 1e6, bytes(l.bandwidth));
  };
  if (m.inside) text += link("within a machine", *m.inside);
  if (m.across) text += link("between machines", *m.across);
  return text;
}

std::string solves_text(const PlanReport& report) {
  if (report.solves.empty()) return "";
  auto text = fmt::format("\nConjugate gradients, {}\n  {:<12} {:<20} {:>6} {:>6} {:>9} {:>11}\n",
                          report.iterations_from, "term", "for", "solves", "poles", "residual", "iterations");
  double all = 0;
  for (const auto& solve : report.solves) {
    text += fmt::format("  {:<12} {:<20} {:>6} {:>6} {:>9.0e} {:>11.0f}\n", solve.term, solve.purpose, solve.calls,
                        solve.shifts(), solve.residual, solve.iterations);
    all += solve.calls * solve.iterations;
  }
  return text + fmt::format("  {:<12} {:<20} {:>6} {:>6} {:>9} {:>11.0f}\n", "in all", "", "", "", "", all);
}

std::string devices_text(const PlanReport& report) {
  auto text =
      fmt::format("\nOne trajectory by number of devices; the whole run has {}\n", report.input.chain.trajectories);
  text += fmt::format("  {:>7} {:>5} {:>11} {:>13} {:>7} {:>8} {:>9} {:>8} {:>5} {:>8} {:>7} {:>10} {:>10} {:>9}\n",
                      "devices", "nodes", "grid", "block", "memory", "time", "computing", "messages", "sums",
                      "launches", "sent", "efficiency", "node-hours", "whole run");
  for (const DevicePlan& plan : report.plans) {
    const double time = plan.seconds.total();
    text += fmt::format("  {:>7} {:>5} {:>11} {:>13} {:>7}", plan.devices, plan.machines, to_string(plan.grid),
                        to_string(plan.block), bytes(plan.memory_bytes()));
    if (!report.fits(plan)) {
      text += fmt::format(" does not fit: {:.2g} times a device's memory\n",
                          plan.memory_bytes() / report.machine.device_memory_bytes);
      continue;
    }
    text += fmt::format(" {:>8} {:>9} {:>8} {:>5} {:>8} {:>7} {:>10} {:>10.4g} {:>9}\n", duration(time),
                        percent(plan.seconds.computing, time), percent(plan.seconds.messages, time),
                        percent(plan.seconds.sums, time), percent(plan.seconds.launches, time), bytes(plan.halo_bytes),
                        percent(report.efficiency(plan), 1), report.node_hours(plan),
                        duration(time * double(report.input.chain.trajectories)));
  }
  text +=
      "  computing, messages, sums, launches: shares of the time spent on computing, messages, sums over all ranks\n"
      "  and starting kernels; sent: by each device per trajectory; efficiency: device-seconds of the first line that\n"
      "  fits, divided by those of this line.\n";
  return text;
}

std::string likely_text(const PlanReport& report) {
  if (report.likely.empty()) return "";
  std::string text =
      "\nThese times follow from a bound on iterations. Likely, with a third to a half of it, as in runs so far:\n";
  for (std::size_t n = 0; n < report.plans.size(); ++n) {
    const auto& plan = report.plans[n];
    if (!report.fits(plan)) continue;
    const auto& [third, half] = report.likely[n];
    const double count = double(report.input.chain.trajectories);
    text += fmt::format("  {:>12}: {} to {} a trajectory, {} to {} in all\n", plural(plan.devices, "device"),
                        duration(third), duration(half), duration(third * count), duration(half * count));
  }
  return text;
}

std::string slower_text(const PlanReport& report) {
  std::string text;
  for (const auto& reason : report.slower) text += "  " + reason.text() + "\n";
  return text.empty() ? "" : "\nMore devices are not always faster\n" + text;
}

std::string memory_text(const DevicePlan& plan) {
  auto fields = plan.memory;
  std::sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  auto text = fmt::format("\nMemory per device, of {}: {}\n", plan.devices, bytes(plan.memory_bytes()));
  for (const auto& [label, size] : fields)
    if (size > 0) text += fmt::format("  {:<30} {:>9} {:>6}\n", label, bytes(size), percent(size, plan.memory_bytes()));
  return text;
}

std::string kernels_text(const DevicePlan& plan) {
  constexpr std::size_t most = 16;
  const double all = plan.seconds.total();
  auto text = fmt::format("\nKernels of a trajectory on {}: {}\n  {:<36} {:>9} {:>9} {:>6} {:>9} {:>8} {:>9} {:>9}\n",
                          plural(plan.devices, "device"), duration(all), "", "calls", "time", "share", "computing",
                          "GB/s", "GFLOP/s", "sent");
  std::size_t n = 0;
  double rest = 0;
  for (const auto& kernel : plan.kernels) {
    const double seconds = kernel.seconds.total();
    if (++n > most) {
      rest += seconds;
      continue;
    }
    text +=
        fmt::format("  {:<36} {:>9.0f} {:>9} {:>6} {:>9} {:>8.1f} {:>9.1f} {:>9}\n",
                    kernel.name + (kernel.single ? ", single" : ""), kernel.calls, duration(seconds),
                    percent(seconds, all), percent(kernel.seconds.computing, seconds), kernel.bytes / seconds * 1e-9,
                    kernel.flops / seconds * 1e-9, kernel.halo_bytes > 0 ? bytes(kernel.halo_bytes) : "");
  }
  if (n > most)
    text += fmt::format("  {:<36} {:>9} {:>9} {:>6}\n", fmt::format("{} others", n - most), "", duration(rest),
                        percent(rest, all));
  return text;
}

std::string disk_text(const PlanReport& report) {
  const auto disk = disk_plan(report.input);
  return fmt::format("\nDisk: {}; {} of {}, and two checkpoints of {} (three while one is written)\n",
                     bytes(disk.total()), plural(disk.configurations, "configuration"), bytes(disk.configuration_bytes),
                     bytes(disk.checkpoint_bytes));
}

std::string assumptions_text(const PlanReport& report) {
  std::string text =
      "\nWhat this assumes\n"
      "  - A kernel's time is the larger of its minimum bytes over the triad and its flops over the peak, divided by\n"
      "    the fraction that the kernel reaches by the machine's description, on equal devices that nobody else uses.\n"
      "  - Hops of vectors compute on inner sites while messages are in flight; all else waits for them. Messages of\n"
      "    a rank go one after the other. Each sum over all ranks takes log2(ranks) latencies plus the host's wait.\n"
      "  - Grids are the fastest by this model; a run takes one given as [machine] ranks.\n"
      "  - Counts of kernels follow the integrator; measurements beyond plaquettes and loops, files, reversibility\n"
      "    checks and rejected trajectories are left out.\n";
  for (const auto& note : report.notes) text += "  - " + note + "\n";
  return text;
}

}  // namespace

double PlanReport::node_hours(const DevicePlan& plan) const {
  return plan.machines * plan.seconds.total() * double(input.chain.trajectories) / 3600;
}

std::vector<DevicePlan> PlanReport::fitting() const {
  std::vector<DevicePlan> fit;
  for (const auto& plan : plans)
    if (fits(plan)) fit.push_back(plan);
  return fit;
}

double PlanReport::efficiency(const DevicePlan& plan) const {
  const auto first = std::find_if(plans.begin(), plans.end(), [&](const DevicePlan& one) { return fits(one); });
  if (first == plans.end()) return 0;
  return first->devices * first->seconds.total() / (plan.devices * plan.seconds.total());
}

DiskPlan disk_plan(const RunInput& input) {
  const double sites = double(input.size[0]) * input.size[1] * input.size[2] * input.size[3];
  const auto& chain = input.chain;
  DiskPlan disk;
  disk.configurations = chain.save_every > 0 ? chain.trajectories / chain.save_every : 0;
  disk.configuration_bytes = sites * 72 * arithmetic_bytes(precision_named(chain.save_precision));
  disk.checkpoint_bytes = sites * 72 * 8 * (input.tempering ? double(input.tempering->couplings.size()) : 1);
  if (input.chains > 0) {
    disk.configurations *= input.chains;
    disk.checkpoint_bytes *= double(input.chains);
  }
  return disk;
}

std::string plan_text(const PlanReport& report) {
  auto text = fmt::format("Plan of {}\n{}", describe(report.input), report.algorithm);
  text += machine_text(report) + solves_text(report) + devices_text(report) + likely_text(report) + slower_text(report);
  const DevicePlan& shown = report.plans.at(report.shown);
  text += memory_text(shown);
  if (report.fits(shown)) text += kernels_text(shown);
  return text + disk_text(report) + assumptions_text(report);
}

nlohmann::ordered_json plan_json(const PlanReport& report) {
  using Json = nlohmann::ordered_json;
  const auto disk = disk_plan(report.input);
  Json out = {{"input", describe(report.input)},
              {"machine", report.machine.name},
              {"trajectories", report.input.chain.trajectories},
              {"iterations_from", report.iterations_from},
              {"solves", Json::array()},
              {"devices", Json::array()},
              {"disk",
               {{"bytes", disk.total()},
                {"configurations", disk.configurations},
                {"configuration_bytes", disk.configuration_bytes},
                {"checkpoint_bytes", disk.checkpoint_bytes}}},
              {"slower", Json::array()},
              {"notes", report.notes}};
  if (!report.algorithm.empty()) out["algorithm"] = report.algorithm;
  for (const auto& solve : report.solves)
    out["solves"].push_back({{"term", solve.term},
                             {"purpose", solve.purpose},
                             {"solves", solve.calls},
                             {"poles", solve.shifts()},
                             {"residual", solve.residual},
                             {"iterations", solve.iterations}});
  const auto share = [](const bench::Share& s) {
    return Json{{"seconds", s.total()},
                {"computing", s.computing},
                {"messages", s.messages},
                {"sums", s.sums},
                {"launches", s.launches}};
  };
  for (const auto& reason : report.slower)
    out["slower"].push_back({{"devices", reason.devices},
                             {"than", reason.than},
                             {"because_of", reason.part},
                             {"key", reason.key},
                             {"seconds", reason.seconds},
                             {"seconds_with_key", reason.key.empty() ? Json() : Json(reason.with_key)}});
  for (const DevicePlan& plan : report.plans) {
    Json entry = {{"devices", plan.devices},
                  {"nodes", plan.machines},
                  {"grid", plan.grid},
                  {"block", plan.block},
                  {"fits", report.fits(plan)},
                  {"memory_bytes", plan.memory_bytes()},
                  {"memory", Json::object()},
                  {"trajectory", share(plan.seconds)},
                  {"sent_bytes", plan.halo_bytes},
                  {"efficiency", report.efficiency(plan)},
                  {"node_hours", report.node_hours(plan)},
                  {"kernels", Json::array()}};
    if (!report.likely.empty()) {
      const auto& [third, half] = report.likely[out["devices"].size()];
      entry["likely_seconds"] = {third, half};
    }
    for (const auto& [label, size] : plan.memory) entry["memory"][label] = size;
    for (const auto& kernel : plan.kernels) {
      Json one = {{"kernel", kernel.name}, {"precision", kernel.single ? "single" : "double"},
                  {"calls", kernel.calls}, {"bytes", kernel.bytes},
                  {"flops", kernel.flops}, {"sent_bytes", kernel.halo_bytes}};
      one.update(share(kernel.seconds));
      entry["kernels"].push_back(one);
    }
    out["devices"].push_back(entry);
  }
  return out;
}

}  // namespace trellis::app
