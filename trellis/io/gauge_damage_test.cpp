// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Every kind of damage to a good file is an InputError that says what is wrong; nothing crashes, hangs or allocates
// what a header claims without checking.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/formats/gauge_writer.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::io {
namespace {

using namespace test;

const Coordinate size{2, 4, 2, 6};

struct GoodFile {
  std::string name;
  std::string bytes;
  std::size_t data_at;  // where the links begin
  bool has_checksum;
};

std::vector<GoodFile> good_files() {
  const TempFolder folder;
  const auto links = random_links(size, 11);
  const double plaquette = measure_loops(size, source_of(links)).plaquette;
  write_nersc(folder / "nersc", {.size = size, .comments = {}, .check = {}}, source_of(links));
  IldgParameters p;
  p.size = size;
  write_ildg(folder / "ildg", p, source_of(links));
  const auto nersc = read_all(folder / "nersc");
  const auto ildg = read_all(folder / "ildg");
  return {{"nersc", nersc, nersc.find("END_HEADER\n") + 11, true},
          {"ildg", ildg, ildg.find("ildg-binary-data") - 16 + 144, true},
          {"milc", milc_file(size, links, ByteOrder::big), 96, true},
          {"openqcd", openqcd_file(size, links, 3 * plaquette, ByteOrder::little), 24, false}};
}

// The message of the InputError that reading throws; "no error" or "not an InputError" otherwise.
std::string reading_error(const std::filesystem::path& path, const ReadOptions& options = {}) {
  try {
    load_links(path, options);
  } catch (const InputError& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("not an InputError: ") + e.what();
  }
  return "no error";
}

TEST(DamagedGaugeFile, TruncatedAnywhere) {
  const TempFolder folder;
  for (const auto& good : good_files()) {
    ASSERT_EQ(reading_error(write_all(folder / good.name, good.bytes)), "no error") << good.name;
    // Every length of header; a few within the data; one byte less than the file.
    std::vector<std::size_t> lengths{good.data_at + 1, good.data_at + 1000, good.bytes.size() - 1};
    for (std::size_t n = 0; n < good.data_at; n += 7) lengths.push_back(n);
    for (const std::size_t n : lengths) {
      // The last byte of the LIME file is padding.
      if (good.name == "ildg" && n == good.bytes.size() - 1) continue;
      const auto error = reading_error(write_all(folder / "cut", good.bytes.substr(0, n)));
      EXPECT_TRUE(contains(error, (folder / "cut").string() + ": ")) << good.name << " " << n << ": " << error;
      if (n > good.data_at && good.name != "openqcd") {
        EXPECT_TRUE(contains(error, "truncated")) << error;
      }
    }
  }
}

TEST(DamagedGaugeFile, LongerThanTheHeaderSays) {
  const TempFolder folder;
  for (const auto& good : good_files()) {
    const auto error = reading_error(write_all(folder / "long", good.bytes + std::string(3, 'x')));
    EXPECT_NE(error, "no error") << good.name;
  }
}

TEST(DamagedGaugeFile, OneBitFlippedInTheLinks) {
  const TempFolder folder;
  for (const auto& good : good_files()) {
    for (const std::size_t at : {good.data_at, good.data_at + 777, good.data_at + 20000}) {
      auto bytes = good.bytes;
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      const auto path = write_all(folder / "flipped", bytes);
      if (good.has_checksum) {
        EXPECT_TRUE(contains(reading_error(path), "checksum")) << good.name << reading_error(path);
      }
      // A format without checksum has its plaquette, unless the bit is the last one of a number.
      if (good.has_checksum) {
        EXPECT_FALSE(inspect(path).sound()) << good.name;
      }
    }
  }
  auto bytes = good_files()[3].bytes;
  bytes[24 + 6] = static_cast<char>(bytes[24 + 6] ^ 1);  // a high bit of the first number's mantissa
  EXPECT_FALSE(inspect(write_all(folder / "flipped", bytes)).sound());
}

TEST(DamagedGaugeFile, LinksThatAreNotFiniteOrNotUnitary) {
  const TempFolder folder;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, 1e200, 3.0}) {
    auto links = random_links(size, 12);
    links[1000] = bad;
    const auto path = write_all(folder / "bad", openqcd_file(size, links, 0, ByteOrder::little));
    const auto report = inspect(path).report;
    EXPECT_EQ(report.non_finite, bad == 3.0 ? 0 : 1);
    EXPECT_EQ(report.max_unitarity_violation > 1, bad == 3.0);
    EXPECT_TRUE(contains(reading_error(path), bad == 3.0 ? "not unitary" : "NaN or infinity")) << reading_error(path);
  }
  auto links = random_links(size, 13);
  for (std::size_t i = 0; i < 12; i += 2) {  // two rows of one link times i, so that det = -1
    const double re = links[i];
    links[i] = -links[i + 1];
    links[i + 1] = re;
  }
  write_all(folder / "det", openqcd_file(size, links, 0, ByteOrder::little));
  EXPECT_TRUE(contains(reading_error(folder / "det"), "determinant -1"));
  for (std::size_t i = 0; i < 6; i += 2) {  // and one row more: det = -1 (-i)... = -(-1) i
    const double re = links[i];
    links[i] = -links[i + 1];
    links[i + 1] = re;
  }
  write_all(folder / "det", openqcd_file(size, links, 0, ByteOrder::little));
  EXPECT_TRUE(contains(reading_error(folder / "det"), "not in SU(3)")) << reading_error(folder / "det");
}

