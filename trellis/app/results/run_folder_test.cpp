// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The lock of a run's folder, and its log.
#include "trellis/app/results/run_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "tests/support/gauge_test_files.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

namespace fs = std::filesystem;

// As on a file system without locks.
int no_locks(int, int) {
  errno = ENOLCK;
  return -1;
}

// The message of the exception, or "".
std::string error(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& caught) {
    return caught.what();
  }
  return "";
}

std::string host() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

int dead_process() {
  const auto child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

class RunFolders : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { io::test::write_all(at(name), text); }
  std::string read(const std::string& name) const { return io::test::read_all(at(name)); }
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  std::string taken(FolderLock::LockCall lock = ::flock) const {
    return error([&] { const FolderLock held(at("c.lock"), lock); });
  }
  static std::string process(int number, const std::string& on) {
    return "process " + std::to_string(number) + " on " + on + "\n";
  }

  io::test::TempFolder folder_;
};

TEST_F(RunFolders, AreLockedForOneProcess) {
  {
    const FolderLock lock(at("c.lock"));
    EXPECT_NE(taken().find("c.lock is locked: another process is working on the same output (process " +
                           std::to_string(::getpid()) + " on " + host() + "); wait for it"),
              std::string::npos)
        << taken();
    lock.require_held();
  }
  EXPECT_FALSE(fs::exists(at("c.lock")));
  for (const std::string left : {"", "anything", "process 1 on x\n"}) {
    write("c.lock", left);
    EXPECT_EQ(taken(), "");
  }
}

TEST_F(RunFolders, AreLockedByAFileWhereThereAreNoLocks) {
  {
    const FolderLock lock(at("c.lock"), no_locks);
    EXPECT_EQ(read("c.lock"), process(::getpid(), host()));
    lock.require_held();
  }
  EXPECT_FALSE(fs::exists(at("c.lock")));
  // Left behind by killed processes of this host, one of which had this process's number.
  for (const int number : {dead_process(), int(::getpid())}) {
    write("c.lock", process(number, host()));
    EXPECT_EQ(taken(no_locks), "");
    EXPECT_FALSE(fs::exists(at("c.lock")));
  }
  const auto refused = [&](const std::string& content, const std::string& who) {
    write("c.lock", content);
    const auto complaint = taken(no_locks);
    EXPECT_NE(complaint.find("c.lock: " + who + " is working on the same output, or was killed"), std::string::npos)
        << complaint;
    EXPECT_NE(complaint.find("If no process is working there, remove the file"), std::string::npos) << complaint;
    EXPECT_EQ(read("c.lock"), content);
  };
  refused(process(::getppid(), host()), "process " + std::to_string(::getppid()) + " on " + host());
  refused(process(17, host() + "x"), "process 17 on " + host() + "x");
  refused("", "a process that left no name");
}

TEST_F(RunFolders, SayThatTheFolderIsGone) {
  fs::create_directory(at("run"));
  const FolderLock lock(at("run/c.lock"));
  fs::rename(at("run"), at("moved"));
  EXPECT_EQ(error([&] { lock.require_held(); }).find("the folder " + at("run").string() + " was removed or renamed"),
            0U);
  fs::rename(at("moved"), at("run"));
  EXPECT_EQ(error([&] { lock.require_held(); }), "");
}

TEST_F(RunFolders, SayThatALockIsGone) {
  for (const auto call : {FolderLock::LockCall(::flock), FolderLock::LockCall(no_locks)}) {
    const FolderLock lock(at("c.lock"), call);
    EXPECT_EQ(error([&] { lock.require_held(); }), "");
    fs::remove(at("c.lock"));
    const auto gone =
        "the lock file " + at("c.lock").string() +
        " was removed or replaced while this process was working here: another one may have started; stopped "
        "before anything more is written";
    EXPECT_EQ(error([&] { lock.require_held(); }), gone);
    const FolderLock other(at("c.lock"), call);
    EXPECT_EQ(error([&] { lock.require_held(); }), gone);
    EXPECT_EQ(error([&] { other.require_held(); }), "");
  }
  // Nor does a process whose lock was replaced remove the other's.
  {
    auto first = std::make_unique<FolderLock>(at("c.lock"));
    fs::remove(at("c.lock"));
    const FolderLock second(at("c.lock"));
    first.reset();
    EXPECT_EQ(error([&] { second.require_held(); }), "");
  }
}

