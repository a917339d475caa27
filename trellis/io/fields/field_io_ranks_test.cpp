// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Fields distributed over ranks: the same files, bit for bit, as one process writes, and the same numbers from them.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/support/gauge_test_files.hpp"
#include "tests/support/grids.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/fields/hdf5_fields.hpp"
#include "trellis/io/fields/openqcd_spinors.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::io {
namespace {

namespace fs = std::filesystem;
using test::contains, test::error_of, test::read_all, test::write_all;

constexpr Coordinate size{8, 4, 4, 8};
using Vectors = FieldParts<double, 6, 1>;

Vectors vectors_on(const Lattice& lattice) {
  return {ParityField<double, 6, 1>(lattice, 0, 2), ParityField<double, 6, 1>(lattice, 1, 2)};
}

std::array<double, 6> numbers_at(const Coordinate& x, int n) {
  std::array<double, 6> numbers{};
  for (int k = 0; k < 6; ++k)
    numbers[std::size_t(k)] = std::sin(x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3] + k + 7 * n);
  return numbers;
}

template <class F>
void for_own_sites(const Lattice& lattice, const F& f) {
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    if (const auto x = lattice.coordinate(site); lattice.owns(x)) f(x, std::size_t(x[0] + x[1] + x[2] + x[3]) % 2);
}

// One for all ranks, which must be done with it when it goes.
class FolderOfRanks {
 public:
  explicit FolderOfRanks(const comm::Communicator& ranks) : ranks_(ranks) {
    if (ranks.is_first()) own_.emplace();
    path_ = ranks.broadcast("folder", own_ ? own_->path().string() : "");
  }
  FolderOfRanks(const FolderOfRanks&) = delete;
  FolderOfRanks& operator=(const FolderOfRanks&) = delete;
  ~FolderOfRanks() { ranks_.barrier("folder"); }
  fs::path operator/(const char* name) const { return path_ / name; }
  // The file of this name on all ranks.
  std::string bytes(const char* name) const {
    return ranks_.broadcast("file", ranks_.is_first() ? read_all(path_ / name) : "");
  }

 private:
  const comm::Communicator& ranks_;
  std::optional<TemporaryFolder> own_;
  fs::path path_;
};

TEST(FieldIoRanks, FilesAndNumbersDoNotDependOnTheRanks) {
  const auto ranks = comm::Communicator::world();
  const FolderOfRanks folder(ranks);
  std::optional<std::string> first, first_hdf5;
  for (const auto& grid : trellis::testing::grids_of(size)) {
    const Lattice lattice(size, 1, SiteOrder::even_odd, {}, grid);
    const auto v = vectors_on(lattice), back = vectors_on(lattice);
    const GaugeField<double, 1> u(lattice), w(lattice);
    for_own_sites(lattice, [&](const Coordinate& x, std::size_t parity) {
      for (int n = 0; n < 2; ++n) v[parity].set(x, numbers_at(x, n), n);
      for (int mu = 0; mu < 4; ++mu) {
        std::array<double, 18> link{};
        for (std::size_t k = 0; k < 18; ++k) link[k] = numbers_at(x, mu)[k % 6] * double(k + 1);
        u.set_link(x, mu, link);
      }
    });
    write_fields(folder / "f", {.precision = Precision::single}, {vectors_to_write(v), matrices_to_write(u)});
    const auto bytes = folder.bytes("f");
    if (!first) first = bytes;
    EXPECT_EQ(bytes, *first);
    write_hdf5_fields(folder / "h", Precision::double_, {}, {{"v", each_vector_to_write(v, {"a", "b"})}});
    const auto hdf5 = folder.bytes("h");
    if (!first_hdf5) first_hdf5 = hdf5;
    EXPECT_EQ(hdf5, *first_hdf5);
    const FieldReader hdf5_reader(folder / "h", ranks);
    for (const int n : {0, 1}) EXPECT_TRUE(read_some_vectors(hdf5_reader, std::size_t(n), back, n).checksums_agree());
    for_own_sites(lattice, [&](const Coordinate& x, std::size_t parity) {
      for (int n = 0; n < 2; ++n) ASSERT_EQ(back[parity].at(x, n), v[parity].at(x, n));
    });
    const FieldReader reader(folder / "f", ranks);
    EXPECT_TRUE(read_vectors(reader, 0, back).checksums_agree());
    EXPECT_TRUE(read_matrices(reader, 1, w).checksums_agree());
    for_own_sites(lattice, [&](const Coordinate& x, std::size_t parity) {
      for (int n = 0; n < 2; ++n)
        for (std::size_t k = 0; k < 6; ++k) ASSERT_EQ(back[parity].at(x, n)[k], double(float(numbers_at(x, n)[k])));
      for (int mu = 0; mu < 4; ++mu) ASSERT_EQ(w.link(x, mu)[7], double(float(u.link(x, mu)[7])));
    });
  }
  // One rank's damaged site is an error on all of them.
  on_first_rank(ranks, "damage", [&] {
    auto bytes = *first;
    const auto at = bytes.find("scidac-binary-data") + 128 + 5000;
    bytes[at] = char(bytes[at] ^ 2);
    write_all(folder / "f", bytes);
  });
  const auto grid = trellis::testing::grids_of(size).front();
  const auto v = vectors_on(Lattice(size, 1, SiteOrder::even_odd, {}, grid));
  const FieldReader reader(folder / "f", ranks);
  const auto error = error_of([&] { read_vectors(reader, 0, v); });
  EXPECT_TRUE(contains(error, "the data are damaged")) << error;
}

