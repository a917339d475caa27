// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// openQCD's files of Schroedinger functionals, from links and plaquettes that plain loops put together.
#include "trellis/io/formats/openqcd_functional.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/checkpoint.hpp"
#include "trellis/io/convert.hpp"
#include "trellis/io/formats/link_algebra.hpp"
#include "trellis/io/formats/provenance_text.hpp"
#include "trellis/io/inspect.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::io {
namespace {

using test::contains, test::error_of, test::read_all, test::TempFolder, test::write_all;

constexpr int T = 4;
const Coordinate in_file{4, 2, 6, T}, here{4, 2, 6, T + 2};
const std::array<double, 3> phi{-1.1, 0.3, 0.8}, phi_prime{-2.5, 0.9, 1.6};
const ReadOptions completed{.functional = SchroedingerFunctional{T, phi_prime}};

std::int64_t number(const Coordinate& x) {
  const auto& n = here;
  const auto wrapped = [&](std::size_t mu) { return std::int64_t{x[mu] % n[mu]}; };
  return wrapped(0) + n[0] * (wrapped(1) + n[1] * (wrapped(2) + n[2] * wrapped(3)));
}

// Random links on slices 0 to T - 1, but for those in space on slice 0; what the boundary says on slice T; 1 beyond.
std::vector<double> functional_links() {
  auto links = test::random_links(here, 31);
  Coordinate x{};
  for (x[3] = 0; x[3] < here[3]; ++x[3])
    for (x[2] = 0; x[2] < here[2]; ++x[2])
      for (x[1] = 0; x[1] < here[1]; ++x[1])
        for (x[0] = 0; x[0] < here[0]; ++x[0])
          for (std::size_t mu = 0; mu < 4; ++mu) {
            if (x[3] > 0 && x[3] < T) continue;
            if (x[3] == 0 && mu == 3) continue;
            double* u = &links[std::size_t(number(x)) * 72 + 18 * mu];
            std::fill_n(u, 18, 0.0);
            for (std::size_t k = 0; k < 3; ++k) {
              const double angle = mu == 3 || x[3] > T ? 0 : (x[3] == 0 ? phi : phi_prime)[k] / here[mu];
              u[8 * k] = std::cos(angle);
              u[8 * k + 1] = std::sin(angle);
            }
          }
  return links;
}

// The sum of Re tr of all plaquettes that a functional of extent T has, over 6 T V_3.
double openqcd_plaquette(const std::vector<double>& links) {
  const auto link = [&](Coordinate x, std::size_t mu) { return &links[std::size_t(number(x)) * 72 + 18 * mu]; };
  double sum = 0;
  Coordinate x{};
  for (x[3] = 0; x[3] <= T; ++x[3])
    for (x[2] = 0; x[2] < here[2]; ++x[2])
      for (x[1] = 0; x[1] < here[1]; ++x[1])
        for (x[0] = 0; x[0] < here[0]; ++x[0])
          for (std::size_t mu = 0; mu < 4; ++mu)
            for (std::size_t nu = 0; nu < mu; ++nu) {
              if (mu == 3 && x[3] == T) continue;
              auto ahead = x, aside = x;
              ++ahead[mu];
              ++aside[nu];
              Matrix a, b, c;
              multiply(link(x, mu), link(ahead, nu), a.data());
              multiply_adjoint(a.data(), link(aside, mu), b.data());
              multiply_adjoint(b.data(), link(x, nu), c.data());
              sum += c[0] + c[8] + c[16];
            }
  return sum / (6.0 * T * in_file[0] * in_file[1] * in_file[2]);
}

std::vector<double> in_slices_of_the_file(std::vector<double> links) {
  links.resize(links.size() / (T + 2) * T);
  return links;
}

std::filesystem::path functional_file(const std::filesystem::path& path, const std::vector<double>& links,
                                      ByteOrder order = ByteOrder::little) {
  return write_all(path, test::openqcd_file(in_file, in_slices_of_the_file(links), openqcd_plaquette(links), order));
}

TEST(OpenqcdFunctional, IsCompletedByTheBoundary) {
  const TempFolder folder;
  const auto links = functional_links();
  for (const auto order : {ByteOrder::little, ByteOrder::big}) {
    const auto path = functional_file(folder / "sf", links, order);
    const auto loaded = load_links(path, completed);
    EXPECT_EQ(loaded.info.size, here);
    ASSERT_EQ(loaded.links.size(), links.size());
    for (std::size_t k = 0; k < links.size(); ++k) {
      const auto slice = k / (links.size() / (T + 2));
      if (slice < T)
        ASSERT_EQ(loaded.links[k], links[k]) << k;
      else
        ASSERT_NEAR(loaded.links[k], links[k], 1e-15) << k;
    }
    const auto seen = inspect(path, completed);
    EXPECT_TRUE(seen.sound()) << to_text(seen);
    EXPECT_EQ(seen.boundary[3], "Schroedinger functional of extent 4");
    EXPECT_EQ(GaugeReader(path, completed).seems_open(), (std::array<bool, 4>{}));
    EXPECT_TRUE(GaugeReader(path, completed).is_completed());
  }
  // Each link once.
  std::vector<int> found(links.size() / 18);
  GaugeReader(folder / "sf", completed).read([&](std::span<const Link> batch) {
    for (const auto& link : batch) ++found[std::size_t(4 * link.site + link.mu)];
  });
  for (const int times : found) EXPECT_EQ(times, 1);
}

TEST(OpenqcdFunctional, IsRefusedWhereItIsNotThatOfTheBoundary) {
  const TempFolder folder;
  const auto links = functional_links();
  const auto path = functional_file(folder / "sf", links);
  // Nothing says what is on slice T.
  EXPECT_TRUE(contains(error_of([&] { load_links(path, {.functional = SchroedingerFunctional{T, {}}}); }),
                       "phi_prime has to say what is on slice 4"));
  // Read as what it is not, the plaquette differs, and that is said.
  const auto as_periodic = inspect(path);
  ASSERT_FALSE(as_periodic.sound());
  for (const auto& said : {as_periodic.problems.front(), error_of([&] { convert(path, folder / "p.ildg"); })})
    EXPECT_TRUE(contains(said, "it seems to be of a Schroedinger functional: --time-extent 4 and --phi-prime")) << said;
  // With other angles the plaquette is another.
  EXPECT_FALSE(inspect(path, {.functional = SchroedingerFunctional{T, phi}}).sound());
  // Of another extent it is not completed.
  EXPECT_EQ(GaugeReader(path, {.functional = SchroedingerFunctional{T + 2, phi_prime}}).info().size, in_file);
  EXPECT_FALSE(GaugeReader(path).is_completed());
  // As if slice 0 had links of its own.
  for (const std::int64_t site : {0, 17, 47}) {
    auto others = links;
    std::copy_n(links.begin() + 72 * 60, 18, others.begin() + 72 * site + 18);
    EXPECT_TRUE(contains(error_of([&] { load_links(functional_file(folder / "open", others), completed); }), "open-SF"))
        << site;
  }
}

TEST(OpenqcdFunctional, IsConvertedInBothDirections) {
  const TempFolder folder;
  const auto links = functional_links();
  const auto path = functional_file(folder / "sf", links);
  const auto written = convert(path, folder / "sf.ildg", {.read = completed});
  EXPECT_EQ(written.size, here);
  EXPECT_EQ(load_links(folder / "sf.ildg").links, load_links(path, completed).links);
  EXPECT_TRUE(inspect(folder / "sf.ildg").sound());
  // The record says what it is.
  const auto lines = own_lines(read_run_records(folder / "sf.ildg").provenance);
  ASSERT_NE(find_key(lines, "boundary"), nullptr);
  EXPECT_EQ(*find_key(lines, "boundary"), "\"schroedinger_functional\"");
  EXPECT_EQ(*find_key(lines, "time_extent"), "4");
  for (const auto& [key, angles] : {std::pair{"phi", phi}, {"phi_prime", phi_prime}}) {
    ASSERT_NE(find_key(lines, key), nullptr) << key;
    double first = 0, second = 0;
    ASSERT_EQ(std::sscanf(find_key(lines, key)->c_str(), "[%lf, %lf]", &first, &second), 2);
    EXPECT_NEAR(first, angles[0], 1e-13);
    EXPECT_NEAR(second, angles[1], 1e-13);
  }
  for (const auto* in : {"sf.ildg", "sf"}) {
    auto read = completed;
    if (in == std::string("sf.ildg")) read.functional->phi_prime.reset();
    const auto back = convert(folder / in, folder / "back", {.format = "openqcd", .read = read});
    EXPECT_EQ(back.size, in_file);
    const auto a = read_all(path), b = read_all(folder / "back");
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(a.substr(0, 16), b.substr(0, 16));
    EXPECT_EQ(a.substr(24), b.substr(24));
    double before = 0, after = 0;
    std::memcpy(&before, a.data() + 16, 8);
    std::memcpy(&after, b.data() + 16, 8);
    EXPECT_NEAR(after, before, 2e-15);
    EXPECT_TRUE(inspect(folder / "back", completed).sound());
  }
  const auto refused = [&](const std::string& in, const std::string& format, const SchroedingerFunctional& functional) {
    return error_of(
        [&] { convert(folder / in, folder / "no", {.format = format, .read = {.functional = functional}}); });
  };
  EXPECT_TRUE(contains(refused("sf.ildg", "openqcd", {T, phi_prime}), "is no openQCD file with the 4 slices"));
  EXPECT_TRUE(contains(refused("sf.ildg", "ildg", {T, {}}), "is no openQCD file with the 4 slices"));
  EXPECT_TRUE(contains(refused("sf.ildg", "openqcd", {T - 1, {}}), "of even extent"));
  EXPECT_TRUE(contains(refused("sf", "openqcd", {T, {}}), "phi_prime has to say"));
  // Links on the boundaries that openQCD would not have.
  for (const auto& [slice, mu] : {std::pair{0, 1}, {T, 2}, {T, 3}, {T + 1, 0}}) {
    auto others = links;
    std::copy_n(links.begin() + 72 * 60, 18, others.begin() + 72 * 48 * slice + 72 * 5 + 18 * mu);
    write_all(folder / "others.ildg",
              test::lime_file({{"ildg-format", test::ildg_format_xml(here, 64)},
                               {"ildg-binary-data", test::link_bytes_of(others, Precision::double_, ByteOrder::big)}}));
    EXPECT_TRUE(
        contains(refused("others.ildg", "openqcd", {T, {}}), fmt::format("the links on slice {} are not", slice)));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

}  // namespace
}  // namespace trellis::io
