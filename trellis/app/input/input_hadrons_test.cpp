// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/input/input_hadrons.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/message_of.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/results/hadron_measurement.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

TEST(HadronInput, SmearingByWidth) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure.hadrons]\nkappas = [0.12]\n";
  const std::string gaussian = files + "source = 'gaussian'\n";
  const auto input = parse_measure_input(
      gaussian + "smearing_width = 2.5\nsmearing_steps = 12\nstout_directions = 'spatial'\n", "in.toml");
  EXPECT_EQ(input.measure.hadrons->smearing_width, 2.5);
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(once.find("smearing_alpha"), std::string::npos);
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  const auto selection = hadron_job(input.measure)->selection;
  EXPECT_TRUE(selection.stout_is_spatial);
  EXPECT_EQ(selection.gaussian.width, 2.5);
  EXPECT_FALSE(selection.gaussian.modes_grow());
  const auto hyp =
      parse_measure_input(gaussian + "smearing_links = 'hyp'\nsmearing_links_alpha = [0.7, 0.2]\n", "in.toml");
  const auto of_hyp = hadron_job(hyp.measure)->selection.gaussian;
  EXPECT_EQ(of_hyp.links, measure::SourceLinks::hyp);
  EXPECT_EQ(of_hyp.links_alpha, (std::array{0.7, 0.2}));
  const auto hyp_once = write_toml(hyp.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(hyp_once, "in.toml").resolved), hyp_once);
  // As before these keys existed.
  const auto without = write_toml(parse_measure_input(gaussian, "in.toml").resolved);
  for (const auto* key : {"smearing_width", "stout_directions", "smearing_links"})
    EXPECT_EQ(without.find(key), std::string::npos) << key;
  const std::vector<std::pair<std::string, std::string>> wrong{
      {gaussian + "smearing_width = 1\nsmearing_alpha = 1\n",
       "smearing_alpha: not allowed together with smearing_width"},
      {gaussian + "smearing_width = 1\nsmearing_steps = 0\n", "smearing_steps: found the integer 0"},
      {gaussian + "smearing_width = -1\n", "smearing_width: found the integer -1"},
      {files + "smearing_links = 'ape'\n", "smearing_links: not allowed without source"},
      {gaussian + "smearing_links_alpha = [0.5]\n", "smearing_links_alpha: not allowed without smearing_links"},
      {gaussian + "smearing_links = 'ape'\nsmearing_rho = 0.1\n", "smearing_rho: not allowed with smearing_links"},
      {gaussian + "smearing_links = 'ape'\nsmearing_links_alpha = [0.5, 0.6]\n", "found 2 numbers, expected one"},
      {gaussian + "smearing_links = 'hyp'\nsmearing_links_alpha = [1.5, 0.6]\n", "smearing_links_alpha"},
      {files + "smearing_width = 1\n", "smearing_width: not allowed without source"},
      {files + "stout_directions = 'time'\n", "expected one of \"all\", \"spatial\""},
  };
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

