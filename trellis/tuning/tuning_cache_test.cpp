// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// A cache on disk that is never trusted and never lost.
#include "trellis/tuning/tuning_cache.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "trellis/core/error.hpp"
#include "trellis/io/temporary_folder.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::tuning {
namespace {

using nlohmann::json;

const TuningCase what{.size = {8, 8, 8, 16},
                      .precision = Precision::single,
                      .lanes = 4,
                      .links = dirac::LinkFormat::full,
                      .vectors = 3,
                      .threads = 2};
const KernelTuning how{.shape = {{2, 2, 1, 1}, {2, 4}, {4, 2, 1, 8}},
                       .settings = {.ahead_of_many = {3, 4, 2},
                                    .stores = dirac::Stores::streaming,
                                    .always_ahead = true,
                                    .block_threads = 96},
                       .threads = 1,
                       .seconds = 0.1 + 0.2,
                       .untuned_seconds = 1.25};

bool operator==(const KernelTuning& a, const KernelTuning& b) {
  return a.shape == b.shape && a.settings == b.settings && a.threads == b.threads && a.seconds == b.seconds &&
         a.untuned_seconds == b.untuned_seconds;
}

class Cache : public ::testing::Test {
 protected:
  Cache() {
    before_ = spdlog::default_logger();
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(log_)));
  }
  ~Cache() override { spdlog::set_default_logger(before_); }

  std::string warnings() {
    const auto text = log_.str();
    log_.str("");
    return text;
  }
  std::string text() const {
    std::ifstream stream(cache_.file());
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& text) const { std::ofstream(cache_.file()) << text; }

  io::TemporaryFolder folder_;
  TuningCache cache_{folder_ / "deeper" / "tuning.json"};

 private:
  std::ostringstream log_;
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(Cache, KeepsWhatIsStored) {
  EXPECT_FALSE(cache_.find(what));
  cache_.store(what, how);
  ASSERT_TRUE(cache_.find(what));
  EXPECT_TRUE(*cache_.find(what) == how);
  EXPECT_EQ(cache_.entries().at(0).machine, machine_identity());
  // Each part of the case counts.
  auto other = what;
  other.vectors = 1;
  EXPECT_FALSE(cache_.find(other));
  other = what;
  other.precision = Precision::double_;
  EXPECT_FALSE(cache_.find(other));
  other = what;
  other.size[3] = 8;
  EXPECT_FALSE(cache_.find(other));
  other = what;
  other.kernel = TunedKernel::staggered;
  EXPECT_FALSE(cache_.find(other));
  other = what;
  other.cut[3] = 1;
  EXPECT_FALSE(cache_.find(other));
  other = what;
  other.links = dirac::LinkFormat::two_rows;
  cache_.store(other, {});
  EXPECT_TRUE(*cache_.find(what) == how);
  EXPECT_TRUE(*cache_.find(other) == KernelTuning{});
  // Storing the same case again replaces its entry.
  cache_.store(what, {});
  EXPECT_TRUE(*cache_.find(what) == KernelTuning{});
  EXPECT_EQ(cache_.entries().size(), 2U);
  EXPECT_EQ(warnings(), "");
  EXPECT_EQ(cache_.clear(), 2);
  EXPECT_TRUE(cache_.entries().empty());
}

TEST_F(Cache, AnotherMachinesEntriesAreKeptAndNotUsed) {
  cache_.store({"another machine", what, how, "2026-01-01"});
  EXPECT_FALSE(cache_.find(what));
  cache_.store(what, {});
  ASSERT_EQ(cache_.entries().size(), 2U);
  EXPECT_TRUE(cache_.entries()[0].how == how);
  EXPECT_TRUE(*cache_.find(what) == KernelTuning{});
  EXPECT_EQ(warnings(), "");
}

