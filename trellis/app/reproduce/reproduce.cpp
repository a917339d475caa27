// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis reproduce FILE: computes a configuration or results again, from the input that they carry, and compares bits.
#include <memory>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/measure/measure_files.hpp"
#include "trellis/app/reproduce/reproduction.hpp"
#include "trellis/app/run/run_chain.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/first_rank.hpp"
#include "trellis/io/temporary_folder.hpp"

namespace trellis::app {
namespace {

// Only the progress of the run: all else that it says is about files that will be removed.
Console only_progress(const Console& console) {
  auto quiet = console;
  quiet.write = [write = console.write](std::string_view text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (has(" s/trajectory") || has(" s/file") || text == "\n") write(text);
  };
  return quiet;
}

int compute(const std::string& input, bool of_run, const std::string& called_as, const Console& console) {
  if (!of_run) return measure_files(parse_measure_input(input, "the input of the repetition"), called_as, console);
  const auto run = parse_run_input(input, "the input of the repetition");
  require_memory(run);
  return run_chain(run, called_as, called_as + " reproduce", console);
}

// 0: the same bits; 1: not.
int verdict(const Reproduction& plan, const std::filesystem::path& folder, const Console& console) {
  const char* const what = plan.of_run ? "trajectory" : "row";
  std::optional<Difference> first;
  std::filesystem::path where;
  std::int64_t compared = 0;
  for (const auto& one : compare(plan, folder)) {
    compared += one.compared;
    const auto count = one.compared == 1 ? fmt::format("1 {}", what)
                                         : fmt::format("{} {}", one.compared, plan.of_run ? "trajectories" : "rows");
    console.write(fmt::format("  {:<40} {}\n", one.file.string(),
                              one.first
                                  ? fmt::format("DIFFERS from {} {} on: {}", what, one.first->number, one.first->what)
                              : one.compared == 0 ? "nothing to compare"
                                                  : "the same bits, " + count));
    if (one.first && (!first || one.first->number < first->number)) {
      first = one.first;
      where = one.file;
    }
  }
  if (first) {
    console.write(fmt::format("Not reproduced: the first difference is in {} {}, {}: {}\n", what, first->number,
                              where.string(), first->what));
    return 1;
  }
  if (compared == 0) fail_input("nothing could be compared: the repetition has none of these files");
  console.write("Reproduced: every number that was computed again has the same bits.\n");
  return 0;
}

int reproduce(const ReproduceOptions& options, const std::string& called_as, const Console& console) {
  const auto ranks = job();
  if (options.scratch.empty() && ranks.ranks_on_machine() < ranks.size())
    fail_input("reproduce: this job runs on several machines: give --scratch with a folder that all of them see");
  std::optional<Reproduction> plan;
  std::optional<io::TemporaryFolder> folder;
  std::string shared;
  io::on_first_rank(ranks, "look at what to reproduce", [&] {
    plan.emplace(plan_reproduction(options));
    console.write(plan->text());
    if (options.dry_run) return;
    if (options.scratch.empty())
      folder.emplace();
    else
      folder.emplace(options.scratch);
    shared = (plan->of_run ? "r" : "m") + reproducing_input(*plan, folder->path());
  });
  shared = ranks.broadcast("the input", shared);
  if (shared.empty()) return 0;
  if (const int code = compute(shared.substr(1), shared[0] == 'r', called_as, only_progress(console)); code != 0) {
    console.write("Stopped: nothing was compared.\n");
    return code;
  }
  return io::from_first_rank(ranks, "compare", [&] { return verdict(*plan, folder->path(), console); });
}

}  // namespace

void add_reproduce(const Command& program, Action& action) {
  auto options = std::make_shared<ReproduceOptions>();
  auto file = std::make_shared<std::string>(), scratch = std::make_shared<std::string>();
  const auto command = program.add_subcommand(
      "reproduce", "Compute a configuration or results again from their own input, and compare bits");
  command.add_option("FILE", *file, "a configuration, a checkpoint, a result file, or a folder of results").required();
  command.add_option(
      "--from", options->from,
      "where to begin: a checkpoint or configuration, a folder that holds some, or `start`; default: for a "
      "configuration the latest state before it in its folder, for results the start");
  command.add_option("--to", options->to, "the last trajectory or row; 0: all").capture_default_str();
  command.add_option("--name", options->name, "output.name of the run, where the folder holds several");
  command
      .add_option("--scratch", *scratch,
                  "where the temporary folder is made, with space for all files that are compared; ranks on several "
                  "machines must all see it")
      .option_text("FOLDER");
  command.add_flag("--dry-run", options->dry_run, "only say what would be done, and how long it took then");
  command.footer(
      "Nothing is written beside the results. Exit code: 0 the same bits, 1 other bits (the first trajectory or row\n"
      "that differs is named), 2 the file does not say how it was made, or something is missing.\n"
      "Example: trellis reproduce quenched-results/quenched.000100.ildg --dry-run");
  command.callback([options, file, scratch, called_as = command.called_as(), &action] {
    action = [options, file, scratch, called_as] {
      options->file = *file;
      options->scratch = *scratch;
      if (options->to < 0) fail_input("--to: found {}, expected a number from 0", options->to);
      if (!scratch->empty() && !std::filesystem::is_directory(*scratch))
        fail_input("--scratch: {} is not a folder", *scratch);
      require_devices();
      return reproduce(*options, called_as, standard_console());
    };
  });
}

}  // namespace trellis::app
