// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Every variant of every format, from files that the test builds itself.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/message_of.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/io/formats/file_content.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::io {
namespace {

using namespace test;

const Coordinate size{4, 2, 6, 8};  // all different, to detect exchanged directions

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
  return d;
}

std::string nersc_text(const std::string& type, const std::string& floating, const std::string& data, ByteOrder order) {
  NerscChecksum sum;
  sum.add(std::as_bytes(std::span(data)), order);
  return fmt::format(
             "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = {}\nSTORAGE_FORMAT=1.0\nDIMENSION_1 = 4\nDIMENSION_2 =2\n"
             "DIMENSION_3=  6\nDIMENSION_4 = 8\nCHECKSUM = 0x{:x}\nBOUNDARY_4 = ANTIPERIODIC\nFLOATING_POINT = {}\n"
             "END_HEADER\n",
             type, sum.sum, floating) +
         data;
}

TEST(GaugeFormats, NerscInEveryPrecisionByteOrderAndNumberOfRows) {
  const TempFolder folder;
  const auto links = random_links(size, 1);
  for (const int rows : {2, 3}) {
    for (const bool single : {false, true}) {
      for (const std::string order : {"BIG", "LITTLE", ""}) {
        for (const auto unsaid : {ByteOrder::big, ByteOrder::little}) {
          const auto bytes = order.empty() ? unsaid : order == "BIG" ? ByteOrder::big : ByteOrder::little;
          const auto precision = single ? Precision::single : Precision::double_;
          const auto data = link_bytes_of(links, precision, bytes, rows);
          const auto type = rows == 2 ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3";
          const auto path =
              write_all(folder / "nersc", nersc_text(type, (single ? "IEEE32" : "IEEE64") + order, data, bytes));
          const auto loaded = load_links(path);
          EXPECT_EQ(loaded.info.rows, rows);
          EXPECT_EQ(loaded.info.byte_order, bytes);
          EXPECT_EQ(loaded.info.boundary[3], "ANTIPERIODIC");
          EXPECT_TRUE(loaded.report.checksums.at(0).agrees());
          const double d = largest_difference(loaded.links, links);
          EXPECT_LT(d, single ? 3e-7 : 1e-15) << rows << order;
          if (rows == 3 && !single) {
            EXPECT_EQ(d, 0);
          }
        }
      }
    }
  }
}

TEST(GaugeFormats, MilcVersion5AndBeforeInBothByteOrders) {
  const TempFolder folder;
  const auto links = random_links(size, 2);
  for (const auto order : {ByteOrder::little, ByteOrder::big}) {
    const auto v5 = load_links(write_all(folder / "v5", milc_file(size, links, order)));
    EXPECT_EQ(v5.info.byte_order, order);
    EXPECT_EQ(v5.info.size, size);
    EXPECT_EQ(v5.report.checksums.size(), 2U);
    EXPECT_LT(largest_difference(v5.links, links), 6e-8);
    const auto v1 = load_links(write_all(folder / "v1", old_milc_file(size, links, order)));
    EXPECT_EQ(v1.info.byte_order, order);
    EXPECT_EQ(v1.info.variant, "MILC version 1 to 4");
    EXPECT_EQ(v1.links, v5.links);
  }
}