// With file and line, before any work.
TEST(HadronInput, SourcesAndMomentaOffTheLattice) {
  const std::string lattice =
      "[lattice]\nsize = [4, 4, 4, 8]\n[action]\nbeta = 6.0\n[chain]\ntrajectories = 1\n[[flavours]]\nname = 'l'\nmass "
      "= "
      "0.1\n";
  for (const std::string table : {"[measure.hadrons]\nkappas = [0.12]\n", "[measure.staggered_hadrons]\n"})
    for (const auto& [line, key, part] : std::vector<std::array<std::string, 3>>{
             {"source_positions = [[0, 0, 0, 8]]", "source_positions", "the source (0, 0, 0, 8) is not on the lattice"},
             {"sources_in_time = 3", "sources_in_time", "a divisor of the 8 time slices"},
             {"momenta = [[3, 0, 0]]", "momenta", "beyond the Brillouin zone"}}) {
      const auto message =
          test::message_of<InputError>([&, t = table + line] { parse_run_input(lattice + t, "in.toml"); });
      EXPECT_EQ(message.rfind("in.toml:", 0), 0U) << message;
      EXPECT_NE(message.find("hadrons." + key + ": "), std::string::npos) << message;
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  for (const auto& [keys, part] : std::vector<std::pair<std::string, std::string>>{
           {"source = 'even_odd_wall'\nchannels = ['rho_tensor']",
            "source = \"even_odd_wall\": a wall of even and odd sites makes only pion"},
           {"source = 'corner_wall'\nmomenta = [[1, 0, 0]]", "the momentum (1, 0, 0) needs a point source"},
           {"source = 'z2_wall'\nchannels = ['nucleon']", "three different quarks"}}) {
    const auto message = test::message_of<InputError>(
        [&, t = keys] { parse_run_input(lattice + "[measure.staggered_hadrons]\n" + t, "in.toml"); });
    EXPECT_EQ(message.rfind("in.toml:", 0), 0U) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

// The same of files, whose lattice is known only when they have been looked at; and of a run.
TEST(HadronInput, WhatDoesNotFitTheLatticeSaysFileLineAndKey) {
  const std::string keys = "[measure.hadrons]\nsource_positions = [[0, 0, 0, 1]]\nchannels = ['pion']\n",
                    light = "[[measure.hadrons.quarks]]\nname = 'l'\nkappa = 0.12\n";
  const std::string quarks = keys + light;
  const std::string current = keys + "combinations = ['l_v.l']\n" + light +
                              "[[measure.hadrons.quarks]]\nname = 'l_v'\nfrom = 'l'\ncurrent = 'vector_t'\n";
  const std::string sinks = quarks +
                            "[[measure.hadrons.fixed_sinks]]\nname = 'u'\nquarks = 'l.l'\nchannel = 'pion'\n"
                            "sink_time = 2\n[[measure.hadrons.fixed_sinks]]\nname = 'v'\nquarks = 'l.l'\n"
                            "channel = 'pion'\n";
  const std::string kappas = "[measure.hadrons]\nkappas = [0.12]\n", staggered = "[measure.staggered_hadrons]\n",
                    loops = "[measure.wilson_loops]\n";
  const gauge::Boundary periodic, open{.kind = gauge::BoundaryKind::open};
  struct Case {
    std::string table, line, key, part;
    gauge::Boundary boundary;
  };
  for (const auto& [table, line, key, part, boundary] : std::vector<Case>{
           {kappas, "source_positions = [[0, 6, 0, 0]]", "hadrons.source_positions",
            "the source (0, 6, 0, 0) is not on the lattice 4x6x4x8", periodic},
           {kappas, "sources_in_time = 3", "hadrons.sources_in_time", "a divisor of the 8 time slices", periodic},
           {kappas, "momenta = [[3, 0, 0]]", "hadrons.momenta", "the momentum (3, 0, 0) is beyond", periodic},
           {kappas, "max_momentum_squared = 9", "hadrons.max_momentum_squared", "is beyond", periodic},
           {kappas + "source = 'z2_wall'\nchannels = ['pion']\n", "noise_spacing = [3, 1, 1]", "hadrons.noise_spacing",
            "noise sources: a spacing of 3 does not divide an extent of 4", periodic},
           {kappas + "sources_in_time = 2\n", "source_positions = [[0, 0, 0, 7]]", "hadrons.source_positions",
            "a source at t = 7; with boundaries in time Wilson quarks are on the slices 1 to 6", open},
           {kappas + "source_positions = [[0, 0, 0, 3]]\n", "sources_in_time = 2", "hadrons.sources_in_time",
            "a source at t = 7", open},
           {current, "current_momentum = [0, 4, 0]", "hadrons.quarks[1].current_momentum",
            "the current of the quark l_v: the momentum (0, 4, 0) is beyond", periodic},
           {current, "current_time = 8", "hadrons.quarks[1].current_time",
            "the current of the quark l_v: the time 8 is not one of 8 time slices", periodic},
           {current, "current_time = 7", "hadrons.quarks[1].current_time",
            "the current of the quark l_v is at t = 8 if the source is at 1", open},
           {sinks, "sink_time = 9", "hadrons.fixed_sinks[1].sink_time",
            "the fixed sink v: the time 9 is not one of 8 time slices", periodic},
           {sinks, "sink_time = 6", "hadrons.fixed_sinks[1].sink_time",
            "the fixed sink v is at t = 7 if the source is at 1", open},
           {sinks + "sink_time = 2\n", "sink_momentum = [0, 0, 3]", "hadrons.fixed_sinks[1].sink_momentum",
            "the fixed sink v: the momentum (0, 0, 3) is beyond", periodic},
           {sinks + "sink_time = 2\n", "momenta = [[0, 0, 3]]", "hadrons.fixed_sinks[1].momenta",
            "the momentum (0, 0, 3) is beyond", periodic},
           {staggered, "source_positions = [[4, 0, 0, 0]]", "staggered_hadrons.source_positions",
            "the source (4, 0, 0, 0) is not on the lattice 4x6x4x8", periodic},
           {loops + "directions = ['210']\ntime = 2\n", "distance = 2", "wilson_loops.distance",
            "Wilson loops: 2 steps along 210 are more than half of the lattice 4x6x4x8", periodic},
           {loops + "distance = 2\n", "time = 5", "wilson_loops.time",
            "Wilson loops: the largest time is 5; half of the lattice 4x6x4x8 is 4", periodic}}) {
    const std::string flavour = table == staggered ? "[[flavours]]\nname = 'l'\nmass = 0.1\n" : "";
    const bool is_open = !boundary.is_periodic();
    for (const bool of_files : {true, false}) {
      const std::string top = of_files ? "[configurations]\nfiles = ['x']\n"
                                       : std::string("[lattice]\nsize = [4, 6, 4, 8]\n") +
                                             (is_open ? "boundary = 'open'\n" : "") +
                                             "[action]\nbeta = 6.0\n[chain]\ntrajectories = 1\n";
      const auto text = top + flavour + table + line;
      const auto message = test::message_of<InputError>([&] {
        if (!of_files) static_cast<void>(parse_run_input(text, "in.toml"));
        const auto input = parse_measure_input(text, "in.toml");
        require_on_lattice(input, "lat.1", {12, 12, 12, 24}, periodic);
        require_on_lattice(input, "lat.2", {4, 6, 4, 8}, boundary);
      });
      // Of a repeated table the line is that of the key as well.
      const auto number = std::ranges::count(text, '\n') + 1;
      EXPECT_EQ(message.rfind(fmt::format("in.toml:{}:", number), 0), 0U) << message;
      EXPECT_NE(message.find("measure." + key + (of_files ? ": lat.2: " : ": ")), std::string::npos) << message;
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

TEST(HadronInput, ASourceThatIsListedTwice) {
  for (const std::string table : {"[measure.hadrons]\nkappas = [0.12]\n",
                                  "[[flavours]]\nname = 'l'\nmass = 0.1\n[measure.staggered_hadrons]\n"}) {
    const auto message = test::message_of<InputError>([&] {
      parse_measure_input(
          "[configurations]\nfiles = ['x']\n" + table + "source_positions = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]",
          "in.toml");
    });
    EXPECT_NE(message.find("hadrons.source_positions: one is listed twice"), std::string::npos) << message;
  }
}

TEST(HadronInput, SmearingOfTheTable) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure.hadrons]\nkappas = [0.12]\n";
  const auto input = parse_measure_input(files + "[measure.hadrons.smearing]\nkind = 'hyp'\nalpha1 = 0.7\n", "in.toml");
  const auto selection = hadron_job(input.measure)->selection;
  ASSERT_TRUE(selection.smearing);
  EXPECT_EQ(selection.smearing->kind, "hyp");
  EXPECT_EQ(selection.smearing->values.at("alpha1"), 0.7);
  EXPECT_EQ(selection.smearing->values.at("alpha3"), 0.3);
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(once.find("stout_"), std::string::npos) << once;
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  EXPECT_FALSE(hadron_job(parse_measure_input(files, "in.toml").measure)->selection.smearing);
  const std::string table = "[measure.hadrons.smearing]\n";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {files + table, "measure.hadrons.smearing.kind"},
      {files + table + "kind = 'hisq'\n", "expected one of \"stout\", \"ape\", \"hyp\""},
      {files + table + "kind = 'ape'\nrho = 0.1\n", "measure.hadrons.smearing.rho"},
      {files + table + "kind = 'ape'\nalpha = 1.5\n", "measure.hadrons.smearing.alpha: found"},
      {files + "stout_levels = 1\n" + table + "kind = 'ape'\n",
       "stout_levels: not allowed together with [measure.hadrons.smearing]"},
      {"[configurations]\nfiles = ['x']\n[smearing]\nkind = 'hyp'\n[measure.hadrons]\nkappas = [0.12]\n",
       "the links of Wilson quarks have [measure.hadrons.smearing]"}};
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

TEST(HadronInput, QuarksWithNames) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure.hadrons]\n";
  const std::string quarks =
      "clover = 1.2\nspatial_hopping = 0.9\nquarks = [{name = 'l', kappa = 0.13}, {name = 's', mass = 0.05, clover = "
      "1.1}, "
      "{name = 'h', kappa = 0.1, clover_temporal = 0.7}]\n";
  const auto input = parse_measure_input(files + quarks + "channels = ['pion', 'lambda']\n", "in.toml");
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  const auto selection = hadron_job(input.measure)->selection;
  ASSERT_EQ(selection.quarks.size(), 3U);
  const auto of = [&](std::size_t n) { return selection.quarks[n].parameters; };
  EXPECT_EQ(of(0).kappa, 0.13);
  EXPECT_EQ(of(1).kappa, 1 / (2 * 0.05 + 2 + 6 * 0.9));
  EXPECT_EQ((std::vector{of(0).clover, of(1).clover, of(2).clover}), (std::vector{1.2, 1.1, 1.2}));
  EXPECT_EQ((std::vector{of(0).clover_temporal, of(1).clover_temporal, of(2).clover_temporal}),
            (std::vector{1.2, 1.1, 0.7}));
  EXPECT_EQ(of(2).spatial_hopping, 0.9);
  EXPECT_EQ(joined(input.measure.hadrons->combinations, " "),
            "l.l l.s l.h s.s s.h h.h l.l.s l.l.h s.s.l s.s.h h.h.l h.h.s l.s.h");
  const auto some = parse_measure_input(
      files + quarks + "channels = ['rho', 'decuplet']\ncombinations = ['l.s', 's.s.s']\n", "in.toml");
  EXPECT_EQ(hadron_job(some.measure)->selection.hadrons().size(), 2U);
  const auto with_current = parse_measure_input(
      files +
          "clover = 1.2\nquarks = [{name = 'l', kappa = 0.13, clover = 1.0}, {name = 'l_v', from = 'l', current = "
          "'vector_t', current_momentum = [0, 1, 0], current_time = 5}, {name = 'l_1', from = 'l', current = 'scalar', "
          "mass = 0.1}]\nchannels = ['pion']\ncombinations = ['l.l', 'l_v.l', 'l_1.l']\n",
      "in.toml");
  const auto three_point = write_toml(with_current.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(three_point, "in.toml").resolved), three_point);
  const auto currents = hadron_job(with_current.measure)->selection.quarks;
  EXPECT_FALSE(currents[0].current);
  EXPECT_EQ(currents[1].parameters.kappa, 0.13);
  EXPECT_EQ(currents[1].parameters.clover, 1.0);
  EXPECT_EQ(currents[1].current->quark, 0);
  EXPECT_EQ(currents[1].current->channel, "vector_t");
  EXPECT_EQ(currents[1].current->momentum, (measure::Momentum{0, 1, 0}));
  EXPECT_EQ(currents[1].current->time, 5);
  EXPECT_FALSE(currents[2].current->time);
  EXPECT_NE(currents[2].parameters.kappa, 0.13);
  const auto named = [&](const std::string& list) { return files + "quarks = [" + list + "]\n"; };
  std::string nine;
  for (int n = 0; n < 9; ++n) nine += "{name = 'q" + std::to_string(n) + "', kappa = 0.1},";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {files + quarks + "kappas = [0.1]\n", "kappas: not allowed together with quarks"},
      {files + "kappas = [0.1]\ncombinations = ['l.l']\n", "combinations: not allowed without"},
      {files + "kappas = [0.1]\nchannels = ['lambda']\n", "lambda"},
      {named("{name = 'l', kappa = 0.1}, {name = 'l', kappa = 0.2}"), "quarks[1].name: \"l\" is already the name"},
      {named("{name = 'l.s', kappa = 0.1}"), "quarks[0].name: found \"l.s\", expected up to 60 lower-case letters"},
      {named("{kappa = 0.1}"), "quarks[0].name"},
      {named("{name = 'l'}"), "quarks[0].kappa"},
      {named("{name = 'l', kappa = 0.1, mass = 1.0}"), "quarks[0].kappa: not allowed together with mass"},
      {named("{name = 'l', mass = -5.0}"), "quarks[0].mass: found -5, which makes kappa"},
      {named("{name = 'l', kappa = 0.1, cloverr = 1.0}"), "cloverr"},
      {named("{name = 'l', kappa = 0.1, current = 'scalar'}"), "quarks[0].current: not allowed without from"},
      {named("{name = 'l', kappa = 0.1, from = 'l', current = 'scalar'}"),
       "from: found \"l\", expected the name of an"},
      {named("{name = 'l', kappa = 0.1}, {name = 'v', from = 'l'}"), "quarks[1].current"},
      {named("{name = 'l', kappa = 0.1}, {name = 'v', from = 'l', current = 'rho'}"), "quarks[1].current"},
      {named("{name = 'l', kappa = 0.1}, {name = 'v', from = 'l', current = 'scalar', current_time = -1}"),
       "quarks[1].current_time"},
      {named("{name = 'l', kappa = 0.1}, {name = 'v', from = 'l', current = 'scalar'}"),
       "the quark v is in no combination"},
      {named(nine), "quarks: found 9, expected at most 8"},
      {files + "quarks = []\n", "quarks"},
      {files + quarks + "combinations = ['l.u']\n", "combinations: \"l.u\": there is no quark \"u\""},
      {files + quarks + "combinations = ['l']\n", "found 1 quarks, expected two or three"},
      {files + quarks + "combinations = ['l.s', 'l.s']\n", "combinations: one is listed twice"},
      {files + quarks + "combinations = ['l.s']\n", "no combination of quarks forms \"proton\""},
      {files + quarks + "combinations = ['l.s', 'l.s.s', 'l.l.l']\n", "the quarks l.s.s form none of"},
      {files + quarks + "combinations = []\n", "combinations: is empty"},
      {files + quarks + "channels = ['kaon']\n", "channels"},
  };
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

TEST(HadronInput, Noise) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure.hadrons]\nkappas = [0.12]\n";
  const std::string noise = files + "source = 'u1_wall'\n";
  const auto input = parse_measure_input(
      noise + "noise_vectors = 3\nnoise_dilution = 'spin_colour'\nnoise_spacing = [2, 1, 4]\nchannels = ['rho']\n",
      "in.toml");
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  const auto selection = hadron_job(input.measure)->selection;
  EXPECT_EQ(selection.source, measure::QuarkSourceKind::noise);
  EXPECT_EQ(selection.noise.kind, measure::NoiseKind::u1);
  EXPECT_EQ(selection.noise.dilution, measure::NoiseDilution::spin_colour);
  EXPECT_EQ(selection.noise.vectors, 3);
  EXPECT_EQ(selection.noise.spacing, (std::array{2, 1, 4}));
  EXPECT_EQ(selection.sources({4, 4, 4, 8}).size(), 3U);
  EXPECT_EQ(hadron_job(parse_measure_input(noise, "in.toml").measure)->selection.channels,
            std::vector<std::string>{"pion"});
  const std::string quarks =
      "[configurations]\nfiles = ['x']\n[measure.hadrons]\nquarks = [{name = 'l', kappa = 0.13}, {name = 'v', from = "
      "'l', current = 'scalar'}]\nchannels = ['pion']\ncombinations = ['v.l']\n";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {files + "noise_vectors = 3\n", "noise_vectors: not allowed without noise"},
      {files + "noise_dilution = 'spin'\n", "noise_dilution: not allowed without noise"},
      {files + "source = 'wall'\nnoise_spacing = [1, 1, 1]\n", "noise_spacing: not allowed without noise"},
      {noise + "noise_vectors = 0\n", "noise_vectors: found the integer 0"},
      {noise + "noise_dilution = 'time'\n", "noise_dilution"},
      {noise + "noise_spacing = [2, 2]\n", "noise_spacing"},
      {noise + "channels = ['proton']\n", "noise sources make no baryons"},
      {noise + "noise_dilution = 'none'\nchannels = ['pion', 'rho']\n", "channels: found \"rho\", which needs"},
      {quarks + "source = 'z4_wall'\n", "cannot be combined with the current of the quark v"},
  };
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