// A file is checked to within its precision, both its links and the claims of its header.
TEST(DamagedGaugeFile, MeasuredByItsPrecision) {
  const TempFolder folder;
  const auto off_by = [&](double off, int bits) {
    auto links = random_links(size, 14);
    for (std::size_t i = 0; i < 18; ++i) links[720 + i] *= 1 + off / 2;
    const auto precision = bits == 64 ? Precision::double_ : Precision::single;
    const auto file =
        write_all(folder / "off", lime_file({{"ildg-format", ildg_format_xml(size, bits)},
                                             {"ildg-binary-data", link_bytes_of(links, precision, ByteOrder::big)}}));
    const auto error = reading_error(file);
    EXPECT_EQ(inspect(file).sound(), error == "no error") << error;
    return error;
  };
  EXPECT_EQ(off_by(5e-7, 64), "no error");  // links that were once in single precision
  EXPECT_TRUE(contains(off_by(2e-5, 64), "|U U^+ - 1| reaches 2e-05, expected at most 1e-05"));
  EXPECT_EQ(off_by(2e-5, 32), "no error");
  EXPECT_TRUE(contains(off_by(2e-4, 32), "not unitary"));

  const auto links = random_links(size, 15);
  const double plaquette = measure_loops(size, source_of(links)).plaquette;
  const auto claims_off_by = [&](double off, Precision precision) {
    write_nersc(folder / "claims", {.size = size, .precision = precision, .comments = {}, .check = {}},
                source_of(links));
    auto bytes = read_all(folder / "claims");
    const auto at = bytes.find("PLAQUETTE = ") + 12, end = bytes.find('\n', at);
    bytes.replace(at, end - at, fmt::format("{:.12f}", plaquette + off));
    return inspect(write_all(folder / "claims", bytes)).sound();
  };
  EXPECT_TRUE(claims_off_by(4e-10, Precision::single));
  EXPECT_FALSE(claims_off_by(4e-10, Precision::double_));
  EXPECT_FALSE(claims_off_by(4e-6, Precision::single));
}

// Of numbers that are in double precision only by name, headers may know the digits that they lost.
TEST(DamagedGaugeFile, ClaimsAreJudgedByThePrecisionOfTheNumbers) {
  const TempFolder folder;
  auto links = random_links(size, 15);
  const double plaquette = measure_loops(size, source_of(links)).plaquette;
  const auto sound = [&] {
    write_all(folder / "claim", openqcd_file(size, links, 3 * (plaquette + 4e-10), ByteOrder::little));
    return inspect(folder / "claim").sound();
  };
  EXPECT_FALSE(sound());
  for (double& x : links) x = static_cast<float>(x);
  EXPECT_TRUE(sound());
  links[7] = std::nextafter(links[7], 1.0);
  EXPECT_FALSE(sound()) << "one number in double precision";
}

