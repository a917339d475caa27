// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Benchmarks of other programs: how their command is started, and where in their output the speed of the Wilson hopping
// term is. All programs here count 1320 flops per site and vector, as Trellis does (Grid did count 1344 before 2019).

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::bench {

// A line with the speed is  ...before NUMBER after...  and is between lines with `from` and `until`, where these are
// given. Lines with different values after `setting` are of different settings, of which the fastest counts. Output is
// the program's if it has a line that contains `mark`; the first program of the table counts.
struct OtherProgram {
  std::string_view name, mark, before, after;
  double unit = 1e9;  // flops per second
  std::string_view from = {}, until = {}, setting = {};
};
std::span<const OtherProgram> other_programs();

struct OtherFigure {
  std::string program;
  double flops = 0;  // a second: the median of the lines
  int lines = 0;     // how many there were
};
// Throws InputError that names the known programs if the output is of none of them, or has no line with a speed.
OtherFigure figure_in(const std::string& output);

// A command as words, the way a shell would split it: by blanks, with '...', "..." and \. There is no shell: what it
// would interpret (pipes, variables, patterns, assignments) is an InputError, unless it is quoted.
std::vector<std::string> words_of_command(const std::string& text);

// Runs a program (child_program.hpp) and returns all that it printed. Throws InputError if it cannot be started, Error
// with its last lines if it fails.
std::string output_of(const std::vector<std::string>& command);

}  // namespace trellis::bench
