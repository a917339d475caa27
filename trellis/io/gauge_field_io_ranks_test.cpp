// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Configurations of fields distributed over ranks: the same files, bit for bit, as one process writes, and the same
// links from any format; an error on one rank is the same error on all.
#include "trellis/io/gauge_field_io.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/grids.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/formats/openqcd_functional.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using test::contains, test::error_of, test::read_all, test::write_all;

const Coordinate kSize{8, 4, 4, 8};

class GaugeFieldIoRanks : public ::testing::Test {
 protected:
  GaugeFieldIoRanks() {
    if (ranks.is_first()) folder_.emplace();
    path_ = ranks.broadcast("folder", ranks.is_first() ? folder_->path().string() : "");
  }
  ~GaugeFieldIoRanks() override { ranks.barrier("folder"); }

  fs::path at(const std::string& name) const { return path_ / name; }
  // The first rank writes the file.
  fs::path file(const std::string& name, const std::string& bytes) const {
    on_first_rank(ranks, "file", [&] { write_all(at(name), bytes); });
    return at(name);
  }
  void remove(const std::string& name) const {
    on_first_rank(ranks, "file", [&] { fs::remove(at(name)); });
  }
  // The message that f throws, the same on all ranks, without the name of a rank.
  template <class F>
  std::string error(F&& f) const {
    const auto text = error_of(f);
    EXPECT_EQ(error_of([&] { ranks.require_same("an error's message", text); }), "") << text;
    return text;
  }

  const comm::Communicator ranks = comm::Communicator::world();
  std::optional<TemporaryFolder> folder_;
  fs::path path_;
};

template <class T, int W>
GaugeField<T, W> field_of(const std::vector<double>& links, const comm::ProcessGrid& grid) {
  const GaugeField<T, W> u(Lattice(kSize, W, SiteOrder::even_odd, {}, grid));
  const Lattice& lattice = u.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu)
      u.set_link(x, mu, std::span<const double, 18>(&links[std::size_t(n) * 72 + std::size_t(mu) * 18], 18));
  }
  u.exchange();
  return u;
}

template <class T, int W>
void expect_links(const GaugeField<T, W>& u, const std::vector<double>& links) {
  const Lattice& lattice = u.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) {
      const auto link = u.link(x, mu);
      for (std::size_t k = 0; k < 18; ++k)
        ASSERT_EQ(link[k], T(links[std::size_t(n) * 72 + std::size_t(mu) * 18 + k])) << n << " " << mu << " " << k;
    }
  }
}

// Links that identify their place.
template <class T, int W>
GaugeField<T, W> numbered_field(const Coordinate& size, const comm::ProcessGrid& grid) {
  const GaugeField<T, W> u(Lattice(size, W, SiteOrder::even_odd, {}, grid));
  const Lattice& lattice = u.lattice();
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const auto x = lattice.coordinate(n);
    if (!lattice.owns(x)) continue;
    for (int mu = 0; mu < 4; ++mu) {
      const double angle = double(n) * 1e-5 + mu;
      std::array<double, 18> link{};
      link[0] = link[8] = std::cos(angle);
      link[1] = std::sin(angle);
      link[9] = -link[1];
      link[16] = 1;
      u.set_link(x, mu, link);
    }
  }
  return u;
}

std::vector<double> in_single(std::vector<double> links) {
  for (double& x : links) x = double(float(x));
  return links;
}