// What lost disk blocks look like. A complete boundary of zero links is different: gauge_format_test.cpp.
TEST(DamagedGaugeFile, LinksThatAreZero) {
  const TempFolder folder;
  const auto links = random_links(size, 17);
  const auto sites = links.size() / 72, slice = sites / 6;
  const auto with_zeros = [&](std::size_t first_site, std::size_t end_site, std::size_t first, std::size_t end) {
    auto changed = links;
    for (std::size_t site = first_site; site < end_site; ++site)
      std::fill(changed.begin() + std::ptrdiff_t(site * 72 + first), changed.begin() + std::ptrdiff_t(site * 72 + end),
                0.0);
    const auto file =
        write_all(folder / "zeros",
                  lime_file({{"ildg-format", ildg_format_xml(size, 64)},
                             {"ildg-binary-data", link_bytes_of(changed, Precision::double_, ByteOrder::big)}}));
    return std::pair(error_of([&] { load_links(file); }), inspect(file));
  };
  const auto [half, seen] = with_zeros(sites / 2, sites, 0, 72);
  EXPECT_TRUE(contains(half, "links are zero, but not in an open boundary")) << half;
  EXPECT_FALSE(seen.sound());
  EXPECT_FALSE(with_zeros(0, 1, 0, 18).first.empty()) << "one link";
  EXPECT_FALSE(with_zeros(5 * slice, sites - 1, 54, 72).first.empty()) << "a boundary but for one link";
  EXPECT_EQ(with_zeros(5 * slice, sites, 54, 72).first, "") << "an open boundary";
}

