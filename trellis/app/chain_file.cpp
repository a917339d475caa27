// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/chain_file.hpp"

#include <charconv>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

constexpr const char* kVersion = "1";

std::uint64_t integer(const io::CheckpointText& text, const char* key) {
  const auto& value = text.value(key);
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size())
    fail("the checkpoint's {} is '{}', expected an integer", key, value);
  return number;
}

// Hexadecimal digits carry every bit.
double real(const io::CheckpointText& text, const char* key) {
  const auto& value = text.value(key);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0') fail("the checkpoint's {} is '{}', expected a number", key, value);
  return number;
}

}  // namespace

void save_chain(const std::filesystem::path& file, const io::FieldLinks& links, const SavedChain& chain) {
  const auto& s = chain.statistics;
  io::CheckpointText text;
  text.state = {{"version", kVersion},
                {"completed", fmt::format("{}", chain.completed)},
                {"trajectories", fmt::format("{}", s.trajectories)},
                {"accepted", fmt::format("{}", s.accepted)},
                {"sum_dH", fmt::format("{:a}", s.sum_dH)},
                {"sum_dH2", fmt::format("{:a}", s.sum_dH2)},
                {"sum_exp", fmt::format("{:a}", s.sum_exp)},
                {"sum_exp2", fmt::format("{:a}", s.sum_exp2)}};
  text.input = write_toml(chain.physics);
  io::write_checkpoint(file, links, text);
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
  chain.physics = parse_toml(text.input, file.string() + " (trellis-input)");
  return chain;
}

}  // namespace trellis::app
