// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/toml_reader.hpp"
#include "tests/support/message_of.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace trellis::app {
namespace {

constexpr const char* kDocument = R"(title = "test"
[lattice]
size = [4, 4, 4, 8]
[action]
beta = 6
c1 = -0.25
fast = true
[[levels]]
steps = 3
[[levels]]
steps = 5
words = ["a", "b"]
)";

std::string message_of_reading(const std::string& text, const std::function<void(Table)>& read) {
  return test::message_of<InputError>([&] {
    const auto root = Table::parse(text, "in.toml");
    read(root);
    root.finish();
  });
}

// Reads all of kDocument, and a few keys that it lacks.
void read_all(const Table& root) {
  EXPECT_EQ(root.text("title"), "test");
  EXPECT_EQ(root.table("lattice").integers("size", 4, {.min = 2}), (std::vector<std::int64_t>{4, 4, 4, 8}));
  const auto action = root.table("action");
  EXPECT_EQ(action.real("beta", {.min = 0, .open = true}), 6.0);
  EXPECT_TRUE(action.has("c1"));
  EXPECT_EQ(action.real("c1", {}), -0.25);
  EXPECT_TRUE(action.flag("fast"));
  EXPECT_EQ(action.choice("name", {"wilson", "iwasaki"}, "wilson"), "wilson");
  const auto levels = root.tables("levels");
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].integer("steps", {.min = 1}), 3);
  EXPECT_EQ(levels[0].choices("words", {"a", "b", "c"}, std::vector<std::string>{"c"}),
            (std::vector<std::string>{"c"}));
  EXPECT_EQ(levels[1].integer("steps", {.min = 1}), 5);
  EXPECT_EQ(levels[1].choices("words", {"a", "b", "c"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root.table_or_empty("chain").real("minutes", {.min = 0}, 0.1), 0.1);
}

TEST(TomlReader, ReadsAndResolves) {
  const auto root = Table::parse(kDocument, "in.toml");
  read_all(root);
  root.finish();
  const auto resolved = write_toml(root.resolved());
  EXPECT_EQ(resolved, R"(title = "test"

[lattice]
size = [4, 4, 4, 8]

[action]
beta = 6.0
c1 = -0.25
fast = true
name = "wilson"

[[levels]]
steps = 3
words = ["c"]

[[levels]]
steps = 5
words = ["a", "b"]

[chain]
minutes = 0.1
)");
}

TEST(TomlReader, ResolvedInputReadAgainIsTheSame) {
  const auto first = Table::parse(kDocument, "in.toml");
  read_all(first);
  const auto once = write_toml(first.resolved());
  const auto second = Table::parse(once, "resolved.toml");
  EXPECT_EQ(second.table("chain").real("minutes", {}), 0.1) << "written out, so no longer a default";
  const auto third = Table::parse(once, "resolved.toml");
  third.text("title");
  third.table("lattice").integers("size", 4, {});
  const auto action = third.table("action");
  EXPECT_EQ(action.real("beta", {}), 6.0);
  action.real("c1", {});
  action.flag("fast");
  action.text("name");
  for (const auto& level : third.tables("levels")) {
    level.integer("steps", {});
    level.texts("words");
  }
  third.table("chain").real("minutes", {});
  third.finish();
  EXPECT_EQ(write_toml(third.resolved()), once);
}

TEST(TomlReader, NumbersKeepTheirBits) {
  for (const double x : {0.1, 1.0 / 3, 1e300, 5e-324, -0.0, 6.0, 1e22, 123456789.0}) {
    const auto text = "x = " + write_toml_value({x, {}});
    const auto back = Table::parse(text, "x").real("x", {});
    EXPECT_EQ(std::memcmp(&back, &x, sizeof x), 0) << text;
    EXPECT_TRUE(std::holds_alternative<double>(parse_toml(text, "x")[0].value.content)) << text;
  }
}

TEST(TomlReader, TextsAndKeysSurviveQuoting) {
  const std::string odd = "a \"quoted\" \\ line\nwith\ttab, \x01, caf\xc3\xa9 and \x7f";
  const TomlEntries document{{"odd key.1", {odd, {}}, {}}};
  const auto back = parse_toml(write_toml(document), "odd");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].key, "odd key.1");
  EXPECT_EQ(std::get<std::string>(back[0].value.content), odd);
}

