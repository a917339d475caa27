// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/tables/csv_table.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/support/message_of.hpp"
#include "trellis/core/error.hpp"

namespace trellis::io {
namespace {

class CsvTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("trellis_csv_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "table.csv";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void put(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  std::string get() const {
    std::ifstream stream(file_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  // Without the check column.
  std::string bare() const {
    std::istringstream lines(get());
    std::string text;
    for (std::string line; std::getline(lines, line);) text += line.substr(0, line.rfind(',')) + "\n";
    return text;
  }

  std::filesystem::path folder_, file_;
};

std::vector<CsvCell> row(std::int64_t trajectory, double plaquette, bool accepted) {
  return {trajectory, plaquette, accepted};
}

TEST_F(CsvTableTest, RowsAreThereAtOnceAndKeepTheirBits) {
  CsvTable table(file_, {"trajectory", "plaquette", "accepted"});
  EXPECT_EQ(bare(), "trajectory,plaquette,accepted\n");
  table.append(row(1, 1.0 / 3, true));
  EXPECT_EQ(bare(), "trajectory,plaquette,accepted\n1,0.3333333333333333,1\n");
  table.append(row(2, 5e-324, false));
  table.append(std::vector<CsvCell>{std::int64_t{3}, std::monostate{}, true});
  const auto data = read_csv(file_);
  EXPECT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("plaquette")[0], 1.0 / 3);
  EXPECT_EQ(data.column("plaquette")[1], 5e-324);
  EXPECT_TRUE(std::isnan(data.column("plaquette")[2]));
  EXPECT_EQ(data.column("accepted"), (std::vector<double>{1, 0, 1}));
  EXPECT_THROW(data.column("dH"), Error);
}

TEST_F(CsvTableTest, SeveralRowsAtOnceAreAllOrNone) {
  CsvTable table(file_, {"trajectory", "plaquette", "accepted"});
  const std::vector<std::vector<CsvCell>> good{row(1, 0.5, true), row(1, 0.25, false)};
  table.append_rows(good);
  table.append_rows({});
  const std::string written = "trajectory,plaquette,accepted\n1,0.5,1\n1,0.25,0\n";
  EXPECT_EQ(bare(), written);
  const std::vector<std::vector<CsvCell>> bad{row(2, 0.5, true), {std::int64_t{2}}};
  EXPECT_THROW(table.append_rows(bad), Error);
  EXPECT_EQ(bare(), written);
}

TEST_F(CsvTableTest, IsContinued) {
  CsvTable(file_, {"trajectory", "plaquette", "accepted"}).append(row(1, 0.5, true));
  CsvTable(file_, {"trajectory", "plaquette", "accepted"}).append(row(2, 0.25, false));
  EXPECT_EQ(bare(), "trajectory,plaquette,accepted\n1,0.5,1\n2,0.25,0\n");
}

TEST_F(CsvTableTest, RefusesAnotherHeader) {
  put("trajectory,dH\n1,0.5\n");
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"trajectory", "plaquette"}); }),
            file_.string() +
                ": has the columns 'trajectory,dH', expected 'trajectory,plaquette,check'; move the file away, "
                "or choose another output");
  EXPECT_EQ(get(), "trajectory,dH\n1,0.5\n") << "and leaves the file alone";
}

TEST_F(CsvTableTest, RemovesAHalfWrittenLine) {
  put("a,b\n1,2\n3,");
  CsvTable table(file_, {"a", "b"});
  EXPECT_EQ(bare(), "a,b\n1,2\n");
  table.append(std::vector<CsvCell>{std::int64_t{3}, 0.5});
  EXPECT_EQ(bare(), "a,b\n1,2\n3,0.5\n");
  put("a,");  // killed while the very first line was written
  CsvTable(file_, {"a", "b"}).append(std::vector<CsvCell>{std::int64_t{3}, 0.5});
  EXPECT_EQ(bare(), "a,b\n3,0.5\n");
}

TEST_F(CsvTableTest, TruncatesAfterTheCheckpoint) {
  CsvTable table(file_, {"trajectory", "plaquette", "accepted"});
  for (int i = 1; i <= 5; ++i) table.append(row(i, 0.5 * i, true));
  EXPECT_EQ(table.truncate_after("trajectory", 5), 0);
  EXPECT_EQ(table.truncate_after("trajectory", 3), 2);
  table.append(row(4, 7, false));
  EXPECT_EQ(read_csv(file_).column("plaquette"), (std::vector<double>{0.5, 1, 1.5, 7}));
  EXPECT_EQ(table.truncate_after("trajectory", 0), 4);
  EXPECT_EQ(bare(), "trajectory,plaquette,accepted\n");
  EXPECT_THROW(table.truncate_after("sweep", 0), Error);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".part"));
}