TEST(HadronInput, FixedSinks) {
  const std::string files = "[configurations]\nfiles = ['x']\n[measure.hadrons]\n";
  const std::string quarks = files +
                             "quarks = [{name = 'l', kappa = 0.13}, {name = 's', kappa = 0.12}, {name = 'v', from = "
                             "'l', current = 'scalar'}]\nchannels = ['pion']\ncombinations = ['l.l', 'v.l']\n";
  const auto with = [&](const std::string& sinks) { return quarks + "fixed_sinks = [" + sinks + "]\n"; };
  const auto input = parse_measure_input(
      with("{name = 'd', quarks = 'l.l.s', channel = 'proton', current_on = 3, to = 'l', projector = 'polarised_z', "
           "sink = 'smeared', sink_momentum = [0, 1, 0], sink_time = 5, currents = ['vector_t', 'axial_z'], "
           "max_momentum_squared = 1}, {name = 'k', quarks = 'l.s', channel = 'pion', sink_time = 0}") +
          "smearing_steps = 3\n",
      "in.toml");
  const auto once = write_toml(input.resolved);
  EXPECT_EQ(write_toml(parse_measure_input(once, "in.toml").resolved), once);
  const auto sinks = hadron_job(input.measure)->selection.fixed_sinks;
  ASSERT_EQ(sinks.size(), 2U);
  EXPECT_EQ(sinks[0].quarks, (std::vector{0, 0, 1}));
  EXPECT_EQ(sinks[0].place, 2);
  EXPECT_EQ(sinks[0].to, 0);
  EXPECT_EQ(sinks[0].projector, measure::SinkProjector::polarised_z);
  EXPECT_TRUE(sinks[0].smeared);
  EXPECT_EQ(sinks[0].momentum, (measure::Momentum{0, 1, 0}));
  EXPECT_EQ(sinks[0].time, 5);
  EXPECT_EQ(sinks[0].momenta.size(), 7U);
  EXPECT_EQ(sinks[1].currents.size(), 16U);
  EXPECT_EQ(sinks[1].to, 0);
  const std::string good = "name = 'f', sink_time = 1, ";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {files + "kappas = [0.1]\nfixed_sinks = []\n", "fixed_sinks: not allowed without"},
      {with("{" + good + "quarks = 'l.u', channel = 'pion'}"), "fixed_sinks[0].quarks: \"l.u\": there is no quark"},
      {with("{" + good + "quarks = 'l.v', channel = 'pion'}"), "the quark v has a current"},
      {with("{" + good + "quarks = 'l.s', channel = 'proton'}"), "the quarks l.s form no \"proton\""},
      {with("{" + good + "quarks = 'l.s', channel = 'pion', current_on = 2}"), "current_on: found the integer 2"},
      {with("{" + good + "quarks = 'l.s', channel = 'pion', projector = 'polarised_x'}"), "projector: not allowed"},
      {with("{" + good + "quarks = 'l.s', channel = 'pion', currents = ['rho']}"), "currents"},
      {with("{" + good + "quarks = 'l.s', channel = 'pion', to = 'v'}"), "the quark v has a current"},
      {with("{name = 'f', quarks = 'l.s', channel = 'pion'}"), "sink_time"},
      {with("{" + good + "quarks = 'l.s', channel = 'pion'}, {" + good + "quarks = 'l.l', channel = 'pion'}"),
       "\"f\" is already the name of another fixed sink"},
      {with("{" + good + "quarks = 'l.s', channel = 'pion'}") + "smearing_steps = 2\n", "smearing_steps: not allowed"},
  };
  for (const auto& [text, part] : wrong) {
    const auto message = test::message_of<InputError>([&, t = text] { parse_measure_input(t, "in.toml"); });
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
  }
}

}  // namespace
}  // namespace trellis::app