TEST(GaugeFormats, MilcInfoFileCountsIfItsTimeStampAgrees) {
  const TempFolder folder;
  const auto path = write_all(folder / "lat", milc_file(size, random_links(size, 3), ByteOrder::big));
  const auto loops = inspect(path).loops;
  const auto text = fmt::format("gauge.ssplaq = {:.6f}\ngauge.stplaq = {:.6f}\ngauge.nersc_linktr = {:.6f}\n",
                                3 * loops.plaquette_spatial, 3 * loops.plaquette_temporal, loops.link_trace);
  write_all(folder / "lat.info", "time_stamp = \"Thu Jan  1 00:00:00 1970\"\n" + text);
  EXPECT_EQ(inspect(path).comparisons.size(), 5U);
  EXPECT_TRUE(inspect(path).sound()) << to_text(inspect(path));
  // Its checksums are compared with the links, like those of the header.
  const auto sums = GaugeReader(path).info().checksums;
  const auto with_sums = [&](std::uint32_t sum31) {
    write_all(folder / "lat.info", fmt::format("time_stamp = \"Thu Jan  1 00:00:00 1970\"\nchecksums = \"{:x} {:x}\"\n",
                                               sums[0].value, sum31) +
                                       text);
    return inspect(path);
  };
  EXPECT_TRUE(with_sums(sums[1].value).sound());
  EXPECT_EQ(with_sums(sums[1].value).comparisons.size(), 5U);
  EXPECT_FALSE(with_sums(sums[1].value + 1).sound());
  EXPECT_TRUE(contains(to_text(with_sums(sums[1].value + 1)),
                       fmt::format("but the .info file says {:08x}", sums[1].value + 1)));
  // So is the NERSC checksum of two rows, also in parts; a file is the same with and without it.
  const auto content = content_of(path);
  std::uint32_t words = 0;
  const auto bytes = read_all(path).substr(96);
  for (std::size_t at = 0; at < bytes.size(); at += 72)
    for (std::size_t n = 0; n < 12; ++n)
      words += load<std::uint32_t>(std::as_bytes(std::span(bytes)).data() + at + 4 * n, ByteOrder::big);
  const auto with_words = [&](const std::string& sum) {
    write_all(folder / "lat.info", "time_stamp = \"Thu Jan  1 00:00:00 1970\"\ngauge.nersc_checksum = " + sum + "\n");
    return inspect(path);
  };
  EXPECT_TRUE(with_words(std::to_string(words)).sound());
  EXPECT_EQ(with_words(std::to_string(words)).comparisons.size(), 3U);
  EXPECT_EQ(content_of(path), content);
  EXPECT_FALSE(with_words(std::to_string(words + 1)).sound());
  EXPECT_TRUE(contains(error_of([&] { load_links(path); }),
                       fmt::format("the data are damaged: checksum nersc of two rows is {:08x}, expected {:08x} as the "
                                   ".info file states",
                                   words, words + 1)));
  EXPECT_TRUE(with_words("0x12").sound());
  EXPECT_TRUE(contains(to_text(with_words("0x12")), "gauge.nersc_checksum: found '0x12', expected a checksum in"));
  const auto with_text = [&](const std::string& more) {
    write_all(folder / "lat.info", "time_stamp = \"Thu Jan  1 00:00:00 1970\"\n" + more);
    return inspect(path);
  };
  EXPECT_TRUE(contains(to_text(with_text("gauge.ssplaq = 2.5\n")), "but the .info file says 2.5"));
  // So is its lattice, with the header's.
  EXPECT_TRUE(with_text(fmt::format("nx = {}\nnt = {}\n", size[0], size[3])).sound());
  const auto other = [&](const std::string& more) {
    return trellis::test::message_of<InputError>([&] { with_text(more); });
  };
  EXPECT_TRUE(contains(other(fmt::format("nt = {}\n", 2 * size[3])),
                       fmt::format("contradicts lat.info: nt is {} in the header, {} there", size[3], 2 * size[3])));
  EXPECT_TRUE(contains(other("nx = four\n"), "four there"));
  write_all(folder / "lat.info", "\1\2\3 no keys \n\377");
  EXPECT_TRUE(contains(to_text(inspect(path)), "lat.info is not used: it has no time_stamp"));
  write_all(folder / "lat.info", "time_stamp = \"Fri Jan  2 00:00:00 1970\"\n" + text);
  EXPECT_EQ(inspect(path).comparisons.size(), 2U);
}

TEST(GaugeFormats, OpenqcdInBothByteOrders) {
  const TempFolder folder;
  const auto links = random_links(size, 4);
  const double plaquette = measure_loops(size, source_of(links)).plaquette;
  for (const auto order : {ByteOrder::little, ByteOrder::big}) {
    const auto path = write_all(folder / "openqcd", openqcd_file(size, links, 3 * plaquette, order));
    const auto loaded = load_links(path);
    EXPECT_EQ(loaded.info.format, "openqcd");
    EXPECT_EQ(loaded.info.byte_order, order);
    EXPECT_EQ(loaded.info.size, size);
    EXPECT_EQ(loaded.links, links);
    EXPECT_TRUE(inspect(path).sound()) << to_text(inspect(path));
  }
  const auto wrong = write_all(folder / "wrong", openqcd_file(size, links, 3 * plaquette + 1e-10, ByteOrder::little));
  EXPECT_FALSE(inspect(wrong).sound());
}