TEST_F(GaugeFieldIoRanks, IldgAndCheckpointsAreTheSameBytesOnAnyGrid) {
  const auto links = test::random_links(kSize, 3);
  const CheckpointText text{{{"completed", "17"}}, "[action]\nbeta = 6.0\n"};
  for (const auto precision : {Precision::double_, Precision::single}) {
    IldgParameters p;
    p.size = kSize;
    p.precision = precision;
    p.input = "x = 1\n";
    p.plaquette = 0.25;
    on_first_rank(ranks, "file", [&] {
      write_ildg(at("alone"), p, source_of(links));
      write_checkpoint(at("alone.checkpoint"), kSize, source_of(links), text);
    });
    int n = 0;
    for (const auto& grid : trellis::testing::grids_of(kSize))
      for (const int lanes : compiled_lane_counts()) {
        if (!Lattice::divides(grid.local(kSize), lanes)) continue;
        with_lanes(lanes, [&]<int W>() {
          const auto u = field_of<double, W>(links, grid);
          const auto name = fmt::format("together{}", n++);
          write_ildg(at(name), p, link_source(u));
          write_checkpoint(at(name + ".checkpoint"), link_source(u), text);
          EXPECT_TRUE(read_all(at(name)) == read_all(at("alone"))) << to_string(grid.extents()) << W;
          EXPECT_TRUE(read_all(at(name + ".checkpoint")) == read_all(at("alone.checkpoint")));
          EXPECT_FALSE(fs::exists(at(name + ".part")));
          const auto back = load_gauge_field<double, W>(at(name), {}, grid);
          expect_links(back, precision == Precision::double_ ? links : in_single(links));
        });
      }
  }
}

// Links are encoded and written a few slices at a time.
TEST_F(GaugeFieldIoRanks, LatticesOfManySlicesAreTheSameBytesOnAnyGrid) {
  const Coordinate size{16, 16, 16, 32};
  IldgParameters p;
  p.size = size;
  p.precision = Precision::single;
  if (ranks.is_first()) write_ildg(at("alone"), p, link_source(numbered_field<float, 1>(size, {})));
  ranks.barrier("file");
  const comm::ProcessGrid grid(ranks, comm::best_grid(size, ranks.size()));
  const auto u = numbered_field<float, 1>(size, grid);
  write_ildg(at("together"), p, link_source(u));
  EXPECT_TRUE(read_all(at("together")) == read_all(at("alone"))) << to_string(grid.extents());
  const auto back = load_gauge_field<float, 1>(at("together"), {}, grid);
  for (std::int64_t n = 0; n < back.lattice().volume(); n += 77) {
    const auto x = back.lattice().coordinate(n);
    if (back.lattice().owns(x)) {
      ASSERT_EQ(back.link(x, 2), u.link(x, 2)) << n;
    }
  }
}

TEST_F(GaugeFieldIoRanks, PackedLinksMayUseTheMemoryOfEarlierOnes) {
  const auto first = test::random_links(kSize, 11), second = test::random_links(kSize, 12);
  for (const auto& grid : trellis::testing::some_grids_of(kSize))
    for (const auto precision : {Precision::double_, Precision::single}) {
      const auto pack = [&](const std::vector<double>& links, std::vector<PackedLinks::Piece> used_before = {}) {
        return pack_links(link_source(field_of<double, 1>(links, grid)), precision, std::move(used_before));
      };
      auto before = pack(first);
      const auto fresh = pack(second);
      std::vector<const std::byte*> memory;
      for (const auto& piece : before.pieces) memory.push_back(piece.data.get());
      const auto again = pack(second, std::move(before.pieces));
      EXPECT_NE(again.checksum.a, before.checksum.a);
      EXPECT_EQ(again.checksum.a, fresh.checksum.a);
      EXPECT_EQ(again.checksum.b, fresh.checksum.b);
      ASSERT_EQ(again.pieces.size(), fresh.pieces.size());
      std::uint64_t bytes = 0;
      for (std::size_t n = 0; n < again.pieces.size(); ++n) {
        EXPECT_EQ(again.pieces[n].data.get(), memory[n]);
        EXPECT_EQ(again.pieces[n].offset, fresh.pieces[n].offset);
        EXPECT_TRUE(std::ranges::equal(again.pieces[n].bytes(), fresh.pieces[n].bytes()));
        bytes += again.pieces[n].size;
      }
      ranks.sum("bytes", {&bytes, 1});
      EXPECT_EQ(bytes, link_bytes(volume(kSize).value(), 3, precision));
    }
}