// Each rank has the library read its own part of an array in little-endian chunks.
TEST(FieldIoRanks, ArraysInChunks) {
  const auto ranks = comm::Communicator::world();
  const FolderOfRanks folder(ranks);
  on_first_rank(ranks, "an array in chunks", [&] {
    std::vector<double> numbers;
    Coordinate x{};
    for (int n = 0; n < 2; ++n)
      for (x[3] = 0; x[3] < size[3]; ++x[3])
        for (x[2] = 0; x[2] < size[2]; ++x[2])
          for (x[1] = 0; x[1] < size[1]; ++x[1])
            for (x[0] = 0; x[0] < size[0]; ++x[0]) {
              const auto here = numbers_at(x, n);
              numbers.insert(numbers.end(), here.begin(), here.end());
            }
    auto file = Hdf5File::create(folder / "c");
    file.set_attribute("/", "format", std::string(hdf5_format_name));
    file.write<double>("v", numbers, {2, 8, 4, 4, 8, 3, 2});
    file.set_attribute("v", "type", std::string("colour vector"));
    file.commit();
  });
  for (const auto& grid : trellis::testing::grids_of(size)) {
    const Lattice lattice(size, 1, SiteOrder::even_odd, {}, grid);
    const auto back = vectors_on(lattice);
    const FieldReader reader(folder / "c", ranks);
    EXPECT_TRUE(reader.info().fields[0].is_in_pieces);
    for (const int n : {0, 1}) read_some_vectors(reader, std::size_t(n), back, n);
    for_own_sites(lattice, [&](const Coordinate& x, std::size_t parity) {
      for (int n = 0; n < 2; ++n) ASSERT_EQ(back[parity].at(x, n), numbers_at(x, n));
    });
  }
}

TEST(FieldIoRanks, SpinorsForOpenqcdDoNotDependOnTheRanks) {
  using Spinors = FieldParts<double, 24, 1>;
  const auto ranks = comm::Communicator::world();
  const FolderOfRanks folder(ranks);
  const auto spinor_at = [](const Coordinate& x) {
    std::array<double, 24> numbers{};
    for (std::size_t k = 0; k < 24; ++k) numbers[k] = numbers_at(x, int(k) / 6)[k % 6];
    return numbers;
  };
  const auto spinors_on = [](const Lattice& lattice) -> Spinors {
    return {ParityField<double, 24, 1>(lattice, 0), ParityField<double, 24, 1>(lattice, 1)};
  };
  std::optional<std::string> first;
  for (const auto& grid : trellis::testing::grids_of(size)) {
    const Lattice lattice(size, 1, SiteOrder::even_odd, {}, grid);
    const auto v = spinors_on(lattice), back = spinors_on(lattice);
    for_own_sites(lattice, [&](const Coordinate& x, std::size_t parity) { v[parity].set(x, spinor_at(x)); });
    write_openqcd_spinors(folder / "s", vectors_to_write(v));
    const auto bytes = folder.bytes("s");
    if (!first) first = bytes;
    EXPECT_EQ(bytes, *first);
    const auto report = read_vectors(FieldReader(folder / "s", ranks), 0, back);
    ASSERT_TRUE(report.square_norm);
    EXPECT_EQ(report.square_norm->computed, report.square_norm->claimed);
    for_own_sites(lattice,
                  [&](const Coordinate& x, std::size_t parity) { ASSERT_EQ(back[parity].at(x, 0), spinor_at(x)); });
  }
  on_first_rank(ranks, "damage", [&] {
    auto bytes = *first;
    const std::size_t exponent = 24 + 192 * 100 + 7;
    bytes[exponent] = char(bytes[exponent] ^ 1);
    write_all(folder / "s", bytes);
  });
  const auto v = spinors_on(Lattice(size, 1, SiteOrder::even_odd, {}, trellis::testing::grids_of(size).front()));
  const FieldReader reader(folder / "s", ranks);
  const auto error = error_of([&] { read_vectors(reader, 0, v); });
  EXPECT_TRUE(contains(error, "the data are damaged")) << error;
}

}  // namespace
}  // namespace trellis::io