TEST(GaugeFormats, TextWithTheSizeGiven) {
  const TempFolder folder;
  const auto links = random_links(size, 5);
  std::string text;
  for (const double x : links) text += fmt::format("{}\n", x);
  const auto path = write_all(folder / "text", text);
  EXPECT_EQ(load_links(path, {.size = size}).links, links);
  EXPECT_TRUE(contains(error_of([&] { load_links(path); }), "does not say the lattice size: add --size 4,4,4,4"));
  write_all(folder / "text", text + " 1.0\n");
  EXPECT_TRUE(contains(error_of([&] { load_links(path, {.size = size}); }), "more than the"));
  write_all(folder / "text", text.substr(0, text.size() - 40));
  EXPECT_TRUE(contains(error_of([&] { load_links(path, {.size = size}); }), "truncated"));
}

// A file as written by tmLQCD and others, and by OpenStaPLE.
std::vector<Record> lime_records(const std::vector<double>& links, Precision precision, const std::string& suma) {
  const auto data = link_bytes_of(links, precision, ByteOrder::big);
  ScidacChecksum sums;
  sums.add(0, data.size() * 72 / links.size(), std::as_bytes(std::span(data)));
  return {{"xlf-info", "plaquette = 0.5\n trajectory nr = 7\n beta = 5.69, kappa = 0.125\n", true, true},
          {"a-type-nobody-knows", "some bytes", true, true},
          {"ildg-format", ildg_format_xml(size, precision == Precision::single ? 32 : 64), true, false},
          {"ildg-binary-data", data, false, false},
          {"scidac-checksum",
           fmt::format("<scidacChecksum>\n<version>1.0</version>\n<suma>{}</suma><sumb>{:x}</sumb>\n</scidacChecksum>",
                       suma.empty() ? fmt::format("{:x}", sums.a) : suma, sums.b),
           false, true}};
}

TEST(GaugeFormats, LimeAsSloppyAsItIsMet) {
  const TempFolder folder;
  const auto links = random_links(size, 6);
  for (const auto precision : {Precision::single, Precision::double_}) {
    for (const bool flags : {true, false}) {
      for (const bool inclusive : {false, true}) {
        const auto path = write_all(folder / "lime", lime_file(lime_records(links, precision, ""), flags, inclusive));
        const auto loaded = load_links(path);
        EXPECT_EQ(loaded.info.size, size);
        EXPECT_EQ(loaded.info.precision, precision);
        EXPECT_EQ(loaded.report.checksums.size(), 2U);
        EXPECT_LT(largest_difference(loaded.links, links), precision == Precision::single ? 6e-8 : 1e-300);
        EXPECT_EQ(flags, loaded.info.notes.empty());
        bool said = false;
        for (const auto& r : loaded.info.records) said = said || contains(r.oddity, "length includes");
        EXPECT_EQ(said, inclusive);
        EXPECT_EQ(loaded.info.plaquette->value, 0.5);
      }
    }
  }
}

TEST(GaugeFormats, LimeChecksumsWithPrefixAndWithoutLeadingZeros) {
  const TempFolder folder;
  // For random fields, one in sixteen has a first checksum with a leading zero.
  for (std::uint64_t seed = 1; seed < 400; ++seed) {
    const auto links = random_links({2, 2, 1, 1}, seed);
    const auto data = link_bytes_of(links, Precision::double_, ByteOrder::big);
    ScidacChecksum sums;
    sums.add(0, 576, std::as_bytes(std::span(data)));
    if (sums.a >= 0x10000000U) continue;
    for (const auto& text :
         {fmt::format("{:x}", sums.a), fmt::format("0x{:x}", sums.a), fmt::format(" {:08X} ", sums.a)}) {
      const auto xml = fmt::format("<c><suma>{}</suma><sumb>0x{:08x}</sumb></c>", text, sums.b);
      const auto path = write_all(folder / "lime", lime_file({{"ildg-format", ildg_format_xml({2, 2, 1, 1}, 64)},
                                                              {"ildg-binary-data", data},
                                                              {"scidac-checksum", xml}}));
      EXPECT_TRUE(load_links(path).report.checksums_agree()) << text;
    }
    return;
  }
  FAIL() << "no checksum with a leading zero";
}

TEST(GaugeFormats, LimeWithLinksAloneNeedsTheSize) {
  const TempFolder folder;
  const auto links = random_links(size, 8);
  for (const auto precision : {Precision::single, Precision::double_}) {
    const auto path =
        write_all(folder / "bare",
                  lime_file({{"ildg-binary-data", link_bytes_of(links, precision, ByteOrder::big), true, true}}));
    EXPECT_TRUE(contains(error_of([&] { GaugeReader{path}; }), "says the lattice size: add --size 4,4,4,4"));
    EXPECT_EQ(GaugeReader(path, {.size = size}).info().precision, precision);
    EXPECT_LT(largest_difference(load_links(path, {.size = size}).links, links), 6e-8);
    EXPECT_TRUE(contains(error_of([&] { GaugeReader(path, {.size = Coordinate{4, 2, 6, 10}}); }), "4x2x6x10"));
  }
}

