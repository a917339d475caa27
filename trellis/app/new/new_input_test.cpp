// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis new`: what it writes is an input, and says where its parameters come from.
#include "trellis/app/new/new_input.hpp"

#include <cmath>

#include "tests/support/run_test.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/new/constant_physics.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

template <class F>
std::string refusal(const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ConstantPhysics, PassesThroughThePublishedPoints) {
  // The first is that of examples/physical_point.toml.
  const auto first = physical_point_at_beta(3.75);
  EXPECT_NEAR(first.spacing, 0.1249, 1e-12);
  EXPECT_NEAR(first.strange, 0.0503, 1e-12);
  EXPECT_NEAR(first.light, 0.00179, 5e-6);
  const auto same = physical_point_at_spacing(0.0824);
  EXPECT_NEAR(same.beta, 3.938, 1e-12);
  EXPECT_NEAR(same.strange, 0.0330, 1e-12);
  // Both fall with beta, and their ratio, the strange quark's bare mass, hardly moves.
  for (double beta = 3.75; beta < 4.13; beta += 0.01) {
    const auto a = physical_point_at_beta(beta), b = physical_point_at_beta(beta + 0.01);
    EXPECT_GT(a.spacing, b.spacing);
    EXPECT_NEAR(a.strange / a.spacing, 0.398, 0.007);
    EXPECT_NEAR(physical_point_at_spacing(a.spacing).beta, beta, 1e-10);
  }
}

TEST(ConstantPhysics, RefusesToExtrapolate) {
  EXPECT_NE(refusal([] { physical_point_at_spacing(0.15); }).find("expected 0.0572 to 0.1249 fm"), std::string::npos);
  EXPECT_NE(refusal([] { physical_point_at_spacing(0.05); }).find("found 0.05"), std::string::npos);
  EXPECT_NE(refusal([] { physical_point_at_beta(3.7); }).find("expected 3.75 to 4.14"), std::string::npos);
  EXPECT_NE(refusal([] { with_pion(physical_point_at_beta(3.8), 130); }).find("135 to 500"), std::string::npos);
  EXPECT_NE(refusal([] { quenched_beta(0.2); }).find("found 0.2"), std::string::npos);
  EXPECT_NE(refusal([] { quenched_spacing(7); }).find("5.7 to 6.92"), std::string::npos);
  EXPECT_NE(refusal([] { physical_point_at_spacing(std::nan("")); }), "");
}

// r0 / a = 5.368(33) at beta = 6 (Necco and Sommer).
TEST(ConstantPhysics, PureGaugeTheory) {
  EXPECT_NEAR(0.5 / quenched_spacing(6.0), 5.368, 0.033);
  EXPECT_NEAR(quenched_spacing(quenched_beta(0.1)), 0.1, 1e-12);
}

TEST(NewInput, IsAnInput) {
  const auto physical = new_input({.lattice = "8,8,8,4", .spacing = 0.1249, .pion_mass = 270.0}, "x.toml");
  const auto input = parse_run_input(physical, "x.toml");
  EXPECT_EQ(input.action.name, "symanzik");
  EXPECT_EQ(input.action.beta, 3.75);
  ASSERT_EQ(input.quarks.flavours.size(), 2U);
  EXPECT_NEAR(input.quarks.flavours[0].mass, 4 * 0.0503 / 28.15, 1e-5);
  EXPECT_EQ(input.quarks.flavours[1].mass, 0.0503);
  for (const auto* part : {"JHEP 03 (2016) 155", "leading order", "trellis run --check x.toml"})
    EXPECT_NE(physical.find(part), std::string::npos) << part;
  for (const auto& choices :
       {NewInput{.lattice = "4,4,4,4", .beta = 5.7}, NewInput{.lattice = "4,4,4,4", .spacing = 0.1},
        NewInput{.lattice = "4,4,4,4", .action = "iwasaki", .beta = 2.6, .trajectories = 1},
        NewInput{.lattice = "4,4,4,4", .beta = 3.8, .pion_mass = 135.0},
        NewInput{.lattice = "4,4,4,4", .action = "wilson", .beta = 5.4, .flavours = {"l=0.05:2", "s=0.3", "c=1.5"}}})
    EXPECT_EQ(refusal([&] { parse_run_input(new_input(choices, "x.toml"), "x.toml"); }), "");
}