// Numbers computed by another program's CRC-32.
TEST_F(CsvTableTest, ChecksAreThoseOfTheTableWithoutThem) {
  CsvTable table(file_, {"a", "seconds"});
  table.append(std::vector<CsvCell>{std::int64_t{1}, 0.5});
  table.append(std::vector<CsvCell>{std::int64_t{2}, std::monostate{}});
  EXPECT_EQ(get(), "a,seconds,check\n1,0.5,2895470676\n2,,2405949680\n");
  EXPECT_EQ(table.rows().text(), "2 0b4173e4");
  EXPECT_EQ(parse_checked_rows("2 0b4173e4"), table.rows());
  for (const char* bad : {"", "2", "2 ", "2 xyz", "x 1", "2 1 "}) EXPECT_THROW(parse_checked_rows(bad), Error) << bad;
}

class DamagedTable : public CsvTableTest {
 protected:
  void SetUp() override {
    CsvTableTest::SetUp();
    CsvTable table(file_, {"a", "b"});
    for (int i = 1; i <= 4; ++i) table.append(std::vector<CsvCell>{std::int64_t{i}, 0.1 * i});
    saved_ = table.rows();
    whole_ = get();
  }
  CheckedRows saved_;
  std::string whole_;
};

TEST_F(DamagedTable, EveryFlippedBitIsFound) {
  for (std::size_t at = 0; at < whole_.size(); ++at)
    for (const char bit : {1, 4}) {
      auto text = whole_;
      text[at] = static_cast<char>(text[at] ^ bit);
      put(text);
      EXPECT_NE(test::message_of([&] { CsvTable(file_, {"a", "b"}).require(saved_); }), "accepted") << text;
    }
  put(whole_);
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"a", "b"}).require(saved_); }), "accepted");
}

TEST_F(DamagedTable, RowsThatAreMissingOrSwappedAreFound) {
  std::vector<std::string> lines;
  std::istringstream stream(whole_);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  const std::string header = lines[0];
  for (const auto& text : {header + lines[1] + lines[2] + lines[4], header + lines[1] + lines[3] + lines[2] + lines[4],
                           header + lines[2] + lines[3] + lines[4]}) {
    put(text);
    EXPECT_NE(test::message_of([&] { read_csv(file_); }), "accepted") << text;
    EXPECT_NE(test::message_of([&] { CsvTable(file_, {"a", "b"}).require(saved_); }), "accepted") << text;
    EXPECT_EQ(get(), text) << "is left as it was";
  }
  // A table that ends too early is valid by itself.
  put(header + lines[1]);
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"a", "b"}).require(saved_); }),
            file_.string() + ": has 1 row, but had 4");
  // So is a different one with the same number of rows.
  std::filesystem::remove(file_);
  for (int i = 1; i <= 4; ++i) CsvTable(file_, {"a", "b"}).append(std::vector<CsvCell>{std::int64_t{i}, 0.2 * i});
  EXPECT_NE(test::message_of([&] { CsvTable(file_, {"a", "b"}).require(saved_); }).find("have changed"),
            std::string::npos);
}

TEST_F(DamagedTable, DamageBeyondTheCheckpointDoesNotCount) {
  put(whole_ + "5,0.5,1\n6,0.5,2\n");
  CsvTable table(file_, {"a", "b"});
  EXPECT_NE(test::message_of([&] { table.append(std::vector<CsvCell>{std::int64_t{7}, 0.5}); }), "accepted");
  table.go_back_to(saved_);
  EXPECT_EQ(get(), whole_);
  table.append(std::vector<CsvCell>{std::int64_t{5}, 0.5});
  EXPECT_EQ(read_csv(file_).rows(), 5U);
  EXPECT_THROW(table.truncate_after("b", 0), Error);
  // The last row may be the result of a power failure; an earlier one may not.
  put(whole_ + "5,0.5,1\n");
  EXPECT_EQ(CsvTable(file_, {"a", "b"}).truncate_after("a", 9), 1);
  EXPECT_EQ(get(), whole_);
  put(whole_ + "5,0.5,1\n6,0.5,2\n");
  EXPECT_THROW(CsvTable(file_, {"a", "b"}).truncate_after("a", 9), Error);
}

TEST_F(DamagedTable, TablesOfEarlierVersionsGetTheirChecks) {
  put(bare());
  CsvTable(file_, {"a", "b"}).require(saved_);
  EXPECT_EQ(get(), whole_);
}

