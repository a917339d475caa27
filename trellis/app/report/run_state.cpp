// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/run_state.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "trellis/app/version.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/plural.hpp"
#include "trellis/tuning/processor.hpp"

namespace trellis::app {
namespace {

bool is_start(const std::string& text) { return text.starts_with("trellis "); }
// "measured from trajectory 6 on: ..." is said at the start of a run, "measured 6 files" at the end of a measurement.
bool is_end(const std::string& text) {
  return text.starts_with("finished") || text.starts_with("stopped") || text.starts_with("error: ") ||
         (text.starts_with("measured ") && !text.starts_with("measured from "));
}

// "2026-01-31 12:00:00 ", and nothing else, begins an entry.
bool has_time(const std::string& line) {
  constexpr std::string_view form = "dddd-dd-dd dd:dd:dd ";
  if (line.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? line[i] < '0' || line[i] > '9' : line[i] != form[i]) return false;
  return true;
}

std::int64_t number_after(const std::string& text, std::string_view word) {
  std::int64_t number = 0;
  const auto at = text.find(word);
  if (at == std::string::npos) return number;
  std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string program_entry_text() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return fmt::format("{}{} on {}, {}", program_entry, version_line(), *host == '\0' ? "an unnamed machine" : host,
                     tuning::runs_on());
}

std::vector<LogEntry> read_log(const std::filesystem::path& file) {
  constexpr std::size_t time = 19;
  auto stream = input_stream(file);
  std::vector<LogEntry> entries;
  for (std::string line; std::getline(stream, line);)
    if (has_time(line)) entries.push_back({line.substr(0, time), line.substr(time + 1)});
  return entries;
}

RunState state_of(const ChainResults& chain) {
  RunState state;
  const bool of_files = chain.number == "row";
  const auto& numbers = chain.table.column(chain.number);
  state.done = numbers.empty() ? 0 : std::int64_t(numbers.back());
  std::string end;
  for (const auto& entry : read_log(chain.folder.log())) {
    if (is_start(entry.text)) {
      state.starts.push_back(entry);
      end.clear();
    } else if (is_end(entry.text)) {
      end = entry.text;
      state.loss.clear();
    } else if (entry.text.starts_with(loss_entry)) {
      state.loss = entry.text.substr(loss_entry.size());
    } else if (entry.text.starts_with(program_entry)) {
      const auto text = entry.text.substr(program_entry.size());
      if (std::find(state.programs.begin(), state.programs.end(), text) == state.programs.end())
        state.programs.push_back(text);
    }
    state.last_entry = entry.time;
  }
  if (!of_files) state.total = read_run_input(chain.folder.input()).chain.trajectories;
  const auto progress =
      of_files ? plural(state.done, "file") : fmt::format("{} of {} trajectories", state.done, state.total);
  if (const auto holder = holder_of_lock(chain.folder.lock()); !holder.empty()) {
    state.end = RunEnd::going;
    state.text = fmt::format("still going ({}): {} so far", holder, progress);
  } else if (end.starts_with("finished") || (!of_files && state.done >= state.total)) {
    state.end = RunEnd::finished;
    state.text = end.empty() ? fmt::format("finished: {}", progress) : end;
  } else if (end.starts_with("measured ")) {
    const auto asked = state.starts.empty() ? 0 : number_after(state.starts.back().text, ": ");
    const bool all = number_after(end, "measured ") >= asked;
    state.end = all ? RunEnd::finished : RunEnd::stopped;
    state.text = fmt::format("{}: {}", all ? "finished" : "stopped", end);
  } else if (!end.empty()) {
    state.end = end.starts_with("error: ") ? RunEnd::failed : RunEnd::stopped;
    state.text = end;
  } else {
    state.text = fmt::format(
        "was killed, or its machine stopped: {} are done, and the log has no last entry. The same command continues",
        progress);
  }
  return state;
}

}  // namespace trellis::app
