// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/chain_file.hpp"

#include <charconv>
#include <sstream>

#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/tables/text.hpp"

namespace trellis::app {
namespace {

constexpr const char* kVersion = "1";
const std::string kResults = "results.", kReplica = "replica.";

std::uint64_t integer(const io::CheckpointText& text, const char* key) {
  const auto& value = text.value(key);
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size())
    fail("the checkpoint's {} is '{}', expected an integer", key, value);
  return number;
}

// Hexadecimal digits keep every bit.
double real(const io::CheckpointText& text, const char* key) {
  const auto& value = text.value(key);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0') fail("the checkpoint's {} is '{}', expected a number", key, value);
  return number;
}

}  // namespace

std::string to_text(const SavedResults& results) {
  std::string text;
  for (const auto& [name, rows] : results) text += fmt::format("{} = {}\n", name, rows.text());
  return text;
}

SavedResults parse_results(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> lines;
  io::parse_key_values(text, lines);
  SavedResults results;
  for (const auto& [name, rows] : lines) results.emplace(name, io::parse_checked_rows(rows));
  return results;
}

namespace {

io::CheckpointText text_of(const SavedChain& chain) {
  const auto& s = chain.statistics;
  io::CheckpointText text;
  text.state = {{"version", kVersion},
                {"completed", fmt::format("{}", chain.completed)},
                {"trajectories", fmt::format("{}", s.trajectories)},
                {"accepted", fmt::format("{}", s.accepted)},
                {"sum_dH", fmt::format("{:a}", s.sum_dH)},
                {"sum_dH2", fmt::format("{:a}", s.sum_dH2)},
                {"sum_exp", fmt::format("{:a}", s.sum_exp)},
                {"sum_exp2", fmt::format("{:a}", s.sum_exp2)},
                {"tunings", fmt::format("{}", chain.tunings)}};
  if (const auto& replicas = chain.replicas; !replicas.walkers.empty()) {
    text.state.emplace_back("walkers", joined(replicas.walkers, " "));
    for (std::size_t k = 0; k < replicas.checksums.size(); ++k)
      text.state.emplace_back(fmt::format("{}{}", kReplica, k + 1), replicas.checksums[k]);
  }
  for (const auto& [name, rows] : chain.results) text.state.emplace_back(kResults + name, rows.text());
  text.input = write_toml(chain.physics);
  return text;
}

}  // namespace

void save_chain(const std::filesystem::path& file, const io::FieldLinks& links, const SavedChain& chain) {
  io::write_checkpoint(file, links, text_of(chain));
}

void start_chain_file(io::FilesUnderWay& files, const std::filesystem::path& file,
                      const std::shared_ptr<const io::PackedLinks>& links, const SavedChain& chain,
                      const io::FileCheck& check) {
  io::start_checkpoint(files, file, links, text_of(chain), check);
}

void save_chain(const std::filesystem::path& file, const Coordinate& size, const io::LinkSource& links,
                const SavedChain& chain) {
  io::write_checkpoint(file, size, links, text_of(chain));
}

SavedChain read_saved_chain(const std::filesystem::path& file) {
  const auto text = io::read_checkpoint_text(file);
  if (const auto& version = text.value("version"); version != kVersion)
    fail("{}: is a checkpoint of version '{}', expected {}", file.string(), version, kVersion);
  SavedChain chain;
  chain.completed = static_cast<std::uint32_t>(integer(text, "completed"));
  auto& s = chain.statistics;
  s.trajectories = integer(text, "trajectories");
  s.accepted = integer(text, "accepted");
  s.sum_dH = real(text, "sum_dH");
  s.sum_dH2 = real(text, "sum_dH2");
  s.sum_exp = real(text, "sum_exp");
  s.sum_exp2 = real(text, "sum_exp2");
  // Earlier versions lacked these two.
  if (io::find_key(text.state, "tunings") != nullptr)
    chain.tunings = static_cast<std::uint32_t>(integer(text, "tunings"));
  for (const auto& [key, value] : text.state)
    if (key.starts_with(kResults)) chain.results.emplace(key.substr(kResults.size()), io::parse_checked_rows(value));
  if (const auto* walkers = io::find_key(text.state, "walkers")) {
    std::istringstream words(*walkers);
    for (int walker = 0; words >> walker;) chain.replicas.walkers.push_back(walker);
    for (std::size_t k = 1; k < chain.replicas.walkers.size(); ++k)
      chain.replicas.checksums.push_back(text.value(fmt::format("{}{}", kReplica, k)));
  }
  chain.physics = parse_toml(text.input, file.string() + " (trellis-input)");
  return chain;
}

}  // namespace trellis::app