// In a process of another user, for those who run the tests as root.
TEST_F(RunFolders, TakeWhatAnotherUserLeft) {
  write("c.lock", "");
  fs::permissions(at("c.lock"), fs::perms(0444));
  fs::permissions(folder_.path(), fs::perms(0777));
  const auto child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(9);
    ::_exit(taken().empty() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  write("c.lock", "");
  const FolderLock lock(at("c.lock"));
  fs::permissions(at("c.lock"), fs::perms(0444));
  const auto second = ::fork();
  if (second == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(9);
    ::_exit(taken().find("c.lock is locked: another process is working") != std::string::npos ? 0 : 1);
  }
  ::waitpid(second, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(RunFolders, HaveALogOfTheirOwn) {
  append_log(at("c.log"), "one");
  append_log(at("c.log"), "two");
  const auto log = read("c.log");
  EXPECT_NE(log.find(" one\n"), std::string::npos) << log;
  EXPECT_EQ(log.substr(log.size() - 5), " two\n");
  write("other", "mine\n");
  fs::create_symlink(at("other"), at("link.log"));
  append_log(at("link.log"), "three");
  EXPECT_EQ(read("other"), "mine\n");
  ASSERT_EQ(::mkfifo(at("pipe.log").c_str(), 0600), 0);
  append_log(at("pipe.log"), "nobody reads it");
  append_log(at("no/such/folder.log"), "");
}

TEST_F(RunFolders, FilesThatOptionsNameCanBeWrittenOrAreRefused) {
  const auto refusal = [&](const fs::path& file) {
    return error([&] { require_output_file("--json", file.string()); });
  };
  write("old.json", "");
  fs::create_directory(at("folder"));
  fs::create_symlink("new.json", at("link.json"));
  fs::create_symlink("folder", at("link"));
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  for (const auto& good : {fs::path(), at("new.json"), at("old.json"), at("link.json"), at("link/new.json")})
    EXPECT_EQ(refusal(good), "");
  const std::string folder = ": is a folder, not a file that can be written", pipe = ": is not a regular file";
  for (const auto& [bad, why] : {std::pair{at("folder"), folder},
                                 {at("link"), folder},
                                 {at("pipe"), pipe},
                                 {fs::path("/dev/null"), pipe},
                                 {fs::path("/proc/self/fd/1"), pipe},
                                 {at("none/new.json"), ": there is no folder " + fs::canonical(at(".")).string()}})
    EXPECT_NE(refusal(bad).find("--json " + bad.string() + why), std::string::npos) << refusal(bad);
}

TEST_F(RunFolders, TextsReplaceWhatALinkStandsForAndNoPipe) {
  fs::create_symlink("target", at("link"));
  write_text_file(at("link"), "one");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read("target"), "one");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_NE(error([&] { write_text_file(at("pipe"), "two"); }).find("is not a regular file"), std::string::npos);
}

TEST_F(RunFolders, LoseOnlyTheirOwnUnfinishedFiles) {
  const RunFolder folder{at("."), "c"};
  for (const auto* name : {"c.flow.h5.part", "c-quarks.csv.part", "c.csv", "c2.flow.h5.part", "cd-quarks.csv.part"})
    write(name, "");
  remove_parts(folder);
  for (const auto* gone : {"c.flow.h5.part", "c-quarks.csv.part"}) EXPECT_FALSE(fs::exists(at(gone))) << gone;
  for (const auto* kept : {"c.csv", "c2.flow.h5.part", "cd-quarks.csv.part"}) EXPECT_TRUE(fs::exists(at(kept))) << kept;
}

}  // namespace
}  // namespace trellis::app
