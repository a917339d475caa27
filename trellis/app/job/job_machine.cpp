// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// How the ranks of a machine share its processors and its GPUs.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "trellis/app/job/job.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::app {
namespace {

std::vector<std::string> own_processors() {
  constexpr int most = 16384;
  cpu_set_t* set = CPU_ALLOC(most);
  const auto bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  std::vector<std::string> found;
  if (::sched_getaffinity(0, bytes, set) == 0)
    for (int n = 0; n < most; ++n)
      if (CPU_ISSET_S(std::size_t(n), bytes, set)) found.push_back(std::to_string(n));
  CPU_FREE(set);
  return found;
}

// A line for the machine, and one for each part.
std::vector<RankMachine> gather(const comm::Communicator& ranks, const char* name,
                                const std::vector<std::string>& parts) {
  std::vector<RankMachine> all;
  for (const auto& text : ranks.gather(name, fmt::format("{}\n{}", machine_name(), joined(parts, "\n")))) {
    std::istringstream lines(text);
    RankMachine rank;
    std::getline(lines, rank.machine);
    for (std::string part; std::getline(lines, part);)
      if (!part.empty()) rank.parts.push_back(part);
    all.push_back(std::move(rank));
  }
  return all;
}

SharedCores& found_cores() {
  static SharedCores found;
  return found;
}

// Above this, OpenMP's run-time library would crash.
void require_thread_count() {
  const char* wanted = std::getenv("OMP_NUM_THREADS");
  if (wanted == nullptr) return;
  // A list has a number for each level of nesting; OpenMP itself complains about anything else.
  const unsigned processors = std::thread::hardware_concurrency(), most = 16 * std::max(64U, processors);
  if (std::strtod(wanted, nullptr) > most)
    fail_input("OMP_NUM_THREADS is {}; this machine has {} processors, and at most {} threads are allowed", wanted,
               processors, most);
}

}  // namespace

// Two machines may share a name, but not the same boot at the same time.
std::string machine_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return std::string(name) + " " + boot;
}

SharedProcessors sharing_of(const std::vector<RankMachine>& ranks, std::size_t rank) {
  const auto& own = ranks[rank];
  SharedProcessors shared{0, 0};
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto& other = ranks[r];
    const bool shares =
        r == rank || (other.machine == own.machine && std::ranges::any_of(other.parts, [&](const auto& part) {
                        return std::ranges::find(own.parts, part) != own.parts.end();
                      }));
    if (!shares) continue;
    if (r < rank) ++shared.rank;
    ++shared.ranks;
  }
  return shared;
}

int threads_of(const std::vector<RankMachine>& ranks, std::size_t rank) {
  return std::max(1, static_cast<int>(std::ssize(ranks[rank].parts)) / sharing_of(ranks, rank).ranks);
}

DeviceChoice device_of(const std::vector<RankMachine>& ranks, std::size_t rank) {
  std::map<std::pair<std::string, std::string>, int> users;
  DeviceChoice choice;
  for (std::size_t r = 0; r <= rank; ++r) {
    const auto& [machine, parts] = ranks[r];
    choice = {-1, 0};
    for (std::size_t n = 0; n < parts.size(); ++n)
      if (const int others = users[{machine, parts[n]}]; choice.number < 0 || others < choice.others)
        choice = {static_cast<int>(n), others};
    if (choice.number >= 0) ++users[{machine, parts[static_cast<std::size_t>(choice.number)]}];
  }
  return choice;
}

void share_processors() {
  require_thread_count();
  const auto ranks = job();
  const auto own = own_processors();
  found_cores() = {1, int(own.size())};
  if (ranks.size() == 1) return;
  const auto all = gather(ranks, "processors", own);
  found_cores().ranks = sharing_of(all, std::size_t(ranks.rank())).ranks;
  const char* wanted = std::getenv("OMP_NUM_THREADS");
  if (wanted == nullptr || *wanted == '\0') set_thread_count(threads_of(all, std::size_t(ranks.rank())));
}

SharedCores shared_cores() { return found_cores(); }

void bind_threads_of_rank(const std::string& where) {
  const std::map<std::string, Binding> words{
      {"none", Binding::none}, {"core", Binding::core}, {"socket", Binding::socket}};
  const auto found = words.find(where);
  if (found == words.end()) fail_input("--bind: found '{}', expected none, core or socket", where);
  const auto ranks = job();
  SharedProcessors shared;
  if (ranks.size() > 1) shared = sharing_of(gather(ranks, "processors", own_processors()), std::size_t(ranks.rank()));
  comm::together(ranks, "bind threads", [&] { bind_threads(found->second, shared); });
}

void require_devices() {
  const auto ranks = job();
  if (ranks.size() > 1) {
    const auto all = gather(ranks, "GPUs", device_identities());
    const auto mine = device_of(all, std::size_t(ranks.rank()));
    const char* share = std::getenv("TRELLIS_SHARE_GPUS");
    const bool may_share = share != nullptr && std::string_view(share) == "1";
    std::size_t sharing = 0;
    for (std::size_t r = 0; r < all.size(); ++r) sharing += device_of(all, r).others > 0 ? 1 : 0;
    if (sharing > 0 && !may_share)
      fail(
          "{} of {} ranks have no GPU of their own; start as many ranks on a machine as it has GPUs, or set "
          "TRELLIS_SHARE_GPUS=1 to let ranks share one",
          sharing, ranks.size());
    if (sharing > 0 && ranks.is_first())
      log_warning("{} of {} ranks share a GPU with another rank, which is slow", sharing, ranks.size());
    if (mine.number >= 0) select_device(mine.number);
  }
  comm::together(ranks, "GPUs", [] { require_device(); });
}

}  // namespace trellis::app