TEST(NewInput, RefusesWhatContradicts) {
  const auto refused = [](const NewInput& choices) { return refusal([&] { new_input(choices, "x.toml"); }); };
  EXPECT_NE(refused({.beta = 6.0}).find("--lattice: missing"), std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,4"}).find("--beta: missing"), std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,5", .beta = 6.0}).find("lattice.size"), std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,4", .beta = 6.0, .spacing = 0.1}).find("not both"), std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,4", .action = "dbw2", .spacing = 0.1}).find("the Wilson action only"),
            std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,4", .spacing = 0.1, .flavours = {"l=0.1"}}).find("--spacing: "),
            std::string::npos);
  EXPECT_NE(
      refused({.lattice = "4,4,4,4", .action = "wilson", .spacing = 0.1, .pion_mass = 135.0}).find("--action wilson"),
      std::string::npos);
  EXPECT_NE(refused({.lattice = "4,4,4,4", .pion_mass = 135.0}).find("give --spacing"), std::string::npos);
  EXPECT_NE(
      refused({.lattice = "4,4,4,4", .spacing = 0.1, .pion_mass = 135.0, .flavours = {"l=0.1"}}).find("--flavours"),
      std::string::npos);
  for (const auto* flavour : {"l", "=0.1", "l=x", "l=0.1:", "l=0.1:1.5"})
    EXPECT_NE(refused({.lattice = "4,4,4,4", .beta = 3.6, .flavours = {flavour}}).find("--flavours: found "),
              std::string::npos)
        << flavour;
}

TEST(NewInput, Questions) {
  const auto answered = [](std::vector<std::string> lines) {
    NewInput choices;
    std::size_t next = 0;
    ask(choices, [&](const std::string&) -> std::optional<std::string> {
      if (next == lines.size()) return std::nullopt;
      return lines[next++];
    });
    return choices;
  };
  const auto defaults = answered({"", "", "", "", ""});
  EXPECT_EQ(defaults.lattice, "16,16,16,32");
  EXPECT_EQ(defaults.beta, 6.0);
  EXPECT_NO_THROW(new_input(defaults, "x.toml"));
  const auto physical = answered({"8,8,8,8", "physical", "200", "0.11", "50"});
  EXPECT_EQ(physical.pion_mass, 200);
  EXPECT_EQ(physical.trajectories, 50);
  const auto masses = answered({"8,8,8,8", "masses", "", "3.5", "l=0.1:2  s=0.3", ""});
  EXPECT_EQ(masses.flavours, (std::vector<std::string>{"l=0.1:2", "s=0.3"}));
  EXPECT_NO_THROW(new_input(masses, "x.toml"));
  EXPECT_NE(refusal([&] { answered({"8,8,8,8", "heavy"}); }).find("expected none, physical or masses"),
            std::string::npos);
  EXPECT_NE(refusal([&] { answered({"8,8,8,8"}); }).find("the answers ended"), std::string::npos);
}

class NewProgram : public test::RunTest {};

TEST_F(NewProgram, WritesOnceWhatRunAccepts) {
  const auto call = [&](std::vector<std::string> words) {
    words.insert(words.begin(), TRELLIS_PROGRAM);
    return test::Process(words, here()).wait();
  };
  const std::vector<std::string> words{"new",   "--lattice", "4,4,4,4", "--flavours", "l=0.5:2",
                                       "s=0.7", "--beta",    "3.6",     "--output",   "x.toml"};
  ASSERT_EQ(call(words).code, 0);
  const auto checked = call({"run", "--check", "x.toml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  expect_error(call(words), 2, {"--output x.toml: exists already"});
  const auto printed = call({"new", "--lattice", "4,4,4,4", "--beta", "6.0"});
  EXPECT_NO_THROW(parse_run_input(printed.out, "stdout")) << printed.out;
}

}  // namespace
}  // namespace trellis::app