TEST_F(DamagedTable, ColumnsAddedLaterChangeNothing) {
  put("a,c,b\n1,,0.1\n2,,0.2\n3,,0.30000000000000004\n4,,0.4\n");
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"a", "c", "b"}).require(saved_); }), "accepted");
}

TEST_F(DamagedTable, WhatRemains) {
  auto text = whole_;
  text[text.find("\n2,") + 1] = '7';
  put(text);
  auto remains = look_at_csv(file_, {"a", "b"});
  EXPECT_EQ(remains.rows, std::vector<std::string>{"1,0.1"});
  EXPECT_EQ(remains.later, (std::vector<std::string>{"3,0.30000000000000004", "4,0.4"}));
  EXPECT_NE(remains.damage.find(":3: is damaged"), std::string::npos) << remains.damage;
  const auto rows = write_csv(file_, {"a", "b"}, {"1,0.1", "2,0.2", "3,0.30000000000000004", "4,0.4"});
  EXPECT_EQ(rows, saved_);
  EXPECT_EQ(get(), whole_);
  EXPECT_EQ(checked_rows({"a", "b"}, {"1,0.1", "2,0.2", "3,0.30000000000000004", "4,0.4", "5,1"}, 4), saved_);
  text = whole_;
  text[0] = 'c';
  put(text);
  remains = look_at_csv(file_, {"a", "b"});
  EXPECT_EQ(remains.rows.size(), 4U);
  EXPECT_NE(remains.damage.find("header"), std::string::npos) << remains.damage;
}

TEST_F(CsvTableTest, SaysWhichLineIsDamaged) {
  put("a,b\n1,2\n1,2,3\n");
  EXPECT_EQ(test::message_of([&] { read_csv(file_); }), file_.string() + ":3: has 3 cells, expected 2");
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"a", "b"}).truncate_after("a", 0); }),
            file_.string() + ":3: has 3 cells, expected 2");
  put("a,b\n1,2\n1,x\n");
  EXPECT_EQ(test::message_of([&] { read_csv(file_); }), file_.string() + ":3: found 'x', expected a number");
  EXPECT_EQ(test::message_of([&] { CsvTable(file_, {"a", "b"}).truncate_after("b", 5); }),
            file_.string() + ":3: column 'b' holds 'x', expected an integer");
  put("");
  EXPECT_EQ(test::message_of([&] { read_csv(file_); }), file_.string() + ": has no header line");
  EXPECT_EQ(test::message_of([&] { read_csv(folder_ / "none"); }),
            (folder_ / "none").string() + ": cannot open the file: No such file or directory");
  EXPECT_EQ(test::message_of([&] { read_csv(folder_); }),
            folder_.string() + ": is a folder, expected a regular file, such as " + file_.string());
}

TEST_F(CsvTableTest, RefusesRowsOfTheWrongLength) {
  CsvTable table(file_, {"a", "b"});
  EXPECT_THROW(table.append(std::vector<CsvCell>{1.0}), Error);
  EXPECT_EQ(bare(), "a,b\n");
}

// A file-size limit stands in for a full disk: the row is refused and no part of it remains.
TEST_F(CsvTableTest, FullDiskLeavesNoHalfRow) {
  CsvTable table(file_, {"a", "b"});
  table.append(std::vector<CsvCell>{1.0, 2.0});
  const auto before = get();
  struct rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  struct rlimit tight = old;
  tight.rlim_cur = before.size() + 3;
  auto* handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto message = test::message_of([&] { table.append(std::vector<CsvCell>{0.123456789, 2.0}); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find(file_.string() + ": cannot append a row: "), std::string::npos) << message;
  EXPECT_EQ(get(), before);
}

TEST_F(CsvTableTest, FolderThatIsNotThere) { EXPECT_THROW(CsvTable(folder_ / "none" / "t.csv", {"a"}), Error); }

TEST_F(CsvTableTest, TextsAreKeptApart) {
  {
    CsvTable table(file_, {"row", "file"});
    table.append(std::vector<CsvCell>{std::int64_t{1}, std::string("a b")});
    EXPECT_THROW(table.append(std::vector<CsvCell>{std::int64_t{2}, std::string("a,b")}), Error);
    table.append(std::vector<CsvCell>{std::int64_t{2}, std::string("c")});
  }
  EXPECT_EQ(read_csv_texts(file_, "file"), (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(read_csv(file_, {"file"}).column("row"), (std::vector<double>{1, 2}));
  EXPECT_THROW(read_csv(file_), Error);
  EXPECT_THROW(read_csv_texts(file_, "none"), Error);
}

}  // namespace
}  // namespace trellis::io
