// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/other_program.hpp"

#include <gtest/gtest.h>

#include "trellis/core/error.hpp"

namespace trellis::bench {
namespace {

using Words = std::vector<std::string>;

// What these programs print, shortened; the numbers are made up.
const std::string kokkos_dslash =
    "INFO: Tuning: (Bx,By,Bz,Bt)=(16,32,32,32) GFLOPS=3.2\n"
    "INFO: Main timing: (Bx,By,Bz,Bt)=(4,2,2,16)\n"
    "INFO: isign=1 Performance: 150.500000 GFLOPS\n"
    "INFO: isign=1 Effective BW (RFO=0): 12.0 GB/sec\n"
    "INFO: isign=1 Performance: 148.000000 GFLOPS\n"
    "INFO: isign=-1 Performance: 151.250000 GFLOPS\n";
const std::string qphix =
    "VECLEN=16 SOALEN=8\n"
    "Timing on cb=0 isign=1\n"
    "=============================\n"
    "\t timing 0 of 3\n"
    "\t 500 iterations in 1.9e+00 seconds\n"
    "\t Performance: 171.5 GFLOPS total\n"
    "\t               171.5 GFLOPS / node\n"
    "Timing on cb=1 isign=-1\n"
    "\t Performance: 173.5 GFLOPS total\n"
    "\t Performance: 172.5 GFLOPS total\n"
    "Creating Wilson Op\n"
    "Timing M: isign=1\n"
    "\t Performance: 130 GFLOPS total\n"
    "CG GFLOPS=110\n";
const std::string grid =
    "Grid : Message : 0.216532 s : Calling Dw\n"
    "Grid : Message : 1.302134 s : Called Dw\n"
    "Grid : Message : 1.302166 s : flops per site 1320\n"
    "Grid : Message : 1.302177 s : mflop/s =   85123.5\n"
    "Grid : Message : 1.302189 s : GiB/s (base 2) =   170.2\n"
    "Grid : Message : 1.302189 s : Called DwDag\n";
const std::string quda =
    "Tuning...\n"
    "Executing 100 kernel loops...\n"
    "done.\n"
    "620.412350us per kernel call\n"
    "1384120320 flops per kernel call, 1320 flops per site 1440 bytes per site\n"
    "GFLOPS = 2230.967742\n"
    "GBYTES = 2433.78\n"
    "Effective halo bi-directional bandwidth (GB/s) GPU = 0.0 ( CPU = 0.0, min = 0.0 , max = 0.0 ) for aggregate "
    "message size 0 bytes\n";
const std::string own = "{\n  \"kernels\": [\n    {\n      \"gflops\": 98.5,\n      \"of_mix\": 0.5\n    }\n  ]\n}\n";

TEST(OtherProgram, SpeedsAreFoundInTheOutputOfEach) {
  // Another of KokkosDslash's benchmarks, for several sizes of teams.
  const std::string teams =
      "INFO: per_team=2\n"
      "INFO: Sites Per Team=2 isign=-1 Performance: 90.5 GFLOPS\n"
      "INFO: Sites Per Team=2 isign=-1 Effective BW (RFO=0): 12.0 GB/sec\n"
      "INFO: Sites Per Team=2 isign=1 Performance: 91.5 GFLOPS\n"
      "INFO: Sites Per Team=4 isign=-1 Performance: 120.5 GFLOPS\n"
      "INFO: Sites Per Team=4 isign=1 Performance: 122.5 GFLOPS\n"
      "INFO: Sites Per Team=8 isign=-1 Performance: 60.5 GFLOPS\n"
      "INFO: Sites Per Team=8 isign=1 Performance: 130.5 GFLOPS\n";
  const auto without_prefix = [](std::string text) {
    for (auto at = text.find("INFO: "); at != std::string::npos; at = text.find("INFO: ")) text.erase(at, 6);
    return text;
  };
  const struct {
    std::string output, program;
    double gflops;
    int lines;
  } cases[] = {{kokkos_dslash, "KokkosDslash", 150.5, 3},
               {without_prefix(kokkos_dslash), "KokkosDslash", 150.5, 3},
               {teams, "KokkosDslash", 121.5, 2},
               {without_prefix(teams), "KokkosDslash", 121.5, 2},
               {qphix, "QPhiX", 172.5, 3},
               {grid, "Grid", 85.1235, 1},
               {quda, "QUDA dslash_test", 2230.967742, 1},
               {own, "Trellis (bench dslash --json)", 98.5, 1}};
  EXPECT_EQ(std::size(cases), other_programs().size() + 3);
  for (const auto& [output, program, gflops, lines] : cases) {
    const auto found = figure_in(output);
    EXPECT_EQ(found.program, program);
    EXPECT_DOUBLE_EQ(found.flops, gflops * 1e9) << program;
    EXPECT_EQ(found.lines, lines) << program;
  }
}

std::string refusal_of(const std::string& output) {
  try {
    figure_in(output);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(OtherProgram, UnknownOutputIsRefusedWithTheKnownPrograms) {
  const auto unknown = refusal_of("hello\n\nGFLOPS: 12\n");
  for (const auto* part : {"no known program", "KokkosDslash", "QPhiX", "Grid", "QUDA dslash_test", "GFLOPS: 12"})
    EXPECT_NE(unknown.find(part), std::string::npos) << unknown;
  EXPECT_NE(refusal_of("").find("it printed nothing"), std::string::npos);
  // A known program without a speed, or with one that is none.
  EXPECT_NE(refusal_of("Timing on cb=0 isign=1\n").find("that of QPhiX, but has no line"), std::string::npos);
  EXPECT_NE(refusal_of("GFLOPS = nan\n").find("that of QUDA"), std::string::npos);
  EXPECT_NE(refusal_of("GFLOPS = -1\n").find("that of QUDA"), std::string::npos);
  EXPECT_NE(refusal_of("INFO: isign=1 Performance: 12 MFLOPS\n").find("that of KokkosDslash"), std::string::npos);
}

TEST(OtherProgram, CommandsAreSplitAsAShellWould) {
  EXPECT_EQ(words_of_command("a  b\tc\n"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words_of_command("a 'b c' \"d e\"f g\\ h ''"), (Words{"a", "b c", "d ef", "g h", ""}));
  EXPECT_EQ(words_of_command("a '$x|y' \"\\\"q\\\\\""), (Words{"a", "$x|y", "\"q\\"}));
  EXPECT_EQ(words_of_command("env A=1 b --c=d"), (Words{"env", "A=1", "b", "--c=d"}));
  for (const std::string refused : {"", "   ", "a | b", "a; b", "a & b", "a > f", "a < f", "a $X", "a `b`", "a \"$X\"",
                                    "a *", "a ?", "a [b]", "(a)", "~/a", "A=1 b", "a 'b", "a \"b", "a \\"})
    EXPECT_THROW(words_of_command(refused), InputError) << refused;
}

TEST(OtherProgram, OutputAndErrorsOfCommands) {
  EXPECT_EQ(output_of({"printf", "%s|", "a b", "$c"}), "a b|$c|");
  EXPECT_EQ(output_of({"sh", "-c", "echo out; echo err >&2"}), "out\nerr\n");
  EXPECT_EQ(output_of({"cat"}), "");  // nothing to read
  EXPECT_THROW(output_of({"/no/such/program"}), InputError);
  const auto failure = [](const Words& command) -> std::string {
    try {
      output_of(command);
    } catch (const Error& e) {
      return e.what();
    }
    return "succeeded";
  };
  const auto failed = failure({"sh", "-c", "echo what was wrong; exit 3"});
  EXPECT_NE(failed.find("exit code 3"), std::string::npos) << failed;
  EXPECT_NE(failed.find("what was wrong"), std::string::npos) << failed;
  EXPECT_NE(failure({"sh", "-c", "kill -9 $$"}).find("signal 9"), std::string::npos);
}

// The other program sees the user's environment, not what was changed for our own threads.
TEST(OtherProgram, EnvironmentIsTheUsers) {
  ::setenv("TRELLIS_SET_LATER", "1", 1);
  const std::string environment = output_of({"env"});
  ::unsetenv("TRELLIS_SET_LATER");
  EXPECT_EQ(environment.find("TRELLIS_SET_LATER"), std::string::npos);
  EXPECT_EQ(environment.find("GOMP_SPINCOUNT=1000\n"), std::string::npos);
  EXPECT_NE(environment.find("PATH="), std::string::npos);
}

}  // namespace
}  // namespace trellis::bench