TEST_F(Cache, DamagedFilesAreIgnoredWithAWarning) {
  cache_.store(what, how);
  const auto whole = text();
  const std::string deep(100000, '[');
  for (const std::string& damaged :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("\0\xff\xfe", 3), deep, std::string("[]"),
        std::string("null"), std::string("{\"format\": \"trellis tuning\", \"version\": 2, \"entries\": []}"),
        std::string("{\"format\": \"other\", \"version\": 1, \"entries\": []}"),
        std::string("{\"format\": \"trellis tuning\", \"version\": 1, \"entries\": 7}")}) {
    write(damaged);
    EXPECT_FALSE(cache_.find(what)) << damaged.substr(0, 80);
    const auto warning = warnings();
    EXPECT_NE(warning.find("tuning.json is ignored"), std::string::npos) << damaged.substr(0, 80) << warning;
    EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 1) << warning;
    cache_.store(what, how);
    warnings();
    EXPECT_TRUE(cache_.find(what));
    EXPECT_EQ(warnings(), "");
  }
}

TEST_F(Cache, AFileThatIsNoneIsIgnored) {
  const TuningCache folder(folder_.path());
  EXPECT_FALSE(folder.find(what));
  EXPECT_NE(warnings().find("is not a file"), std::string::npos);
  EXPECT_THROW(folder.store(what, how), Error);
  const TuningCache below_a_file(folder_ / "file" / "tuning.json");
  std::ofstream(folder_ / "file") << "x";
  EXPECT_FALSE(below_a_file.find(what));
  EXPECT_THROW(below_a_file.store(what, how), Error);
  EXPECT_THROW(TuningCache("").store(what, how), Error);
  EXPECT_FALSE(TuningCache("").find(what));
  EXPECT_EQ(TuningCache("").clear(), 0);
}

TEST_F(Cache, BracketsInBracketsAreIgnored) {
  cache_.store(what, how);
  const std::string deep(200000, '['), close(200000, ']');
  for (const auto& damaged :
       {deep, deep + close, "{\"format\": \"trellis tuning\", \"version\": 1, \"entries\": [" + deep + close + "]}",
        "{\"format\": \"trellis tuning\", \"version\": " + deep + close + ", \"entries\": []}"}) {
    write(damaged);
    EXPECT_FALSE(cache_.find(what));
    EXPECT_NE(warnings().find("is ignored: "), std::string::npos);
  }
}

TEST_F(Cache, AnyChangedByteIsFound) {
  cache_.store(what, how);
  const auto whole = text();
  int ignored = 0;
  for (std::size_t k = 0; k < whole.size(); k += 3) {
    auto damaged = whole;
    damaged[k] = char(damaged[k] ^ 1);
    write(damaged);
    const auto found = cache_.find(what);
    if (found) {
      EXPECT_TRUE(*found == how) << k;  // the byte was a space
    }
    ignored += found ? 0 : 1;
  }
  EXPECT_GT(ignored, int(whole.size() / 6));
}

// An entry that somebody edited, with a matching checksum: only its values reveal it.
TEST_F(Cache, ValuesOutOfRangeAreDamage) {
  auto other = what;
  other.vectors = 1;
  cache_.store(what, how);
  cache_.store(other, how);
  const json whole = json::parse(text());
  const auto put = [&](const char* name, const json& value) {
    json changed = whole;
    json& entry = changed["entries"][0];
    entry.erase("checksum");
    entry[name] = value;
    if (!entry.contains("checksum")) {
      const auto bytes = entry.dump();
      entry["checksum"] = fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    }
    write(changed.dump());
  };
  put("ahead_links", 5);
  EXPECT_EQ(cache_.find(what).value_or(KernelTuning{}).settings.ahead_of_many.links, 5);
  EXPECT_EQ(warnings(), "");
  const auto refused = [&](const char* name, const json& value) {
    put(name, value);
    EXPECT_FALSE(cache_.find(what)) << name << value;
    EXPECT_TRUE(cache_.find(other)) << name << value;  // the valid one is used
    EXPECT_NE(warnings().find("entry 1 is ignored"), std::string::npos) << name << value;
  };
  refused("checksum", "00000000");
  refused("checksum", 7);
  refused("machine", 7);
  refused("size", json::array({8, 8, 8}));
  refused("size", json::array({8, 8, 8, 7}));
  refused("size", json::array({8, 8, 8, 0}));
  refused("precision", "quadruple");
  refused("lanes", 0);
  refused("reals_per_link", 9);
  refused("threads", -1);
  refused("threads", 1e300);
  refused("threads_used", 3);
  refused("lane_grid", json::array({2, 2, 1}));
  refused("lane_grid", json::array({2, 2, 2, 1}));
  refused("lane_grid", "2 2 1 1");
  refused("column", json::array({3, 1}));
  refused("column", json::array({1.5, 1}));
  refused("brick", json::array({4, 2, 1}));
  refused("ahead_links", farthest_ahead + 1);
  refused("ahead_vectors", 2.5);
  refused("kernel", "naik");
  refused("cut", json::array({0, 0, 0, 2}));
  refused("block_threads", 48);
  refused("ahead_fresh", std::uint64_t(1) << 63);
  refused("ahead_fresh", nullptr);
  refused("stores", "none");
  refused("seconds", -1.0);
  refused("seconds", "1");
}