TEST(GaugeFormats, LimeWithoutPaddingIsReadAndNoted) {
  const TempFolder folder;
  const auto data = link_bytes_of(random_links(size, 9), Precision::double_, ByteOrder::big);
  auto file = lime_file({{"xlf-info", "12345"}});
  file.resize(144 + 5);  // the next record follows immediately
  file += lime_file({{"ildg-format", ildg_format_xml(size, 64)}, {"ildg-binary-data", data}});
  const auto loaded = load_links(write_all(folder / "unpadded", file));
  EXPECT_EQ(loaded.info.records.at(0).oddity, "not padded to 8 bytes");
}

// As an old version of MILC wrote it: no <field>, and a quote that is not closed.
TEST(GaugeFormats, DamagedXmlIsMendedWhereItCanBeUnderstood) {
  const TempFolder folder;
  const auto links = random_links(size, 9);
  const auto data = link_bytes_of(links, Precision::double_, ByteOrder::big);
  const auto with = [&](const std::vector<std::pair<std::string, std::string>>& changes) {
    auto xml = ildg_format_xml(size, 64);
    for (const auto& [from, to] : changes) xml.replace(xml.find(from), from.size(), to);
    return write_all(folder / "mended", lime_file({{"ildg-format", xml}, {"ildg-binary-data", data}}));
  };
  const auto notes = [](const GaugeFileInfo& info) { return joined(info.notes, "\n"); };
  const std::pair<std::string, std::string> no_field{"<field>su3gauge</field>", ""}, open_quote{"ildg\">", "ildg>"};

  const auto both = load_links(with({no_field, open_quote}));
  EXPECT_EQ(both.info.size, size);
  EXPECT_EQ(both.links, links);
  EXPECT_TRUE(contains(notes(both.info), "is not XML (")) << notes(both.info);
  EXPECT_TRUE(contains(notes(both.info), "has no field: taken as su3gauge")) << notes(both.info);
  EXPECT_EQ(load_links(with({{"<precision>64</precision>", ""}})).links, links);

  // A missing extent may be given.
  const auto without_lx = with({{fmt::format("<lx>{}</lx>", size[0]), ""}, open_quote});
  EXPECT_EQ(load_links(without_lx, {.size = size}).links, links);
  EXPECT_TRUE(contains(error_of([&] { load_links(without_lx); }), "add --size"));
  // What is there and wrong is not mended.
  EXPECT_TRUE(
      contains(error_of([&] { load_links(with({{"su3gauge", "su2gauge"}, open_quote})); }), "expected su3gauge"));
  EXPECT_TRUE(contains(error_of([&] { load_links(with({{"<precision>64", "<precision>32"}, no_field, open_quote})); }),
                       "there are"));
}

TEST(GaugeFormats, OpenBoundariesAndFoldedSignsAreSeen) {
  const TempFolder folder;
  auto links = random_links(size, 10);
  const std::size_t slice = static_cast<std::size_t>(size[0] * size[1] * size[2]);
  const auto change_last_t = [&](double factor) {
    auto changed = links;
    for (std::size_t site = slice * 7; site < slice * 8; ++site) {
      for (std::size_t i = 0; i < 18; ++i) changed[site * 72 + 54 + i] *= factor;
    }
    return write_all(folder / "changed", openqcd_file(size, changed, 0, ByteOrder::little));
  };
  const auto antiperiodic = inspect(change_last_t(-1));
  EXPECT_EQ(antiperiodic.boundary[3], "antiperiodic (sign folded into the links)");
  EXPECT_EQ(antiperiodic.boundary[0], "periodic");
  EXPECT_EQ(antiperiodic.report.det_minus_one, static_cast<std::int64_t>(slice));
  EXPECT_TRUE(contains(error_of([&] { load_links(folder / "changed"); }), "determinant -1"));
  const auto open = inspect(change_last_t(0));
  EXPECT_EQ(open.boundary[3], "open (links are zero)");
  EXPECT_EQ(open.report.zero, static_cast<std::int64_t>(slice));
  EXPECT_EQ(error_of([&] { load_links(folder / "changed"); }), "");
}

}  // namespace
}  // namespace trellis::io
