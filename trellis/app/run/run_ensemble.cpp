// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/run/run_ensemble.hpp"

#include <algorithm>
#include <iterator>

#include "trellis/app/input/toml_reader.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/origin/table_descriptions.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/shell_word.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/stopwatch.hpp"
#include "trellis/hmc/tempering/chain_seeds.hpp"
#include "trellis/io/first_rank.hpp"

namespace trellis::app {
namespace {

std::string name_of_chain(const RunInput& input, std::int64_t chain) {
  return fmt::format("{}-chain-{}", input.output.name, chain);
}

std::int64_t seed_of(const RunInput& input, std::int64_t chain) {
  return std::int64_t(hmc::seed_of_chain(std::uint64_t(input.chain.seed), std::uint32_t(chain)));
}

void set_key(TomlEntries& document, const std::string& table, const std::string& key, TomlValue value) {
  const auto named = [](const std::string& name) { return [&name](const TomlEntry& e) { return e.key == name; }; };
  const auto found = std::find_if(document.begin(), document.end(), named(table));
  auto& entries = std::get<TomlEntries>(found->value.content);
  const auto entry = std::find_if(entries.begin(), entries.end(), named(key));
  entry->value = std::move(value);
}

std::filesystem::path table_of(const RunInput& input, std::int64_t chain) {
  return RunFolder{input.output.directory, name_of_chain(input, chain)}.table();
}

// How many chains have begun, if these are more than the input asks for: earlier there were more.
std::int64_t chains_that_are_there(const RunInput& input) {
  std::int64_t chains = input.chains;
  while (std::filesystem::exists(table_of(input, chains))) ++chains;
  return chains;
}

std::string text_about_others(const RunInput& input, std::int64_t there) {
  if (there == input.chains) return "";
  const bool one = there == input.chains + 1;
  return fmt::format(
      "{0} in {2} {1}, from an input with more chains: {3} not continued, and {3} still part of {4}-ensemble.csv "
      "and of what `analyse` and `report` make of the folder. Remove the files {4}-chain-N* to leave {5} out.\n",
      one ? fmt::format("Chain {}", input.chains) : fmt::format("Chains {} to {}", input.chains, there - 1),
      one ? "is there" : "are there", input.output.directory.string(), one ? "it is" : "they are", input.output.name,
      one ? "it" : "them");
}

// The rows of all chains that have a table.
std::string table_of_all(const RunInput& input) {
  std::string text;
  for (std::int64_t chain = 0; chain < chains_that_are_there(input); ++chain) {
    if (!std::filesystem::exists(table_of(input, chain))) continue;
    auto stream = input_stream(table_of(input, chain));
    std::string line;
    const auto without_check = [&] { return line.substr(0, line.rfind(',')); };
    if (!std::getline(stream, line)) continue;
    if (text.empty()) text = "chain,seed," + without_check() + "\n";
    while (std::getline(stream, line) && !stream.eof())
      text += fmt::format("{},{},{}\n", chain, seed_of(input, chain), without_check());
  }
  return text;
}

}  // namespace

RunInput chain_of_ensemble(const RunInput& input, std::int64_t chain) {
  auto resolved = input.resolved;
  std::erase_if(resolved, [](const TomlEntry& entry) { return entry.key == "ensemble"; });
  set_key(resolved, "chain", "seed", TomlValue{seed_of(input, chain), {}});
  set_key(resolved, "output", "name", TomlValue{name_of_chain(input, chain), {}});
  return parse_run_input(write_toml(resolved), fmt::format("chain {} of the input", chain));
}

void require_no_copy_of_a_chain(const RunInput& input) {
  const auto alone = RunFolder{input.output.directory, input.output.name}.table(), first = table_of(input, 0);
  const bool of_ensemble = input.chains > 0;
  const auto &wanted = of_ensemble ? first : alone, &there = of_ensemble ? alone : first;
  if (std::filesystem::exists(wanted) || !std::filesystem::exists(there)) return;
  fail_input(
      "output: {} is there, from an input {} [ensemble]. {} that table the chain would begin a second time as {}, with "
      "the same seed and bits: {}, or give another output.directory",
      there.string(), of_ensemble ? "without" : "with", of_ensemble ? "With" : "Without", wanted.filename().string(),
      of_ensemble ? "remove it to continue the chain" : "put it back to continue the chains");
}

int run_ensemble(const RunInput& input, const std::string& program, const std::string& command, const Console& console,
                 const RunOptions& options) {
  const Stopwatch watch;
  // Before anything is said of a chain.
  const auto grid = job_grid(input.size, input.machine, gauge::longest_hop(input.quarks.smearing));
  lanes_for(grid, input.size, input.machine);
  const auto ranks = job().size() > 1 ? comm::Communicator::world() : comm::Communicator();
  const auto others =
      io::from_first_rank(ranks, "look for other chains", [&] { return chains_that_are_there(input) - input.chains; });
  console.write(text_about_others(input, input.chains + others));
  for (std::int64_t chain = 0; chain < input.chains; ++chain) {
    const auto one = chain_of_ensemble(input, chain);
    console.write(
        fmt::format("{}Chain {} of {}, seed {}\n", chain == 0 ? "" : "\n", chain, input.chains, one.chain.seed));
    auto own = options;
    own.seconds_before += watch.seconds();
    const int code = run_chain(one, program, command, console, own);
    const RunFolder all{input.output.directory, input.output.name + "-ensemble"};
    io::on_first_rank(ranks, "write the table of all chains", [&] {
      const auto text = table_of_all(input);
      if (text.empty()) return;
      write_text_file(all.table(), text);
      write_table_descriptions(all, origin_of(input),
                               {{all.table(), "the rows of all chains, one per trajectory", header_of(text), false}});
    });
    if (code != 0) return code;
  }
  console.write(fmt::format("\nAll {0} chains are finished.\nNext: {1} analyse {2}\n      {1} report {2}\n",
                            input.chains, shell_word(program), shell_word(input.output.directory.string())));
  return 0;
}

}  // namespace trellis::app
