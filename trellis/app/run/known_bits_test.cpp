// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The configurations of examples/dynamical.toml have the same bytes with every instruction set and compiler, on GPUs
// and on any number of ranks: these SciDAC checksums. An intentional change of the algorithm that moves them says so in
// CHANGELOG.md, and updates the set for all.
#include <stdlib.h>

#include "tests/support/launcher.hpp"
#include "tests/support/run_test.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/io/inspect.hpp"

namespace trellis::app {
namespace {

class KnownBits : public test::RunTest {
 protected:
  static std::string example(const std::string& name, const Changes& changes) {
    auto all = changes;
    all.emplace_back("\"quickstart-results\"", "\"" + name + "\"");
    return changed(io::test::read_all(std::string(TRELLIS_EXAMPLES) + "/dynamical.toml"), all);
  }
  // Whether `ranks` processes are available, each with its own GPU where kernels run on GPUs (sharing takes minutes).
  // If so, runs the modified example on them, with results in the folder `name`.
  bool run_example(int ranks, const std::string& name, const Changes& changes = {}) const {
    std::vector<std::string> words{TRELLIS_PROGRAM, "run", name + ".toml"};
    const auto gpus = device_identities().size();
    if (gpus > 0 && std::size_t(ranks) > gpus) return false;
    if (ranks > 1) {
      auto launched = test::launcher(ranks);
      if (launched.empty()) return false;
      ::setenv("OMP_NUM_THREADS", "1", 1);
      ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
      launched.insert(launched.end(), words.begin(), words.end());
      words = launched;
    }
    io::test::write_all(at(name + ".toml"), example(name, changes));
    const auto outcome = test::Process(words, here()).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return true;
  }
  // "bb25b1ab 5e476010", recomputed from the bytes of the links.
  std::string checksums(const std::string& name, int trajectory) const {
    const auto file = fmt::format("{0}/{0}.{1:06}.ildg", name, trajectory);
    const auto found = io::inspect(at(file));
    EXPECT_TRUE(found.sound()) << file;
    std::string text;
    for (const auto& one : found.report.checksums)
      text += fmt::format("{}{:08x}", text.empty() ? "" : " ", one.computed);
    return text;
  }
};

// A subset that even an emulated processor can run.
TEST_F(KnownBits, SmallLattice) {
  const Changes small{{"[8, 8, 8, 4]", "[4, 4, 4, 4]"},
                      {"trajectories = 120", "trajectories = 6"},
                      {"thermalisation = 50", "thermalisation = 3"},
                      {"save_every = 40", "save_every = 6"},
                      {"checkpoint_every = 10", "checkpoint_every = 6"},
                      {"\nevery = 5", "\nevery = 3"},
                      {"reversibility_every = 20", "reversibility_every = 5"}};
  for (const int ranks : {1, 2, 4}) {
    const auto name = fmt::format("small{}", ranks);
    if (!run_example(ranks, name, small)) continue;
    EXPECT_EQ(checksums(name, 6), "6799bf36 8a342460") << ranks;
  }
}

TEST_F(KnownBits, NightlyAllConfigurationsOfTheExample) {
  for (const int ranks : {1, 2, 4}) {
    const auto name = fmt::format("all{}", ranks);
    if (!run_example(ranks, name)) continue;
    EXPECT_EQ(checksums(name, 40), "bb25b1ab 5e476010") << ranks;
    EXPECT_EQ(checksums(name, 80), "d59a5465 e2eaffb5") << ranks;
    EXPECT_EQ(checksums(name, 120), "7fcddd5b 6dc2e851") << ranks;
  }
}

}  // namespace
}  // namespace trellis::app