TEST(TomlReader, WordsMayDifferInCapitalsAndHyphens) {
  const auto root = Table::parse("a = \"2MN\"\nb = [\"Force-Gradient\"]", "in.toml");
  EXPECT_EQ(root.choice("a", {"leapfrog", "2mn"}), "2mn");
  EXPECT_EQ(root.choices("b", {"leapfrog", "force_gradient"}), (std::vector<std::string>{"force_gradient"}));
  EXPECT_EQ(write_toml(root.resolved()), "a = \"2mn\"\nb = [\"force_gradient\"]\n");
  EXPECT_EQ(message_of_reading("b = [\"x\", \"X\"]", [](Table t) { t.choices("b", {"x"}); }),
            "in.toml:1:5: b: \"x\" is listed twice");
}

TEST(TomlReader, Flatten) {
  const auto flat = flatten(parse_toml(kDocument, "in.toml"));
  ASSERT_EQ(flat.size(), 8U);
  EXPECT_EQ(flat[1], (std::pair<std::string, std::string>("lattice.size", "[4, 4, 4, 8]")));
  EXPECT_EQ(flat[6], (std::pair<std::string, std::string>("levels[1].steps", "5")));
}

struct BadCase {
  const char* text;
  std::function<void(Table)> read;
  const char* message;
};