TEST_F(GaugeFieldIoRanks, NerscIsTheSameBytesOnAnyGrid) {
  const auto links = test::random_links(kSize, 4);
  for (const int rows : {3, 2})
    for (const auto order : {ByteOrder::big, ByteOrder::little}) {
      const NerscParameters p{.size = kSize, .byte_order = order, .rows = rows, .comments = {}, .check = {}};
      on_first_rank(ranks, "file", [&] { write_nersc(at("alone"), p, source_of(links)); });
      for (const auto& grid : trellis::testing::some_grids_of(kSize)) {
        const auto claims = write_nersc(at("together"), p, link_source(field_of<double, 1>(links, grid)));
        EXPECT_EQ(claims[0].value, GaugeReader(at("together"), {}, ranks).info().checksums[0].value);
        EXPECT_TRUE(read_all(at("together")) == read_all(at("alone"))) << rows;
        ranks.barrier("read");
      }
    }
}

TEST_F(GaugeFieldIoRanks, MilcIsTheSameBytesOnAnyGrid) {
  const auto links = test::random_links(kSize, 7);
  const MilcParameters p{.size = kSize, .info = {{"gauge.description", "test"}}, .check = {}};
  on_first_rank(ranks, "file", [&] { write_milc(at("alone"), p, source_of(links)); });
  for (const auto& grid : trellis::testing::some_grids_of(kSize)) {
    const auto claims = write_milc(at("together"), p, link_source(field_of<double, 1>(links, grid)));
    const auto info = GaugeReader(at("together"), {}, ranks).info();
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(claims[k].value, info.checksums[k].value);
    EXPECT_TRUE(read_all(at("together")) == read_all(at("alone")));
    EXPECT_EQ(read_all(at("together.info")), read_all(at("alone.info")));
    ranks.barrier("read");
  }
}

TEST_F(GaugeFieldIoRanks, EveryFormatIsReadOnEveryGrid) {
  const auto links = test::random_links(kSize, 5);
  std::string numbers;
  for (const double x : links) numbers += fmt::format("{}\n", x);
  on_first_rank(ranks, "file", [&] {
    const double plaquette = measure_loops(kSize, source_of(links)).plaquette;
    for (const int rows : {2, 3})
      write_nersc(at(fmt::format("nersc{}", rows)), {.size = kSize, .rows = rows, .comments = {}, .check = {}},
                  source_of(links));
    write_all(at("milc"), test::milc_file(kSize, links, ByteOrder::big));
    write_all(at("oldmilc"), test::old_milc_file(kSize, links, ByteOrder::little));
    write_all(at("openqcd"), test::openqcd_file(kSize, links, 3 * plaquette, ByteOrder::little));
    write_all(at("text"), numbers);
  });
  for (const std::string name : {"nersc3", "milc", "oldmilc", "openqcd", "text"}) {
    const bool single = contains(name, "milc");
    for (const auto& grid : trellis::testing::some_grids_of(kSize)) {
      expect_links(load_gauge_field<double, 1>(at(name), {.size = kSize}, grid), single ? in_single(links) : links);
      if (!single) expect_links(load_gauge_field<float, 1>(at(name), {.size = kSize}, grid), links);
    }
  }
  // Its third rows are rebuilt.
  const auto alone = load_links(at("nersc2")).links;
  for (const auto& grid : trellis::testing::some_grids_of(kSize))
    expect_links(load_gauge_field<double, 1>(at("nersc2"), {}, grid), alone);
}

