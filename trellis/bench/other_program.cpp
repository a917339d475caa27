// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/other_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include "trellis/bench/child_program.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/tuning/timing.hpp"

namespace trellis::bench {
namespace {

// QPhiX times the even/odd operator and solvers after the hopping term, and prints lines of the same form for them.
constexpr OtherProgram programs[] = {
    {.name = "QPhiX",
     .mark = "Timing on cb=",
     .before = "Performance: ",
     .after = " GFLOPS total",
     .from = "Timing on cb=",
     .until = "Timing M"},
    {.name = "KokkosDslash",
     .mark = "isign=",  // QPhiX prints that, too
     .before = " Performance: ",
     .after = " GFLOPS",
     .setting = "Sites Per Team="},
    {.name = "Grid", .mark = "mflop/s =", .before = "mflop/s =", .after = "", .unit = 1e6, .until = "Called DwDag"},
    {.name = "QUDA dslash_test", .mark = "GFLOPS = ", .before = "GFLOPS = ", .after = ""},
    {.name = "Trellis (bench dslash --json)", .mark = "\"of_mix\":", .before = "\"gflops\": ", .after = ","},
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

bool contains(std::string_view line, std::string_view part) { return line.find(part) != std::string_view::npos; }

// The number between `before` and `after`.
std::optional<double> number_in(std::string_view line, const OtherProgram& program) {
  const auto at = line.find(program.before);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + program.before.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  double value = 0;
  const auto [stop, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const std::string_view behind(stop, static_cast<std::size_t>(rest.data() + rest.size() - stop));
  if (code != std::errc() || !(value > 0) || !behind.starts_with(program.after)) return std::nullopt;
  return value;
}

// What follows program.setting, up to a blank.
std::string setting_in(std::string_view line, const OtherProgram& program) {
  const auto at = program.setting.empty() ? std::string_view::npos : line.find(program.setting);
  if (at == std::string_view::npos) return {};
  const auto value = line.substr(at + program.setting.size());
  return std::string(value.substr(0, value.find(' ')));
}

std::string last_lines(const std::string& text) {
  constexpr std::size_t most = 5;
  std::vector<std::string> kept;
  for (const auto line : lines_of(text))
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) kept.emplace_back(line);
  if (kept.size() > most) kept.erase(kept.begin(), kept.end() - most);
  return kept.empty() ? "it printed nothing" : "its last lines are:\n  " + joined(kept, "\n  ");
}

}  // namespace

std::span<const OtherProgram> other_programs() { return programs; }

OtherFigure figure_in(const std::string& output) {
  const auto lines = lines_of(output);
  for (const OtherProgram& program : programs) {
    bool is_its = false, inside = program.from.empty(), over = false;
    std::map<std::string, std::vector<double>> speeds;  // by settings
    for (const auto line : lines) {
      is_its = is_its || contains(line, program.mark);
      if (!program.from.empty() && contains(line, program.from)) inside = true;
      if (!program.until.empty() && contains(line, program.until)) over = true;
      if (!inside || over) continue;
      if (const auto speed = number_in(line, program))
        speeds[setting_in(line, program)].push_back(*speed * program.unit);
    }
    if (!is_its) continue;
    if (speeds.empty())
      fail_input("the output is that of {}, but has no line '{} NUMBER{}'; {}", program.name, program.before,
                 program.after, last_lines(output));
    OtherFigure fastest{std::string(program.name)};
    for (const auto& [setting, of_setting] : speeds)
      if (const double flops = median(of_setting); flops > fastest.flops) {
        fastest.flops = flops;
        fastest.lines = int(of_setting.size());
      }
    return fastest;
  }
  fail_input("the output is of no known program ({}); {}", joined(names_of(programs), ", "), last_lines(output));
}

std::vector<std::string> words_of_command(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false, any_quote = false;
  const auto finish = [&] {
    if (!in_word) return;
    if (words.empty() && !any_quote && word.find('=') != std::string::npos)
      fail_input("'{}': there is no shell to set variables; begin the command with the word env", word);
    words.push_back(word);
    word.clear();
    in_word = any_quote = false;
  };
  const auto refuse = [](char c) {
    fail_input("'{}' has no meaning, since there is no shell: quote it as '{}', or call a script", c, c);
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == ' ' || c == '\t' || c == '\n') {
      finish();
      continue;
    }
    if (c == '~' && !in_word) refuse(c);
    in_word = true;
    if (c == '\'' || c == '"') {
      any_quote = true;
      for (++k; k < text.size() && text[k] != c; ++k) {
        if (c == '"' && (text[k] == '$' || text[k] == '`')) refuse(text[k]);
        if (c == '"' && text[k] == '\\' && k + 1 < text.size() && std::strchr("\"\\$`", text[k + 1]) != nullptr) ++k;
        word += text[k];
      }
      if (k == text.size()) fail_input("a {} is never closed", c);
    } else if (c == '\\') {
      if (k + 1 == text.size()) fail_input("nothing follows the last \\");
      any_quote = true;
      word += text[++k];
    } else if (std::strchr("|&;<>()$`*?[", c) != nullptr) {
      refuse(c);
    } else {
      word += c;
    }
  }
  finish();
  if (words.empty()) fail_input("the command is empty");
  return words;
}

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("{} cannot be started: {}", command[0], std::strerror(errno));
  int process = 0;
  try {
    process = start_program(command, ends[1]);
  } catch (...) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
  std::string output;
  char buffer[65536];
  for (;;) {
    const auto count = ::read(ends[0], buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    output.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  const int status = wait_for_program(process);
  const std::string called = joined(command, " ");
  if (WIFSIGNALED(status)) fail("'{}' was ended by signal {}; {}", called, WTERMSIG(status), last_lines(output));
  if (WEXITSTATUS(status) != 0)
    fail("'{}' failed with exit code {}; {}", called, WEXITSTATUS(status), last_lines(output));
  return output;
}

}  // namespace trellis::bench