TEST(TomlReader, SaysWhatIsWrongAndWhere) {
  const auto integer = [](Table t) { t.integer("n", {.min = 1, .max = 9}); };
  const auto real = [](Table t) { t.real("x", {.min = 0, .max = 2, .open = true}); };
  const auto flag = [](Table t) { t.flag("f"); };
  const auto text = [](Table t) { t.text("s"); };
  const auto word = [](Table t) { t.choice("w", {"leapfrog", "2MN"}); };
  const auto size = [](Table t) { t.integers("size", 4, {.min = 2}); };
  const auto rows = [](Table t) { t.integer_rows("rows", 2, {.min = 0}); };
  const auto words = [](Table t) { t.choices("ws", {"polyakov", "energy"}); };
  const auto inner = [](Table t) { t.table("a").table_or_empty("b").integer("n", {}); };
  const auto levels = [](Table t) {
    for (const auto& level : t.tables("levels")) level.integer("steps", {.min = 1});
  };
  const auto refuse = [](Table t) {
    t.has("m");
    t.refuse("n", "with m");
  };
  const std::vector<BadCase> cases{
      {"n = 0", integer, "in.toml:1:5: n: found the integer 0, expected an integer from 1 to 9"},
      {"n = 10", integer, "in.toml:1:5: n: found the integer 10, expected an integer from 1 to 9"},
      {"n = 1.0", integer, "in.toml:1:5: n: found the number 1.0, expected an integer from 1 to 9"},
      {"n = \"1\"", integer, "in.toml:1:5: n: found the string \"1\", expected an integer from 1 to 9"},
      {"n = true", integer, "in.toml:1:5: n: found the flag true, expected an integer from 1 to 9"},
      {"n = 1979-05-27", integer, "in.toml:1:5: n: found a date or time, expected an integer from 1 to 9"},
      {"n = [1]", integer, "in.toml:1:5: n: found an array of 1 value, expected an integer from 1 to 9"},
      {"n = {m = 1}", integer, "in.toml:1:5: n: found a table, expected an integer from 1 to 9"},
      {"", integer, "in.toml: n: missing; expected an integer from 1 to 9"},
      {"x = 0", real, "in.toml:1:5: x: found the integer 0, expected a number above 0 and at most 2"},
      {"x = 2.1", real, "in.toml:1:5: x: found the number 2.1, expected a number above 0 and at most 2"},
      {"x = nan", real, "in.toml:1:5: x: found the number nan, expected a number above 0 and at most 2"},
      {"x = inf", [](Table t) { t.real("x", {}); }, "in.toml:1:5: x: found the number inf, expected a finite number"},
      {"x = \"1\"", real, "in.toml:1:5: x: found the string \"1\", expected a number above 0 and at most 2"},
      {"f = 1", flag, "in.toml:1:5: f: found the integer 1, expected true or false"},
      {"s = 1", text, "in.toml:1:5: s: found the integer 1, expected a string"},
      {"w = \"leapforg\"", word,
       "in.toml:1:5: w: found the string \"leapforg\", expected one of \"leapfrog\", \"2MN\"; did you mean "
       "\"leapfrog\"?"},
      {"w = 2", word, "in.toml:1:5: w: found the integer 2, expected one of \"leapfrog\", \"2MN\""},
      {"size = [4, 4, 4]", size,
       "in.toml:1:8: size: found an array of 3 values, expected an array of 4 integers, each one of at least 2"},
      {"rows = [[1, 2], [3]]", rows,
       "in.toml:1:8: rows: found an array of 1 value, expected an array of arrays of 2 integers, each one of at least "
       "0"},
      {"rows = [1, 2]", rows,
       "in.toml:1:8: rows: found the integer 1, expected an array of arrays of 2 integers, each one of at least 0"},
      {"rows = [[1, -2]]", rows,
       "in.toml:1:8: rows: found the integer -2 in the array, expected an array of arrays of 2 integers, each one of "
       "at least 0"},
      {"size = 4", size,
       "in.toml:1:8: size: found the integer 4, expected an array of 4 integers, each one of at least 2"},
      {"size = [4, 4, 4, 1]", size,
       "in.toml:1:8: size: found the integer 1 in the array, expected an array of 4 integers, each one of at least 2"},
      {"size = [4, 4, 4, 4.0]", size,
       "in.toml:1:8: size: found the number 4.0 in the array, expected an array of 4 integers, each one of at least 2"},
      {"ws = [\"poliakov\"]", words,
       "in.toml:1:6: ws: found \"poliakov\" in the array, expected some of \"polyakov\", \"energy\"; did you mean "
       "\"polyakov\"?"},
      {"ws = [\"energy\", \"energy\"]", words, "in.toml:1:6: ws: \"energy\" is listed twice"},
      {"ws = [1]", words, "in.toml:1:6: ws: found the integer 1 in the array, expected a string"},
      {"ws = \"energy\"", words, "in.toml:1:6: ws: found the string \"energy\", expected an array of strings"},
      {"", inner, "in.toml: a: missing; expected a table: [a]"},
      {"a = 1", inner, "in.toml:1:5: a: found the integer 1, expected a table: [a]"},
      {"\n[a]\n", inner, "in.toml:2:2: a.b.n: missing; expected an integer"},
      {"[a.b]\nn = 'x'", inner, "in.toml:2:5: a.b.n: found the string \"x\", expected an integer"},
      {"[levels]\nsteps = 1", levels, "in.toml:1:1: levels: found a table, expected one or more tables: [[levels]]"},
      {"levels = []", levels,
       "in.toml:1:10: levels: found an array of 0 values, expected one or more tables: [[levels]]"},
      {"[[levels]]\nsteps = 1\n[[levels]]\nsteps = 0", levels,
       "in.toml:4:9: levels[1].steps: found the integer 0, expected an integer of at least 1"},
      {"[[levels]]\nsteps = 1\n[[levels]]\n\nstesp = 0", levels,
       "in.toml:5:1: levels[1].stesp: unknown key; did you mean 'steps'?"},
      {"n = 1", refuse, "in.toml:1:1: n: not allowed with m"},
      {"n = 1\nnn = 2", integer, "in.toml:2:1: nn: unknown key; known are n"},
      {"[a.b]\nn = 1\nxyz = 2", inner, "in.toml:3:1: a.b.xyz: unknown key; known are n"},
      {"b = 2\n[a.b]\nn = 1\n", inner, "in.toml:1:1: b: unknown key; did you mean 'a.b'?"},
      {"n = 1\n[lattice]\nq = 1", integer, "in.toml:2:2: lattice: unknown key; known are n"},
      {"n = 1\nzz = 1\nqq = 1", integer, "in.toml:2:1: zz: unknown key; known are n (unknown keys in all: 2)"},
  };
  for (const auto& [input, read, message] : cases) EXPECT_EQ(message_of_reading(input, read), message) << input;
}

