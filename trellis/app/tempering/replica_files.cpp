// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/tempering/replica_files.hpp"

#include <algorithm>
#include <cstdlib>

#include "trellis/app/command.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/app/run/run_report.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMiddle = ".replica-";

std::string checksums_of(const io::GaugeFileInfo& info) {
  std::string text;
  for (const auto& sum : info.checksums)
    text += fmt::format("{}{} {:08x}", text.empty() ? "" : ", ", sum.kind, sum.value);
  return text;
}

void require_checksums(const io::GaugeFileInfo& info, const SavedChain& chain, int replica, const fs::path& file) {
  const auto& expected = chain.replicas.checksums[std::size_t(replica) - 1];
  if (const auto found = checksums_of(info); found != expected)
    fail("{}: is not the file that the checkpoint was written with: its checksums are {}, expected {}", file.string(),
         found, expected);
}

void require_count(const SavedChain& chain, int count) {
  if (int(chain.replicas.walkers.size()) != count)
    fail("the checkpoint of trajectory {} has {} replicas, expected {}", chain.completed, chain.replicas.walkers.size(),
         count);
}

// A damaged or missing file is an InputError where a user named it; here nobody did.
template <class F>
void without_input_errors(const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    throw Error(error.what());
  }
}

}  // namespace

fs::path replica_file(const RunFolder& folder, std::int64_t trajectory, int replica) {
  return folder.file(fmt::format("{:06}{}{}", trajectory, kMiddle, replica));
}

namespace {

// What the groups know of their own replicas, for all: a text each, from the first ranks of groups.
template <int W>
std::vector<std::string> texts_of_replicas(const hmc::Tempering<W>& tempering, std::vector<std::string> texts) {
  const auto& groups = tempering.groups();
  const int length = groups.all.size() / groups.count;
  for (int r = 1; r < tempering.count(); ++r) {
    const bool mine = tempering.has(r) && groups.all.rank() == groups.number * length;
    for (const auto& text : groups.all.gather("checksums of replicas", mine ? texts[std::size_t(r) - 1] : ""))
      if (!text.empty()) texts[std::size_t(r) - 1] = text;
  }
  return texts;
}

}  // namespace

template <int W>
SavedReplicas save_replicas(const RunFolder& folder, const RunInput& input, std::uint32_t trajectory,
                            const hmc::Tempering<W>& tempering) {
  std::vector<std::string> checksums(std::size_t(tempering.count()) - 1);
  comm::together(tempering.groups().all, "write the replicas", [&] {
    for (int r = 1; r < tempering.count(); ++r) {
      if (!tempering.has(r)) continue;
      const auto file = replica_file(folder, trajectory, r);
      const auto& links = tempering.links(r);
      io::IldgParameters p;
      p.size = input.size;
      p.plaquette = gauge::plaquette(links).average;
      p.link_trace = gauge::link_trace(links);
      p.lfn = fmt::format("lfn://trellis/{}.{:06}{}{}", input.output.name, trajectory, kMiddle, r);
      p.input = write_toml(physics_of(input.resolved));
      p.provenance = fmt::format(
          "program = {}\nalgorithm = {}\nseed = {}\ntrajectory = {}\nreplica = {}\ncoupling = {}\n", version_text(),
          describe(input), hmc::seed_of_chain(std::uint64_t(input.chain.seed), std::uint32_t(r)), trajectory, r,
          tempering.parameters().couplings[std::size_t(r)]);
      io::write_ildg(file, p, io::link_source(links));
      checksums[std::size_t(r) - 1] = checksums_of(io::GaugeReader(file, {}, links.lattice().ranks()).info());
    }
  });
  return {.walkers = tempering.walkers(), .checksums = texts_of_replicas(tempering, std::move(checksums))};
}

template <int W>
void read_replicas(const RunFolder& folder, const SavedChain& chain, hmc::Tempering<W>& tempering) {
  without_input_errors([&] {
    comm::together(tempering.groups().all, "read the replicas", [&] {
      require_count(chain, tempering.count());
      for (int r = 1; r < tempering.count(); ++r) {
        if (!tempering.has(r)) continue;
        const auto file = replica_file(folder, chain.completed, r);
        const io::GaugeReader reader(file, {}, tempering.links(r).lattice().ranks());
        require_checksums(reader.info(), chain, r, file);
        io::read_links(reader, file, tempering.links(r));
      }
    });
    tempering.set_walkers(chain.replicas.walkers);
  });
}

void require_replicas(const RunFolder& folder, const SavedChain& chain, int count) {
  without_input_errors([&] {
    require_count(chain, count);
    for (int r = 1; r < count; ++r) {
      const auto file = replica_file(folder, chain.completed, r);
      const io::GaugeReader reader(file);
      require_checksums(reader.info(), chain, r, file);
      io::require_sound(file, reader.read([](auto) {}), io::ReadOptions{}.tolerance_of(reader.info()));
    }
  });
}

void remove_unused_replicas(const RunFolder& folder) {
  std::vector<std::int64_t> used;
  for (const auto& file : {folder.checkpoint(), folder.previous_checkpoint()}) {
    if (!fs::exists(file)) continue;
    try {
      used.push_back(read_saved_chain(file).completed);
    } catch (const Error&) {
      return;
    }
  }
  std::vector<fs::path> unused;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.directory, ignored)) {
    const auto name = entry.path().filename().string();
    const auto middle = name.find(kMiddle);
    if (middle == std::string::npos || !name.starts_with(folder.name + ".")) continue;
    const auto trajectory = std::strtoll(name.c_str() + folder.name.size() + 1, nullptr, 10);
    const auto replica = std::strtol(name.c_str() + middle + kMiddle.size(), nullptr, 10);
    // Another run in this folder may have a name that begins with this one's.
    if (entry.path().filename() != replica_file(folder, trajectory, int(replica)).filename()) continue;
    if (std::find(used.begin(), used.end(), trajectory) == used.end()) unused.push_back(entry.path());
  }
  for (const auto& file : unused) fs::remove(file, ignored);
}

#define TRELLIS_INSTANTIATE(W)                                                                                         \
  template SavedReplicas save_replicas<W>(const RunFolder&, const RunInput&, std::uint32_t, const hmc::Tempering<W>&); \
  template void read_replicas<W>(const RunFolder&, const SavedChain&, hmc::Tempering<W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