// Of a Schroedinger functional, with two slices fewer in the file.
TEST_F(GaugeFieldIoRanks, CompletedFilesOfOpenqcd) {
  const Coordinate in_file{kSize[0], kSize[1], kSize[2], kSize[3] - 2};
  const std::int64_t slice = volume(kSize).value() / kSize[3];
  const std::array<double, 3> phi_prime{-2.5, 0.9, 1.6};
  const auto on_first = constant_links({-1.1, 0.3, 0.8}, kSize), on_last = constant_links(phi_prime, kSize),
             one = constant_links({0, 0, 0}, kSize);
  auto links = test::random_links(kSize, 9);
  for (std::int64_t site = 0; site < volume(kSize).value(); ++site)
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const auto t = site / slice;
      if (t > 0 ? t < in_file[3] : mu == 3) continue;
      const auto& all = t == 0 ? on_first : t == in_file[3] && mu < 3 ? on_last : one;
      std::ranges::copy(all[mu % 3], links.begin() + site * 72 + std::ptrdiff_t(18 * mu));
    }
  auto stored = links;
  stored.resize(stored.size() - std::size_t(2 * slice) * 72);
  const auto path = file("sf", test::openqcd_file(in_file, stored, 0, ByteOrder::little));
  const ReadOptions options{.size = kSize, .functional = SchroedingerFunctional{in_file[3], phi_prime}};
  for (const auto& grid : trellis::testing::some_grids_of(kSize))
    expect_links(load_gauge_field<double, 1>(path, options, grid), links);
}

TEST_F(GaugeFieldIoRanks, DamagedFilesAreOneErrorOnAllRanks) {
  const auto links = test::random_links(kSize, 6);
  const auto grid = trellis::testing::grids_of(kSize).front();
  const auto reading = [&](const std::string& name) {
    return error([&] { load_gauge_field<double, 1>(at(name), {.size = kSize}, grid); });
  };
  IldgParameters p;
  p.size = kSize;
  write_ildg(at("ildg"), p, link_source(field_of<double, 1>(links, grid)));
  const auto ildg = read_all(at("ildg")), openqcd = test::openqcd_file(kSize, links, 0, ByteOrder::little),
             milc = test::milc_file(kSize, links, ByteOrder::big);
  for (const auto& [bytes, name] : {std::pair(ildg, "cut.ildg"), {openqcd, "cut.openqcd"}, {milc, "cut.milc"}})
    for (const std::size_t n : {std::size_t{0}, std::size_t{100}, bytes.size() / 2, bytes.size() - 100}) {
      file(name, bytes.substr(0, n));
      EXPECT_TRUE(contains(reading(name), name)) << name << " " << n << ": " << reading(name);
    }
  // One damaged byte in the part of each rank.
  for (std::size_t at_byte = 2000; at_byte < 570000; at_byte += 70001) {
    for (const auto& [bytes, name] : {std::pair(ildg, "flipped.ildg"), {milc, "flipped.milc"}}) {
      auto bad = bytes;
      bad[at_byte % bad.size()] = static_cast<char>(bad[at_byte % bad.size()] ^ 1);
      file(name, bad);
      EXPECT_TRUE(contains(reading(name), "checksum")) << reading(name);
    }
  }
  auto bad = openqcd;
  for (std::size_t k = 0; k < 8; ++k) bad[300000 + k] = '\xff';
  file("nan.openqcd", bad);
  EXPECT_TRUE(contains(reading("nan.openqcd"), "NaN")) << reading("nan.openqcd");
  EXPECT_TRUE(contains(reading("none"), "No such file")) << reading("none");
  EXPECT_TRUE(contains(error([&] { load_gauge_field<double, 1>(at("ildg"), {.size = Coordinate{8, 4, 4, 4}}, grid); }),
                       "expected 8x4x4x4"));
}