TEST(TomlReader, ArraysOfRealNumbers) {
  const auto root = Table::parse("xs = [1, 2.5]\nnone = []\nbad = [1, 0]\nword = [\"1\"]\none = 1.0", "in.toml");
  const RealRange positive{.min = 0, .open = true};
  EXPECT_EQ(root.reals("xs", positive), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(root.reals("none", positive), std::vector<double>{});
  EXPECT_EQ(root.reals("missing", positive, std::vector<double>{3}), std::vector<double>{3});
  EXPECT_EQ(test::message_of<InputError>([&] { root.reals("bad", positive); }),
            "in.toml:3:7: bad: found the integer 0 in the array, expected an array of numbers, each a number above 0");
  EXPECT_NE(test::message_of<InputError>([&] { root.reals("word", {}); }).find("found the string \"1\" in the array"),
            std::string::npos);
  EXPECT_NE(
      test::message_of<InputError>([&] { root.reals("one", {}); }).find("found the number 1.0, expected an array"),
      std::string::npos);
  EXPECT_NE(test::message_of<InputError>([&] { root.reals("required", {}); }).find("required: missing"),
            std::string::npos);
  EXPECT_EQ(write_toml(root.resolved()), "xs = [1.0, 2.5]\nnone = []\nmissing = [3.0]\n");
}

TEST(TomlReader, WordsThatStandForOthers) {
  const auto root = Table::parse("terms = [\"all\"]", "in.toml");
  root.choices("terms", {"a", "b", "all"});
  root.resolve_as("terms", {"a", "b"});
  EXPECT_EQ(write_toml(root.resolved()), "terms = [\"a\", \"b\"]\n");
}

TEST(TomlReader, SlipsOfOptionalKeys) {
  const auto root = Table::parse("flavors = 1\nbeta = 2", "in.toml");
  EXPECT_EQ(test::message_of<InputError>([&] { root.refuse_slip("flavours"); }),
            "in.toml:1:1: flavors: unknown key; did you mean 'flavours'?");
  EXPECT_EQ(test::message_of<InputError>([&] { root.refuse_slip("beta"); }),
            test::message_of<InputError>([&] { root.refuse_slip("lattice"); }));
  root.has("flavors");  // a known key is not a typo
  EXPECT_NO_THROW(root.refuse_slip("flavours"));
}

TEST(TomlReader, SyntaxErrorsNameThePlace) {
  for (const char* text : {"a = ", "a = 1\nb = = 2", "[a", "a = 1\na = 2", "a = \"x", "a = 99999999999999999999"}) {
    const auto message = test::message_of<InputError>([&] { parse_toml(text, "in.toml"); });
    EXPECT_EQ(message.rfind("in.toml:", 0), 0U) << message;
    EXPECT_NE(message.find(": this is not TOML: "), std::string::npos) << message;
  }
  EXPECT_EQ(test::message_of<InputError>([&] { parse_toml("a = 1\nb = = 2", "in.toml"); }).rfind("in.toml:2:5:", 0),
            0U);
}

TEST(TomlReader, FilesThatCannotBeRead) {
  EXPECT_EQ(test::message_of<InputError>([] { Table::open("/nonexistent/in.toml"); }),
            "/nonexistent/in.toml: there is no such file");
  EXPECT_EQ(test::message_of<InputError>([] { Table::open("/"); }), "/: is a folder; expected a TOML file");
}

}  // namespace
}  // namespace trellis::app
