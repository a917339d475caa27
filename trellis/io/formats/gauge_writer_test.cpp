// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/gauge_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/formats/file_formats.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/inspect.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

using namespace test;

const Coordinate size{4, 2, 6, 8};

std::vector<double> rounded(std::vector<double> links, Precision precision) {
  for (double& x : links) {
    if (precision == Precision::single) x = static_cast<float>(x);
  }
  return links;
}

TEST(GaugeWriter, IldgReadsBackWithTheSameBitsAndItsMetadata) {
  const TempFolder folder;
  const auto links = random_links(size, 21);
  for (const auto precision : {Precision::single, Precision::double_}) {
    const auto loops = measure_loops(size, source_of(rounded(links, precision)));
    IldgParameters p;
    p.size = size;
    p.precision = precision;
    p.lfn = "lfn://here/there";
    p.input = "beta = 6.0\n";
    p.provenance = "made by a test";
    p.plaquette = loops.plaquette;
    p.link_trace = loops.link_trace;
    const auto sums = write_ildg(folder / "a", p, source_of(links));
    const auto loaded = load_links(folder / "a", {.size = size});
    EXPECT_EQ(loaded.links, rounded(links, precision));
    EXPECT_EQ(loaded.report.checksums.at(0).computed, sums.at(0).value);
    EXPECT_TRUE(loaded.info.notes.empty());
    const auto r = inspect(folder / "a");
    EXPECT_TRUE(r.sound()) << to_text(r);
    EXPECT_EQ(r.comparisons.size(), 4U);
    ASSERT_EQ(r.info.records.size(), 10U);
    EXPECT_EQ(r.info.records[8].type, "trellis-input");
    const auto& input = r.info.records[8];
    EXPECT_EQ(read_all(folder / "a").substr(input.offset, input.length), std::string("beta = 6.0\n\0", 12));
    // No time stamps: writing again gives the same file.
    write_ildg(folder / "b", p, source_of(links));
    EXPECT_EQ(read_all(folder / "a"), read_all(folder / "b"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
  }
}

TEST(GaugeWriter, NerscReadsBackInEveryVariant) {
  const TempFolder folder;
  const auto links = random_links(size, 22);
  for (const auto precision : {Precision::single, Precision::double_}) {
    for (const auto order : {ByteOrder::little, ByteOrder::big}) {
      for (const int rows : {2, 3}) {
        NerscParameters p;
        p.size = size;
        p.precision = precision;
        p.byte_order = order;
        p.rows = rows;
        p.comments = {{"ENSEMBLE_ID", "test 1"}};
        write_nersc(folder / "a", p, source_of(links));
        const auto r = inspect(folder / "a");
        EXPECT_TRUE(r.sound()) << to_text(r);
        EXPECT_EQ(r.comparisons.size(), 3U);
        const auto loaded = load_links(folder / "a");
        if (rows == 3) {
          EXPECT_EQ(loaded.links, rounded(links, precision));
        }
        // Writing what was read gives the same file, including the rebuilt rows.
        write_nersc(folder / "b", p, source_of(loaded.links));
        EXPECT_EQ(read_all(folder / "a"), read_all(folder / "b"));
      }
    }
  }
}

// The header has the same length whatever its numbers are: it is written last.
TEST(GaugeWriter, NerscHeadersHaveRoomForAnyNumbers) {
  const TempFolder folder;
  for (const double factor : {1.0, -1.0, 3.0, 1e20, 1e60}) {
    auto links = random_links(size, 26);
    for (double& x : links) x *= factor;
    NerscParameters p;
    p.size = size;
    write_nersc(folder / "a", p, source_of(links));
    const auto text = read_all(folder / "a");
    const auto number = [&](const std::string& key) {
      return std::stod(text.substr(text.find(key + " = ") + key.size() + 3));
    };
    const auto loops = measure_loops(size, source_of(links));
    EXPECT_NEAR(number("PLAQUETTE") / loops.plaquette, 1, 1e-6) << factor;
    EXPECT_NEAR(number("LINK_TRACE") / loops.link_trace, 1, 1e-6) << factor;
    EXPECT_EQ(text.size(), text.find("END_HEADER\n") + 11 + links.size() * sizeof(double));
  }
}

// The same bytes as from the format's description, which the test's helper follows, and from a file of another program.
TEST(GaugeWriter, OpenqcdFiles) {
  const TempFolder folder;
  const Coordinate even{4, 2, 6, 8};
  const auto links = random_links(even, 24);
  IldgParameters p;
  p.size = even;
  write_ildg(folder / "a.ildg", p, source_of(links));
  const auto written = convert(folder / "a.ildg", folder / "a", {.format = "openqcd"});
  EXPECT_EQ(written.format, "openqcd");
  EXPECT_EQ(written.size, even);
  const auto plaquette = 3 * measure_loops(even, source_of(links)).plaquette;
  EXPECT_EQ(read_all(folder / "a"), openqcd_file(even, links, plaquette, ByteOrder::little));
  EXPECT_TRUE(inspect(folder / "a").sound());
  // Links in single precision are stored as they are.
  p.precision = Precision::single;
  write_ildg(folder / "b.ildg", p, source_of(links));
  EXPECT_EQ(convert(folder / "b.ildg", folder / "b", {.format = "openqcd"}).precision, Precision::double_);
  EXPECT_EQ(load_links(folder / "b").links, rounded(links, Precision::single));
  const auto single = error_of(
      [&] { convert(folder / "a.ildg", folder / "c", {.format = "openqcd", .precision = Precision::single}); });
  EXPECT_TRUE(contains(single, "are in double precision")) << single;
  const Coordinate odd{2, 3, 4, 4};
  p.size = odd;
  write_ildg(folder / "odd.ildg", p, source_of(random_links(odd, 25)));
  const auto refused = error_of([&] { convert(folder / "odd.ildg", folder / "c", {.format = "openqcd"}); });
  EXPECT_TRUE(contains(refused, "even extents")) << refused;
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
}

TEST(GaugeWriter, RefusesWhatIsNotAFieldOrNotAHeader) {
  const TempFolder folder;
  auto links = random_links(size, 23);
  links[12345] = NAN;
  IldgParameters p;
  p.size = size;
  EXPECT_TRUE(contains(error_of([&] { write_ildg(folder / "a", p, source_of(links)); }), "not finite"));
  links[12345] = 1e39;  // finite, but not in single precision
  p.precision = Precision::single;
  EXPECT_TRUE(contains(error_of([&] { write_ildg(folder / "a", p, source_of(links)); }), "site 171, direction 1"));
  p.file_xml = "<a><b></a>";
  EXPECT_TRUE(contains(error_of([&] { write_ildg(folder / "a", p, source_of(links)); }), "scidac-file-xml"));
  p.size = {0, 1, 1, 1};
  EXPECT_TRUE(contains(error_of([&] { write_ildg(folder / "a", p, source_of(links)); }), "not possible"));
  NerscParameters n;
  n.size = {1, 1, 1, 1};
  n.comments = {{"A", "b\nEND_HEADER"}};
  EXPECT_TRUE(
      contains(error_of([&] { write_nersc(folder / "a", n, source_of(random_links(n.size, 1))); }), "line break"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// Runs a function in a child process; returns its wait status.
template <class Action>
int in_child(Action&& action) {
  const pid_t child = ::fork();
  if (child == 0) set_thread_count(1);  // threads do not survive a fork
  if (child == 0) {
    action();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(GaugeWriter, AFullDiskLeavesTheOldFileAndNothingElse) {
  const TempFolder folder;
  const auto links = random_links(size, 24);
  write_all(folder / "a", "old");
  const auto status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{50000, 50000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    IldgParameters p;
    p.size = size;
    const auto error = error_of([&] { write_ildg(folder / "a", p, source_of(links)); });
    ::_exit(contains(error, "cannot write after") && contains(error, "File too large") ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

TEST(GaugeWriter, KilledInTheMiddleLeavesTheOldFileAndTheNextWriteSucceeds) {
  const TempFolder folder;
  const Coordinate large{16, 16, 16, 8};  // several pieces
  const auto links = random_links(large, 25);
  write_all(folder / "a", "old");
  IldgParameters p;
  p.size = large;
  const auto status = in_child([&] {
    write_ildg(folder / "a", p, [&](std::int64_t first, std::span<double> out) {
      if (first > 0) ::raise(SIGKILL);
      source_of(links)(first, out);
    });
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_TRUE(std::filesystem::exists(folder / "a.part"));
  write_ildg(folder / "a", p, source_of(links));
  EXPECT_EQ(load_links(folder / "a").links, links);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
}

TEST(GaugeWriter, FoldersThatCannotBeWritten) {
  const TempFolder folder;
  const auto links = random_links({1, 1, 1, 1}, 26);
  NerscParameters p;
  p.size = {1, 1, 1, 1};
  const auto error = [&](const std::filesystem::path& path) {
    return error_of([&] { write_nersc(path, p, source_of(links)); });
  };
  EXPECT_TRUE(contains(error(folder / "none/a"), "No such file"));
  EXPECT_TRUE(contains(error(folder.path()), "is a folder"));
  EXPECT_TRUE(contains(error("/dev/full"), "not a regular file"));
  if (::geteuid() != 0) {
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_TRUE(contains(error(folder / "a"), "Permission denied"));
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  }
}

TEST(Convert, AnyFormatToAnyOtherWithTheSameBits) {
  const TempFolder folder;
  const std::filesystem::path data = TRELLIS_TEST_DATA;
  for (const char* name : {"milc/lat.sample.l4448", "pyquda/weak_field.lime", "milc/lat.sample.l4444.scidac"}) {
    const auto original = load_links(data / name);
    for (const auto& format : file_formats()) {
      ConvertOptions options;
      options.format = format.name;
      if (format.write == nullptr) {
        EXPECT_TRUE(contains(error_of([&] { convert(data / name, folder / "out", options); }), "not written"));
        continue;
      }
      if (format.only == Precision::single && original.info.precision == Precision::double_)
        continue;  // MilcFilesGiveTheirOwnBytes
      const auto written = convert(data / name, folder / "out", options);
      const auto precision = format.only.value_or(original.info.precision);
      EXPECT_EQ(written.precision, precision);
      EXPECT_EQ(written.format, format.name);
      EXPECT_EQ(load_links(folder / "out").links, rounded(original.links, precision));
      EXPECT_TRUE(inspect(folder / "out").sound());
      // And back.
      convert(folder / "out", folder / "back");
      EXPECT_EQ(load_links(folder / "back").links, rounded(original.links, precision));
    }
  }
  ConvertOptions options;
  options.precision = Precision::single;
  convert(data / "pyquda/weak_field.lime", folder / "single", options);
  EXPECT_EQ(load_links(folder / "single").links,
            rounded(load_links(data / "pyquda/weak_field.lime").links, Precision::single));
}

// What a header says beyond the links is as true of the new file.
TEST(Convert, NamesOfEnsemblesAndConfigurationsAreKept) {
  const TemporaryFolder folder;
  const auto links = load_links(std::filesystem::path(TRELLIS_TEST_DATA) / "milc/lat.sample.l4444");
  const NerscParameters nersc{.size = links.info.size,
                              .comments = {{"ENSEMBLE_ID", "quenched"},
                                           {"ENSEMBLE_LABEL", "a label"},
                                           {"SEQUENCE_NUMBER", "120"},
                                           {"OTHER", "1"}},
                              .check = {}};
  write_nersc(folder / "a.nersc", nersc, source_of(links.links));
  const auto kept = convert(folder / "a.nersc", folder / "b.nersc", {.format = "nersc"}).header;
  for (const auto& [key, value] : nersc.comments) {
    const auto* const found = find_key(kept, key);
    ASSERT_EQ(found != nullptr, key != "OTHER") << key;
    EXPECT_EQ(found != nullptr ? *found : value, value);
  }
  EXPECT_EQ(*find_key(kept, "BOUNDARY_4"), "PERIODIC");
  IldgParameters ildg;
  ildg.size = links.info.size;
  ildg.lfn = "lfn://ldg/a.000120";
  write_ildg(folder / "a.ildg", ildg, source_of(links.links));
  const auto name = [](const GaugeFileInfo& info) { return *find_key(info.header, "ildg-data-lfn"); };
  EXPECT_EQ(name(convert(folder / "a.ildg", folder / "b.ildg", {.precision = Precision::single})), ildg.lfn);
  EXPECT_EQ(name(convert(folder / "a.nersc", folder / "c.ildg")), "lfn://trellis/configuration");
}

// As for files that are larger than memory: the same bytes.
TEST(Convert, LinksNeedNotBeInMemory) {
  const TempFolder folder;
  const std::filesystem::path data = TRELLIS_TEST_DATA;
  for (const char* name : {"milc/lat.sample.l4448", "pyquda/weak_field.lime", "atb/nersc.l8t4b3360"})
    for (const auto& format : file_formats()) {
      if (format.write == nullptr) continue;
      ConvertOptions options;
      options.format = format.name;
      if (format.only == Precision::single) options.precision = Precision::single;
      convert(data / name, folder / "kept", options);
      options.links_in_memory = 0;
      convert(data / name, folder / "streamed", options);
      EXPECT_TRUE(read_all(folder / "streamed") == read_all(folder / "kept")) << name << " " << format.name;
    }
  auto bytes = read_all(data / "milc/lat.sample.l4448");
  bytes[5000] = char(bytes[5000] ^ 4);
  write_all(folder / "damaged", bytes);
  ConvertOptions options;
  options.links_in_memory = 0;
  EXPECT_TRUE(contains(error_of([&] { convert(folder / "damaged", folder / "out", options); }), "damaged"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Convert, MilcFilesGiveTheirOwnBytes) {
  const TempFolder folder;
  const std::filesystem::path data = TRELLIS_TEST_DATA;
  ConvertOptions options;
  options.format = "milc";
  for (const char* name : {"milc/lat.sample.l4444", "milc/lat.sample.l8888"}) {
    convert(data / name, folder / "out", options);
    EXPECT_TRUE(read_all(folder / "out") == read_all(data / name)) << name;
  }
  // Its time stamp belongs to the .info file, whose numbers are found again and whose other keys are kept.
  const std::string info =
      "magic_number = 20103\ntime_stamp = \"Tue Mar 13 15:47:22 2012\"\nchecksums = \"4f9d000e 8d72f72e\"\nnx = 8\nny "
      "= 8\n"
      "nz = 8\nnt = 8\naction.description = \"Pure gauge\"\ngauge.description = \"One plaquette gauge action.\"\n"
      "gauge.beta11 = 6.000000\ngauge.ssplaq = 1.779002\ngauge.stplaq = 1.782359\ngauge.nersc_linktr = -0.000646\n"
      "gauge.nersc_checksum = 1245429571\n";
  write_all(folder / "lat", read_all(data / "milc/lat.sample.l8888"));
  write_all(folder / "lat.info", info);
  convert(folder / "lat", folder / "again", options);
  EXPECT_EQ(read_all(folder / "again.info"), info);
  const auto r = inspect(folder / "again");
  EXPECT_TRUE(r.sound()) << to_text(r);
  EXPECT_EQ(r.comparisons.size(), 6U);
  // The big-endian file is written with the same numbers in the other order.
  convert(data / "milc/lat.sample.l4448", folder / "little", options);
  EXPECT_EQ(GaugeReader(folder / "little").info().byte_order, ByteOrder::little);
  // From other formats, the .info file names the origin. Precision is single, and links are rounded only if asked for.
  const auto refused = error_of([&] { convert(data / "pyquda/weak_field.lime", folder / "weak", options); });
  EXPECT_TRUE(contains(refused, "--precision single rounds the links")) << refused;
  EXPECT_FALSE(std::filesystem::exists(folder / "weak"));
  options.precision = Precision::single;
  convert(data / "pyquda/weak_field.lime", folder / "weak", options);
  EXPECT_TRUE(contains(read_all(folder / "weak.info"), "gauge.description = \"converted from weak_field.lime\"\n"));
  // What the run that made it says of itself, under MILC's names as well where they mean the same.
  options.origin = {{"action.name", "\"one_loop_symanzik\""},
                    {"action.beta", "6.3"},
                    {"action.u0", "0.85"},
                    {"flavours[0].mass", "0.01"},
                    {"flavours[0].tastes", "2"},
                    {"flavours[1].mass", "0.05"},
                    {"flavours[1].tastes", "1"}};
  convert(data / "pyquda/weak_field.lime", folder / "weak", options);
  const auto of_run = read_all(folder / "weak.info");
  for (const char* line :
       {"action.description = \"Gauge plus fermion\"\n", "gauge.beta11 = 6.3\n", "gauge.tadpole.u0 = 0.85\n",
        "quark.flavors = \"2 1\"\n", "quark.mass = \"0.01 0.05\"\n", "trellis.action.name = \"one_loop_symanzik\"\n"})
    EXPECT_TRUE(contains(of_run, line)) << line << of_run;
  EXPECT_TRUE(inspect(folder / "weak").sound());
  options.origin = {};
  options.precision = Precision::double_;
  EXPECT_TRUE(contains(error_of([&] { convert(data / "pyquda/weak_field.lime", folder / "double", options); }),
                       "in single precision"));
  EXPECT_FALSE(std::filesystem::exists(folder / "double"));
}

TEST(Convert, IldgFilesKeepWhatMilcsInfoFileSaysOfARun) {
  const TempFolder folder;
  const std::filesystem::path data = TRELLIS_TEST_DATA;
  ConvertOptions options;
  options.format = "milc";
  options.precision = Precision::single;
  options.origin = {{"program", "trellis 0.1.0"},
                    {"seed", "7"},
                    {"trajectory", "300"},
                    {"action.name", "\"wilson\""},
                    {"action.beta", "6.3"},
                    {"boundary", "\"no\""},
                    {"time_stamp", "Tue Mar 13 15:47:22 2012"}};
  convert(data / "pyquda/weak_field.lime", folder / "lat", options);
  EXPECT_TRUE(contains(read_all(folder / "lat.info"), "time_stamp = \"Tue Mar 13 15:47:22 2012\"\n"));
  convert(folder / "lat", folder / "lat.ildg");
  EXPECT_EQ(read_provenance_lines(folder / "lat.ildg"),
            (std::vector<std::pair<std::string, std::string>>{{"program", "trellis 0.1.0"},
                                                              {"seed", "7"},
                                                              {"trajectory", "300"},
                                                              {"action.name", "wilson"},
                                                              {"action.beta", "6.3"},
                                                              {"time_stamp", "Tue Mar 13 15:47:22 2012"},
                                                              {"converted_from", "lat"}}));
  // And back.
  auto again = options;
  again.origin = read_provenance_lines(folder / "lat.ildg");
  convert(folder / "lat.ildg", folder / "again", again);
  EXPECT_TRUE(read_all(folder / "again") == read_all(folder / "lat"));
  // The gauge to which MILC fixed the links.
  std::ofstream(folder / "lat.info", std::ios::app) << "gauge.fix.description = \"Coulomb\"\n";
  convert(folder / "lat", folder / "fixed.ildg");
  again.origin = read_provenance_lines(folder / "fixed.ildg");
  EXPECT_EQ(*find_key(again.origin, "gauge"), "coulomb");
  convert(folder / "fixed.ildg", folder / "fixed", again);
  EXPECT_TRUE(contains(read_all(folder / "fixed.info"), "gauge.fix.description = \"Coulomb\"\n"))
      << read_all(folder / "fixed.info");
  // A file without a run and without a time of its own says neither.
  options.origin = {};
  convert(data / "pyquda/weak_field.lime", folder / "other", options);
  convert(folder / "other", folder / "other.ildg");
  EXPECT_EQ(read_provenance_lines(folder / "other.ildg").size(), 1U);
}

TEST(GaugeWriter, MilcRefusesWhatDoesNotFitItsHeader) {
  const TempFolder folder;
  const auto links = random_links(size, 29);
  MilcParameters p{.size = size, .info = {}, .check = {}};
  p.time_stamp = std::string(64, 'x');
  EXPECT_TRUE(contains(error_of([&] { write_milc(folder / "a", p, source_of(links)); }), "time stamp"));
  p.time_stamp = "now";
  p.info = {{"key", "two\nlines"}};
  EXPECT_TRUE(contains(error_of([&] { write_milc(folder / "a", p, source_of(links)); }), "info file"));
  p.info = {};
  p.check = [](const std::filesystem::path&) { fail("refused"); };
  EXPECT_TRUE(contains(error_of([&] { write_milc(folder / "a", p, source_of(links)); }), "refused"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  for (const auto order : {ByteOrder::little, ByteOrder::big}) {
    p = {.size = size, .byte_order = order, .info = {}, .check = {}};
    write_milc(folder / "a", p, source_of(links));
    EXPECT_TRUE(read_all(folder / "a") == milc_file(size, links, order));
  }
}

TEST(Convert, RefusesADamagedInputAndItself) {
  const TempFolder folder;
  auto bytes = read_all(std::filesystem::path(TRELLIS_TEST_DATA) / "milc/lat.sample.l4444");
  write_all(folder / "good", bytes);
  EXPECT_TRUE(contains(error_of([&] { convert(folder / "good", folder / "good"); }), "same file"));
  bytes[5000] = static_cast<char>(bytes[5000] ^ 4);
  write_all(folder / "bad", bytes);
  EXPECT_TRUE(contains(error_of([&] { convert(folder / "bad", folder / "out"); }), "checksum"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Inspect, JsonHoldsTheNumbersAndSurvivesAnyBytes) {
  const TempFolder folder;
  const auto j = to_json(inspect(std::filesystem::path(TRELLIS_TEST_DATA) / "atb/nersc.l8t4b3360"));
  EXPECT_EQ(j["format"], "nersc");
  EXPECT_EQ(j["size"], nlohmann::ordered_json({8, 8, 8, 4}));
  EXPECT_NEAR(j["plaquette"].get<double>(), 0.503866446950, 1e-12);
  EXPECT_EQ(j["claims"].size(), 3U);
  EXPECT_TRUE(j["sound"].get<bool>());
  NerscParameters p;
  p.size = {2, 2, 2, 2};
  p.comments = {{"NAME\xff\x1b", "\x80\xfe"}};
  write_nersc(folder / "odd\xff", p, source_of(random_links(p.size, 27)));
  EXPECT_FALSE(to_json(inspect(folder / "odd\xff")).dump().empty());
  EXPECT_FALSE(contains(to_text(inspect(folder / "odd\xff")), "\x1b"));
}

// A file of 2.4 GB, sparse except for its last link: 64-bit offsets, and memory that does not grow with the lattice.
TEST(NightlyGaugeReader, FileBeyondTwoGigabytesInBoundedMemory) {
  const TempFolder folder;
  const Coordinate huge{64, 64, 64, 16};
  const auto path = folder / "huge";
  const std::string header =
      "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_3x3\nDIMENSION_1 = 64\nDIMENSION_2 = 64\nDIMENSION_3 = 64\n"
      "DIMENSION_4 = 16\nFLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
  write_all(path, header);
  const auto bytes = link_bytes(volume(huge).value(), 3, Precision::double_);
  std::filesystem::resize_file(path, header.size() + bytes);
  const auto last = random_links({1, 1, 1, 1}, 28);
  const auto raw = link_bytes_of(last, Precision::double_, ByteOrder::big);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(header.size() + bytes - raw.size()));
  file << raw << std::flush;
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  Link seen;
  const auto report =
      GaugeReader(path, {.size = {}, .strict = false}).read([&](std::span<const Link> batch) { seen = batch.back(); });
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(report.zero, 4 * volume(huge).value() - 4);
  EXPECT_EQ(seen.site, volume(huge).value() - 1);
  EXPECT_TRUE(std::equal(seen.u.begin(), seen.u.end(), last.begin() + 54));
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 50 * 1024);  // KiB
}

}  // namespace
}  // namespace trellis::io