TEST_F(Cache, OnlyTuningsThatCanBeRunFit) {
  EXPECT_TRUE(fits(what, how));
  EXPECT_TRUE(fits(what, {}));
  const auto changed = [&](const auto& change) {
    auto t = how;
    change(t);
    return fits(what, t);
  };
  EXPECT_FALSE(changed([](auto& t) { t.shape.lane_grid = {2, 2, 2, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.lane_grid = {8, 1, 1, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.lane_grid = {-2, -2, 1, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.lane_grid = {}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.column = {3, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.column = {8, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.column = {0, 1}; }));
  EXPECT_FALSE(changed([](auto& t) { t.shape.column = {}; }));
  for (const Coordinate& brick : {Coordinate{1, 2, 1, 8}, {4, 3, 1, 8}, {4, 2, 0, 8}, {4, 2, 1, 32}})
    EXPECT_FALSE(changed([&](auto& t) { t.shape.brick = brick; }));
  EXPECT_FALSE(changed([](auto& t) { t.settings.ahead_of_many.links = -1; }));
  EXPECT_FALSE(changed([](auto& t) { t.settings.ahead_of_many.fresh = farthest_ahead + 1; }));
  EXPECT_FALSE(changed([](auto& t) { t.threads = 3; }));
  EXPECT_FALSE(changed([](auto& t) { t.seconds = -1; }));
  EXPECT_FALSE(changed([](auto& t) { t.seconds = std::nan(""); }));
}

TEST_F(Cache, WritersAtOnceLoseNothing) {
  constexpr int processes = 6, entries = 5;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int code = 0;
      try {
        for (int n = 0; n < entries; ++n) {
          auto mine = what;
          mine.vectors = 100 * (p + 1) + n;
          cache_.store(mine, how);
        }
      } catch (...) {
        code = 1;
      }
      ::_exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(cache_.entries().size(), std::size_t(processes * entries));
  EXPECT_EQ(warnings(), "");
}

TEST_F(Cache, ThePlaceComesFromTheEnvironment) {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? std::optional<std::string>() : std::optional<std::string>(text);
  };
  const auto set = [](const char* name, const std::optional<std::string>& text) {
    if (text)
      ::setenv(name, text->c_str(), 1);
    else
      ::unsetenv(name);
  };
  const auto own = value("TRELLIS_TUNING_CACHE"), cache = value("XDG_CACHE_HOME"), home = value("HOME");
  set("HOME", "/h");
  set("XDG_CACHE_HOME", {});
  set("TRELLIS_TUNING_CACHE", {});
  EXPECT_EQ(tuning_cache_file(), "/h/.cache/trellis/tuning.json");
  set("XDG_CACHE_HOME", "/c");
  EXPECT_EQ(tuning_cache_file(), "/c/trellis/tuning.json");
  set("TRELLIS_TUNING_CACHE", cache_.file().string());
  EXPECT_EQ(tuning_cache_file(), cache_.file());
  EXPECT_TRUE(tuned_or_default(what) == KernelTuning{});
  cache_.store(what, how);
  EXPECT_TRUE(tuned_or_default(what) == how);
  set("HOME", {});
  set("XDG_CACHE_HOME", {});
  set("TRELLIS_TUNING_CACHE", {});
  EXPECT_EQ(tuning_cache_file(), "");
  EXPECT_TRUE(tuned_or_default(what) == KernelTuning{});
  set("TRELLIS_TUNING_CACHE", own);
  set("XDG_CACHE_HOME", cache);
  set("HOME", home);
}

}  // namespace
}  // namespace trellis::tuning
