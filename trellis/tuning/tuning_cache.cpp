// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/tuning/tuning_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/local_time.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::tuning {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int format_version = 1;
constexpr std::uintmax_t largest_file = 16 << 20;
constexpr std::pair<dirac::Stores, const char*> store_names[]{
    {dirac::Stores::by_size, "by size"}, {dirac::Stores::cached, "cached"}, {dirac::Stores::streaming, "streaming"}};

json to_json(const TuningEntry& entry) {
  const auto& [machine, what, how, date] = entry;
  const auto& ahead = how.settings.distances(what.vectors);
  const auto* stores = std::find_if(std::begin(store_names), std::end(store_names),
                                    [used = how.settings.stores](const auto& s) { return s.first == used; });
  const auto* kernel = std::ranges::find(tuned_kernels, what.kernel, &NamedValue<TunedKernel>::value);
  const auto* links = std::ranges::find(quark_link_names, what.quark_links, &NamedValue<dirac::LinkKind>::value);
  return {{"machine", machine},
          {"kernel", std::string(kernel->name)},
          {"quark_links", std::string(links->name)},
          {"size", what.size},
          {"precision", std::string(name_of(what.precision))},
          {"lanes", what.lanes},
          {"reals_per_link", int(what.links)},
          {"vectors", what.vectors},
          {"threads", what.threads},
          {"cut", what.cut},
          {"lane_grid", how.shape.lane_grid},
          {"column", how.shape.column},
          {"brick", how.shape.brick},
          {"ahead_links", ahead.links},
          {"ahead_vectors", ahead.vectors},
          {"ahead_fresh", ahead.fresh},
          {"always_ahead", how.settings.always_ahead},
          {"stores", stores->second},
          {"block_threads", how.settings.block_threads},
          {"threads_used", how.threads},
          {"seconds", how.seconds},
          {"untuned_seconds", how.untuned_seconds},
          {"date", date}};
}

std::string checksum(const json& entry) {
  json rest = entry;
  rest.erase("checksum");
  const std::string text = rest.dump();
  return fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

// Checks a member; otherwise the entry is damaged. nlohmann::json would accept 2.7 for the integer 2, and wrap others.
template <class T>
T member(const json& entry, const char* name) {
  const json& value = entry.at(name);
  if constexpr (std::is_same_v<T, int>) {
    if (!value.is_number_integer() || value < 0 || value > 1 << 20) fail("{} is {}", name, value.dump());
    return value.get<int>();
  } else {
    return value.get<T>();
  }
}
template <std::size_t N>
std::array<int, N> members(const json& entry, const char* name) {
  const json& values = entry.at(name);
  if (!values.is_array() || values.size() != N) fail("{} is not {} integers", name, N);
  std::array<int, N> all{};
  for (std::size_t k = 0; k < N; ++k) {
    if (!values[k].is_number_integer() || values[k] < 0 || values[k] > 1 << 20) fail("{} is {}", name, values.dump());
    all[k] = values[k].get<int>();
  }
  return all;
}

TuningEntry from_json(const json& entry) {
  if (member<std::string>(entry, "checksum") != checksum(entry)) fail("its checksum is wrong");
  TuningEntry e;
  e.machine = member<std::string>(entry, "machine");
  e.date = member<std::string>(entry, "date");
  const auto kernel = member<std::string>(entry, "kernel");
  const auto* found = std::ranges::find(tuned_kernels, kernel, &NamedValue<TunedKernel>::name);
  if (found == tuned_kernels.end()) fail("kernel is {}", kernel);
  e.what.kernel = found->value;
  // Earlier programs tuned for links in SU(3) only.
  const auto links = entry.contains("quark_links") ? member<std::string>(entry, "quark_links") : std::string("su3");
  const auto* kind = std::ranges::find(quark_link_names, links, &NamedValue<dirac::LinkKind>::name);
  if (kind == quark_link_names.end()) fail("quark_links is {}", links);
  e.what.quark_links = kind->value;
  e.what.size = members<4>(entry, "size");
  e.what.lanes = member<int>(entry, "lanes");
  e.what.vectors = member<int>(entry, "vectors");
  e.what.threads = member<int>(entry, "threads");
  if (entry.contains("cut")) e.what.cut = members<4>(entry, "cut");  // earlier programs did not tune for ranks
  const auto precision = member<std::string>(entry, "precision");
  const auto* p =
      std::find_if(precision_names.begin(), precision_names.end(), [&](const auto& k) { return k.name == precision; });
  if (p == precision_names.end()) fail("precision is {}", precision);
  e.what.precision = p->value;
  const int reals = member<int>(entry, "reals_per_link");
  if (reals != 18 && reals != 12 && reals != 8) fail("reals_per_link is {}", reals);
  e.what.links = dirac::LinkFormat(reals);
  for (const int extent : e.what.size)
    if (extent < 2 || extent % 2 != 0) fail("an extent is {}", extent);
  for (const int cut : e.what.cut)
    if (cut > 1) fail("cut is {}", entry.at("cut").dump());
  if (e.what.lanes < 1 || e.what.vectors < 1 || e.what.threads < 1) fail("lanes, vectors or threads are 0");
  e.how.shape = {members<4>(entry, "lane_grid"), members<2>(entry, "column")};
  if (entry.contains("brick")) e.how.shape.brick = members<4>(entry, "brick");  // earlier programs did not tune it
  const char* const of_vectors = entry.contains("ahead_vectors") ? "ahead_vectors" : "ahead_spinors";  // earlier
  e.how.settings = default_settings(e.what);
  e.how.settings.distances(e.what.vectors) = {member<int>(entry, "ahead_links"), member<int>(entry, of_vectors),
                                              member<int>(entry, "ahead_fresh")};
  if (entry.contains("block_threads")) e.how.settings.block_threads = member<int>(entry, "block_threads");
  e.how.settings.always_ahead = member<bool>(entry, "always_ahead");
  const auto stores = member<std::string>(entry, "stores");
  const auto* s =
      std::find_if(std::begin(store_names), std::end(store_names), [&](const auto& k) { return k.second == stores; });
  if (s == std::end(store_names)) fail("stores is {}", stores);
  e.how.settings.stores = s->first;
  e.how.threads = member<int>(entry, "threads_used");
  e.how.seconds = member<double>(entry, "seconds");
  e.how.untuned_seconds = member<double>(entry, "untuned_seconds");
  if (!fits(e.what, e.how)) fail("its values are out of range");
  return e;
}

// The file's entries, valid or not; throws if the file is not a cache. A missing file has none.
json read_entries(const fs::path& file) {
  if (file.empty() || !fs::exists(file)) return json::array();
  if (!fs::is_regular_file(file)) fail("it is not a file");
  if (fs::file_size(file) > largest_file) fail("it has {} bytes", fs::file_size(file));
  auto stream = input_stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) fail("it cannot be read");
  // The parser recurses for nested brackets, and would overflow the stack.
  json all = json::parse(text, [](int depth, json::parse_event_t, const json&) {
    if (depth > 8) fail("its brackets are nested more deeply than in a tuning cache");
    return true;
  });
  if (all.at("format") != "trellis tuning") fail("it is not a tuning cache");
  if (all.at("version") != format_version) fail("it is of version {}", all.at("version").dump());
  json entries = all.at("entries");
  if (!entries.is_array()) fail("it has no list of entries");
  return entries;
}

