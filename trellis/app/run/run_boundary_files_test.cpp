// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Files of runs with boundaries in time: what they say, and what is made of them and measured on them.
#include "tests/support/boundary_run_test.hpp"
#include "trellis/io/gauge_reader.hpp"
#include "trellis/io/tables/csv_table.hpp"

namespace trellis::app {
namespace {

class RunBoundaryFiles : public test::BoundaryRunTest {};

// openQCD's files do not have slice T: converted to them and back, measured, and the start of a run.
TEST_F(RunBoundaryFiles, FilesOfOpenqcdHaveFewerSlices) {
  const auto trellis = [&](const std::vector<std::string>& arguments) { return call_program(arguments); };
  const std::string angles = "-3.141592653589793,1.0471975511965976";
  ASSERT_EQ(run("a", functional).code, 0);
  const auto made = trellis({"convert", "a/c.000012.ildg", "c.openqcd", "--time-extent", "4"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("4x4x4x4"), std::string::npos) << made.out;
  EXPECT_EQ(std::filesystem::file_size(at("c.openqcd")), 24U + 4 * 4 * 4 * 4 * 4 * 144);
  const auto back = trellis({"convert", "c.openqcd", "c.ildg", "--time-extent", "4", "--phi-prime", angles});
  ASSERT_EQ(back.code, 0) << back.err;
  EXPECT_NE(back.out.find("links of a Schroedinger functional of extent 4, which the new file records"),
            std::string::npos)
      << back.out;
  const auto whole = trellis({"inspect", "c.openqcd", "--time-extent", "4", "--phi-prime", angles});
  EXPECT_EQ(whole.code, 0);
  EXPECT_NE(whole.out.find("boundary t   Schroedinger functional of extent 4\n"), std::string::npos) << whole.out;
  const auto seen = trellis({"inspect", "c.ildg"});
  EXPECT_NE(seen.out.find("Schroedinger functional of extent 4 (by its record)"), std::string::npos) << seen.out;
  const auto told = trellis({"convert", "c.openqcd", "c.nersc", "--time-extent", "4", "--phi-prime", angles});
  EXPECT_NE(told.out.find("which the new file records"), std::string::npos) << told.out;
  const auto alone = trellis({"inspect", "c.openqcd"});
  EXPECT_EQ(alone.code, 1);
  EXPECT_NE(alone.out.find("--phi-prime"), std::string::npos) << alone.out;
  EXPECT_EQ(trellis({"inspect", "c.openqcd", "--time-extent", "4", "--phi-prime", "-3.1,1.0"}).code, 1);

  const auto measured = [&](const std::string& name, const std::string& file, const std::string& more) {
    io::test::write_all(at(name + ".toml"),
                        "[configurations]\nfiles = [\"" + file +
                            "\"]\nboundary = \"schroedinger_functional\"\ntime_extent = 4\n" + more +
                            "[measure]\nobservables = [\"energy\"]\n[measure.hadrons]\nkappas = [0.11]\nclover = 1.2\n"
                            "source_positions = [[1, 0, 2, 2]]\nchannels = [\"pion\"]\n[output]\ndirectory = \"" +
                            name + "\"\nname = \"c\"\n");
    return call(name, "measure");
  };
  const std::string phi_prime = "phi_prime = [" + angles + "]\n";
  for (const auto& [name, file, more] : {std::tuple{"of_run", "a/c.000012.ildg", std::string()},
                                         {"of_openqcd", "c.openqcd", phi_prime},
                                         {"of_both", "c.ildg", std::string()}}) {
    const auto outcome = measured(name, file, more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(text(std::string(name) + "/c-hadrons.csv"), text("of_run/c-hadrons.csv")) << name;
    const auto table = io::read_csv(at(name) / "c.csv", {"file", "content"}),
               of_run = io::read_csv(at("of_run/c.csv"), {"file", "content"});
    for (const auto* column : {"plaquette", "energy"})
      EXPECT_EQ(table.column(column), of_run.column(column)) << name << " " << column;
  }
  // The converted file knows its boundary.
  io::test::write_all(at("known.toml"),
                      "[configurations]\nfiles = [\"c.ildg\"]\n[measure]\nobservables = [\"energy\"]\n[output]\n"
                      "directory = \"known\"\nname = \"c\"\n");
  const auto known = call("known", "measure");
  ASSERT_EQ(known.code, 0) << known.err;
  EXPECT_EQ(io::read_csv(at("known/c.csv"), {"file", "content"}).column("energy"),
            io::read_csv(at("of_run/c.csv"), {"file", "content"}).column("energy"));
  const auto analysed = trellis({"analyse", "of_openqcd"});
  EXPECT_NE(analysed.out.find("4x4x4x6"), std::string::npos) << analysed.out << analysed.err;
  // What is said wrongly, or not at all.
  for (const auto& [file, more, code, message] :
       {std::tuple{"c.openqcd", std::string(), 2, "phi_prime has to say what is on slice 4"},
        {"c.openqcd", std::string("phi_prime = [1.0, 2.0]\n"), 1, "the links have the plaquette"},
        {"a/c.000012.ildg", phi_prime, 2, "configurations.phi_prime is for openQCD's files"}}) {
    const auto outcome = measured("no", file, more);
    EXPECT_EQ(outcome.code, code);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
  // Runs that begin with either file have the same trajectories.
  for (const std::string file : {"a/c.000012.ildg", "c.openqcd"}) {
    const auto name = file == "c.openqcd" ? "from_openqcd" : "from_run";
    const auto outcome = run(name, with(functional, {{"kind = \"hot\"", "kind = \"file\"\nfile = \"" + file + "\""},
                                                     {"trajectories = 12", "trajectories = 6"}}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(io::read_csv(at(name) / "c.csv").column("plaquette"),
              io::read_csv(at("from_run/c.csv")).column("plaquette"));
  }
}

// NERSC archives and MILC's files say it in their headers, with the angles, and so does what is made of them.
TEST_F(RunBoundaryFiles, FilesOfOtherFormatsKeepTheBoundary) {
  ASSERT_EQ(run("a", functional).code, 0);
  ASSERT_EQ(run("open", open).code, 0);
  const auto converted = [&](const std::vector<std::string>& files) {
    auto words = std::vector<std::string>{"convert"};
    words.insert(words.end(), files.begin(), files.end());
    const auto outcome = call_program(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  const auto measured = [&](const std::string& file, const std::string& more = "") {
    io::test::write_all(at("m.toml"), "[configurations]\nfiles = [\"" + file + "\"]\n" + more +
                                          "[measure]\nobservables = [\"energy\"]\n[output]\ndirectory = \"" + file +
                                          "-m\"\nname = \"c\"\n");
    return call("m", "measure");
  };
  const auto plaquette = [&](const std::string& folder) {
    return io::read_csv(at(folder) / "c.csv", {"file", "content"}).column("plaquette").back();
  };
  converted({"a/c.000012.ildg", "c.nersc"});
  converted({"a/c.000012.ildg", "c.milc", "--precision", "single"});
  converted({"c.nersc", "again.nersc"});
  converted({"c.nersc", "again.ildg"});
  converted({"again.ildg", "again.milc", "--precision", "single"});
  const double expected = io::read_csv(at("a/c.csv")).column("plaquette").back();
  for (const std::string file : {"c.nersc", "c.milc", "again.nersc", "again.ildg", "again.milc"}) {
    const auto inspected = call_program({"inspect", file});
    EXPECT_EQ(inspected.code, 0) << inspected.out;
    EXPECT_NE(inspected.out.find("Schroedinger functional of extent 4 (by its "), std::string::npos) << inspected.out;
    EXPECT_NE(inspected.out.find("[-3.141592653589793, 1.0471975511965976]"), std::string::npos) << inspected.out;
    const auto outcome = measured(file);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NEAR(plaquette(file + "-m"), expected, file.ends_with("milc") ? 1e-7 : 1e-12) << file;
    expect_error(measured(file, "boundary = \"periodic\"\n"), 2, {"whose boundary in t is Schroedinger functional"});
    const auto start = run("start-" + file, {{size, "size = [4, 4, 4, 6]"},
                                             {"kind = \"hot\"", "kind = \"file\"\nfile = \"" + file + "\""}});
    EXPECT_NE(start.err.find("was saved by a run whose boundary in t is Schroedinger"), std::string::npos) << start.err;
  }
  // What takes links for periodic refuses all of them.
  for (const std::string file : {"a/c.000012.ildg", "c.nersc", "c.milc", "open/c.000012.ildg"})
    expect_error(call_program({"solve", "--links", file, "--point", "0,0,0,0", "--mass", "0.1", "--save-fat", "f",
                               "--save-long", "l", "--solution", "x"}),
                 2, {file, "boundary in t is"});
  EXPECT_FALSE(exists("x"));
  EXPECT_NE(text("c.nersc").find("BOUNDARY_4 = FIXED"), std::string::npos);
  converted({"open/c.000012.ildg", "open.nersc"});
  EXPECT_NE(text("open.nersc").find("BOUNDARY_4 = OPEN"), std::string::npos);
  const auto inspected = call_program({"inspect", "open.nersc"});
  EXPECT_EQ(inspected.code, 0);
  EXPECT_NE(inspected.out.find("boundary t   open (links are zero); the header says OPEN\n"), std::string::npos)
      << inspected.out;
}

// A Schroedinger functional is recognised by the run that saved it, whose weights the derivative by eta needs; other
// files are checked where they are said to be one.
TEST_F(RunBoundaryFiles, FilesOfARunHaveItsBoundary) {
  const Changes eta{{"\"energy\"", "\"energy\", \"eta_derivative\""}};
  ASSERT_EQ(run("a", with(functional_with_rectangles, eta)).code, 0);
  ASSERT_EQ(run("periodic", {{size, "size = [4, 4, 4, 6]"}}).code, 0);
  const auto measured = [&](const std::string& name, const std::string& file, const std::string& keys,
                            const std::string& more = "") {
    io::test::write_all(at(name + ".toml"), "[configurations]\nfiles = [\"" + file + "/c.000012.ildg\"]\n" + keys +
                                                "[measure]\nobservables = [\"energy\", \"eta_derivative\"]\n" + more +
                                                "[output]\ndirectory = \"" + name + "\"\nname = \"c\"\n");
    return call(name, "measure");
  };
  const auto column_of = [&](const std::string& name, const char* column) {
    return io::read_csv(at(name) / "c.csv", {"file", "content"}).column(column).back();
  };
  const std::string said = "boundary = \"schroedinger_functional\"\ntime_extent = 4\n";
  for (const auto& [name, keys] : {std::pair{"by_run", std::string()},
                                   {"said", said},
                                   {"same", said + "c_G = 1.1\nc1 = -0.08333333333333333\n"}}) {
    const auto outcome = measured(name, "a", keys);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const auto* column : {"plaquette", "energy", "eta_derivative"})
      EXPECT_NEAR(column_of(name, column), column_of("a", column), 1e-12) << name << " " << column;
  }
  // Each weight that is given replaces the run's, the others stay.
  const auto other = measured("other", "a", said + "c_G = 1.0\n");
  ASSERT_EQ(other.code, 0);
  EXPECT_NE(other.err.find("other weights of loops at the boundary"), std::string::npos) << other.err;
  EXPECT_GT(std::abs(column_of("other", "eta_derivative") - column_of("a", "eta_derivative")), 1e-3);
  ASSERT_EQ(measured("part", "a", said + "c1 = -0.08333333333333333\n").code, 0);
  EXPECT_NEAR(column_of("part", "eta_derivative"), column_of("a", "eta_derivative"), 1e-12);
  // With one configuration and exact traces nothing fluctuates.
  const auto exact = measured("exact", "a", "", "[measure.quarks]\nnoise = \"exact\"\n" + flavour);
  ASSERT_EQ(exact.code, 0) << exact.err;
  const std::string label = "disconnected chi_m l";
  const auto place = exact.out.find(label);
  ASSERT_NE(place, std::string::npos) << exact.out;
  EXPECT_NEAR(std::stod(exact.out.substr(place + label.size())), 0, 1e-9) << exact.out;
  const double c = column_of("exact", "condensate_l");
  EXPECT_NEAR(column_of("exact", "chiral_disconnected_l"), 192 * c * c, 1e-9);
  const auto analysed = call_program({"analyse", "exact"});
  EXPECT_EQ(analysed.code, 0) << analysed.err;

  for (const auto& [file, keys, message] :
       {std::tuple{"a", std::string("boundary = \"periodic\"\n"), "\"eta_derivative\" is that of a Schroedinger"},
        {"a", said.substr(0, said.size() - 2) + "5\n",
         "was saved by a run whose boundary in t is Schroedinger functional of"},
        {"periodic", said, "was saved by a run whose boundary in t is periodic"},
        {"periodic", std::string(), "\"eta_derivative\" is that of a Schroedinger functional"},
        {"a", said + "c1 = 0.0\nc_G_rectangles = 1.4\n", "configurations.c_G_rectangles"}}) {
    const auto outcome = measured("no", file, keys);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(exists("no/c.csv"));
  }
  // A measurement is of one kind of boundary, in later calls too.
  const auto plaquettes = [&](const std::string& files) {
    io::test::write_all(at("kind.toml"), "[configurations]\nfiles = [" + files +
                                             "]\n[measure]\nobservables = [\"plaquette\"]\n[output]\ndirectory = "
                                             "\"kind\"\nname = \"c\"\n");
    return call("kind", "measure");
  };
  const std::string one = "\"a/c.000012.ildg\"", another = "\"periodic/c.000012.ildg\"";
  EXPECT_NE(plaquettes(one + ", " + another).err.find("needs a single kind"), std::string::npos);
  ASSERT_EQ(plaquettes(one).code, 0);
  const auto later = plaquettes(another);
  EXPECT_EQ(later.code, 2);
  EXPECT_NE(later.err.find("configurations.boundary"), std::string::npos) << later.err;
  // Weights that no record tells have to be given, and quarks that do not go around the lattice know no imaginary_mu.
  ASSERT_EQ(call_program({"convert", "a/c.000012.ildg", "d.nersc"}).code, 0);
  ASSERT_EQ(call_program({"convert", "d.nersc", "d.ildg"}).code, 0);
  std::filesystem::create_directory(at("converted"));
  std::filesystem::rename(at("d.ildg"), at("converted/c.000012.ildg"));
  const auto unknown = measured("no", "converted", said);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("needs the weights of loops at the boundary"), std::string::npos) << unknown.err;
  EXPECT_EQ(measured("told", "converted", said + "c_G = 1.1\nc1 = -0.08333333333333333\n").code, 0);
  EXPECT_NEAR(column_of("told", "eta_derivative"), column_of("a", "eta_derivative"), 1e-12);
  const auto mu = measured("no", "a", "", "[measure.quarks]\nnoise = \"exact\"\n" + flavour + "imaginary_mu = 0.2\n");
  EXPECT_EQ(mu.code, 2);
  EXPECT_NE(mu.err.find("imaginary_mu"), std::string::npos) << mu.err;
  io::test::write_all(at("loops.toml"),
                      "[configurations]\nfiles = [\"periodic/c.000012.ildg\"]\n[measure]\n[measure.wilson_loops]\n"
                      "distance = 1\ntime = 1\nboundary_distance = 1\n");
  const auto loops = call("loops", "measure");
  EXPECT_EQ(loops.code, 2);
  EXPECT_NE(loops.err.find("c.000012.ildg: is periodic in t; measure.wilson_loops.boundary_distance is only for"),
            std::string::npos)
      << loops.err;
  // Without the record of a run.
  ASSERT_EQ(call_program({"convert", "periodic/c.000012.ildg", "plain.nersc"}).code, 0);
  std::filesystem::create_directory(at("plain"));
  std::filesystem::rename(at("plain.nersc"), at("plain/c.000012.ildg"));
  const auto plain = measured("no", "plain", said + "c_G = 1.0\n");
  EXPECT_EQ(plain.code, 2);
  EXPECT_NE(plain.err.find("the links on slice 0 are not those of a Schroedinger functional"), std::string::npos)
      << plain.err;

  const auto inspected = call_program({"inspect", "a/c.000012.ildg"});
  EXPECT_NE(inspected.out.find("Schroedinger functional of extent 4 (by its run)"), std::string::npos) << inspected.out;
  EXPECT_NE(inspected.out.find("made by      lattice.phi_prime = [-3.14"), std::string::npos) << inspected.out;
  const auto converted = call_program({"convert", "a/c.000012.ildg", "c.nersc"});
  EXPECT_NE(converted.out.find("links of a Schroedinger functional of extent 4"), std::string::npos) << converted.out;
  // Starts that have another boundary are told.
  for (const auto& [file, changes, message] :
       {std::tuple{"a", Changes{{size, "size = [4, 4, 4, 6]"}},
                   "was saved by a run whose boundary in t is Schroedinger"},
        {"periodic", functional, "was saved by a run whose boundary in t is periodic"},
        {"a", with(functional, {{"phi = [-1.0471975511965976", "phi = [-1.1471975511965976"}}),
         "links on slices 0 and 4 are not those of phi and phi_prime, and are replaced"}}) {
    const auto name = fmt::format("start{}", std::string(message).size());
    const auto outcome =
        run(name, with(changes, {{"kind = \"hot\"", fmt::format("kind = \"file\"\nfile = \"{}/c.000012.ildg\"", file)},
                                 {"trajectories = 12", "trajectories = 2"},
                                 {"thermalisation = 3", "thermalisation = 0"}}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE((outcome.out + outcome.err).find(message), std::string::npos) << outcome.err;
  }
}

// Coulomb and Landau gauge, which keep what is not a variable; eigenvalues.
TEST_F(RunBoundaryFiles, GaugeFixingAndEigenvaluesOfFiles) {
  for (const bool is_open : {true, false}) {
    const std::string whole = is_open ? "ow" : "fw";
    ASSERT_EQ(run(whole, is_open ? open : functional).code, 0);
    const std::string boundary = is_open ? "" : "boundary = \"schroedinger_functional\"\ntime_extent = 4\n";
    const auto measure = [&](const std::string& name, const std::string& gauge, const std::string& file) {
      io::test::write_all(at(name + ".toml"),
                          "[configurations]\nfiles = [\"" + file + "\"]\n" + boundary + flavour +
                              "[smearing]\nkind = \"hyp\"\n[gauge_fixing]\ngauge = \"" + gauge +
                              "\"\nsave = true\n[measure.eigenvalues]\ncount = 3\n[output]\ndirectory = \"" + name +
                              "\"\nname = \"c\"\n");
      const auto done = call(name, "measure");
      EXPECT_EQ(done.code, 0) << done.err;
      return io::read_csv(at(name + "/c.csv"), {"file", "content"});
    };
    for (const std::string gauge : {"coulomb", "landau"}) {
      const auto before = measure(whole + gauge, gauge, whole + "/c.000012.ildg");
      EXPECT_GT(before.column("gauge_iterations")[0], 0);
      EXPECT_LE(before.column("gauge_residual")[0], 1e-12);
      EXPECT_GT(before.column("lowest_eigenvalue_l")[0], 1e-4);
      const auto fixed = whole + gauge + "/c-" + gauge + "-c.000012.ildg";
      EXPECT_EQ(zeros(fixed), zeros(whole + "/c.000012.ildg"));
      const auto seen = call_program({"inspect", fixed});
      for (const auto& part : {std::string("gauge = ") + gauge,
                               std::string(is_open ? "boundary t   open" : "boundary t   Schroedinger functional")})
        EXPECT_NE(seen.out.find(part), std::string::npos) << seen.out;
      const auto after = measure(whole + gauge + "2", gauge, fixed);
      EXPECT_EQ(after.column("gauge_iterations")[0], 0);
      EXPECT_NEAR(after.column("plaquette")[0], before.column("plaquette")[0], 1e-12);
      EXPECT_NEAR(after.column("lowest_eigenvalue_l")[0], before.column("lowest_eigenvalue_l")[0], 1e-9);
    }
  }
}

}  // namespace
}  // namespace trellis::app