TEST(DamagedGaugeFile, ConversionDoesNotHideIt) {
  const TempFolder folder;
  const auto links = random_links(size, 18);
  const double plaquette = measure_loops(size, source_of(links)).plaquette;
  const auto in = write_all(folder / "in", openqcd_file(size, links, 3 * plaquette + 0.01, ByteOrder::little));
  const auto error = error_of([&] { convert(in, folder / "out.ildg"); });
  EXPECT_TRUE(contains(error, "but the header says")) << error;
  EXPECT_TRUE(contains(error, "--accept-damage"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.ildg"));
  ConvertOptions accepting;
  accepting.accept_damage = true;
  convert(in, folder / "out.ildg", accepting);
  EXPECT_TRUE(contains(read_all(folder / "out.ildg"), "accepted: plaquette"));
  // In other formats too, and in files that are made from these; checksums and plaquettes are those of the links.
  const auto convert_to = [&](const char* from, const char* format, const char* to) {
    ConvertOptions options{.format = format};
    if (format == std::string("milc")) options.precision = Precision::single;
    options.accept_damage = from == std::string("in");
    convert(folder / from, folder / to, options);
  };
  convert_to("in", "nersc", "a.nersc");
  convert_to("in", "milc", "a.milc");
  convert_to("out.ildg", "nersc", "b.nersc");
  convert_to("a.nersc", "milc", "b.milc");
  convert_to("a.milc", "milc", "c.milc");
  convert_to("b.milc", "ildg", "b.ildg");
  convert_to("b.ildg", "ildg", "c.ildg");
  for (const auto* name : {"out.ildg", "a.nersc", "a.milc", "b.nersc", "b.milc", "c.milc", "b.ildg", "c.ildg"}) {
    const auto seen = inspect(folder / name);
    EXPECT_TRUE(seen.sound()) << name;
    ASSERT_EQ(seen.info.accepted.size(), 1U) << name;
    EXPECT_TRUE(contains(seen.info.accepted[0], "plaquette (plaquette) is ")) << seen.info.accepted[0];
    EXPECT_TRUE(contains(to_text(seen), "accepted     damage, when it was converted: plaquette")) << to_text(seen);
    EXPECT_TRUE(contains(to_line(seen), "damage was accepted")) << to_line(seen);
  }
  EXPECT_TRUE(contains(read_all(folder / "a.nersc"), "\nTRELLIS_ACCEPTED = plaquette"));
  EXPECT_TRUE(contains(read_all(folder / "c.milc.info"), "\ntrellis.accepted = \"plaquette"));
  EXPECT_TRUE(contains(error_of([&] { convert(in, folder / "out.openqcd", {.format = "openqcd"}); }),
                       "this format cannot record that"));
}

TEST(DamagedGaugeFile, HeaderSizesThatCannotBe) {
  const TempFolder folder;
  const auto files = good_files();
  const auto milc = files[2].bytes, openqcd = files[3].bytes;
  for (const std::int32_t n : {0, -1, -2147483647 - 1, 2147483647, 65536, 3}) {
    auto bytes = milc;
    std::string word;
    append(word, n, ByteOrder::big);
    bytes.replace(8, 4, word);
    EXPECT_TRUE(contains(reading_error(write_all(folder / "milc", bytes)), "lattice")) << n;
    for (std::size_t at = 4; at < 20; at += 4) bytes.replace(at, 4, word);
    EXPECT_TRUE(contains(reading_error(write_all(folder / "milc", bytes)), "lattice")) << n;
    std::string little;
    append(little, n, ByteOrder::little);
    bytes = openqcd;
    bytes.replace(4, 4, little);
    EXPECT_NE(reading_error(write_all(folder / "openqcd", bytes)), "no error") << n;
    for (const char* key : {"DIMENSION_2 = 4", "DIMENSION_4 = 6"}) {
      bytes = files[0].bytes;
      bytes.replace(bytes.find(key), 15, std::string(key).substr(0, 14) + std::to_string(n));
      EXPECT_TRUE(contains(reading_error(write_all(folder / "nersc", bytes)), n > 0 ? "lattice" : "DIMENSION"));
    }
  }
  // 65536^4 sites: the product is 0 in 64 bits.
  auto bytes = openqcd.substr(0, 24);
  for (std::size_t at = 0; at < 16; at += 4) bytes.replace(at, 4, std::string("\0\0\1\0", 4));
  EXPECT_NE(reading_error(write_all(folder / "huge", bytes)), "no error");
}

TEST(DamagedGaugeFile, NerscHeaders) {
  const TempFolder folder;
  const auto good = good_files()[0].bytes;
  const auto with = [&](const std::string& from, const std::string& to) {
    auto bytes = good;
    bytes.replace(bytes.find(from), from.size(), to);
    return reading_error(write_all(folder / "nersc", bytes));
  };
  EXPECT_TRUE(contains(with("DATATYPE = 4D_SU3_GAUGE_3x3", "DATATYPE = 4D_SU2"), "DATATYPE = '4D_SU2'"));
  EXPECT_TRUE(contains(with("DATATYPE = 4D_SU3_GAUGE_3x3\n", ""), "has no DATATYPE"));
  EXPECT_TRUE(contains(with("DATATYPE = 4D_SU3_GAUGE_3x3", "DATATYPE = 4D_SU3_GAUGE"), "with 2 rows"));
  EXPECT_TRUE(contains(with("IEEE64BIG", "IEEE16BIG"), "FLOATING_POINT"));
  EXPECT_TRUE(contains(with("IEEE64BIG", "IEEE32BIG"), "single precision"));
  EXPECT_TRUE(contains(with("IEEE64BIG", "IEEE64MIDDLE"), "FLOATING_POINT"));
  EXPECT_TRUE(contains(with("IEEE64BIG", "IEEE64LITTLE"), "checksum"));
  EXPECT_TRUE(contains(with("CHECKSUM = ", "CHECKSUM = 1"), "checksum"));
  EXPECT_TRUE(contains(with("CHECKSUM = ", "CHECKSUM = xyz"), "hexadecimal"));
  EXPECT_TRUE(contains(with("END_HEADER", "END_HEADED"), "does not end"));
  EXPECT_TRUE(contains(with("DIMENSION_3 = 2", "DIMENSION_3 = 2.0"), "DIMENSION_3"));
  // A wrong plaquette does not prevent reading, but inspect reports it.
  EXPECT_EQ(with("PLAQUETTE = ", "PLAQUETTE = 1"), "no error");
  EXPECT_FALSE(inspect(folder / "nersc").sound());
  EXPECT_EQ(with("IEEE64BIG", "IEEE64LITTLE").empty(), false);
  EXPECT_TRUE(contains(to_text(inspect(folder / "nersc")), "links look right in big-endian"));
}

TEST(DamagedGaugeFile, LimeRecords) {
  const TempFolder folder;
  const auto good = good_files()[1].bytes;
  const auto with = [&](const std::string& from, const std::string& to) {
    auto bytes = good;
    bytes.replace(bytes.find(from), from.size(), to);
    return reading_error(write_all(folder / "ildg", bytes));
  };
  EXPECT_TRUE(contains(with("<lt>6", "<lt>8"), "but 2x4x2x6 elsewhere"));
  EXPECT_TRUE(contains(with("<lt>6", "<lt>x"), "lt is 'x'"));
  EXPECT_TRUE(contains(with("<precision>64", "<precision>32"), "precision"));
  EXPECT_TRUE(contains(with("<precision>64", "<precision>63"), "expected 32 or 64"));
  EXPECT_TRUE(contains(with("<field>su3gauge", "<field>su2gauge"), "su2gauge"));
  EXPECT_TRUE(contains(with("<volfmt>0", "<volfmt>1"), "volfmt"));
  EXPECT_TRUE(contains(with("<dims>2 4 2 6", "<dims>2 4 2  "), "dims"));
  EXPECT_TRUE(contains(with("<datacount>4", "<datacount>1"), "datacount") ||
              contains(with("<datacount>4", "<datacount>1"), "expected 4 colour matrices"));
  EXPECT_TRUE(contains(with("<suma>", "<sumx>"), "suma"));
  EXPECT_TRUE(contains(with("ildg-binary-data", "ildg-binary-date"), "without gauge data"));
  EXPECT_EQ(with("</lt></ildgFormat>", "</lt></ildgFarmat>"), "no error") << "mended";
  // The data record's header: length and magic number.
  const auto header = good.find("ildg-binary-data") - 16;
  for (const char byte : {'\x01', '\x7f', '\xff'}) {
    auto bytes = good;
    bytes[header + 8] = byte;
    EXPECT_TRUE(contains(reading_error(write_all(folder / "ildg", bytes)), "truncated"));
    bytes = good;
    bytes[header] = byte;
    EXPECT_TRUE(contains(reading_error(write_all(folder / "ildg", bytes)), "magic number"));
  }
  auto many = std::string();
  for (int i = 0; i < 10001; ++i) many += lime_file({{"x", ""}});
  EXPECT_TRUE(contains(reading_error(write_all(folder / "many", many)), "more than"));
}

TEST(DamagedGaugeFile, MilcFormatsThatAreNotReadAreNamed) {
  const TempFolder folder;
  auto bytes = good_files()[2].bytes;
  bytes[87] = 1;  // the order of the sites
  EXPECT_TRUE(contains(reading_error(write_all(folder / "milc", bytes)), "checkpoint in node order"));
  std::string magic;
  append(magic, std::int32_t{53546}, ByteOrder::big);
  EXPECT_TRUE(contains(reading_error(write_all(folder / "milc", bytes.replace(0, 4, magic))), "1996"));
  append(magic = "", std::int32_t{0x71626434}, ByteOrder::little);
  EXPECT_TRUE(contains(reading_error(write_all(folder / "milc", bytes.replace(0, 4, magic))), "FNAL"));
}

TEST(DamagedGaugeFile, NotAGaugeFileAtAll) {
  const TempFolder folder;
  EXPECT_TRUE(contains(reading_error(folder / "missing"), "No such file"));
  EXPECT_TRUE(contains(reading_error(folder.path()), "is a folder"));
  EXPECT_TRUE(contains(reading_error("/dev/null"), "is a device"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(reading_error(folder / "pipe"), "a device or a pipe"));
  EXPECT_TRUE(contains(reading_error(write_all(folder / "empty", "")), "the file is empty"));
  EXPECT_TRUE(contains(reading_error(write_all(folder / "text", "Dear reader,\nthis is no file of links.\n")),
                       "not a gauge configuration"));
  EXPECT_TRUE(contains(reading_error(write_all(folder / "one", "x")), "not a gauge configuration"));
  EXPECT_TRUE(contains(reading_error(write_all(folder / "numbers", "1 2 3"), {.size = size}), "needs"));
  std::string numbers;
  for (std::size_t i = 0; i < 96 * 72; ++i) numbers += i == 5000 ? "1.0e " : "1.0 ";
  EXPECT_TRUE(contains(reading_error(write_all(folder / "numbers", numbers), {.size = size}), "'1.0e'"));
  if (::geteuid() != 0) {  // permissions do not apply to root
    write_all(folder / "secret", "x");
    ::chmod((folder / "secret").c_str(), 0);
    EXPECT_TRUE(contains(reading_error(folder / "secret"), "Permission denied"));
  }
}

TEST(DamagedGaugeFile, TheSizeGivenMustAgreeWithTheFile) {
  const TempFolder folder;
  for (const auto& good : good_files()) {
    const auto path = write_all(folder / "good", good.bytes);
    EXPECT_EQ(reading_error(path, {.size = size}), "no error");
    EXPECT_TRUE(contains(reading_error(path, {.size = Coordinate{4, 2, 2, 6}}), "expected 4x2x2x6"));
  }
}

}  // namespace
}  // namespace trellis::io
