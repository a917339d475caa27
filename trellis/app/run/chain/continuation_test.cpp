// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/chain/continuation.hpp"

#include <gtest/gtest.h>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/app/input/same_physics.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/gauge_field_io.hpp"

namespace trellis::app {
namespace {

// A folder with the checkpoints of trajectories 10 and 12, and what was said and restored.
class Continuations : public testing::Test {
 protected:
  Continuations() {
    save(folder_.previous_checkpoint(), 10);
    save(folder_.checkpoint(), 12);
  }

  static RunInput input(const std::string& steps, const std::string& beta = "5.7") {
    return parse_run_input("[lattice]\nsize = [2, 2, 2, 2]\n[action]\nbeta = " + beta +
                               "\n[algorithm]\nsteps = " + steps + "\n[chain]\ntrajectories = 20\n",
                           "i.toml");
  }

  static void save(const std::filesystem::path& file, std::uint32_t completed, std::uint32_t tunings = 0) {
    const Lattice lattice({2, 2, 2, 2});
    save_chain(file, io::link_source(GaugeField<double, 1>::unit(lattice)),
               {.completed = completed, .physics = physics_of(input("5").resolved), .tunings = tunings});
  }

  Continuation from(const RunInput& input) {
    return continue_chain(input, TrajectoryColumns(input), RunLog{folder_, ranks_, console_}, "trellis",
                          [this](const Continuation& found) {
                            restored_.push_back(found.saved.completed);
                            if (found.saved.completed == spoiled_) fail_input("c.csv: is damaged");
                          });
  }

  const io::test::TempFolder place_;
  const RunFolder folder_{place_.path(), "c"};
  const comm::Communicator ranks_;
  std::string said_;
  const Console console_{.write = [this](std::string_view text) { said_ += text; }, .columns = {}, .clock = {}};
  std::vector<std::uint32_t> restored_;
  std::uint32_t spoiled_ = 0;
};

TEST_F(Continuations, FromTheLastCheckpoint) {
  const auto last = from(input("5"));
  EXPECT_EQ(last.checkpoint, folder_.checkpoint());
  EXPECT_EQ(last.saved.completed, 12U);
  EXPECT_EQ(last.tunings(), 0U);
  EXPECT_TRUE(last.changed_tuning.empty() && last.new_measurements.empty());
  EXPECT_EQ(restored_, std::vector<std::uint32_t>{12});
  EXPECT_EQ(said_, "");
  EXPECT_NE(what_is_safe(folder_, "trellis run i.toml")->find("Nothing up to trajectory 12 is lost"),
            std::string::npos);
}

TEST_F(Continuations, KnowsWhatTheInputChanges) {
  save(folder_.checkpoint(), 12, 3);
  const auto changed = from(input("7"));
  ASSERT_EQ(changed.changed_tuning.size(), 1U);
  EXPECT_NE(changed.changed_tuning[0].find("7"), std::string::npos) << changed.changed_tuning[0];
  EXPECT_EQ(changed.tunings(), 4U);
  EXPECT_THROW(from(input("5", "5.8")), InputError) << "another chain";
}

TEST_F(Continuations, GoesBackIfResultsAreDamaged) {
  spoiled_ = 12;
  const auto previous = from(input("5"));
  EXPECT_EQ(previous.checkpoint, folder_.previous_checkpoint());
  EXPECT_EQ(restored_, (std::vector<std::uint32_t>{12, 10}));
  EXPECT_EQ(said_, "Going back to trajectory 10 (" + folder_.previous_checkpoint().string() +
                       "), because: c.csv: is damaged\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.checkpoint()));
  EXPECT_TRUE(std::filesystem::exists(folder_.unused_checkpoint()));
  EXPECT_FALSE(what_is_safe(folder_, "trellis run i.toml")) << "there is no last checkpoint";
}

TEST_F(Continuations, SaysIfWhatIsLostHadOtherBits) {
  spoiled_ = 12;
  save(folder_.previous_checkpoint(), 10, 1);  // and no row of the table says so
  from(input("5"));
  EXPECT_NE(said_.find("c.csv: is damaged. Keys that change bits were changed after it"), std::string::npos) << said_;
}

TEST_F(Continuations, ChangesNothingIfBothAreDamaged) {
  io::test::write_all(folder_.checkpoint(), "no checkpoint");
  std::filesystem::remove(folder_.previous_checkpoint());
  try {
    from(input("5"));
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.exit_code(), 1);
    for (const std::string& part :
         {folder_.checkpoint().string() + ": ", folder_.previous_checkpoint().string() + ": is missing",
          std::string("`trellis repair ")})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  EXPECT_TRUE(restored_.empty());
  EXPECT_EQ(io::test::read_all(folder_.checkpoint()), "no checkpoint");
}

}  // namespace
}  // namespace trellis::app