TEST_F(GaugeFieldIoRanks, FilesThatDifferBetweenRanksAreAnError) {
  if (ranks.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const auto grid = trellis::testing::grids_of(kSize).front();
  const auto links = test::random_links(kSize, 7), others = test::random_links(kSize, 8);
  // Each rank has its own folder, where the same name refers to its own file.
  const auto back = fs::current_path();
  const auto own = at(fmt::format("rank{}", ranks.rank()));
  fs::create_directories(own);
  fs::current_path(own);
  const bool last = ranks.rank() == ranks.size() - 1;
  IldgParameters p;
  p.size = kSize;
  const auto reading = [&] { return error([&] { load_gauge_field<double, 1>("u", {.size = kSize}, grid); }); };

  write_ildg("u", p, source_of(last ? others : links));
  EXPECT_TRUE(contains(reading(), "u: this rank finds a different file")) << reading();
  write_all("u", test::openqcd_file(kSize, last ? others : links, 0, ByteOrder::little));
  EXPECT_TRUE(contains(reading(), "this rank finds a different file")) << reading();
  // In a number that the quick comparison does not read.
  auto bytes = test::openqcd_file(kSize, links, 0, ByteOrder::little);
  if (last) bytes[24 + 200007] = static_cast<char>(bytes[24 + 200007] ^ 1);
  write_all("u", bytes);
  EXPECT_TRUE(contains(reading(), "this rank finds a different file")) << reading();
  if (last) fs::remove("u");
  EXPECT_TRUE(contains(reading(), fmt::format("rank {}: u: cannot open the file", ranks.size() - 1))) << reading();
  if (last) write_all("u", "");
  EXPECT_TRUE(contains(reading(), "the file is empty")) << reading();
  fs::current_path(back);
}

TEST_F(GaugeFieldIoRanks, LinksThatAreNotFiniteAreNotWritten) {
  auto links = test::random_links(kSize, 9);
  const std::size_t site = std::size_t(volume(kSize).value()) - 1;
  links[site * 72 + 20] = std::numeric_limits<double>::infinity();
  for (const auto& grid : trellis::testing::some_grids_of(kSize)) {
    const auto u = field_of<double, 1>(links, grid);
    IldgParameters p;
    p.size = kSize;
    EXPECT_TRUE(contains(error([&] { write_ildg(at("u"), p, link_source(u)); }),
                         fmt::format("the link at site {}, direction 1 is not finite", site)));
    const NerscParameters nersc{.size = kSize, .comments = {}, .check = {}};
    EXPECT_TRUE(contains(error([&] { write_nersc(at("u"), nersc, link_source(u)); }),
                         fmt::format("the link at site {}, direction 1 is not finite", site)));
  }
  EXPECT_FALSE(fs::exists(at("u")));
  EXPECT_FALSE(fs::exists(at("u.part")));
}

TEST_F(GaugeFieldIoRanks, WhatCannotBeWrittenIsOneErrorAndLeavesTheOldFile) {
  const auto grid = trellis::testing::grids_of(kSize).front();
  const auto u = field_of<double, 1>(test::random_links(kSize, 10), grid);
  IldgParameters p;
  p.size = kSize;
  EXPECT_TRUE(contains(error([&] { write_ildg(at("none/u"), p, link_source(u)); }), "none/u.part: cannot create"));
  file("u", "old");
  p.check = [](const fs::path&) { fail("refused"); };
  EXPECT_EQ(error([&] { write_ildg(at("u"), p, link_source(u)); }), "refused");
  EXPECT_EQ(read_all(at("u")), "old");
  EXPECT_FALSE(fs::exists(at("u.part")));
}

TEST_F(GaugeFieldIoRanks, ACheckpointOfTwoIsRefused) {
  const auto grid = trellis::testing::grids_of(kSize).front();
  const auto write = [&](const char* name, const char* completed, std::uint64_t seed) {
    const auto u = field_of<double, 1>(test::random_links(kSize, seed), grid);
    write_checkpoint(at(name), link_source(u), {{{"completed", completed}}, "beta = 6\n"});
  };
  write("a", "10", 1);
  write("b", "20", 2);
  const auto a = read_all(at("a")), b = read_all(at("b"));
  // The state of b with the links of a and their checksum.
  const auto state = [](const std::string& bytes) { return bytes.find("trellis-input") - 16; };
  file("mixed", a.substr(0, state(a)) + b.substr(state(b)));
  EXPECT_EQ(error([&] { load_gauge_field<double, 1>(at("mixed"), {}, grid); }), "");
  EXPECT_TRUE(contains(error([&] { read_checkpoint_text(at("mixed")); }), "of other links")) << "mixed";
  EXPECT_EQ(read_checkpoint_text(at("b")).value("completed"), "20");
}

}  // namespace
}  // namespace trellis::io