// nlohmann's messages have a tag in brackets and may quote the file.
std::string first_line(const std::exception& e) {
  const std::string text = e.what();
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 160));
}

std::vector<TuningEntry> sound_entries(const fs::path& file) {
  std::vector<TuningEntry> sound;
  try {
    int number = 0;
    for (const json& entry : read_entries(file)) {
      ++number;
      try {
        sound.push_back(from_json(entry));
      } catch (const std::exception& e) {
        log_warning("tuning cache {}: entry {} is ignored: {}", file.string(), number, first_line(e));
      }
    }
  } catch (const std::exception& e) {
    log_warning("tuning cache {} is ignored: {}", file.string(), first_line(e));
  }
  return sound;
}

// Held while the file is read and rewritten. The lock is on a separate file, which is kept: the cache itself is a new
// file after each write.
class CacheLock {
 public:
  explicit CacheLock(const fs::path& cache) {
    fs::path file = cache;
    file += ".lock";
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("{}: cannot create the file: {}", file.string(), std::strerror(errno));
    // On a file system without locks we go on without one: at worst an entry is tuned again.
    for (int tries = 0; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++tries) {
      if (tries == 1000) {
        ::close(descriptor_);
        fail("{}: another process has held the lock for ten seconds", file.string());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;
  ~CacheLock() { ::close(descriptor_); }

 private:
  int descriptor_;
};

void write(const fs::path& file, const std::vector<TuningEntry>& entries) {
  json list = json::array();
  for (const TuningEntry& entry : entries) {
    json one = to_json(entry);
    one["checksum"] = checksum(one);
    list.push_back(std::move(one));
  }
  io::AtomicFile aside(file);
  aside.write(json{{"format", "trellis tuning"}, {"version", format_version}, {"entries", list}}.dump(1) + "\n");
  aside.commit();
}

// entries <- change(entries) in the file.
template <class F>
void change_entries(const fs::path& file, const F& change) {
  if (file.empty())
    fail("there is no place for the tuning cache: none of TRELLIS_TUNING_CACHE, XDG_CACHE_HOME and HOME is set");
  std::error_code code;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), code);
  if (code) fail("{}: cannot make its folder: {}", file.string(), code.message());
  const CacheLock lock(file);
  auto entries = sound_entries(file);
  change(entries);
  write(file, entries);
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

fs::path tuning_cache_file() {
  if (const auto file = from_environment("TRELLIS_TUNING_CACHE"); !file.empty()) return file;
  if (const auto cache = from_environment("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "trellis" / "tuning.json";
  if (const auto home = from_environment("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "trellis" / "tuning.json";
  return {};
}

std::vector<TuningEntry> TuningCache::entries() const { return sound_entries(file_); }

std::optional<KernelTuning> TuningCache::find(const TuningCase& what) const {
  const std::string machine = machine_identity();
  for (const TuningEntry& entry : entries())
    if (entry.machine == machine && entry.what == what) return entry.how;
  return std::nullopt;
}

void TuningCache::store(const TuningEntry& entry) const {
  change_entries(file_, [&](std::vector<TuningEntry>& entries) {
    std::erase_if(entries, [&](const auto& e) { return e.machine == entry.machine && e.what == entry.what; });
    entries.push_back(entry);
  });
}

void TuningCache::store(const TuningCase& what, const KernelTuning& how) const {
  store({machine_identity(), what, how, local_time("%Y-%m-%d")});
}

int TuningCache::clear() const {
  std::error_code code;
  if (file_.empty() || !fs::exists(file_, code)) return 0;
  int count = 0;
  change_entries(file_, [&](std::vector<TuningEntry>& entries) {
    count = int(entries.size());
    entries.clear();
  });
  return count;
}

KernelTuning tuned_or_default(const TuningCase& what) {
  return TuningCache().find(what).value_or(KernelTuning{.settings = default_settings(what)});
}

}  // namespace trellis::tuning
